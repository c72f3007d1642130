package certificate

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"podium/internal/witness"
)

// maxFactor bounds the factors of inequalities, all of a place together.
const maxFactor = 1 << 20

// outside closes a case: no marking of a diagram satisfies all that is assumed.
func (w *Walk) outside(number int) error {
	if number < 0 || number >= len(w.diagrams) {
		return fmt.Errorf("there is no diagram %d, but %d of them, from 0", number, len(w.diagrams))
	}
	d := w.diagrams[number]
	d.nodes, d.at = d.nodes[:d.given:d.given], d.at[:d.given:d.given]
	d.index, d.both, d.made = map[string]uint32{}, map[[2]uint32]uint32{}, 0
	if left := d.satisfying(uint32(d.given-1), &w.assumed); d.fault != nil {
		return d.fault
	} else if left != empty {
		return errors.New("the diagram has such a marking")
	}
	return w.next()
}

// satisfying returns the markings of a set that satisfy all that is assumed.
func (d *diagram) satisfying(n uint32, a *assumed) uint32 {
	for _, x := range a.atoms {
		if n == empty || d.fault != nil {
			return empty
		}
		n = d.atMost(n, x)
	}
	for _, parts := range a.disjunct {
		all := empty
		for _, p := range parts {
			if n == empty || d.fault != nil {
				return empty
			}
			with := assumed{view: a.view, clock: a.clock}
			d.fault = with.assume(p)
			all = d.union(all, d.satisfying(n, &with))
		}
		n = all
	}
	return n
}

// atMost returns the markings of a set that satisfy an inequality. Of places without a level
// nothing is known but that they hold no less than nothing.
func (d *diagram) atMost(n uint32, x witness.AtMost) uint32 {
	s := &levels{diagram: d, factors: map[int]int64{}, last: -1, ranges: map[uint32][2]int64{}, parts: map[[2]int64]uint32{}}
	for _, t := range x.Terms {
		level, ok := d.level[t.Place]
		if !ok && t.Factor.Sign() < 0 {
			return n
		} else if !ok {
			continue
		}
		number := t.Factor.Num()
		total := s.factors[level] + number.Int64()
		if !t.Factor.IsInt() || number.BitLen() > 20 || max(total, -total) > maxFactor {
			d.fault = fmt.Errorf("a factor is no whole number, or beyond %d", maxFactor)
			return empty
		}
		s.factors[level], s.last = total, max(s.last, level)
	}
	bound := new(big.Int).Div(x.Bound.Num(), x.Bound.Denom()) // rounded down: the sum is whole
	if bound.BitLen() > 61 {                                  // farther than any sum of a diagram
		bound.SetInt64(int64(bound.Sign()) << 61)
	}
	return s.atMost(n, bound.Int64())
}

// levels is a sum over places, by their levels.
type levels struct {
	*diagram
	factors map[int]int64
	last    int                 // that has a factor
	ranges  map[uint32][2]int64 // of the sum from a node on
	parts   map[[2]int64]uint32 // of a node, and what the sum from it on may be at most
}

// values returns the least and the largest value of the sum from a node on.
func (s *levels) values(n uint32) (r [2]int64) {
	if r, ok := s.ranges[n]; ok || s.at[n] > s.last {
		return r // of nothing, 0
	}
	s.look(n)
	for k, e := range s.nodes[n] {
		below, here := s.values(e.To), s.factors[s.at[n]]*int64(e.Tokens)
		if k == 0 {
			r = [2]int64{below[0] + here, below[1] + here}
		}
		r = [2]int64{min(r[0], below[0]+here), max(r[1], below[1]+here)}
	}
	return remember(s.ranges, n, r)
}

// atMost returns the part of a set in which the sum from its level on is at most a number.
func (s *levels) atMost(n uint32, most int64) uint32 {
	switch r := s.values(n); {
	case r[1] <= most:
		return n
	case r[0] > most || !s.look(n):
		return empty
	}
	key := [2]int64{int64(n), most}
	if part, ok := s.parts[key]; ok {
		return part
	}
	var edges []witness.Edge
	for _, e := range s.nodes[n] {
		if to := s.atMost(e.To, most-s.factors[s.at[n]]*int64(e.Tokens)); to != empty {
			edges = append(edges, witness.Edge{Tokens: e.Tokens, To: to})
		}
	}
	return remember(s.parts, key, s.node(s.at[n], edges))
}

// union returns the markings of two sets.
func (d *diagram) union(a, b uint32) uint32 {
	if a == b || b == empty {
		return a
	} else if a == empty {
		return b
	}
	key := [2]uint32{a, b}
	if n, ok := d.both[key]; ok {
		return n
	}
	if !d.look(a) || !d.look(b) {
		return empty
	}
	edges := slices.Clone(d.nodes[a])
	for _, e := range d.nodes[b] {
		if i, ok := edge(d.nodes[a], e.Tokens); ok {
			edges[i].To = d.union(edges[i].To, e.To)
		} else {
			edges = append(edges, e)
		}
	}
	slices.SortFunc(edges, func(x, y witness.Edge) int { return cmp.Compare(x.Tokens, y.Tokens) })
	return remember(d.both, key, d.node(d.at[a], edges))
}

// node returns the node of a result with some edges; equal results have one.
func (d *diagram) node(level int, edges []witness.Edge) uint32 {
	if len(edges) == 0 {
		return empty
	}
	var text []byte
	for _, e := range edges {
		text = binary.AppendUvarint(binary.AppendUvarint(text, e.Tokens), uint64(e.To))
	}
	n, ok := d.index[string(text)]
	if !ok {
		n, d.made = uint32(len(d.nodes)), d.made+1+len(edges)
		d.nodes, d.at, d.index[string(text)] = append(d.nodes, edges), append(d.at, level), n
	}
	return n
}
