package main

import (
	"time"

	"k8s.io/utils/clock"
)

// gate is the clock of the controller of disruption: who waits on it goes on when it is opened, and not as soon as the time has come, so that what is due
// at the same moment has happened before.
type gate struct {
	clock.Clock
	// waits tells of one that begins to wait, and for how long.
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
