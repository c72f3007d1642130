// Package clock ends long work in time, however deep in its loops it is.
//
// A loop tells its [Clock] how much it is about to do. That costs a subtraction;
// each time that enough has come together the clock looks at its context. When
// that has ended, the work is left at once, by a panic that [Until] catches where
// the work began: nothing in between has to pass the news on, and nothing that is
// half done can be taken for a result. Deferred calls run, so what a function has
// to give back it gives back in one.
//
// A clock serves one goroutine.
package clock

import (
	"context"
	"io"
)

// Between is the work between two looks at the context. A unit of work takes some
// nanoseconds: a place that is counted, an arc that is followed.
const Between = 1 << 16

// Clock looks at a context now and then. A nil clock never ends anything.
type Clock struct {
	ctx  context.Context
	left int // work until the next look
}

// over is what leaves the work: the clock whose time is up.
type over struct{ clock *Clock }

// Until calls do with a clock and gives the error of the context when that ended
// the work early, else what do gives.
func Until(ctx context.Context, do func(c *Clock) error) (err error) {
	c := &Clock{ctx: ctx}
	defer func() {
		switch r := recover(); r {
		case nil:
		case over{c}:
			err = ctx.Err()
		default:
			panic(r)
		}
	}()
	c.Look()
	return do(c)
}

// Share calls do with a clock that ends when one part of several equal ones of the time that is
// left has passed, and reports whether do came to its end by then. Without a deadline there are no
// parts: do gets c itself.
func (c *Clock) Share(parts int, do func(c *Clock)) (whole bool) {
	if c == nil {
		do(nil)
		return true
	}
	if _, ok := Left(c.ctx); !ok {
		do(c)
		return true
	}
	ctx, cancel := Part(c.ctx, parts)
	defer cancel()
	return Until(ctx, func(share *Clock) error { do(share); return nil }) == nil
}

// Ended reports whether a context has ended. A loop that does not count its work asks it
// now and then; the context itself would not know in a browser.
func Ended(ctx context.Context) bool {
	breathe()
	return ctx.Err() != nil
}

// Work counts n units of work that are about to be done.
func (c *Clock) Work(n int) {
	if c == nil {
		return
	}
	if c.left -= n; c.left < 0 {
		c.Look()
	}
}

// Look looks at the context, and leaves the work when that has ended.
//
//go:noinline
func (c *Clock) Look() {
	if c == nil {
		return
	}
	c.left = Between
	if Ended(c.ctx) {
		panic(over{c})
	}
}

// Reader returns r with a look before every Read.
func (c *Clock) Reader(r io.Reader) io.Reader { return reader{c, r} }

// Writer returns w with a look before every Write.
func (c *Clock) Writer(w io.Writer) io.Writer { return writer{c, w} }

type writer struct {
	clock *Clock
	io.Writer
}

func (w writer) Write(p []byte) (int, error) {
	w.clock.Look()
	return w.Writer.Write(p)
}

type reader struct {
	clock *Clock
	io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	r.clock.Look()
	return r.Reader.Read(p)
}
