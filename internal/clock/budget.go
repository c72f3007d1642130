package clock

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// patience is how many times longer than its budget work may last on a host that has little processor
// time for it.
const patience = 8

// Budget returns a context that ends when the process has used d of processor time from now on, on all
// its cores together, or after eight times d. So a busy host does not decide less, only later. All
// contexts of [Within] and [Part] made from it count processor time, too.
//
// Where the system does not say how much processor time a process uses, it counts wall time.
func Budget(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return begin(ctx, ProcessorTime, d, time.Now().Add(patience*d))
}

// Within returns a context that ends after d at the latest, counted as its parent counts time.
func Within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if outer, ok := ctx.Value(budgetKey{}).(*budget); ok {
		return begin(ctx, outer.used, min(d, outer.left()), outer.latest)
	}
	return context.WithTimeout(ctx, d)
}

// Part returns a context that ends when one of several equal parts of the time that is left has passed;
// ctx itself where it has no end.
func Part(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	left, ok := Left(ctx)
	if !ok {
		return ctx, func() {}
	}
	return Within(ctx, left/time.Duration(parts))
}

// Left returns the time that is left of a context, counted as it counts; ok is false where it has no end.
func Left(ctx context.Context) (d time.Duration, ok bool) {
	end, ok := ctx.Deadline()
	return time.Until(end), ok
}

// budget is a context that counts the processor time of the process.
type budget struct {
	context.Context // the outer one

	used   func() time.Duration // processor time until now
	end    time.Duration        // of it
	latest time.Time            // when the budget ends however little was used
	done   chan struct{}
	timer  *time.Timer // looks whether the budget is used up

	mutex sync.Mutex
	err   error // does not change after done is closed
}

// began is when the process did.
var began = time.Now()

type budgetKey struct{}

func begin(ctx context.Context, used func() time.Duration, d time.Duration, latest time.Time) (context.Context, context.CancelFunc) {
	b := &budget{Context: ctx, used: used, end: used() + d, latest: latest, done: make(chan struct{})}
	b.mutex.Lock() // the timer is set before anybody stops it
	b.timer = time.AfterFunc(b.next(), b.look)
	b.mutex.Unlock()
	if b.left() <= 0 { // as a deadline in the past has ended its context already
		b.cancel(context.DeadlineExceeded)
	}
	apart := context.AfterFunc(ctx, func() { b.cancel(ctx.Err()) })
	return b, func() {
		apart()
		b.cancel(context.Canceled)
	}
}

func (b *budget) left() time.Duration { return min(b.end-b.used(), time.Until(b.latest)) }

// next is how long it takes until the budget may be used up: all cores may work on it.
func (b *budget) next() time.Duration {
	return max(b.left()/time.Duration(runtime.GOMAXPROCS(0)), time.Millisecond)
}

// look ends the budget where it is used up.
func (b *budget) look() {
	if b.left() <= 0 {
		b.cancel(context.DeadlineExceeded)
		return
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.err == nil {
		b.timer.Reset(b.next())
	}
}

func (b *budget) cancel(why error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.err == nil {
		b.err = why
		b.timer.Stop()
		close(b.done)
	}
}

// Deadline is when the budget ends if the process has one core for itself.
func (b *budget) Deadline() (time.Time, bool) { return time.Now().Add(b.left()), true }

func (b *budget) Done() <-chan struct{} { return b.done }

func (b *budget) Err() error {
	select {
	case <-b.done:
		return b.err
	default:
		return nil
	}
}

func (b *budget) Value(key any) any {
	if key == (budgetKey{}) {
		return b
	}
	return b.Context.Value(key)
}
