package packed

import (
	"math/bits"
	"slices"

	"podium/internal/clock"
)

// Successors are the markings that some firings lead to, in the order in which they
// were fired.
type Successors struct {
	Batch  []uint64 // the packed markings, one behind the other
	Hashes []uint64 // of each marking, see [Keys]
	Labels []uint16 // the action that led to each marking
	ready  []uint32 // scratch of Enabled
}

// manyWords is the length of a packed marking from which each firing counts as work
// by itself.
const manyWords = 512

// Emptied returns the same memory without successors.
func (s *Successors) Emptied() Successors {
	return Successors{s.Batch[:0], s.Hashes[:0], s.Labels[:0], s.ready}
}

// Truncate keeps only the first n successors, which have that many words each.
func (s *Successors) Truncate(n, words int) {
	s.Batch, s.Hashes, s.Labels = s.Batch[:n*words], s.Hashes[:n], s.Labels[:n]
}

// Enabled lists the actions that are enabled in the packed marking m. The list may
// be changed; the next call writes over it.
func (s *Successors) Enabled(clock *clock.Clock, p *Program, m []uint64) []uint32 {
	if len(s.ready) < len(p.actions)+1 {
		s.ready = make([]uint32, len(p.actions)+1, len(p.actions)+64) // no line of the cache has parts of two
	}
	clock.Work(len(p.guards) / 16)
	return p.ready(m, s.ready)
}

// ready lists the actions that are enabled in m, in a list with room for all of
// them and one more.
func (p *Program) ready(m []uint64, list []uint32) []uint32 {
	n := check(p.guards[:p.free], m, list, 0)
	for w, ones := range p.watched {
		for rest := m[w] & ones; rest != 0; {
			slot := &p.slots[w<<6|bits.TrailingZeros64(rest)]
			rest &^= slot.clear
			n = check(p.guards[slot.lo:slot.hi], m, list, n)
		}
	}
	return list[:n]
}

// check puts the actions that are enabled into the list from n on, and returns
// where it ends. No branch depends on what is enabled: the processor could not
// foresee it.
func check(guards []guard, m []uint64, list []uint32, n int) int {
	miss := uint64(0)
	for k := range guards {
		g := &guards[k]
		miss |= below(m[g.word], g.need, g.seams)
		list[n] = g.action
		if miss|g.keep == 0 {
			n++
		}
		miss &= g.keep
	}
	return n
}

// Fire adds the markings to which the actions lead from m. It returns the first
// action whose marking does not fit the layout, and -1 when all fit.
func (s *Successors) Fire(clock *clock.Clock, p *Program, m []uint64, ready []uint32) int {
	words, n := len(m), len(s.Hashes)
	s.Batch, s.Hashes, s.Labels = extend(s.Batch, len(ready)*words), extend(s.Hashes, len(ready)), extend(s.Labels, len(ready))
	batch, hashes, labels := s.Batch[n*words:], s.Hashes[n:], s.Labels[n:]
	from := hashSum(p.keys, m)
	clock.Work(len(ready))
	for k, a := range ready {
		if words > manyWords {
			clock.Work(words)
		}
		act := &p.actions[a]
		next := batch[k*words : (k+1)*words]
		for w := range next {
			next[w] = m[w]
		}
		full := act.spills
		touches := p.touches[act.touch:act.touchEnd]
		for k := range touches {
			t := &touches[k]
			full |= spills(next[t.word], t.gain, t.seams)
			next[t.word] += t.add
		}
		if full != 0 {
			return int(a)
		}
		sum := from
		sum.add(act.change)
		hashes[k], labels[k] = sum.mix(), uint16(a)
	}
	return -1
}

// extend makes a slice n longer; what is added is to be written.
func extend[T any](s []T, n int) []T { return slices.Grow(s, n)[:len(s)+n] }
