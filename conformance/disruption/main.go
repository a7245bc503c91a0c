// Command disruption runs the methods of Karpenter's own disruption controller without a cluster.
//
// Each line of standard input is a scenario in JSON; each line of standard output is its answer. The first line has the
// versions.
package main

import (
	"encoding/json"
	"time"

	"github.com/samber/lo"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
)

type scenario struct {
	oracle.ScenarioInput
	Now time.Time
	// Nominated are the names of nodes that are nominated for a pending pod, which Karpenter keeps only in memory.
	Nominated []string
	// Later is the cluster at the time of validation; unchanged if absent.
	Later *later
	// Runs is how often to decide: different answers show what is left to chance. 0 counts as 1.
	Runs int
	// Methods are the methods to run; all if absent.
	Methods []string
	// Rounds is how often to measure the methods, each time on a new state; 0 measures nothing.
	Rounds int
	// Simulations are measured instead of the methods; none if absent.
	Simulations *simulations
}

type reply struct {
	// Answers are the distinct answers, in order of occurrence.
	Answers []answer `json:"answers"`
	// Milliseconds are the durations of the methods by round.
	Milliseconds []float64 `json:"milliseconds,omitempty"`
	// Simulations are the measured simulations.
	Simulations []timed `json:"simulations,omitempty"`
}

func main() {
	oracle.ShufflePods = true
	oracle.Serve(func(w *oracle.Environment, line []byte) any {
		result, err := replyTo(w, line)
		if err != nil {
			return oracle.Failure{Error: err.Error()}
		}
		return result
	})
}

func replyTo(env *oracle.Environment, line []byte) (result reply, err error) {
	var s scenario
	if err := json.Unmarshal(line, &s); err != nil {
		return reply{}, err
	}
	ctx := s.Settings.Context()
	seen := map[string]bool{}
	for range max(s.Runs, s.Rounds, 1) {
		p, err := newPass(ctx, env, s)
		if err != nil {
			return reply{}, err
		}
		if s.Rounds > 0 || s.Simulations != nil {
			p.Freeze()
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
			if one.Confirmed, err = validateLater(ctx, env, s, p.decided); err != nil {
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
