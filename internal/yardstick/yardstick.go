// Package yardstick tells benchmarks what the machine is worth at the moment, so
// that figures of machines and of moments can be compared as ratios.
package yardstick

import (
	"bytes"
	"encoding/xml"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// RawTokens reads a piece of a document with encoding/xml, up to where it is cut
// off, and returns the processor time of that.
func RawTokens(piece []byte) time.Duration {
	began := CPUTime()
	for d := xml.NewDecoder(bytes.NewReader(piece)); ; {
		if _, err := d.RawToken(); err != nil {
			return CPUTime() - began
		}
	}
}

// Ruler tells how fast the machine is at the moment: encoding/xml reads a text
// between the pieces of work that are measured.
type Ruler struct {
	text  []byte
	spent time.Duration
	bytes int
}

// NewRuler returns a ruler of a text, some megabytes of a model.
func NewRuler(text []byte) *Ruler { return &Ruler{text: text} }

// Reference is what the machine of the published figures reads, in megabytes per
// second of processor time.
const Reference = 52

// Use reads the text once more, unless that has already been given as much
// processor time as the work.
func (r *Ruler) Use(work time.Duration) {
	if r.spent <= work {
		r.spent += RawTokens(r.text)
		r.bytes += len(r.text)
	}
}

// Megabytes is how many are read per second of processor time.
func (r *Ruler) Megabytes() float64 { return float64(r.bytes) / r.spent.Seconds() / 1e6 }

// Scaled returns what a speed would be on the machine of the published figures.
func (r *Ruler) Scaled(speed float64) float64 { return speed * Reference / r.Megabytes() }

// Cost is the time of some work.
type Cost struct{ Clock, CPU time.Duration }

// Measure adds what f costs.
func (c *Cost) Measure(f func()) {
	began, used := time.Now(), CPUTime()
	f()
	c.Add(Cost{time.Since(began), CPUTime() - used})
}

// Add adds another cost.
func (c *Cost) Add(d Cost) {
	c.Clock += d.Clock
	c.CPU += d.CPU
}

// Pair is the cost of the same work done twice: one after the other and at one
// time.
type Pair struct{ InTurn, Together Cost }

// Measure adds what f costs both ways.
func (p *Pair) Measure(f func()) {
	p.InTurn.Measure(func() { f(); f() })
	p.Together.Measure(func() {
		var both sync.WaitGroup
		both.Go(f)
		both.Go(f)
		both.Wait()
	})
}

// Speedup is what the second core was worth by the clock, 2 at best.
func (p *Pair) Speedup() float64 { return p.InTurn.Clock.Seconds() / p.Together.Clock.Seconds() }

// Surplus is the processor time on two cores to that on one, 1 at best.
func (p *Pair) Surplus() float64 { return p.Together.CPU.Seconds() / p.InTurn.CPU.Seconds() }

// Loop computes for some tens of milliseconds without any memory: no other work
// gains more from a second core.
func Loop() {
	x := uint64(1)
	for range 20_000_000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	if x == 0 { // never; but the loop must not be left out
		panic("yardstick: xorshift gave zero")
	}
}

// Near is the most that Handover takes for cores that share a cache.
const Near = 60 * time.Nanosecond

// Handover is how long two cores take to hand a line of memory from one to the
// other, some tens of nanoseconds where they share a cache, and several times as
// long where not. What cores share costs that again and again. Virtual processors
// may be near at one moment and far apart at the next.
func Handover() time.Duration {
	const turns = 20_000
	var turn atomic.Uint32
	play := func(odd uint32) {
		for k := odd; k < turns; k += 2 {
			for spins := 1; turn.Load() != k; spins++ {
				if spins%4096 == 0 { // the other one may wait for this core
					runtime.Gosched()
				}
			}
			turn.Store(k + 1)
		}
	}
	var both sync.WaitGroup
	began := time.Now()
	both.Go(func() { play(0) })
	both.Go(func() { play(1) })
	both.Wait()
	return time.Since(began) / turns
}
