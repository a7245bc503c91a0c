package main

import (
	"sync/atomic"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
)

// tickingClock is a clock that advances a little with each call, so that later events at the same time have later
// timestamps.
type tickingClock struct {
	*clocktesting.FakeClock
	calls atomic.Int64
}

func (t *tickingClock) Now() time.Time {
	return t.FakeClock.Now().Add(time.Duration(t.calls.Add(1)))
}

func (t *tickingClock) Since(since time.Time) time.Duration { return t.Now().Sub(since) }
