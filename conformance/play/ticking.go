package main

import (
	"sync/atomic"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
)

// ticking is a clock that goes on a little each time that it is asked: what happens after something else, at the same moment, is later.
type ticking struct {
	*clocktesting.FakeClock
	asked atomic.Int64
}

func (t *ticking) Now() time.Time {
	return t.FakeClock.Now().Add(time.Duration(t.asked.Add(1)))
}

func (t *ticking) Since(since time.Time) time.Duration { return t.Now().Sub(since) }
