// Command disruption asks the methods of Karpenter's own disruption controller what they would do, without a cluster.
//
// Each line of standard input is a scenario in JSON; each line of standard output its answer. The first line says the versions.
package main

import (
	"encoding/json"
	"time"

	"github.com/samber/lo"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/world"
)

type scenario struct {
	world.Given
	Now time.Time
	// Nominated are the names of nodes that are kept for a pod that waits, which Karpenter has in its memory only.
	Nominated []string
	// Later is what has become of it when what is decided is looked at again; nothing is where it is absent.
	Later *later
	// Runs is how often to ask: answers that differ show what is left to chance. 0 counts as 1.
	Runs int
	// Methods are those that are asked; all if absent.
	Methods []string
	// Rounds is how often to time the methods, each on a state of its own; 0 times nothing.
	Rounds int
	// Simulations are to be timed in place of the methods; none if absent.
	Simulations *simulations
}

type reply struct {
	// Answers are distinct, in the order in which they came.
	Answers []answer `json:"answers"`
	// Milliseconds of the methods alone, round by round.
	Milliseconds []float64 `json:"milliseconds,omitempty"`
	// Simulations are those that were timed.
	Simulations []timed `json:"simulations,omitempty"`
}

func main() {
	world.PodsInAnyOrder = true
	world.Serve(func(w *world.World, line []byte) any {
		result, err := replyTo(w, line)
		if err != nil {
			return world.Failure{Error: err.Error()}
		}
		return result
	})
}

func replyTo(w *world.World, line []byte) (result reply, err error) {
	var s scenario
	if err := json.Unmarshal(line, &s); err != nil {
		return reply{}, err
	}
	ctx := s.Settings.Context()
	seen := map[string]bool{}
	for range max(s.Runs, s.Rounds, 1) {
		p, err := newPass(ctx, w, s)
		if err != nil {
			return reply{}, err
		}
		if s.Rounds > 0 || s.Simulations != nil {
			p.Stand()
		}
		if s.Simulations != nil {
			result.Simulations, err = p.timeSimulations(ctx, *s.Simulations)
			return result, err
		}
		start := time.Now()
		one, err := p.answer(ctx, s.Methods)
		if err != nil {
			return reply{}, err
		}
		if s.Later != nil {
			if one.Confirmed, err = lookAgain(ctx, w, s, p.decided); err != nil {
				return reply{}, err
			}
		}
		if s.Rounds > 0 {
			result.Milliseconds = append(result.Milliseconds, float64(time.Since(start).Microseconds())/1000)
		}
		if text := string(lo.Must(json.Marshal(one))); !seen[text] {
			seen[text] = true
			result.Answers = append(result.Answers, *one)
		}
	}
	return result, nil
}
