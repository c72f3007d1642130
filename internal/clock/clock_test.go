package clock_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"podium/internal/clock"
	"podium/internal/clock/clocktest"
)

// TestWork: the work is left at the first look at which the context has ended,
// and no more is done between two looks than is said.
func TestWork(t *testing.T) {
	for _, each := range []int{1, 7, 1000, clock.Between, 10 * clock.Between} {
		ctx := clocktest.Looks(3) // the first one at the beginning
		done, undone := 0, true
		err := clock.Until(ctx, func(c *clock.Clock) error {
			defer func() { undone = false }()
			for {
				c.Work(each)
				done += each
			}
		})
		if !errors.Is(err, context.Canceled) || undone {
			t.Errorf("%d at a time: %v, deferred calls left out: %v", each, err, undone)
		}
		if done < 3*(clock.Between-each) || done > 3*(clock.Between+each) {
			t.Errorf("%d at a time: %d units between four looks", each, done)
		}
	}
}

// TestUntil: what do gives is passed on, also a panic, and an outer clock is not
// taken for an inner one.
func TestUntil(t *testing.T) {
	wrong := errors.New("wrong")
	if err := clock.Until(t.Context(), func(*clock.Clock) error { return wrong }); err != wrong {
		t.Errorf("got %v", err)
	}
	err := clock.Until(clocktest.Looks(2), func(outer *clock.Clock) error {
		err := clock.Until(t.Context(), func(*clock.Clock) error {
			outer.Look()
			outer.Look()
			return nil
		})
		t.Errorf("the inner one ended with %v", err)
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the outer one ended with %v", err)
	}
	defer func() {
		if recover() != "other" {
			t.Error("a panic was swallowed")
		}
	}()
	_ = clock.Until(t.Context(), func(*clock.Clock) error { panic("other") })
}

// TestEnded: nothing is begun when the time is up.
func TestEnded(t *testing.T) {
	if err := clock.Until(clocktest.Looks(0), func(*clock.Clock) error { t.Error("begun"); return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestReader(t *testing.T) {
	text := ""
	err := clock.Until(clocktest.Looks(4), func(c *clock.Clock) error {
		r := c.Reader(strings.NewReader(strings.Repeat("x", 100)))
		for {
			var part [10]byte
			n, err := io.ReadFull(r, part[:])
			if text += string(part[:n]); err != nil {
				return err
			}
		}
	})
	if !errors.Is(err, context.Canceled) || len(text) != 30 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// TestNil: without a clock nothing ends.
func TestNil(t *testing.T) {
	var c *clock.Clock
	c.Work(1 << 30)
	c.Look()
}

// TestDeadline: a loop that does nothing but work ends when its time is over, also
// where the program has one thread that nobody interrupts, as in a browser
// (GOOS=js GOARCH=wasm go test -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec").
func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	err := clock.Until(ctx, func(c *clock.Clock) error {
		for {
			c.Work(1)
		}
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the work ended by %v", err)
	}
}

// TestShare: a share of the time ends what it was given, and nothing around it; without a
// deadline, or without a clock, nothing is shared out.
func TestShare(t *testing.T) {
	far, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	err := clock.Until(far, func(c *clock.Clock) error {
		if c.Share(1<<40, func(c *clock.Clock) {
			for {
				c.Work(clock.Between)
			}
		}) {
			t.Error("what never ends came to its end")
		}
		if !c.Share(2, func(c *clock.Clock) { c.Look() }) {
			t.Error("what ends at once did not come to its end")
		}
		return nil
	})
	if err != nil {
		t.Errorf("the whole ended with %v", err)
	}
	err = clock.Until(clocktest.Looks(2), func(c *clock.Clock) error {
		c.Share(2, func(share *clock.Clock) {
			if share != c {
				t.Error("there is a share of a time without end")
			}
		})
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	(*clock.Clock)(nil).Share(2, func(c *clock.Clock) {
		if c != nil {
			t.Error("there is a clock where there was none")
		}
	})
}
