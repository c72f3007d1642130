package enumeration

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"podium/internal/clock"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Limits end an enumeration of a net that is not small.
type Limits struct {
	Markings int
	Memory   int // bytes, about
}

// Small are the limits of `podium check witness`.
var Small = Limits{Markings: 1_000_000, Memory: 1 << 30}

// Beside are the limits beside runs of tools, whose witnesses are checked several at a
// time.
var Beside = Limits{Markings: 100_000, Memory: 128 << 20}

// Graph is the reachability graph of a net. The first marking is the initial one.
type Graph struct {
	clock    *clock.Clock // of the work under way
	view     unfold.View
	net      *pnml.Net
	markings []string   // pairs of a place, less the one before it, and its tokens
	at       []uint64   // the marking at hand
	marked   []uint32   // the places that have tokens in it
	next     []int32    // successors, marking after marking
	ends     []int      // of the successors of each marking, in next
	before   []int32    // predecessors, marking after marking, nil until they are wanted
	begins   []int      // of the predecessors of each marking, in before, and the end
	fired    []bool     // by transition
	most     []uint64   // tokens in each place
	sum      pnml.Total // most tokens in a marking

	enables func(marking int32) int // counts transitions where not all firings are stored, else nil
}

// Explore visits the reachable markings. The error says which limit was reached.
func Explore(c *clock.Clock, view unfold.View, limits Limits) (*Graph, error) {
	net := view.Net
	g := &Graph{clock: c, view: view, net: net, fired: make([]bool, net.Transitions.Len()), most: make([]uint64, net.Places.Len())}
	at := slices.Clone(net.Initial)
	index := map[string]int32{}
	memory := 0
	var key []byte
	add := func(m []uint64, marked []uint32) int32 {
		key = appendMarking(key[:0], m, marked)
		i, ok := index[string(key)]
		if !ok {
			i = int32(len(g.markings))
			g.markings = append(g.markings, string(key))
			index[g.markings[i]] = i
			memory += len(key) + 96
			g.count(m, marked)
		}
		return i
	}
	g.at = make([]uint64, len(at))
	byPlace, free := byFirstPlace(net)
	all := make([]uint32, len(at))
	for p := range all {
		all[p] = uint32(p)
	}
	add(at, all)
	at = g.at
	// within tells that the limits are kept: asked after each firing, since a marking may
	// have as many successors as the net has transitions.
	within := func() error {
		if len(g.markings) > limits.Markings {
			return fmt.Errorf("the net has more than %d markings", limits.Markings)
		}
		if memory+8*cap(g.next) > limits.Memory {
			return fmt.Errorf("the markings take more than %d MB", limits.Memory>>20)
		}
		return nil
	}
	var after []uint32
	for i := 0; i < len(g.markings); i++ {
		g.decode(i)
		follow := func(list []int) error {
			for _, t := range list {
				c.Work(16)
				if !Enabled(net, t, at) {
					continue
				}
				if err := fire(net, t, at, 1); err != nil {
					return err
				}
				g.fired[t] = true
				gives, _ := net.Post.Row(t)
				after = merge(after[:0], g.marked, gives)
				c.Work(len(after))
				g.next = append(g.next, add(at, after))
				fire(net, t, at, -1)
				if err := within(); err != nil {
					return err
				}
			}
			return nil
		}
		if err := follow(free); err != nil {
			return nil, err
		}
		for _, p := range g.marked {
			if err := follow(byPlace[p]); err != nil {
				return nil, err
			}
		}
		g.ends = append(g.ends, len(g.next))
		if err := within(); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Markings is the number of reachable markings.
func (g *Graph) Markings() int { return len(g.markings) }

// Marking returns the tokens of a marking, by place.
func (g *Graph) Marking(i int) []uint64 {
	g.decode(i)
	return slices.Clone(g.at)
}

var errTokens = errors.New("a place holds more than 2^64-1 tokens")

// byFirstPlace returns the transitions by the first place that they take tokens from, and
// those that take none.
func byFirstPlace(net *pnml.Net) (byPlace [][]int, free []int) {
	byPlace = make([][]int, net.Places.Len())
	for t := range net.Transitions.Len() {
		if places, _ := net.Pre.Row(t); len(places) > 0 {
			byPlace[places[0]] = append(byPlace[places[0]], t)
		} else {
			free = append(free, t)
		}
	}
	return byPlace, free
}

// Enabled reports whether a transition may fire in a marking.
func Enabled(net *pnml.Net, t int, m []uint64) bool {
	places, weights := net.Pre.Row(t)
	for k, p := range places {
		if m[p] < weights.At(k) {
			return false
		}
	}
	return true
}

// fire fires an enabled transition, or with -1 takes its firing back.
func fire(net *pnml.Net, t int, m []uint64, direction int) error {
	takes, weights := net.Pre.Row(t)
	gives, more := net.Post.Row(t)
	if direction < 0 {
		takes, weights, gives, more = gives, more, takes, weights
	}
	for k, p := range takes {
		m[p] -= weights.At(k)
	}
	for k, p := range gives {
		if m[p] += more.At(k); m[p] < more.At(k) {
			return errTokens
		}
	}
	return nil
}

// count keeps the largest numbers of tokens; no place but those of a list is marked.
func (g *Graph) count(m []uint64, marked []uint32) {
	for _, p := range marked {
		g.most[p] = max(g.most[p], m[p])
	}
	g.sum = larger(g.sum, pnml.TotalOf(m, marked))
}

// merge returns the places of two ascending lists, each once.
func merge(out, a, b []uint32) []uint32 {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case b[0] < a[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// appendMarking writes a marking; no place but those of an ascending list is marked.
func appendMarking(key []byte, m []uint64, marked []uint32) []byte {
	last := uint32(0)
	for _, p := range marked {
		if n := m[p]; n > 0 {
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(p-last)), n)
			last = p
		}
	}
	return key
}

// decode makes a marking the one at hand.
func (g *Graph) decode(i int) {
	text := g.markings[i]
	g.clock.Work(16 + len(text))
	for _, p := range g.marked {
		g.at[p] = 0
	}
	g.marked = g.marked[:0]
	p := uint32(0)
	for at := 0; at < len(text); {
		var step, n uint64
		step, at = uvarint(text, at)
		n, at = uvarint(text, at)
		p += uint32(step)
		g.at[p] = n
		g.marked = append(g.marked, p)
	}
}

// uvarint reads a number of a text, and returns where the next one begins.
func uvarint(text string, at int) (n uint64, next int) {
	for shift := 0; ; shift += 7 {
		b := text[at]
		at++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n, at
		}
	}
}

// after returns the successors of a marking.
func (g *Graph) after(i int32) []int32 {
	from := 0
	if i > 0 {
		from = g.ends[i-1]
	}
	return g.next[from:g.ends[i]]
}

// toward returns the predecessors of a marking, as often as there are firings.
func (g *Graph) toward(i int32) []int32 {
	if g.begins == nil {
		g.turn()
	}
	return g.before[g.begins[i]:g.begins[i+1]]
}

// turn lists predecessors.
func (g *Graph) turn() {
	g.clock.Work(len(g.next) + len(g.markings))
	begins := make([]int, len(g.markings)+2)
	for _, to := range g.next {
		begins[to+2]++
	}
	for i := 2; i < len(begins); i++ {
		begins[i] += begins[i-1]
	}
	before := make([]int32, len(g.next))
	for i := range g.markings {
		for _, to := range g.after(int32(i)) {
			before[begins[to+1]] = int32(i)
			begins[to+1]++
		}
	}
	g.before, g.begins = before, begins[:len(begins)-1]
}
