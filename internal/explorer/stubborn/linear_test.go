package stubborn

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/pnml"
	"podium/pnml/unfold"
)

// apart draws a net of some parts through which tokens move, and which share few places, so
// that firings of one part are independent of those of another.
func apart(rng *rand.Rand) *pnml.Net {
	b := &pnml.Builder{ID: "apart"}
	parts, size := 2+rng.IntN(3), 2+rng.IntN(2)
	for p := range parts * size {
		tokens := 0
		if p%size == 0 {
			tokens = 1 + rng.IntN(8)/7
		}
		b.Place(fmt.Sprintf("p%d", p), uint64(tokens))
	}
	for part := range parts {
		for k := range size - rng.IntN(6)/5 + rng.IntN(3) {
			t := b.Transition(fmt.Sprintf("t%d_%d", part, k))
			from, to := k%size, (k+1)%size
			if k >= size {
				from, to = rng.IntN(size), rng.IntN(size)
			}
			weight := uint64(1 + rng.IntN(12)/11)
			b.In(part*size+from, t, weight)
			if rng.IntN(10) > 0 {
				b.Out(t, part*size+to, weight)
			}
			if rng.IntN(4) == 0 { // reads a place of another part, or takes its tokens
				p := rng.IntN(parts * size)
				b.In(p, t, 1)
				if rng.IntN(3) > 0 {
					b.Out(t, p, 1)
				}
			}
		}
	}
	return nettest.Build(b)
}

// few draws formulas about few places: most firings change none of their atoms.
type few struct {
	rng *rand.Rand
	net *pnml.Net
}

func (r few) atom() formula.Formula {
	place := formula.TokensCount{Places: []string{r.net.Places.At(r.rng.IntN(r.net.Places.Len()))}}
	switch t := r.net.Transitions.Len(); {
	case r.rng.IntN(5) == 0:
		return &formula.And{Fs: []formula.Formula{r.atom(), r.atom()}}
	case r.rng.IntN(8) == 0:
		return &formula.Or{Fs: []formula.Formula{r.atom(), r.atom()}}
	case t > 0 && r.rng.IntN(4) == 0:
		return &formula.Fireable{Transitions: []string{r.net.Transitions.At(r.rng.IntN(t))}}
	case r.rng.IntN(2) == 0:
		return &formula.LessEqual{Left: &formula.Number{N: 1}, Right: &place}
	}
	return &formula.LessEqual{Left: &place, Right: &formula.Number{N: uint64(r.rng.IntN(2))}}
}

// path draws a formula of one path.
func (r few) path(depth int) formula.Formula {
	if depth == 0 {
		return r.atom()
	}
	sub := func() formula.Formula { return r.path(depth - 1) }
	switch r.rng.IntN(9) {
	case 0:
		return &formula.Not{F: sub()}
	case 1:
		return &formula.And{Fs: []formula.Formula{sub(), sub()}}
	case 2:
		return &formula.Or{Fs: []formula.Formula{sub(), sub()}}
	case 3:
		return &formula.Finally{F: sub()}
	case 4:
		return &formula.Globally{F: sub()}
	case 5:
		return &formula.Next{F: sub()}
	}
	return &formula.Until{Before: sub(), Reach: sub()}
}

// order draws a formula of a path on which some things are to come one after the other.
func (r few) order() (f formula.Formula) {
	always, after := func(f formula.Formula) formula.Formula { return &formula.Globally{F: f} }, func(f formula.Formula) formula.Formula { return &formula.Finally{F: f} }
	switch f = r.atom(); r.rng.IntN(4) {
	case 0:
		f = always(f)
	case 1:
		f = always(after(f))
	case 2:
		f = after(always(f))
	}
	for range 1 + r.rng.IntN(3) {
		if r.rng.IntN(6) == 0 {
			f = &formula.Next{F: f}
		}
		if r.rng.IntN(2) == 0 {
			f = &formula.And{Fs: []formula.Formula{r.atom(), f}}
		}
		if r.rng.IntN(3) == 0 {
			f = after(f)
		} else {
			f = &formula.Until{Before: r.atom(), Reach: f}
		}
	}
	return f
}

// TestLinear: on random nets formulas of LTL have the value that enumeration in the
// plainest way gives, a run that is found has the path, and markings are left out.
func TestLinear(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 5))
	found, missed, visited, whole := 0, 0, 0, 0
	for used := 0; used < nettest.Cases(2000); {
		net := apart(rng)
		if used%4 == 0 {
			net = nettest.RandomNet(rng)
		}
		g := nettest.Explore(net, 300)
		if g == nil {
			continue
		}
		used++
		path := few{rng, net}.order()
		switch used % 5 {
		case 0:
			path = nettest.NewFormulas(rng, net).LTL(1 + rng.IntN(4))
		case 1:
			path = few{rng, net}.path(1 + rng.IntN(4))
		}
		var f formula.Formula = &formula.ExistsPath{F: path}
		if used%2 == 0 {
			f = &formula.AllPaths{F: path}
		}
		want := g.Value(examinations.LTLFireability, "f", f)
		holds, got, err := Linear(nil, unfold.Plain(net), f, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		if examinations.Truth(holds).Text != want {
			t.Fatalf("%v, not %v: %s on %v", holds, want, formula.Print(f), g.Markings)
		}
		if !got.Found {
			missed++
			visited, whole = visited+got.Markings, whole+len(g.Markings)
			continue
		}
		found++
		w, ok, _ := g.Word(got.Run, got.Cycle)
		if used%2 == 0 {
			path = &formula.Not{F: path}
		}
		if !ok || !w.Holds(g, path) {
			t.Fatalf("the run %v %v does not show it: %s on %v", got.Run, got.Cycle, formula.Print(f), g.Markings)
		}
	}
	if found < 700 || missed < 400 || visited*4 > whole*3 {
		t.Errorf("%d found, %d not, %d of %d markings visited", found, missed, visited, whole)
	}
}

// TestConditions: each condition of a stubborn set is needed by one of these nets.
func TestConditions(t *testing.T) {
	tokens := func(place string) formula.Formula {
		return &formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{place}}}
	}
	not := func(f formula.Formula) formula.Formula { return &formula.Not{F: f} }
	and := func(fs ...formula.Formula) formula.Formula { return &formula.And{Fs: fs} }
	or := func(fs ...formula.Formula) formula.Formula { return &formula.Or{Fs: fs} }
	always := func(f formula.Formula) formula.Formula { return &formula.Globally{F: f} }
	after := func(f formula.Formula) formula.Formula { return &formula.Finally{F: f} }
	for _, c := range []struct {
		name   string
		moves  string // transitions, each from one place to another; the letters before the bar have a token
		path   formula.Formula
		exists bool
		cycle  int // firings of the cycle that is found
	}{
		{"a cycle ignores what would change an atom", "ap|ab ba pq", always(after(tokens("q"))), true, 2},
		{"a run may stay on a cycle", "ap|ab ba pq", always(tokens("p")), true, 2},
		{"no run may stay", "ap|ab pq", always(tokens("p")), false, 0},
		{"a dead marking stutters", "ap|ab pq", after(always(and(tokens("q"), tokens("b")))), true, 0},
		{"a dead marking stutters, and nothing else holds there", "ap|ab pq", always(after(tokens("p"))), false, 0},
		{"one of two choices is not free", "xy|xw xz yv", and(always(or(tokens("v"), not(tokens("z")))), always(after(tokens("z")))), true, 0},
		{"what leads to the goal ends the waiting too early", "xy|yv xz", &formula.Until{Before: or(not(tokens("v")), tokens("z")), Reach: and(tokens("v"), tokens("z"))}, true, 0},
	} {
		initial, moves, _ := strings.Cut(c.moves, "|")
		b := &pnml.Builder{ID: "moves"}
		places := map[rune]int{}
		for _, p := range moves {
			if _, known := places[p]; !known && p != ' ' {
				places[p] = b.Place(string(p), uint64(strings.Count(initial, string(p))))
			}
		}
		for _, move := range strings.Fields(moves) {
			t := b.Transition("t" + move)
			b.In(places[rune(move[0])], t, 1)
			b.Out(t, places[rune(move[1])], 1)
		}
		holds, got, err := Linear(nil, unfold.Plain(nettest.Build(b)), &formula.ExistsPath{F: c.path}, 1<<20)
		if err != nil || holds != c.exists || got.Found != c.exists || len(got.Cycle) != c.cycle {
			t.Errorf("%s: %v %v, %v", c.name, holds, got, err)
		}
	}
}

// TestLinearLimits: a search ends where memory is short, and understands only LTL.
func TestLinearLimits(t *testing.T) {
	net := unfold.Plain(nettest.Ring(6, 40))
	full := &formula.LessEqual{Left: &formula.Number{N: 100}, Right: &formula.TokensCount{Places: []string{"p0"}}}
	if _, _, err := Linear(nil, net, &formula.ExistsPath{F: &formula.Finally{F: full}}, 1000); !errors.Is(err, ErrMemory) {
		t.Error(err)
	}
	if _, _, err := Linear(nil, net, &formula.ExistsPath{F: &formula.ExistsPath{F: full}}, 1<<20); err == nil {
		t.Error("E E is taken for LTL")
	}
}
