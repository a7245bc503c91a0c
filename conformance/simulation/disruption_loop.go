package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/awslabs/operatorpkg/singleton"
	"github.com/samber/lo"

	"sigs.k8s.io/karpenter/pkg/controllers/disruption"
)

// overLimits is the error of a NodePool beyond its limits, whose nodes cannot be replaced.
const overLimits = "resource usage exceeds limit"

// disrupt runs the disruption controller until it waits.
func (p *simulator) disrupt() error {
	for {
		now := p.cluster.clock.Now()
		if p.loop.done == nil {
			if p.loop.due.After(now) || len(p.Methods) == 0 {
				return nil
			}
			done := make(chan reconcileResult, 1)
			p.loop.done = done
			go func() {
				result, err := p.disruption.Reconcile(p.ctx)
				done <- reconcileResult{result.RequeueAfter, err}
			}()
		} else if p.loop.resumes.After(now) {
			return nil
		} else {
			p.gate.open()
		}
		var result reconcileResult
		select {
		case result = <-p.loop.done:
		case wait := <-p.gate.waits:
			p.loop.resumes = now.Add(wait)
			return nil
		}
		p.loop.done = nil
		if err := p.launchAll(p.ctx); err != nil {
			return err
		}
		if result.err != nil {
			if !strings.Contains(result.err.Error(), overLimits) {
				return result.err
			}
			// The controller retries with exponential backoff.
			p.loop.due = now.Add(retriggerInterval)
			return nil
		}
		p.recordCommands()
		p.loop.due = now.Add(result.requeueAfter)
		if result.requeueAfter != singleton.RequeueImmediately {
			return nil
		}
		p.loop.due = now
	}
}

// recordCommands records the new commands.
func (p *simulator) recordCommands() {
	for _, command := range p.commands() {
		if _, known := p.commandsDue[command]; known {
			continue
		}
		p.commandsDue[command] = p.cluster.clock.Now()
		// A command without all of its replacements is given up, and tried again.
		if !lo.EveryBy(command.Replacements, func(r *disruption.Replacement) bool { return p.Cluster.NodeClaimExists(r.Name) }) {
			continue
		}
		names := lo.Map(command.Candidates, func(candidate *disruption.Candidate, _ int) string { return candidate.Name() })
		slices.Sort(names)
		p.recordEvent(fmt.Sprintf("%s decides to %s %s", nameOf(command.Method), command.Decision(), strings.Join(names, ", ")))
	}
}

// commands are the running commands, in the order of their nodes.
func (p *simulator) commands() []*disruption.Command {
	ids := slices.Sorted(maps.Keys(p.queue.ProviderIDToCommand))
	return lo.Uniq(lo.Map(ids, func(id string, _ int) *disruption.Command { return p.queue.ProviderIDToCommand[id] }))
}

// continueCommands lets the queue continue the commands that are due.
func (p *simulator) continueCommands() error {
	now := p.cluster.clock.Now()
	for _, command := range p.commands() {
		if p.commandsDue[command].After(now) {
			continue
		}
		result, err := p.queue.Reconcile(p.ctx, command.Candidates[0].NodeClaim)
		if err != nil {
			return err
		}
		p.commandsDue[command] = now.Add(result.RequeueAfter)
	}
	// Finished commands need much memory, and every retry of Karpenter is a new command.
	running := p.commands()
	maps.DeleteFunc(p.commandsDue, func(command *disruption.Command, _ time.Time) bool { return !slices.Contains(running, command) })
	return nil
}
