package symbolic

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/tools/engine"
	"podium/pnml"
	"podium/pnml/unfold"
)

func newTestDiagram(t testing.TB, levels int) *diagram {
	d, err := newDiagram(t.Context(), levels, 0)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// has tells whether an assignment, one bit per level, lies in n.
func (d *diagram) has(n node, assignment int) bool {
	for n > full {
		b := d.branch(n)
		n = [2]node{b.lo, b.hi}[assignment>>b.level&1]
	}
	return n == full
}

// TestSetOperations compares the operations with truth tables, across copies to
// new tables.
func TestSetOperations(t *testing.T) {
	const levels = 5
	d := newTestDiagram(t, levels)
	r := rand.New(rand.NewPCG(5, 6))
	var of func(k uint32, table uint32) node
	of = func(k uint32, table uint32) node {
		if k == levels {
			return node(table & 1)
		}
		var lo, hi uint32 // the halves of the table, by the bit of level k
		for i := range 1 << (levels - k - 1) {
			lo |= table >> (2 * i) & 1 << i
			hi |= table >> (2*i + 1) & 1 << i
		}
		return d.node(k, of(k+1, lo), of(k+1, hi))
	}
	for round := range 300 {
		x, y := r.Uint32(), r.Uint32()
		a, b := of(0, x), of(0, y)
		if round%50 == 0 {
			if err := d.compact(&a, &b); err != nil {
				t.Fatal(err)
			}
		}
		results := map[string][2]uint32{"or": {uint32(d.or(a, b)), x | y}, "and": {uint32(d.and(a, b)), x & y},
			"diff": {uint32(d.diff(a, b)), x &^ y}, "without nothing": {uint32(d.diff(a, none)), x},
			"nothing without": {uint32(d.diff(none, b)), 0}}
		for op, v := range results {
			if node(v[0]) != of(0, v[1]) {
				t.Fatalf("%x %s %x is wrong", x, op, y)
			}
			for i := range 1 << levels {
				if d.has(node(v[0]), i) != (v[1]>>i&1 == 1) {
					t.Fatalf("%x %s %x is wrong at %d", x, op, y, i)
				}
			}
		}
	}
}

// philosophers is the table of n philosophers who take the left fork first.
func philosophers(n int) *pnml.Net {
	var b pnml.Builder
	for i := range n {
		b.Place(fmt.Sprint("fork", i), 1)
		b.Place(fmt.Sprint("thinks", i), 1)
		b.Place(fmt.Sprint("holds", i), 0)
		b.Place(fmt.Sprint("eats", i), 0)
	}
	for i := range n {
		left, right := 4*i, 4*((i+1)%n)
		thinks, holds, eats := 4*i+1, 4*i+2, 4*i+3
		take, both, leave := b.Transition(fmt.Sprint("take", i)), b.Transition(fmt.Sprint("both", i)), b.Transition(fmt.Sprint("leave", i))
		b.In(thinks, take, 1)
		b.In(left, take, 1)
		b.Out(take, holds, 1)
		b.In(holds, both, 1)
		b.In(right, both, 1)
		b.Out(both, eats, 1)
		b.In(eats, leave, 1)
		b.Out(leave, thinks, 1)
		b.Out(leave, left, 1)
		b.Out(leave, right, 1)
	}
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

func exploreTest(t testing.TB, net *pnml.Net) *space {
	s, err := explore(newTestDiagram(t, net.Places.Len()), unfold.Plain(net), orderPlaces(net))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPhilosophersCount: the states of n philosophers obey s(n) = 2 s(n-1) +
// s(n-2), from 6 for two and 14 for three.
func TestPhilosophersCount(t *testing.T) {
	older, old := big.NewInt(6), big.NewInt(14)
	for n := 4; n <= 40; n++ {
		want := new(big.Int).Add(new(big.Int).Lsh(old, 1), older)
		older, old = old, want
		if n < 8 || n == 40 {
			if got := exploreTest(t, philosophers(n)).countStates(); got.Cmp(want) != 0 {
				t.Errorf("%d philosophers: %s states, not %s", n, got, want)
			}
		}
	}
}

// TestOrders: whatever the units claim, an order lists every place once.
func TestOrders(t *testing.T) {
	net := philosophers(5)
	claims := []*pnml.NUPN{nil, {}, {Root: 3}, {Units: []pnml.Unit{{Places: []uint32{1, 1, 99, 7}, Subunits: []int{0, 5, -1}}}},
		{Units: []pnml.Unit{{Subunits: []int{1}}, {Places: []uint32{3, 2}, Subunits: []int{0}}}}}
	for i, units := range claims {
		net.NUPN = units
		o := orderPlaces(net)
		sorted := slices.Clone(o.place)
		slices.Sort(sorted)
		for p, x := range sorted {
			if p != x || o.place[o.level[p]] != p {
				t.Fatalf("claim %d: the order is %v", i, o.place)
			}
		}
	}
}

// TestLimits: without time or memory there is no answer, and no wrong one.
func TestLimits(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	net := philosophers(30)
	for name, limits := range map[string]struct {
		ctx    context.Context
		memory int64
	}{"time": {ended, 0}, "memory": {t.Context(), 1}} {
		var out strings.Builder
		task := engine.Task{Exam: examinations.StateSpace, View: unfold.Plain(net), Memory: limits.memory}
		err := Engine{}.Answer(limits.ctx, task, engine.NewPrinter(&out, task.Exam))
		if err != nil || strings.TrimSpace(out.String()) != "CANNOT_COMPUTE" {
			t.Errorf("%s: %v, %q", name, err, out.String())
		}
	}
}

// TestNotSafe refutes one-safety by the initial marking, by a weight, and by a
// firing, and answers nothing else on such nets.
func TestNotSafe(t *testing.T) {
	nets := map[string]func(b *pnml.Builder){
		"initial": func(b *pnml.Builder) { b.Place("p", 2) },
		"weight":  func(b *pnml.Builder) { p, x := b.Place("p", 1), b.Transition("x"); b.In(p, x, 1); b.Out(x, p, 2) },
		"firing": func(b *pnml.Builder) {
			p, q, x := b.Place("p", 1), b.Place("q", 1), b.Transition("x")
			b.In(p, x, 1)
			b.Out(x, q, 1)
		},
	}
	for name, make := range nets {
		var b pnml.Builder
		make(&b)
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := explore(newTestDiagram(t, net.Places.Len()), unfold.Plain(net), orderPlaces(net)); !errors.Is(err, errNotSafe) {
			t.Errorf("%s: %v", name, err)
		}
		for exam, want := range map[examinations.ID]string{examinations.OneSafe: "FORMULA OneSafe FALSE", examinations.StableMarking: "CANNOT_COMPUTE"} {
			var out strings.Builder
			if err := (Engine{}).Answer(t.Context(), engine.Task{Exam: exam, View: unfold.Plain(net)}, engine.NewPrinter(&out, exam)); err != nil || !strings.HasPrefix(out.String(), want) {
				t.Errorf("%s %s: %v, %q", name, exam, err, out.String())
			}
		}
	}
}

// TestUnknownName: a formula over a place that the net has not is a fault of
// the input.
func TestUnknownName(t *testing.T) {
	var out strings.Builder
	f := &formula.Bound{Places: []string{"nowhere"}}
	task := engine.Task{Exam: examinations.UpperBounds, View: unfold.Plain(philosophers(2)), Properties: []formula.Property{{ID: "f", Formula: f}}}
	if err := (Engine{}).Answer(t.Context(), task, engine.NewPrinter(&out, task.Exam)); err == nil || !strings.Contains(out.String(), "FORMULA f CANNOT_COMPUTE") {
		t.Errorf("%v, %q", err, out.String())
	}
}

// BenchmarkExplore computes the reachable markings of a hundred philosophers.
func BenchmarkExplore(b *testing.B) {
	net := philosophers(100)
	for b.Loop() {
		exploreTest(b, net)
	}
}
