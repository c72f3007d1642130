package nettest

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"

	"podium/pnml"
)

// RandomNet makes a small net. Most are bounded: transitions seldom add tokens.
func RandomNet(rng *rand.Rand) *pnml.Net {
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

// Cases is the number of random cases of a test: the usual one, and with PODIUM_SOAK=1
// at least 20,000.
func Cases(usual int) int {
	if os.Getenv("PODIUM_SOAK") != "" {
		return max(usual, 20_000)
	}
	return usual
}

// RandomNets makes a number of small nets, with their markings: at most 300.
func RandomNets(rng *rand.Rand, number int) iter.Seq2[*pnml.Net, *Graph] {
	return withGraphs(number, func() *pnml.Net { return RandomNet(rng) })
}

// LargeNets is RandomNets for nets with large numbers, around powers of two up to 2^64.
func LargeNets(rng *rand.Rand, number int) iter.Seq2[*pnml.Net, *Graph] {
	return withGraphs(number, func() *pnml.Net { return enlarged(rng, RandomNet(rng), 1) })
}

// VastNets is LargeNets for nets with small weights beside large markings. They have too many
// markings to visit: there are no graphs.
func VastNets(rng *rand.Rand, number int) iter.Seq2[*pnml.Net, *Graph] {
	return func(yield func(*pnml.Net, *Graph) bool) {
		for range number {
			if net := enlarged(rng, RandomNet(rng), 4); !yield(net, nil) {
				return
			}
		}
	}
}

// enlarged returns a net with all tokens of another one, and one in some weights, times a number
// around a power of two, and some of them one more or less.
func enlarged(rng *rand.Rand, net *pnml.Net, one int) *pnml.Net {
	factor := uint64(1)<<[]int{30, 31, 32, 40, 52, 53, 61, 62, 63}[rng.IntN(9)] + uint64(rng.IntN(3)) - 1
	odd := rng.IntN(2) == 0
	large := func(n uint64) uint64 {
		high, low := bits.Mul64(n, factor)
		switch {
		case high > 0:
			return math.MaxUint64
		case n > 0 && odd && rng.IntN(6) == 0:
			return max(1, low+uint64(rng.IntN(3))-1)
		}
		return low
	}
	weight := func(w uint64) uint64 {
		if rng.IntN(one) > 0 {
			return w
		}
		return large(w)
	}
	b := &pnml.Builder{ID: "large"}
	for p, n := range net.Initial {
		b.Place(net.Places.At(p), large(n))
	}
	for t := range net.Transitions.Len() {
		b.Transition(net.Transitions.At(t))
		places, weights := net.Pre.Row(t)
		for k, p := range places {
			b.In(int(p), t, weight(weights.At(k)))
		}
		places, weights = net.Post.Row(t)
		for k, p := range places {
			b.Out(t, int(p), weight(weights.At(k)))
		}
	}
	return Build(b)
}

func withGraphs(number int, draw func() *pnml.Net) iter.Seq2[*pnml.Net, *Graph] {
	return func(yield func(*pnml.Net, *Graph) bool) {
		for made := 0; made < number; {
			net := draw()
			g := Explore(net, 300)
			if g == nil {
				continue
			}
			if made++; !yield(net, g) {
				return
			}
		}
	}
}

// Philosophers is the net of the dining philosophers: each takes the left fork,
// then the right one. It is one-safe and has one reachable deadlock.
func Philosophers(n int) *pnml.Net {
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
	return Build(b)
}

// Ring moves tokens round a circle of places: C(tokens+places-1, places-1)
// markings, wide fields.
func Ring(places int, tokens uint64) *pnml.Net {
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
	return Build(b)
}

// Burst is a ring whose markings have few successors, until all tokens meet in one
// place: then one of many ways is taken beside it.
func Burst(tokens uint64, ways int) *pnml.Net {
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
	return Build(b)
}

// Rarely is a ring beside a place that gets its tokens only after a run that a
// random walk hardly finds, so that the place is laid out too narrow at first.
func Rarely(tokens uint64) *pnml.Net {
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
	return Build(b)
}

// Build panics when the net is not well-formed.
func Build(b *pnml.Builder) *pnml.Net {
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

// Unbounded has a place that grows for ever, one with at most two tokens, and
// a transition that would change a third but never fires.
func Unbounded() *pnml.Net {
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
	return Build(b)
}
