package diagram

import (
	"errors"
	"slices"

	"podium/internal/clock"
)

// Node is a set of markings, seen from the level of the node on.
type Node uint32

// The empty set; and what is below the last level.
const (
	empty Node = 0
	end   Node = 1
)

// every stands for a bound that excludes nothing.
const every = ^Node(0)

// ErrTooLarge says that the diagrams take more memory than was given, or that a place
// holds more tokens than a diagram has edges for.
var ErrTooLarge = errors.New("the decision diagrams are too large")

// tooLarge leaves the work, see catch.
type tooLarge struct{ *store }

// Sizes of tables.
const (
	chunkBits  = 18 // words of a chunk
	firstTable = 1 << 12
	entrySize  = 20      // bytes
	maxTokens  = 1 << 12 // in a place
)

// store holds nodes. The name of a node is the place of its first word: its level, the
// number of its edges, and for each edge, by ascending tokens, the tokens and the node to
// which it leads. Nodes stay until the store is given up.
type store struct {
	clock  *clock.Clock
	memory int
	chunks [][]uint32
	used   int // words of the last chunk
	unique []Node
	nodes  int
	cache  []entry
	puts   int // since the cache has its size
	// edges holds the edges of nodes that are being made, of inner calls above those of
	// outer ones: tokens, the node, and a word for the work at hand.
	edges []edge
}

type edge struct {
	tokens uint32
	to     Node
	fired  Node
}

// entry is a result of an operation. A new one replaces an old one of the same place.
type entry struct {
	op, a, b, c uint32
	result      Node
}

func newStore(memory int) *store {
	return &store{memory: memory, unique: make([]Node, firstTable), cache: make([]entry, firstTable)}
}

// catch turns an end for want of memory into an error.
func (s *store) catch(do func()) (err error) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case tooLarge{s}:
			err = ErrTooLarge
		default:
			panic(r)
		}
	}()
	s.edges = s.edges[:0] // work that was left early leaves some behind
	do()
	return nil
}

func (s *store) fail() { panic(tooLarge{s}) }

// bytes is what the tables hold.
func (s *store) bytes() int {
	return len(s.chunks)<<(chunkBits+2) + 4*len(s.unique) + entrySize*len(s.cache)
}

// words returns the words of a node.
func (s *store) words(n Node) []uint32 {
	chunk := s.chunks[n>>chunkBits][n&(1<<chunkBits-1):]
	return chunk[: 2+2*chunk[1] : 2+2*chunk[1]]
}

// level returns the level of a node that is no constant.
func (s *store) level(n Node) uint32 { return s.chunks[n>>chunkBits][n&(1<<chunkBits-1)] }

// child returns where the edge with some tokens leads, empty where there is none.
func (s *store) child(n Node, tokens uint32) Node {
	if n <= end {
		return empty
	}
	w := s.words(n)[2:]
	low, high := 0, len(w)/2
	for low < high {
		middle := (low + high) / 2
		if w[2*middle] < tokens {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if 2*low < len(w) && w[2*low] == tokens {
		return Node(w[2*low+1])
	}
	return empty
}

// under is child for a bound, which may be every.
func (s *store) under(bound Node, tokens uint32) Node {
	if bound == every {
		return every
	}
	return s.child(bound, tokens)
}

// push puts an edge on the stack, unless it leads to the empty set.
func (s *store) push(tokens uint32, to Node) {
	if to != empty {
		s.edges = append(s.edges, edge{tokens: tokens, to: to})
	}
}

// pop makes a node of the edges from start on, and takes them off the stack.
func (s *store) pop(level uint32, start int) Node {
	n := s.node(level, s.edges[start:])
	s.edges = s.edges[:start]
	return n
}

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// node returns the node with some edges, which lead to no empty set.
func (s *store) node(level uint32, edges []edge) Node {
	if len(edges) == 0 {
		return empty
	}
	s.clock.Work(16 + 4*len(edges))
	h := mix(uint64(level), uint64(len(edges)))
	for _, e := range edges {
		h = mix(h, uint64(e.tokens)<<32|uint64(e.to))
	}
	mask := uint64(len(s.unique) - 1)
	i := h >> 8 & mask
search:
	for ; s.unique[i] != empty; i = (i + 1) & mask {
		w := s.words(s.unique[i])
		if w[0] != level || int(w[1]) != len(edges) {
			continue
		}
		for k, e := range edges {
			if w[2+2*k] != e.tokens || w[3+2*k] != uint32(e.to) {
				continue search
			}
		}
		return s.unique[i]
	}
	n := s.place(2 + 2*len(edges))
	w := s.chunks[n>>chunkBits][n&(1<<chunkBits-1):]
	w[0], w[1] = level, uint32(len(edges))
	for k, e := range edges {
		w[2+2*k], w[3+2*k] = e.tokens, uint32(e.to)
	}
	s.unique[i] = n
	if s.nodes++; 3*s.nodes > 2*len(s.unique) {
		s.grow()
	}
	return n
}

// place finds room for a node.
func (s *store) place(words int) Node {
	if words > 1<<(chunkBits-1) {
		s.fail()
	}
	if len(s.chunks) == 0 || s.used+words > 1<<chunkBits {
		if s.bytes()+4<<chunkBits > s.memory || len(s.chunks) == 1<<(32-chunkBits)-1 {
			s.fail()
		}
		s.chunks, s.used = append(s.chunks, make([]uint32, 1<<chunkBits)), 0
		if len(s.chunks) == 1 {
			s.used = 2 // the constants
		}
	}
	n := Node((len(s.chunks)-1)<<chunkBits + s.used)
	s.used += words
	return n
}

// grow makes the table of nodes twice as large.
func (s *store) grow() {
	if s.bytes()+8*len(s.unique) > s.memory {
		s.fail()
	}
	old := s.unique
	s.unique = make([]Node, 2*len(old))
	mask := uint64(len(s.unique) - 1)
	for _, n := range old {
		if n == empty {
			continue
		}
		w := s.words(n)
		s.clock.Work(len(w))
		h := mix(uint64(w[0]), uint64(w[1]))
		for k := 2; k < len(w); k += 2 {
			h = mix(h, uint64(w[k])<<32|uint64(w[k+1]))
		}
		i := h >> 8 & mask
		for s.unique[i] != empty {
			i = (i + 1) & mask
		}
		s.unique[i] = n
	}
}

func (s *store) entry(op, a, b, c uint32) *entry {
	h := mix(mix(0, uint64(op)<<32|uint64(a)), uint64(b)<<32|uint64(c))
	return &s.cache[h>>8&uint64(len(s.cache)-1)]
}

// find returns the result of an operation, if it is remembered.
func (s *store) find(op, a, b, c uint32) (Node, bool) {
	s.clock.Work(8)
	e := s.entry(op, a, b, c)
	return e.result, e.op == op && e.a == a && e.b == b && e.c == c
}

// keep remembers a result.
func (s *store) keep(op, a, b, c uint32, result Node) Node {
	if s.puts++; s.puts > len(s.cache) && 8*entrySize*len(s.cache) < s.memory {
		old := s.cache
		s.cache, s.puts = make([]entry, 2*len(old)), 0
		for _, e := range old {
			if e.op != 0 {
				*s.entry(e.op, e.a, e.b, e.c) = e
			}
		}
	}
	*s.entry(op, a, b, c) = entry{op, a, b, c, result}
	return result
}

// Codes of operations. Those of relations have the number of the relation above.
const (
	opUnion uint32 = iota + 1
	opBoth
	opMinus
	opSelect
	opSaturate
	opFire
	opStep
	opOnce
	opBits = 4
)

// union is the markings that are in one set or the other.
func (s *store) union(a, b Node) Node {
	switch {
	case a == b || b == empty:
		return a
	case a == empty:
		return b
	}
	return s.merge(opUnion, a, b)
}

// both is the markings that are in both sets.
func (s *store) both(a, b Node) Node {
	switch {
	case a == b || a == empty:
		return a
	case b == empty:
		return b
	}
	return s.merge(opBoth, a, b)
}

// merge goes through the edges of two nodes by ascending tokens: a union keeps those of one
// node only, too.
func (s *store) merge(op uint32, a, b Node) Node {
	a, b = min(a, b), max(a, b)
	if n, ok := s.find(op, uint32(a), uint32(b), 0); ok {
		return n
	}
	start, x, y := len(s.edges), s.words(a), s.words(b)
	for i, j := 2, 2; i < len(x) || j < len(y); {
		switch {
		case j == len(y) || i < len(x) && x[i] < y[j]:
			if op == opUnion {
				s.push(x[i], Node(x[i+1]))
			}
			i += 2
		case i == len(x) || x[i] > y[j]:
			if op == opUnion {
				s.push(y[j], Node(y[j+1]))
			}
			j += 2
		case op == opUnion:
			s.push(x[i], s.union(Node(x[i+1]), Node(y[j+1])))
			i, j = i+2, j+2
		default:
			s.push(x[i], s.both(Node(x[i+1]), Node(y[j+1])))
			i, j = i+2, j+2
		}
	}
	return s.keep(op, uint32(a), uint32(b), 0, s.pop(x[0], start))
}

// minus is the markings of a that are not in b.
func (s *store) minus(a, b Node) Node {
	switch {
	case a == b || a == empty:
		return empty
	case b == empty:
		return a
	}
	if n, ok := s.find(opMinus, uint32(a), uint32(b), 0); ok {
		return n
	}
	start, x := len(s.edges), s.words(a)
	for i := 2; i < len(x); i += 2 {
		s.push(x[i], s.minus(Node(x[i+1]), s.child(b, x[i])))
	}
	return s.keep(opMinus, uint32(a), uint32(b), 0, s.pop(x[0], start))
}

// marking is the set of one marking, by levels.
func (s *store) marking(tokens []uint32) Node {
	n := end
	for level, k := range slices.Backward(tokens) {
		n = s.node(uint32(level), []edge{{tokens: k, to: n}})
	}
	return n
}

// holds reports whether a marking is in a set.
func (s *store) holds(n Node, tokens []uint32) bool {
	for _, k := range tokens {
		n = s.child(n, k)
	}
	return n == end
}
