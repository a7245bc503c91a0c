// Command schedule runs Karpenter's own scheduler on manifests, without a cluster.
//
// Each line of standard input is a scenario in JSON; each line of standard output is its answer. The first line has the
// versions.
package main

import (
	"encoding/json"

	"github.com/samber/lo"

	"github.com/karpenter-constructs/karpenter-constructs/conformance/oracle"
)

type scenario struct {
	oracle.ScenarioInput
	// Runs is how often to solve: different answers show what is left to chance. 0 counts as 1.
	Runs int
	// Draws is how often to make the first pass, each time with other random names and UIDs; the answers are not compared.
	Draws int
	// Rounds is how often to measure a solve, each time with a new scheduler; 0 measures nothing.
	Rounds int
	// Resolve requests the resources of the instance types for the node class, which is then the only object in the
	// manifests.
	Resolve bool
}

type reply struct {
	// Answers are the distinct answers, in order of occurrence.
	Answers []answer `json:"answers,omitempty"`
	// Milliseconds are the durations of the solve by round, without building the scheduler and its topology.
	Milliseconds []float64 `json:"milliseconds,omitempty"`
	Amounts      *amounts  `json:"amounts,omitempty"`
}

func main() {
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
	if s.Rounds > 0 {
		one, milliseconds, err := timed(ctx, env, s)
		return reply{Answers: []answer{one}, Milliseconds: milliseconds}, err
	}
	if s.Resolve {
		result.Amounts, err = resolve(ctx, env, s)
		return result, err
	}
	for seed := range s.Draws {
		s.Draw = uint64(seed + 1)
		one, err := firstPass(ctx, env, s)
		if err != nil {
			return reply{}, err
		}
		result.Answers = append(result.Answers, one)
	}
	if s.Draws > 0 {
		return result, nil
	}
	seen := map[string]bool{}
	for range max(s.Runs, 1) {
		one, err := solve(ctx, env, s)
		if err != nil {
			return reply{}, err
		}
		if text := string(lo.Must(json.Marshal(one))); !seen[text] {
			seen[text] = true
			result.Answers = append(result.Answers, one)
		}
	}
	return result, nil
}
