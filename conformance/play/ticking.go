package main

import (
	"sync/atomic"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
)

// ticking is a clock that advances a little with each call, so that later events at the same time have later
// timestamps.
type ticking struct {
	*clocktesting.FakeClock
	asked atomic.Int64
}

func (t *ticking) Now() time.Time {
	return t.FakeClock.Now().Add(time.Duration(t.asked.Add(1)))
}

func (t *ticking) Since(since time.Time) time.Duration { return t.Now().Sub(since) }
