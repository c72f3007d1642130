package prover

import (
	"encoding/binary"
	"iter"
	"slices"

	"podium/internal/clock"
	"podium/internal/explorer/tokens"
)

// part is some places of a net and the transitions that touch them, of those that change the
// same places by the same numbers only one. What no transition makes larger in the part is an
// invariant of the net.
type part struct {
	places      []uint32
	transitions []uint32
	column      []int32 // by place of the net: where it stands in places, -1 outside
}

// firstPart is the number of places of the first part that is tried; each further one has
// four times as many.
const firstPart = 64

// parts returns parts of the net around some places, small ones first, each so small that a
// table of it with further columns has no more than some cells. The last one is the whole
// net, if that has room.
func (p *Prover) parts(seeds []uint32, further, cells int) iter.Seq[part] {
	return func(yield func(part) bool) { p.eachPart(seeds, further, cells, yield) }
}

func (p *Prover) eachPart(seeds []uint32, further, cells int, yield func(part) bool) {
	n := p.net.Places.Len()
	x := part{column: slices.Repeat([]int32{-1}, n)}
	add := func(place uint32) {
		if x.column[place] < 0 {
			x.column[place] = int32(len(x.places))
			x.places = append(x.places, place)
		}
	}
	for _, place := range seeds {
		add(place)
	}
	for _, place := range p.aroundUnits(seeds) {
		add(place)
	}
	met := make([]bool, p.net.Transitions.Len())
	next, size := 0, max(firstPart, len(x.places))
	for {
		// From place to place through transitions, until the part is large enough.
		for ; len(x.places) < size; next++ {
			if next == len(x.places) {
				rest := slices.Index(x.column, -1)
				if rest < 0 {
					break
				}
				add(uint32(rest)) // the net is not connected
			}
			for _, t := range p.touching(x.places[next]) {
				if !met[t] {
					met[t] = true
					p.clock.Work(32)
					p.effect(t, func(place uint32, _ float64) { add(place) })
				}
			}
		}
		p.clock.Work(n + len(met) + 32*len(x.places))
		y := part{places: slices.Clone(x.places), column: slices.Clone(x.column)}
		touched := make([]bool, len(met))
		for _, place := range y.places {
			for _, t := range p.touching(place) {
				if !touched[t] && p.differs[t] {
					touched[t] = true
					y.transitions = append(y.transitions, t)
				}
			}
		}
		slices.Sort(y.transitions)
		if (len(y.places)+further+1)*(len(y.transitions)+1) > cells {
			return
		}
		if !yield(y) || len(x.places) == n {
			return
		}
		size = max(4*size, len(x.places)+1)
	}
}

// touching returns the transitions with an arc to or from a place.
func (n *Net) touching(place uint32) []uint32 { return n.near[place] }

// touched lists by place the transitions that touch it.
func (n *Net) touched(clock *clock.Clock) {
	n.near = make([][]uint32, n.net.Places.Len())
	for t := range uint32(n.net.Transitions.Len()) {
		clock.Work(32)
		n.effect(t, func(place uint32, _ float64) { n.near[place] = append(n.near[place], t) })
	}
	for place, list := range n.near {
		n.near[place] = slices.Compact(list)
	}
}

// differ notes the transitions of which no earlier one changes the same places by the same
// numbers: tables need no others. Unfolded nets have many of these.
func (n *Net) differ(clock *clock.Clock) {
	n.differs = make([]bool, n.net.Transitions.Len())
	met := map[string]bool{}
	var key []byte
	for t := range n.differs {
		key = key[:0]
		for e := range tokens.Effects(n.net, t) {
			clock.Work(32)
			if less := min(e.Pre, e.Post); e.Pre != e.Post {
				for _, n := range []uint64{uint64(e.Place), e.Pre - less, e.Post - less} {
					key = binary.AppendUvarint(key, n)
				}
			}
		}
		if !met[string(key)] {
			met[string(key)], n.differs[t] = true, true
			n.distinct = append(n.distinct, uint32(t))
		}
	}
}

// units notes which units lie around places and units.
func (n *Net) units() {
	if n.net.NUPN == nil {
		return
	}
	units := n.net.NUPN.Units
	n.unitOf, n.outer = slices.Repeat([]int{-1}, n.net.Places.Len()), slices.Repeat([]int{-1}, len(units))
	for u, unit := range units {
		for _, place := range unit.Places {
			n.unitOf[place] = u
		}
		for _, inner := range unit.Subunits {
			n.outer[inner] = u
		}
	}
}

// aroundUnits returns the places of the units that some places lie in, and of the units
// around these: where units are true, each has at most one token.
func (n *Net) aroundUnits(seeds []uint32) (list []uint32) {
	if n.outer == nil {
		return nil
	}
	done := make([]bool, len(n.outer))
	for _, place := range seeds {
		for u := n.unitOf[place]; u >= 0 && !done[u]; u = n.outer[u] {
			done[u] = true
			list = append(list, n.net.NUPN.Units[u].Places...)
		}
	}
	return list
}
