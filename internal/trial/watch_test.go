package trial

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWatch: a round at once, and one after each change that is over.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("head", "1")
	ctx, stop := context.WithCancel(t.Context())
	tick, rounds, ended := make(chan time.Time), make(chan struct{}, 10), make(chan error)
	go func() {
		ended <- Watch(ctx, []string{dir, filepath.Join(dir, "missing")}, tick, func() error { rounds <- struct{}{}; return nil })
	}()
	// A tick that is taken says that the one before was seen to.
	after := func(what string, ticks, want int) {
		t.Helper()
		for range ticks + 1 {
			tick <- time.Time{}
		}
		if n := len(rounds); n != want {
			t.Errorf("%s: %d rounds, not %d", what, n, want)
		}
		for len(rounds) > 0 {
			<-rounds
		}
	}
	<-rounds
	after("nothing changed", 3, 0)
	write("head", "22")
	after("changed", 2, 1)
	write("other", "1")
	after("a new file", 2, 1)
	after("nothing changed since", 2, 0)
	if err := os.Chmod(filepath.Join(dir, "head"), 0o755); err != nil {
		t.Fatal(err)
	}
	after("may be executed", 2, 1)
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	fails := errors.New("fails")
	if err := Watch(t.Context(), nil, tick, func() error { return fails }); err != fails {
		t.Error(err)
	}
}
