package space

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations"
	"podium/internal/explorer/tokens"
	"podium/internal/nettest"
	"podium/pnml"
)

// rounds is how often the comparisons with enumeration are repeated, on other nets
// each time.
var rounds = nettest.Cases(1000) / 1000

// TestSpaceOfRandomNets compares the four values, the edges and the runs with
// those of enumeration.
func TestSpaceOfRandomNets(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does all of this: nothing for the race detector")
	}
	complete := 0
	for seed := range uint64(2500 * rounds) {
		net := nettest.RandomNet(rand.New(rand.NewPCG(7, seed)))
		g := nettest.Explore(net, 2000)
		s := Explore(t.Context(), net, Options{Edges: true, MaxStates: 3000, Memory: 1 << 26})
		checkSpace(t, fmt.Sprintf("seed %d", seed), net, g, s)
		if s.Complete() {
			complete++
		}
		s.Close()
		if g != nil {
			checkSleepSets(t, fmt.Sprintf("seed %d", seed), net, g)
		}
	}
	if complete < 1800*rounds {
		t.Errorf("only %d of %d nets were explored to the end", complete, 2500*rounds)
	}
}

func checkSpace(t *testing.T, name string, net *pnml.Net, g *nettest.Graph, s *Space) {
	t.Helper()
	switch {
	case s.Stop() == Unbounded:
		if err := s.Unbounded().check(net); err != nil || g != nil {
			t.Fatalf("%s: wrongly unbounded (%v)", name, err)
		}
		return
	case g == nil:
		if s.States() <= 2000 {
			t.Fatalf("%s: %d states, stop %v, but there are more than 2000", name, s.States(), s.Stop())
		}
		return
	}
	checkCounts(t, name, g, s)
	checkEdges(t, name, net, g, s)
}

// checkCounts compares the four values.
func checkCounts(t *testing.T, name string, g *nettest.Graph, s *Space) {
	t.Helper()
	value := func(item string) string { return g.Value(examinations.StateSpace, item, nil) }
	got := fmt.Sprintln(s.Stop(), s.States(), s.Edges(), s.MaxInPlace(), s.MaxPerMarking())
	if want := fmt.Sprintln(Complete, value("STATES"), value("TRANSITIONS"), value("MAX_TOKEN_IN_PLACE"), value("MAX_TOKEN_PER_MARKING")); got != want {
		t.Fatalf("%s: got %s, want %s", name, got, want)
	}
}

func checkEdges(t *testing.T, name string, net *pnml.Net, g *nettest.Graph, s *Space) {
	t.Helper()
	index := map[string]int{}
	for i, m := range g.Markings {
		index[fmt.Sprint(m)] = i
	}
	back := s.Predecessors()
	defer back.Close()
	pairs := 0
	for i := range s.store.n {
		m := s.marking(i, nil)
		reached, err := tokens.Replay(net, s.RunTo(i))
		if err != nil || !slices.Equal(reached, m) {
			t.Fatalf("%s: the run of marking %d leads to %v, not %v (%v)", name, i, reached, m, err)
		}
		want := map[string]bool{}
		for _, e := range g.Next[index[fmt.Sprint(m)]] {
			want[fmt.Sprint(g.Markings[e.To])] = true
		}
		row := s.edges.row(i, nil)
		for _, j := range row {
			if !want[fmt.Sprint(s.marking(j, nil))] || !slices.Contains(back.Of(j), i) {
				t.Fatalf("%s: there is no edge from %d to %d", name, i, j)
			}
		}
		if len(row) != len(want) || uint64(len(row)) != s.edges.degree(i) {
			t.Fatalf("%s: marking %d has %d successors, want %d", name, i, len(row), len(want))
		}
		pairs += len(row)
	}
	if uint64(pairs) != s.edges.edges || len(back.sources) != max(1, pairs) {
		t.Fatalf("%s: %d pairs, %d edges", name, pairs, s.edges.edges)
	}
}

// checkSleepSets explores with firings left out as soon as may be: nothing but
// the order of the markings of one distance may change.
func checkSleepSets(t *testing.T, name string, net *pnml.Net, g *nettest.Graph) {
	t.Helper()
	s := Explore(t.Context(), net, Options{Memory: 1 << 26, Tuning: Tuning{LearnAfter: 1}})
	defer s.Close()
	checkCounts(t, name+" with firings left out", g, s)
	far := map[string]int{}
	for i, m := range g.Markings {
		far[fmt.Sprint(m)] = len(g.Run(i))
	}
	for i := range s.store.n {
		if run := s.RunTo(i); len(run) != far[fmt.Sprint(s.marking(i, nil))] {
			t.Fatalf("%s: marking %d is %d steps away, its run has %d", name, i, far[fmt.Sprint(s.marking(i, nil))], len(run))
		}
	}
}

// TestSpaceSizes checks counts known in closed form, over several chunks,
// layouts and widths.
func TestSpaceSizes(t *testing.T) {
	for _, c := range []struct {
		name   string
		net    *pnml.Net
		states uint64
		most   uint64
		sum    string
	}{
		{"ring 3 500", nettest.Ring(3, 500), 502 * 501 / 2, 500, "500"},
		{"ring 4 60", nettest.Ring(4, 60), 63 * 62 * 61 / 6, 60, "60"},
		{"ring 2 100000", nettest.Ring(2, 100_000), 100_001, 100_000, "100000"},
		{"philosophers 2", nettest.Philosophers(2), 6, 1, "4"},
		{"no transition", nettest.Build(func() *pnml.Builder { b := &pnml.Builder{}; b.Place("p", 1<<63); b.Place("q", 1<<63); return b }()), 1, 1 << 63, "18446744073709551616"},
		{"no place", nettest.Build(func() *pnml.Builder { b := &pnml.Builder{}; b.Transition("t"); return b }()), 1, 0, "0"},
	} {
		s := explore(t, c.net, Options{})
		if !s.Complete() || s.States() != c.states || s.MaxInPlace() != c.most || s.MaxPerMarking() != c.sum {
			t.Errorf("%s: %v, %d states, %d in a place, %s in a marking; want %d, %d, %s", c.name, s.Stop(), s.States(), s.MaxInPlace(), s.MaxPerMarking(), c.states, c.most, c.sum)
		}
	}
}

// TestWidening starts from fields of one bit and lets a counter overflow them
// again and again, beside a second counter that runs down.
func TestWidening(t *testing.T) {
	b := &pnml.Builder{}
	up, down, big := b.Place("up", 0), b.Place("down", 5000), b.Place("big", 0)
	step := b.Transition("step")
	b.In(down, step, 1)
	b.Out(step, up, 1)
	b.Out(step, big, 1<<51)
	s := explore(t, nettest.Build(b), Options{})
	if !s.Complete() || s.States() != 5001 || s.MaxInPlace() != 5000<<51 {
		t.Errorf("%v, %d states, %d in a place", s.Stop(), s.States(), s.MaxInPlace())
	}
}

// TestTooManyTokens: a count beyond 2^64-1 ends the search, it never wraps.
func TestTooManyTokens(t *testing.T) {
	b := &pnml.Builder{}
	p, q := b.Place("p", 3), b.Place("q", 1<<63)
	t0 := b.Transition("t")
	b.In(p, t0, 1)
	b.Out(t0, q, 1<<62)
	s := explore(t, nettest.Build(b), Options{})
	if s.Stop() != TooManyTokens || s.States() != 2 {
		t.Errorf("%v, %d states, want too many tokens after 2", s.Stop(), s.States())
	}
}

// TestManySuccessors: where a marking has more successors than memory, the search ends before they are made.
func TestManySuccessors(t *testing.T) {
	b := &pnml.Builder{}
	for k := range 4000 {
		move := b.Transition(fmt.Sprint("t", k))
		b.In(b.Place(fmt.Sprint("p", k), 1), move, 1)
		b.Out(move, b.Place(fmt.Sprint("q", k), 0), 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s := Explore(t.Context(), net, Options{Memory: 12 << 20}) // the successors take 4 MB
	defer s.Close()
	if s.Stop() != OutOfMemory || s.States() != 1 {
		t.Errorf("%v after %d markings", s.Stop(), s.States())
	}
}

// TestLimits: limits of memory, states and time end a search, and what was
// found until then stays readable.
func TestLimits(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		opt  Options
		want Stop
	}{
		{"states", t.Context(), Options{MaxStates: 1000}, TooManyStates},
		{"memory", t.Context(), Options{Memory: 3 << 20}, OutOfMemory},
		{"memory with edges", t.Context(), Options{Memory: 5 << 20, Edges: true}, OutOfMemory},
		{"next to nothing", t.Context(), Options{Memory: 100}, OutOfMemory},
		{"time", ended, Options{}, Interrupted},
	} {
		s := Explore(c.ctx, nettest.Ring(5, 60), c.opt)
		if s.Stop() != c.want || s.budget.Used() > max(c.opt.Memory, DefaultMemory) {
			t.Errorf("%s: stop %v, want %v", c.name, s.Stop(), c.want)
		}
		if n := s.States(); n > 0 {
			if _, err := tokens.Replay(s.net, s.RunTo(uint32(n-1))); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		s.Close()
		if s.budget.Used() != 0 {
			t.Errorf("%s: %d bytes are left after Close", c.name, s.budget.Used())
		}
	}
}

// TestUnbounded: nets that no walk and no small search reveal by chance alone.
func TestUnbounded(t *testing.T) {
	b := &pnml.Builder{}
	idle, run, out := b.Place("idle", 1), b.Place("run", 0), b.Place("out", 0)
	start, finish := b.Transition("start"), b.Transition("finish")
	b.In(idle, start, 1)
	b.Out(start, run, 1)
	b.In(run, finish, 1)
	b.Out(finish, idle, 1)
	b.Out(finish, out, 1)
	net := nettest.Build(b)
	s := explore(t, net, Options{})
	if s.Stop() != Unbounded || s.Unbounded().check(net) != nil {
		t.Fatalf("stop %v", s.Stop())
	}
	for _, bad := range []Covering{{}, {Run: []uint32{0, 1}, From: 2}, {Run: []uint32{0, 1}, From: 1}, {Run: []uint32{1}, From: 0}, {Run: []uint32{9}, From: 0}} {
		if bad.check(net) == nil {
			t.Errorf("%v is taken for a covering", bad)
		}
	}
}

// TestSpaceOutlivesItsContext asks a space for runs when the context of the search
// has ended.
func TestSpaceOutlivesItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := Explore(ctx, nettest.Ring(12, 6), Options{})
	defer s.Close()
	cancel()
	fired := 0
	for i := range uint32(s.States()) {
		fired += len(s.RunTo(i))
	}
	if !s.Complete() || fired == 0 {
		t.Errorf("%d firings, %v", fired, s.Stop())
	}
}

func explore(t testing.TB, net *pnml.Net, opt Options) *Space {
	t.Helper()
	s := Explore(t.Context(), net, opt)
	t.Cleanup(s.Close)
	return s
}
