package main

import (
	"time"

	"k8s.io/utils/clock"
)

// gate is the clock of the disruption controller. A waiting controller continues when the gate is opened, not as soon
// as its time has come, so that everything else that is due at the same time happens before.
type gate struct {
	clock.Clock
	// waits reports that the controller begins to wait, and for how long.
	waits chan time.Duration
	opens chan time.Time
}

func newGate(of clock.Clock) *gate {
	return &gate{Clock: of, waits: make(chan time.Duration), opens: make(chan time.Time)}
}

func (g *gate) After(d time.Duration) <-chan time.Time {
	g.waits <- d
	return g.opens
}

func (g *gate) open() { g.opens <- g.Now() }
