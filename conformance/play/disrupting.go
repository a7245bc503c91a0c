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

// overLimit is the error of a NodePool beyond its limits, whose nodes cannot be replaced.
const overLimit = "resource usage exceeds limit"

// disrupt runs the disruption controller until it waits.
func (p *player) disrupt() error {
	for {
		now := p.cluster.clock.Now()
		if p.loop.done == nil {
			if p.loop.due.After(now) || len(p.Methods) == 0 {
				return nil
			}
			done := make(chan looked, 1)
			p.loop.done = done
			go func() {
				result, err := p.disruption.Reconcile(p.ctx)
				done <- looked{result.RequeueAfter, err}
			}()
		} else if p.loop.wakes.After(now) {
			return nil
		} else {
			p.gate.open()
		}
		var result looked
		select {
		case result = <-p.loop.done:
		case wait := <-p.gate.waits:
			p.loop.wakes = now.Add(wait)
			return nil
		}
		p.loop.done = nil
		if err := p.launchAll(p.ctx); err != nil {
			return err
		}
		if result.err != nil {
			if !strings.Contains(result.err.Error(), overLimit) {
				return result.err
			}
			// The controller retries with exponential backoff.
			p.loop.due = now.Add(retrigger)
			return nil
		}
		p.recordCommands()
		p.loop.due = now.Add(result.again)
		if result.again != singleton.RequeueImmediately {
			return nil
		}
		p.loop.due = now
	}
}

// recordCommands records the new commands.
func (p *player) recordCommands() {
	for _, each := range p.commands() {
		if _, known := p.commandsDue[each]; known {
			continue
		}
		p.commandsDue[each] = p.cluster.clock.Now()
		// A command without all of its replacements is given up, and tried again.
		if !lo.EveryBy(each.Replacements, func(r *disruption.Replacement) bool { return p.Cluster.NodeClaimExists(r.Name) }) {
			continue
		}
		names := lo.Map(each.Candidates, func(candidate *disruption.Candidate, _ int) string { return candidate.Name() })
		slices.Sort(names)
		p.tell(fmt.Sprintf("%s decides to %s %s", nameOf(each.Method), each.Decision(), strings.Join(names, ", ")))
	}
}

// commands are the running commands, in the order of their nodes.
func (p *player) commands() []*disruption.Command {
	ids := slices.Sorted(maps.Keys(p.queue.ProviderIDToCommand))
	return lo.Uniq(lo.Map(ids, func(id string, _ int) *disruption.Command { return p.queue.ProviderIDToCommand[id] }))
}

// command lets the queue continue the commands that are due.
func (p *player) command() error {
	now := p.cluster.clock.Now()
	for _, each := range p.commands() {
		if p.commandsDue[each].After(now) {
			continue
		}
		result, err := p.queue.Reconcile(p.ctx, each.Candidates[0].NodeClaim)
		if err != nil {
			return err
		}
		p.commandsDue[each] = now.Add(result.RequeueAfter)
	}
	// Finished commands need much memory, and every retry of Karpenter is a new command.
	left := p.commands()
	maps.DeleteFunc(p.commandsDue, func(each *disruption.Command, _ time.Time) bool { return !slices.Contains(left, each) })
	return nil
}
