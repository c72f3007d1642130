package pnml

import (
	"cmp"
	"slices"

	"podium/pnml/diagnostic"
)

// arcSieve finds out which arcs may repeat an earlier one between the same two
// nodes, in order that the position of those only is kept: it misses none and
// takes one in about twenty others for one. An arc is a bit, chosen by its nodes.
type arcSieve struct {
	words    []uint64 // a power of two; about a bit of sixteen is set
	n        int
	suspects []suspect
}

// suspect is an arc that may repeat one.
type suspect struct {
	arcKey
	pos Position
}

type arcKey struct {
	from       nodeKind
	row, place uint32
}

func (k arcKey) compare(l arcKey) int {
	return cmp.Or(cmp.Compare(k.from, l.from), cmp.Compare(k.row, l.row), cmp.Compare(k.place, l.place))
}

func newArcKey(from nodeKind, source, target uint32) arcKey {
	if from == placeNode {
		return arcKey{from, target, source}
	}
	return arcKey{from, source, target}
}

// add notes an arc and reports whether its bit was set. Arcs of one transition are
// near each other in memory.
func (s *arcSieve) add(k arcKey) bool {
	at := (2*k.row+uint32(k.from))*0x9E3779B1 + k.place/64
	word := &s.words[at&uint32(len(s.words)-1)]
	bit := uint64(1) << (k.place % 64)
	old := *word
	*word |= bit
	return old&bit != 0
}

// addAll returns a function that notes arcs.
func (s *arcSieve) addAll(from nodeKind) func(rows, places []uint32) {
	return func(rows, places []uint32) {
		for i, row := range rows {
			s.add(arcKey{from, row, places[i]})
		}
	}
}

// mayRepeat notes an arc of a P/T net, before it is connected.
func (r *reader) mayRepeat(from nodeKind, source, target uint32) bool {
	s := &r.sieve
	if s.n == 4*len(s.words) {
		s.words = make([]uint64, max(64, 2*len(s.words)))
		r.pre.each(s.addAll(placeNode))
		r.post.each(s.addAll(transitionNode))
	}
	s.n++
	return s.add(newArcKey(from, source, target))
}

func (s *arcSieve) keep(from nodeKind, source, target uint32, pos Position) {
	s.suspects = append(s.suspects, suspect{newArcKey(from, source, target), pos})
}

// positions empties the sieve and returns a function that tells where the second
// of several arcs stands, given how many there are beyond the first.
func (s *arcSieve) positions() func(from nodeKind, row, place uint32, more int) Position {
	suspects := s.suspects
	*s = arcSieve{}
	sorted := false
	return func(from nodeKind, row, place uint32, more int) Position {
		if !sorted { // in place: there may be many, and a peak of memory now
			slices.SortStableFunc(suspects, func(x, y suspect) int { return x.compare(y.arcKey) })
			sorted = true
		}
		// The first arc is among those of its key by accident only.
		key := arcKey{from, row, place}
		end, _ := slices.BinarySearchFunc(suspects, key, func(x suspect, key arcKey) int { return cmp.Or(x.compare(key), -1) })
		return suspects[end-more].pos
	}
}

// parallel reports several arcs from one node to another.
func (r *reader) parallel(second Position, source, target string, tooHeavy bool) {
	if tooHeavy {
		r.add(second, diagnostic.Error, "pnml-inscription", "", "the weights of the arcs from %s to %s exceed 2^64-1 together", source, target)
		return
	}
	r.add(second, diagnostic.Warning, "pnml-parallel-arcs", "write one arc with the sum of the weights",
		"several arcs lead from %s to %s", source, target)
}
