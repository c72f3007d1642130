// Package clocktest gives tests contexts that end by count and not by time, so
// that what is done after their end does not depend on how busy a computer is.
package clocktest

import (
	"context"
	"sync/atomic"
)

// Context counts how often its error is asked for.
type Context struct {
	context.Context
	asked atomic.Int64
	ends  int64
	done  chan struct{}
}

// Looks returns a context that has ended when it is looked at once more than n times.
func Looks(n int) *Context {
	return &Context{Context: context.Background(), ends: int64(n), done: make(chan struct{})}
}

// Err counts.
func (c *Context) Err() error {
	if n := c.asked.Add(1); n <= c.ends {
		return nil
	} else if n == c.ends+1 {
		close(c.done)
	}
	return context.Canceled
}

// Done is closed when the context has ended.
func (c *Context) Done() <-chan struct{} { return c.done }

// Asked is how often the context was looked at.
func (c *Context) Asked() int { return int(c.asked.Load()) }
