package parallel

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Group is functions that run at the same time. A panic in one of them is one of [Group.Wait],
// so that whoever began them can say what failed, and go on. The zero value is ready for use.
type Group struct {
	running sync.WaitGroup
	once    sync.Once
	failed  *Panic
}

// Panic is a panic in another goroutine. Wait and Each panic with it.
type Panic struct {
	Value any
	Stack []byte // of the goroutine
}

func (p *Panic) Error() string { return fmt.Sprint(p.Value) }

// Caught returns what a call of recover has caught, with the stack of the goroutine that failed.
func Caught(value any) *Panic {
	if p, ok := value.(*Panic); ok {
		return p
	}
	return &Panic{value, debug.Stack()}
}

// Go runs a function in a goroutine of its own.
func (g *Group) Go(do func()) {
	g.running.Go(func() {
		defer func() {
			if value := recover(); value != nil {
				g.once.Do(func() { g.failed = Caught(value) })
			}
		}()
		do()
	})
}

// Wait waits until all functions have ended.
func (g *Group) Wait() {
	if g.running.Wait(); g.failed != nil {
		panic(g.failed)
	}
}

// Indices calls do for 0 to n-1 from some goroutines, and waits for all of them.
func Indices(workers, n int, do func(k int)) {
	var group Group
	var next atomic.Int64
	for range min(workers, n) {
		group.Go(func() {
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				do(k)
			}
		})
	}
	group.Wait()
}
