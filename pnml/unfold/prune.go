package unfold

import (
	"math/bits"

	"podium/internal/clock"
)

// prune keeps the least part of the net that holds the marked places, the
// transitions all of whose input places it holds, and their output places.
func (b *builder) prune() {
	f := b.newFixPoint()
	f.sweeps()
	b.reached = f.reached
	if f.left > 0 {
		b.keep(f.fires)
	}
}

// fixPoint is the search for the places that can be reached and the transitions
// that can fire.
type fixPoint struct {
	b              *builder
	reached, fires bitset
	left           int // transitions that do not fire so far
}

func (b *builder) newFixPoint() *fixPoint {
	f := &fixPoint{b: b, reached: newBitset(int(b.base[len(b.base)-1])), fires: newBitset(b.bindings.len()), left: b.bindings.len()}
	for p, list := range b.marked {
		for _, e := range list {
			f.reached.add(uint32(b.base[p] + e.colour))
		}
	}
	return f
}

// sweeps goes through the transitions that do not fire so far, forth and back,
// which mostly ends after two or three times. When it does not, the rest is
// counted: all in all every arc is looked at a bounded number of times.
func (f *fixPoint) sweeps() {
	for n := 0; f.left > 0; n++ {
		before := f.left
		if n%2 == 0 {
			f.sweepUp()
		} else {
			f.sweepDown()
		}
		switch fired := before - f.left; {
		case fired == 0:
			return
		case n >= 3 && fired < before/4:
			f.countDown()
			return
		}
	}
}

func (f *fixPoint) sweepUp() {
	for w := range f.fires {
		for rest := f.look(w); rest != 0; rest &= rest - 1 {
			f.try(uint32(w*64 + bits.TrailingZeros64(rest)))
		}
	}
}

func (f *fixPoint) sweepDown() {
	for w := len(f.fires) - 1; w >= 0; w-- {
		for rest := f.look(w); rest != 0; {
			k := bits.Len64(rest) - 1
			rest &^= 1 << k
			f.try(uint32(w*64 + k))
		}
	}
}

// waiting returns the transitions of a word that do not fire so far.
func (f *fixPoint) waiting(word int) uint64 {
	rest := ^f.fires[word]
	if over := f.b.bindings.len() - word*64; over < 64 {
		rest &= 1<<over - 1
	}
	return rest
}

// look is waiting for those who look at the arcs of these transitions.
func (f *fixPoint) look(word int) uint64 {
	start := f.b.pre.start
	f.b.clock.Work(1 + int(start[min(word*64+64, len(start)-1)]-start[word*64]))
	return f.waiting(word)
}

func (f *fixPoint) try(t uint32) {
	for _, p := range f.b.pre.row(int(t)) {
		if !f.reached.has(p) {
			return
		}
	}
	f.fires.add(t)
	f.left--
	for _, p := range f.b.post.row(int(t)) {
		f.reached.add(p)
	}
}

// countDown finishes in one pass: a transition counts the input places it lacks,
// and fires when the last of them is reached.
func (f *fixPoint) countDown() {
	waiting := make([]uint32, 0, f.left)
	lacked := newBitset(len(f.reached) * 64)
	for w := range f.fires {
		for rest := f.look(w); rest != 0; rest &= rest - 1 {
			t := uint32(w*64 + bits.TrailingZeros64(rest))
			waiting = append(waiting, t)
			for _, p := range f.b.pre.row(int(t)) {
				lacked.add(p)
			}
		}
	}
	for i, word := range f.reached {
		lacked[i] &^= word
	}
	number := newRanks(lacked)
	first := make([]uint32, lacked.count()+1) // of readers, by lacked place
	lacks := make([]uint32, len(waiting))
	for i, t := range waiting {
		f.b.clock.Work(4)
		for _, p := range f.b.pre.row(int(t)) {
			if !f.reached.has(p) {
				first[number.of(p)]++
				lacks[i]++
			}
		}
	}
	sum := uint32(0)
	for p, n := range first {
		sum += n
		first[p] = sum
	}
	readers := make([]uint32, sum)
	for i, t := range waiting {
		f.b.clock.Work(4)
		for _, p := range f.b.pre.row(int(t)) {
			if !f.reached.has(p) {
				k := number.of(p)
				first[k]--
				readers[first[k]] = uint32(i)
			}
		}
	}

	var queue []uint32
	fire := func(i uint32) {
		f.fires.add(waiting[i])
		f.left--
		for _, p := range f.b.post.row(int(waiting[i])) {
			if !f.reached.has(p) {
				f.reached.add(p)
				if lacked.has(p) {
					queue = append(queue, number.of(p))
				}
			}
		}
	}
	for i, n := range lacks {
		if n == 0 {
			fire(uint32(i))
		}
	}
	for len(queue) > 0 {
		p := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		f.b.clock.Work(1 + int(first[p+1]-first[p]))
		for _, i := range readers[first[p]:first[p+1]] {
			if lacks[i]--; lacks[i] == 0 {
				fire(i)
			}
		}
	}
}

// keep removes the transitions that never fire.
func (b *builder) keep(fires bitset) {
	out, next := 0, 0
	for from, to := range fires.runs(0, b.bindings.len()) {
		for ; int(b.starts[next]) <= from; next++ {
			b.starts[next] = uint32(out)
		}
		for ; int(b.starts[next]) < to; next++ {
			b.starts[next] += uint32(out - from)
		}
		out += to - from
	}
	for ; next < len(b.starts); next++ {
		b.starts[next] = uint32(out)
	}
	b.bindings.keep(fires)
	b.pre.keep(b.clock, fires)
	b.post.keep(b.clock, fires)
}

func (r *rows) keep(clock *clock.Clock, fires bitset) {
	out, at := 0, uint32(0)
	for from, to := range fires.runs(0, len(r.start)-1) {
		lo, hi := r.start[from], r.start[to]
		clock.Work(int(hi-lo) / 4)
		copy(r.place[at:], r.place[lo:hi])
		if !r.weight.Ones() {
			r.weight.Copy(int(at), r.weight.Slice(int(lo), int(hi)))
		}
		for _, s := range r.start[from:to] {
			r.start[out] = at + s - lo
			out++
		}
		at += hi - lo
	}
	r.start[out] = at
	r.start, r.place = r.start[:out+1], r.place[:at]
}
