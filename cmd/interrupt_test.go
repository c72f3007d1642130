package cmd

import (
	"context"
	"errors"
	"os"
	"runtime"
	"testing"
)

// TestAwait: a command that does not listen is left once it holds nothing; one
// that holds something is waited for, and begins nothing more afterwards.
func TestAwait(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	never := make(chan struct{})
	defer close(never)

	u := &upkeep{}
	if err := u.await(ended, 0, func() error { <-never; return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a command that does not listen: %v", err)
	}

	u = &upkeep{}
	putAway := false
	held, asked := make(chan struct{}), make(chan struct{})
	err := u.await(announce{ended, held, asked}, 0, func() error {
		release := u.hold()
		close(held)
		<-asked            // the interrupt is known
		for u.TryRLock() { // until the end of the process waits for what is held
			u.RUnlock()
			runtime.Gosched()
		}
		putAway = true
		release()
		u.hold()() // never comes back
		return nil
	})
	if !errors.Is(err, context.Canceled) || !putAway {
		t.Errorf("a command that holds something: %v, put away: %v", err, putAway)
	}

	wrong := errors.New("wrong")
	if err := (&upkeep{}).await(t.Context(), 0, func() error { return wrong }); err != wrong {
		t.Errorf("a command that ends: %v", err)
	}
}

// announce is an ended context that is looked at no sooner than something is held.
type announce struct {
	context.Context
	held, asked chan struct{}
}

func (a announce) Done() <-chan struct{} {
	<-a.held
	defer close(a.asked)
	return a.Context.Done()
}

// TestSecondInterrupt: the first signal ends the context alone, the second the process.
func TestSecondInterrupt(t *testing.T) {
	signals, exits := make(chan os.Signal), make(chan int)
	ctx := interrupted(t.Context(), signals, func(code int) { exits <- code })
	signals <- os.Interrupt
	select {
	case <-ctx.Done():
	case code := <-exits:
		t.Fatalf("the first interrupt exits with code %d", code)
	}
	signals <- os.Interrupt
	if code := <-exits; code != ExitInterrupted {
		t.Errorf("the second interrupt exits with code %d", code)
	}
}
