// Package parallel does one thing for many, several at a time. A panic in one of its goroutines
// is one of the goroutine that waits for them.
package parallel

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Each returns do of every element, several at a time, in the order of the
// list. When ctx ends, what is left is left out. It panics with a [*Panic] where do does.
func Each[T, R any](ctx context.Context, list []T, do func(T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		type outcome struct {
			result R
			failed *Panic
		}
		results := make([]chan outcome, len(list))
		for i := range results {
			results[i] = make(chan outcome, 1)
		}
		ctx, cancel := context.WithCancel(ctx)
		var workers sync.WaitGroup
		defer workers.Wait()
		defer cancel()
		next := make(chan int)
		workers.Go(func() {
			defer close(next)
			for i := range list {
				select {
				case next <- i:
				case <-ctx.Done():
					return
				}
			}
		})
		for range runtime.GOMAXPROCS(0) {
			workers.Go(func() {
				for i := range next {
					var o outcome
					func() {
						defer func() {
							if value := recover(); value != nil {
								o.failed = Caught(value)
							}
						}()
						o.result = do(list[i])
					}()
					results[i] <- o
				}
			})
		}
		for _, r := range results {
			select {
			case o := <-r:
				if o.failed != nil {
					panic(o.failed)
				}
				if !yield(o.result) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// Try is Each for what may fail.
func Try[T, R any](ctx context.Context, list []T, do func(T) (R, error)) iter.Seq2[R, error] {
	type outcome struct {
		result R
		err    error
	}
	return func(yield func(R, error) bool) {
		for o := range Each(ctx, list, func(x T) (o outcome) {
			o.result, o.err = do(x)
			return o
		}) {
			if !yield(o.result, o.err) {
				return
			}
		}
	}
}
