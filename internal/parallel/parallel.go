// Package parallel does one thing for many, several at a time.
package parallel

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Each gives do of every element, several at a time, in the order of the
// list. When ctx ends, what is left is left out.
func Each[T, R any](ctx context.Context, list []T, do func(T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		results := make([]chan R, len(list))
		for i := range results {
			results[i] = make(chan R, 1)
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
					results[i] <- do(list[i])
				}
			})
		}
		for _, r := range results {
			select {
			case result := <-r:
				if !yield(result) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}
