package unfold

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"podium/internal/clock"
	"podium/pnml"
)

// result numbers the places that are kept and makes the net.
func (b *builder) result() *Unfolding {
	u := &Unfolding{Source: b.net, transStart: b.starts, bindings: b.bindings}
	for _, p := range b.plans {
		u.variables = append(u.variables, p.variables)
	}
	b.numberPlaces(u)
	n := &pnml.Net{ID: b.net.ID, Name: b.net.Name, Pre: b.pre.arcs(), Post: b.post.arcs()}
	n.Initial = make([]uint64, len(u.colours))
	for p, list := range b.marked {
		at := u.placeStart[p]
		for _, e := range list {
			for uint64(u.colours[at]) != e.colour {
				at++
			}
			n.Initial[at] = e.count
		}
	}
	names := sync.OnceValue(func() *naming { return newNaming(u) })
	n.Places = pnml.NamesFrom(placeNames{u, names})
	n.Transitions = pnml.NamesFrom(transitionNames{u, names})
	u.Net = n
	return u
}

// numberPlaces gives the places that are kept their final numbers, in the net as
// well.
func (b *builder) numberPlaces(u *Unfolding) {
	kept := b.reached.count()
	u.colours = make([]uint32, 0, kept)
	for p := range b.net.PlaceSort {
		u.placeStart = append(u.placeStart, uint32(len(u.colours)))
		first := int(b.base[p])
		for from, to := range b.reached.runs(first, int(b.base[p+1])) {
			for i := from; i < to; i++ {
				u.colours = append(u.colours, uint32(i-first))
			}
		}
	}
	u.placeStart = append(u.placeStart, uint32(len(u.colours)))
	if kept < int(b.base[len(b.base)-1]) {
		number := newRanks(b.reached)
		for _, list := range [2][]uint32{b.pre.place, b.post.place} {
			for part := range slices.Chunk(list, clock.Between) {
				b.clock.Work(len(part))
				for k, p := range part {
					part[k] = number.of(p)
				}
			}
		}
	}
}

// naming makes the ids of unfolded nodes, all different.
type naming struct {
	u        *Unfolding
	numbers  []bool // per sort: colours are written as numbers, their names being ambiguous or no part of an id
	marked   []bool // per coloured place, then per coloured transition: see append
	numbered bool   // no id follows the convention
}

// newNaming looks for what would make two ids equal, or no ids of XML: names of constants that
// are not distinct, hold underscores or cannot stand in an id, nodes whose own ids are none, and
// nodes such as A and A_1 whose unfoldings could meet.
func newNaming(u *Unfolding) *naming {
	s := u.Source
	n := &naming{u: u, numbers: make([]bool, len(s.Sorts))}
	for i := range s.Sorts {
		n.numbers[i] = ambiguous(s.Sorts[i].Constants)
	}
	places := s.Places.Len()
	n.marked = make([]bool, places+s.Transitions.Len())
	id := func(k int) string {
		if k < places {
			return s.Places.At(k)
		}
		return s.Transitions.At(k - places)
	}
	index := make(map[string]int, len(n.marked))
	for k := range n.marked {
		index[id(k)] = k
	}
	odd, some := false, false
	for k := range n.marked {
		name := id(k)
		odd = odd || endsLikeMark(name)
		if pnml.AsID(name) != name {
			n.marked[k], some = true, true
		}
		for i := range len(name) {
			if name[i] != '_' {
				continue
			}
			if other, ok := index[name[:i]]; ok && n.words(other) == n.words(k)+strings.Count(name[i:], "_") {
				n.marked[other], some = true, true
			}
		}
	}
	n.numbered = odd && some
	return n
}

// endsLikeMark reports whether an id could be taken for the id of a marked node.
func endsLikeMark(id string) bool {
	head := strings.TrimRight(id, "0123456789")
	return strings.HasSuffix(id, "_") || len(head) < len(id) && (strings.HasSuffix(head, "__p") || strings.HasSuffix(head, "__t"))
}

func ambiguous(constants []pnml.Constant) bool {
	seen := make(map[string]bool, len(constants))
	for _, c := range constants {
		if c.Name == "" || seen[c.Name] || strings.Contains(c.Name, "_") || !pnml.WithinID(c.Name) {
			return true
		}
		seen[c.Name] = true
	}
	return false
}

// words is the number of words that the colours add to the id of a node.
func (n *naming) words(node int) int {
	s := n.u.Source
	if places := s.Places.Len(); node >= places {
		words := 0
		for _, v := range n.u.variables[node-places] {
			words += sortWords(s, s.Variables[v].Sort)
		}
		return words
	}
	return sortWords(s, s.PlaceSort[node])
}

func sortWords(s *pnml.Symmetric, sort int) int {
	switch x := &s.Sorts[sort]; x.Kind {
	case pnml.DotSort:
		return 0
	case pnml.ProductSort:
		words := 0
		for _, f := range x.Factors {
			words += sortWords(s, f)
		}
		return words
	}
	return 1
}

// appendColour appends the names of a colour: those of its components, each with
// an underscore before it. A dot has no name.
func (n *naming) appendColour(dst []byte, sort int, colour uint64) []byte {
	s := n.u.Source
	x := &s.Sorts[sort]
	switch {
	case x.Kind == pnml.DotSort:
		return dst
	case x.Kind == pnml.RangeSort:
		return strconv.AppendInt(append(dst, '_'), x.First+int64(colour), 10)
	case x.Kind == pnml.ProductSort:
		stride := x.Size
		for _, f := range x.Factors {
			size := s.Sorts[f].Size
			stride /= size
			dst = n.appendColour(dst, f, colour/stride%size)
		}
		return dst
	case n.numbers[sort]:
		return strconv.AppendUint(append(dst, '_'), colour, 10)
	}
	return append(append(dst, '_'), x.Constants[colour].Name...)
}

// append makes the id of one unfolded node. That of a marked node ends in a word
// that tells it from all others.
func (n *naming) append(dst []byte, id string, kind byte, node, number int, colours func([]byte) []byte) []byte {
	mark := node
	if kind == 't' {
		mark += n.u.Source.Places.Len()
	}
	switch {
	case n.numbered:
		dst = strconv.AppendInt(append(dst, kind), int64(node), 10)
		return strconv.AppendInt(append(dst, '_'), int64(number), 10)
	case n.marked[mark]:
		dst = append(colours(append(dst, pnml.AsID(id)...)), "__"...)
		return strconv.AppendInt(append(dst, kind), int64(node), 10)
	}
	return colours(append(dst, id...))
}

type placeNames struct {
	u      *Unfolding
	naming func() *naming // made when the first id is asked for
}

func (n placeNames) Len() int { return len(n.u.colours) }

func (n placeNames) AppendName(dst []byte, i int) []byte {
	p, colour := n.u.PlaceOf(i)
	s := n.u.Source
	names := n.naming()
	return names.append(dst, s.Places.At(p), 'p', p, i, func(dst []byte) []byte {
		return names.appendColour(dst, s.PlaceSort[p], colour)
	})
}

type transitionNames placeNames

func (n transitionNames) Len() int { return n.u.bindings.len() }

func (n transitionNames) AppendName(dst []byte, i int) []byte {
	t, values := n.u.TransitionOf(i)
	s := n.u.Source
	names := n.naming()
	return names.append(dst, s.Transitions.At(t), 't', t, i, func(dst []byte) []byte {
		for k, v := range n.u.variables[t] {
			dst = names.appendColour(dst, s.Variables[v].Sort, values[k])
		}
		return dst
	})
}
