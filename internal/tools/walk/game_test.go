package walk

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"podium/pnml"
	"podium/pnml/unfold"
)

// ring is a cycle of places with a token every third place, and a transition
// that needs two tokens of each of two places.
func ring(size int) *pnml.Net {
	var b pnml.Builder
	for p := range size {
		b.Place(fmt.Sprint("p", p), uint64(1-min(1, p%3)))
	}
	for p := range size {
		t := b.Transition(fmt.Sprint("t", p))
		b.In(p, t, 1)
		b.Out(t, (p+1)%size, 1)
	}
	t := b.Transition("jump")
	b.In(0, t, 2)
	b.In(size/2, t, 2)
	b.Out(t, 1, 4)
	return build(&b)
}

func build(b *pnml.Builder) *pnml.Net {
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

// TestGameKeepsEnabling fires and takes back at random; the enabled transitions
// must always be those that the tokens enable.
func TestGameKeepsEnabling(t *testing.T) {
	g := newGame(unfold.Plain(ring(9)))
	r := random(7)
	for range 5000 {
		x := g.enabled[r.below(len(g.enabled))]
		if !g.fire(x) {
			t.Fatal("a small number has left its range")
		}
		if r.below(3) == 0 {
			g.unfire(x)
		}
		fresh := newGame(unfold.Plain(&pnml.Net{Places: g.net.Places, Transitions: g.net.Transitions, Pre: g.net.Pre, Post: g.net.Post, Initial: g.tokens}))
		slices.Sort(fresh.enabled)
		if got := slices.Sorted(slices.Values(g.enabled)); !slices.Equal(got, fresh.enabled) || !slices.Equal(g.lack, fresh.lack) {
			t.Fatalf("marking %v: enabled %v instead of %v", g.tokens, got, fresh.enabled)
		}
	}
}

// TestGameRefusesOverflow fires a transition whose output is nearly full.
func TestGameRefusesOverflow(t *testing.T) {
	var b pnml.Builder
	full, x := b.Place("full", math.MaxUint64-1), b.Transition("x")
	b.Out(x, full, 1)
	g := newGame(unfold.Plain(build(&b)))
	if !g.fire(0) || g.fire(0) || g.tokens[full] != math.MaxUint64 {
		t.Errorf("the place holds %d", g.tokens[full])
	}
}

// TestSemiflows: the tokens of the ring are bounded by their number, and a sum
// by the whole.
func TestSemiflows(t *testing.T) {
	net := ring(9)
	flows := semiflows(t.Context(), net)
	for _, places := range [][]uint32{{0}, {0, 1, 2}, {8}} {
		if b := upperBound(flows, placeBounds(flows, net.Places.Len()), places); b == nil || b.Int64() != 3 {
			t.Errorf("bound of %v is %v, not 3", places, b)
		}
	}
	var b pnml.Builder
	p := b.Place("p", 1)
	x := b.Transition("x")
	b.In(p, x, 1)
	b.Out(x, p, 2)
	if got := placeBounds(semiflows(t.Context(), build(&b)), 1); got[p] != nil {
		t.Errorf("an unbounded place is bounded by %v", got[p])
	}
}

func TestLuby(t *testing.T) {
	want := []int{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8}
	for i, w := range want {
		if got := lubyLength(i + 1); got != w {
			t.Errorf("number %d is %d, not %d", i+1, got, w)
		}
	}
}

// BenchmarkFire measures firings of a uniform walk.
func BenchmarkFire(b *testing.B) {
	g := newGame(unfold.Plain(ring(300)))
	r := random(7)
	b.ReportAllocs()
	for b.Loop() {
		g.fire(g.enabled[r.below(len(g.enabled))])
	}
}
