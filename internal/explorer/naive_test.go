package explorer

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"podium/pnml"
)

// naive is an explicit graph made in the plainest way, against which the search
// and the evaluators are compared.
type naive struct {
	net      *pnml.Net
	markings [][]uint64
	next     [][]naiveEdge
}

type naiveEdge struct{ transition, to int }

// explorePlainly enumerates at most limit markings; it gives nil when there are
// more.
func explorePlainly(net *pnml.Net, limit int) *naive {
	g := &naive{net: net}
	index := map[string]int{}
	add := func(m []uint64) int {
		key := fmt.Sprint(m)
		if i, ok := index[key]; ok {
			return i
		}
		index[key] = len(g.markings)
		g.markings = append(g.markings, m)
		return len(g.markings) - 1
	}
	add(append([]uint64(nil), net.Initial...))
	for i := 0; i < len(g.markings); i++ {
		if len(g.markings) > limit {
			return nil
		}
		var row []naiveEdge
		for t := range net.Transitions.Len() {
			m := append([]uint64(nil), g.markings[i]...)
			if plainFire(net, t, m) {
				row = append(row, naiveEdge{t, add(m)})
			}
		}
		g.next = append(g.next, row)
	}
	return g
}

func plainFire(net *pnml.Net, t int, m []uint64) bool {
	places, weights := net.Pre.Row(t)
	for k, p := range places {
		w := weights.At(k)
		if m[p] < w {
			return false
		}
		m[p] -= w
	}
	places, weights = net.Post.Row(t)
	for k, p := range places {
		m[p] += weights.At(k)
	}
	return true
}

// distances gives how many firings away from the initial marking each one is;
// the markings stand in the order of a breadth-first search.
func (g *naive) distances() []int {
	d := make([]int, len(g.markings))
	for i := range g.markings {
		for _, e := range g.next[i] {
			if e.to > i && (d[e.to] == 0 || d[e.to] > d[i]+1) {
				d[e.to] = d[i] + 1
			}
		}
	}
	return d
}

func (g *naive) firings() (n uint64) {
	for _, row := range g.next {
		n += uint64(len(row))
	}
	return n
}

func (g *naive) tokens() (most, sum uint64) {
	for _, m := range g.markings {
		total := uint64(0)
		for _, n := range m {
			most = max(most, n)
			total += n
		}
		sum = max(sum, total)
	}
	return most, sum
}

// randomNet makes a small net. Most are bounded: transitions seldom add tokens.
func randomNet(rng *rand.Rand) *pnml.Net {
	b := &pnml.Builder{ID: "random"}
	places, transitions := 1+rng.IntN(6), rng.IntN(7)
	for p := range places {
		tokens := uint64(0)
		if rng.IntN(2) == 0 {
			tokens = uint64(1 + rng.IntN(3))
		}
		b.Place(fmt.Sprintf("p%d", p), tokens)
	}
	for t := range transitions {
		b.Transition(fmt.Sprintf("t%d", t))
		balance := 0
		for range rng.IntN(4) {
			w := 1 + rng.IntN(2)*rng.IntN(2)
			b.In(rng.IntN(places), t, uint64(w))
			balance += w
		}
		for range rng.IntN(4) {
			w := 1 + rng.IntN(2)*rng.IntN(2)
			if balance -= w; balance < 0 && rng.IntN(12) > 0 {
				break
			}
			b.Out(t, rng.IntN(places), uint64(w))
		}
	}
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

// philosophers is the net of the dining philosophers: each takes the left fork,
// then the right one. It is one-safe and has one reachable deadlock.
func philosophers(n int) *pnml.Net {
	b := &pnml.Builder{ID: "philosophers"}
	think, wait, eat, fork := make([]int, n), make([]int, n), make([]int, n), make([]int, n)
	for i := range n {
		think[i] = b.Place(fmt.Sprintf("think%d", i), 1)
		wait[i] = b.Place(fmt.Sprintf("wait%d", i), 0)
		eat[i] = b.Place(fmt.Sprintf("eat%d", i), 0)
		fork[i] = b.Place(fmt.Sprintf("fork%d", i), 1)
	}
	for i := range n {
		left, right, free := b.Transition(fmt.Sprintf("left%d", i)), b.Transition(fmt.Sprintf("right%d", i)), b.Transition(fmt.Sprintf("free%d", i))
		b.In(think[i], left, 1)
		b.In(fork[i], left, 1)
		b.Out(left, wait[i], 1)
		b.In(wait[i], right, 1)
		b.In(fork[(i+1)%n], right, 1)
		b.Out(right, eat[i], 1)
		b.In(eat[i], free, 1)
		b.Out(free, think[i], 1)
		b.Out(free, fork[i], 1)
		b.Out(free, fork[(i+1)%n], 1)
	}
	return mustBuild(b)
}

// ring moves tokens round a circle of places: C(tokens+places-1, places-1)
// markings, wide fields.
func ring(places int, tokens uint64) *pnml.Net {
	b := &pnml.Builder{ID: "ring"}
	for p := range places {
		n := uint64(0)
		if p == 0 {
			n = tokens
		}
		b.Place(fmt.Sprintf("p%d", p), n)
	}
	for p := range places {
		t := b.Transition(fmt.Sprintf("t%d", p))
		b.In(p, t, 1)
		b.Out(t, (p+1)%places, 1)
	}
	return mustBuild(b)
}

// burst is a ring whose markings have few successors, until all tokens meet in one
// place: then one of many ways is taken beside it.
func burst(tokens uint64, ways int) *pnml.Net {
	b := &pnml.Builder{ID: "burst"}
	circle := []int{b.Place("r0", tokens), b.Place("r1", 0), b.Place("r2", 0)}
	for k, p := range circle {
		t := b.Transition(fmt.Sprint("turn", k))
		b.In(p, t, 1)
		b.Out(t, circle[(k+1)%3], 1)
	}
	before, at := b.Place("before", 1), b.Place("at", 0)
	meet := b.Transition("meet")
	b.In(before, meet, 1)
	b.In(circle[2], meet, tokens)
	b.Out(meet, circle[2], tokens)
	b.Out(meet, at, 1)
	for k := range ways {
		t := b.Transition(fmt.Sprint("way", k))
		b.In(at, t, 1)
		b.Out(t, b.Place(fmt.Sprint("after", k), 0), 1)
	}
	return mustBuild(b)
}

// rarely is a ring beside a place that gets its tokens only after a run that a
// random walk hardly finds, so that the place is laid out too narrow at first.
func rarely(tokens uint64) *pnml.Net {
	const steps = 14
	b := &pnml.Builder{ID: "rarely"}
	move := func(name string, from, to int) {
		t := b.Transition(name)
		b.In(from, t, 1)
		b.Out(t, to, 1)
	}
	circle := []int{b.Place("r0", 12), b.Place("r1", 0), b.Place("r2", 0)}
	for k, p := range circle {
		move(fmt.Sprint("turn", k), p, circle[(k+1)%3])
	}
	start := b.Place("start", 1)
	at := start
	for k := range steps {
		next := b.Place(fmt.Sprint("step", k), 0)
		move(fmt.Sprint("on", k), at, next)
		move(fmt.Sprint("back", k), next, start)
		move(fmt.Sprint("home", k), next, start)
		at = next
	}
	stock, filled := b.Place("stock", tokens), b.Place("filled", 0)
	fill := b.Transition("fill")
	b.In(at, fill, 1)
	b.Out(fill, at, 1)
	b.In(stock, fill, 1)
	b.Out(fill, filled, 1)
	return mustBuild(b)
}

func mustBuild(b *pnml.Builder) *pnml.Net {
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

func explore(t testing.TB, net *pnml.Net, opt Options) *Space {
	t.Helper()
	s := Explore(t.Context(), net, opt)
	t.Cleanup(s.Close)
	return s
}

// unboundedNet has a place that grows for ever, one with at most two tokens, and
// a transition that would change a third but never fires.
func unboundedNet() *pnml.Net {
	b := &pnml.Builder{ID: "unbounded"}
	few, rest, many, still := b.Place("few", 0), b.Place("rest", 2), b.Place("many", 0), b.Place("still", 1)
	up, down, never := b.Transition("up"), b.Transition("down"), b.Transition("never")
	b.In(rest, up, 1)
	b.Out(up, few, 1)
	b.Out(up, many, 1)
	b.In(few, down, 1)
	b.Out(down, rest, 1)
	b.In(few, never, 3)
	b.In(still, never, 1)
	b.Out(never, rest, 3)
	return mustBuild(b)
}
