package cmd

import (
	"context"
	"os"
	"sync"
	"time"
)

// patience is how long a command has to end by itself after an interrupt. Those
// that have nothing to put away are left where they are then.
const patience = 700 * time.Millisecond

// interrupted returns a context that the first signal ends; the second ends the
// process, whatever it is doing.
func interrupted(ctx context.Context, signals <-chan os.Signal, exit func(code int)) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		<-signals
		cancel()
		<-signals
		exit(ExitInterrupted)
	}()
	return ctx
}

// upkeep is held by what must be put away before the process ends: machines,
// workers, directories of one's own. The zero value is ready for use.
type upkeep struct{ sync.RWMutex }

// hold keeps the process from ending until release is called. After an interrupt
// that was not answered in time nothing more is begun.
func (u *upkeep) hold() (release func()) {
	if u == nil {
		return func() {}
	}
	u.RLock()
	return u.RUnlock
}

// await gives what a command ends with. When it has not ended a while after the
// context, and holds nothing, it is left, and the error is that of the context.
func (u *upkeep) await(ctx context.Context, patience time.Duration, command func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- command() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
	}
	free := make(chan struct{})
	go func() {
		u.Lock()
		close(free)
	}()
	select {
	case err := <-ended:
		return err
	case <-free:
		return ctx.Err()
	}
}
