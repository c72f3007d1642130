package clock_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"podium/internal/clock"
)

// TestBudget: a budget and its parts end when the process has used their processor time, however long
// that takes, and at last after eight times their wall time.
func TestBudget(t *testing.T) {
	for name, c := range map[string]struct {
		share float64       // of a core that the process gets
		end   time.Duration // of the wall time
	}{
		"its own core": {1, 8 * time.Second},
		"two cores":    {2, 4 * time.Second},
		"a busy host":  {0.5, 16 * time.Second},
		"no core":      {0, 64 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				used := func() time.Duration { return time.Duration(c.share * float64(time.Since(began))) }
				whole, stop := clock.BudgetOf(t.Context(), used, 8*time.Second)
				defer stop()
				part, stop := clock.Part(whole, 4)
				defer stop()
				longer, stop := clock.Within(whole, time.Hour)
				defer stop()
				for ctx, most := range map[context.Context]time.Duration{part: c.end / 4, longer: c.end, whole: c.end} {
					if c.share == 0 {
						most = c.end // the wall time is one for all
					}
					<-ctx.Done()
					at := time.Since(began)
					if ctx.Err() != context.DeadlineExceeded || context.Cause(ctx) != context.DeadlineExceeded {
						t.Errorf("ended with %v, %v", ctx.Err(), context.Cause(ctx))
					}
					if ctx == whole && (at < most || at > most+2*time.Millisecond) || ctx == part && at < most {
						t.Errorf("ended after %v, not %v", at, most)
					}
				}
			})
		})
	}
}

// TestBudgetOfNothing: a budget that is used up when it is made has ended at once.
func TestBudgetOfNothing(t *testing.T) {
	whole, stop := clock.Budget(t.Context(), time.Nanosecond)
	defer stop()
	if whole.Err() != context.DeadlineExceeded {
		t.Errorf("it says %v", whole.Err())
	}
}

// TestPartOfPart: a part of a part gets its share of it, and what is left is counted as the budget counts.
func TestPartOfPart(t *testing.T) {
	used := time.Duration(0)
	whole, stop := clock.BudgetOf(t.Context(), func() time.Duration { return used }, time.Hour)
	defer stop()
	half, stop := clock.Part(whole, 2)
	defer stop()
	used = 10 * time.Minute
	quarter, stop := clock.Part(half, 2)
	defer stop()
	if left, ok := clock.Left(quarter); !ok || left.Round(time.Second) != 10*time.Minute {
		t.Errorf("%v is left, %v", left, ok)
	}
	if left, ok := clock.Left(t.Context()); ok {
		t.Errorf("%v is left of what has no end", left)
	}
}

// TestBudgetEndsWithItsParent: a context ends with the one that it was made from, and with its own cancel.
func TestBudgetEndsWithItsParent(t *testing.T) {
	outer, end := context.WithCancel(t.Context())
	whole, stop := clock.Budget(outer, time.Hour)
	defer stop()
	part, stop := clock.Part(whole, 2)
	defer stop()
	other, stopOther := clock.Part(whole, 2)
	if stopOther(); other.Err() != context.Canceled || part.Err() != nil {
		t.Errorf("%v and %v", other.Err(), part.Err())
	}
	end()
	<-part.Done()
	if part.Err() != context.Canceled || whole.Err() != context.Canceled {
		t.Errorf("%v and %v", part.Err(), whole.Err())
	}
}

// TestBudgetOfWhatHasEnded: a budget made from a context that has ended ends at once.
func TestBudgetOfWhatHasEnded(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for range 1000 {
		ctx, stop := clock.Budget(ended, time.Hour)
		<-ctx.Done()
		if stop(); ctx.Err() != context.Canceled {
			t.Fatal(ctx.Err())
		}
	}
}

// TestProcessorTime: work is counted, sleep is not.
func TestProcessorTime(t *testing.T) {
	before := clock.ProcessorTime()
	for began := time.Now(); clock.ProcessorTime() == before; {
		if time.Since(began) > time.Minute {
			t.Fatal("a minute of work takes no processor time")
		}
	}
}
