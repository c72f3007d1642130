package symbolic_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock/clocktest"
	"podium/internal/nettest"
	"podium/internal/tools/engine"
	"podium/internal/tools/symbolic"
	"podium/internal/tools/walk"
	"podium/pnml"
	"podium/pnml/unfold"
)

// endless is a budget that ends nothing: what ends a run is how often it has looked at
// its context, so that what is answered does not depend on how busy the computer is.
const endless = 1000 * time.Hour

// ask runs an engine and returns its answers by item.
func ask(t *testing.T, e engine.Engine, ctx context.Context, exam examinations.ID, net *pnml.Net, properties ...formula.Property) map[string]string {
	t.Helper()
	var out strings.Builder
	task := engine.Task{Exam: exam, View: unfold.Plain(net), Properties: properties, Cores: 1, Budget: endless}
	if err := e.Answer(ctx, task, engine.NewPrinter(&out, exam)); err != nil {
		t.Fatalf("%s: %v", exam, err)
	}
	return answersIn(t, out.String())
}

// fewLooks is enough for walks on small nets.
func fewLooks() context.Context { return clocktest.Looks(40) }

// answersIn reads lines of the contest; CANNOT_COMPUTE is no answer.
func answersIn(t *testing.T, text string) map[string]string {
	t.Helper()
	answers := map[string]string{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 4 {
			continue
		}
		if old, twice := answers[words[1]]; twice {
			t.Errorf("%s is answered twice: %s and %s", words[1], old, words[2])
		}
		answers[words[1]] = words[2]
	}
	return answers
}

var withoutFormulas = []examinations.ID{examinations.StateSpace, examinations.OneSafe, examinations.StableMarking,
	examinations.QuasiLiveness, examinations.Liveness, examinations.ReachabilityDeadlock}

// TestSymbolicAgreement compares the engine with enumeration on random
// nets: on one-safe nets it must answer everything, on others it may, and never
// wrong.
func TestSymbolicAgreement(t *testing.T) {
	agree(t, symbolic.Engine{}, t.Context, 600, true)
}

// TestWalkAgreement does the same for the walks, which need not answer.
func TestWalkAgreement(t *testing.T) {
	agree(t, walk.Engine{}, fewLooks, 300, false)
}

// TestWalkLinearTime asks LTL formulas of random nets: what a walk refutes must
// be violated.
func TestWalkLinearTime(t *testing.T) {
	if refuted, violated := linearTime(t, walk.Engine{}, fewLooks, 500, false); refuted == 0 {
		t.Errorf("none of %d violated formulas is refuted", violated)
	}
}

// TestSymbolicLinearTime does the same for the tableau, which must decide every
// formula on one-safe nets.
func TestSymbolicLinearTime(t *testing.T) {
	if refuted, violated := linearTime(t, symbolic.Engine{}, t.Context, 1500, true); refuted < violated/2 || violated < 100 {
		t.Errorf("%d of %d violated formulas are refuted", refuted, violated)
	}
}

func linearTime(t *testing.T, engine engine.Engine, until func() context.Context, nets int, complete bool) (refuted, violated int) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range nets {
		net := safeNet(r)
		if i%3 == 0 {
			net = nettest.RandomNet(r)
		}
		g := nettest.Explore(net, 25)
		if g == nil {
			continue
		}
		property := formula.Property{ID: "f", Formula: &formula.AllPaths{F: nettest.NewFormulas(r, net).LTL(3)}}
		want := g.Value(examinations.LTLFireability, "f", property.Formula) == "FALSE"
		if want {
			violated++
		}
		safe := g.Value(examinations.OneSafe, "", nil) == "TRUE"
		switch got := ask(t, engine, until(), examinations.LTLFireability, net, property)["f"]; {
		case got == "" && complete && safe:
			t.Errorf("net %d is one-safe and not decided", i)
		case got == "", got == "TRUE" && complete && !want:
		case got == "FALSE" && want:
			refuted++
		default:
			t.Fatalf("net %d: %s, violated: %v\n%s", i, got, want, describe(net))
		}
	}
	t.Logf("%d of %d violated formulas are refuted", refuted, violated)
	return refuted, violated
}

func agree(t *testing.T, engine engine.Engine, until func() context.Context, nets int, complete bool) {
	r := rand.New(rand.NewPCG(1, 2))
	decided := map[examinations.ID]int{}
	for i := range nets {
		net := safeNet(r)
		if i%3 == 0 {
			net = nettest.RandomNet(r)
		}
		g := nettest.Explore(net, 400)
		if g == nil {
			continue
		}
		for _, exam := range withoutFormulas {
			got := ask(t, engine, until(), exam, net)
			decided[exam] += compare(t, net, exam, answers(g, exam), got, i)
		}
		safe := g.Value(examinations.OneSafe, "", nil) == "TRUE"
		for exam, list := range questions(r, net) {
			want := answers(g, exam, list...)
			got := ask(t, engine, until(), exam, net, list...)
			decided[exam] += compare(t, net, exam, want, got, i)
			if complete && safe && len(got) < len(want) {
				t.Errorf("net %d, %s: %d of %d values", i, exam, len(got), len(want))
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("values that agree: %v", decided)
}

// answers gives the true values of an examination.
func answers(g *nettest.Graph, exam examinations.ID, properties ...formula.Property) map[string]string {
	want := map[string]string{}
	for _, p := range properties {
		want[p.ID] = g.Value(exam, p.ID, p.Formula)
	}
	if !exam.HasFormulas() {
		for _, item := range exam.Items(nil) {
			want[item] = g.Value(exam, item, nil)
		}
	}
	return want
}

// questions makes properties of some kinds.
func questions(r *rand.Rand, net *pnml.Net) map[examinations.ID][]formula.Property {
	lists := map[examinations.ID][]formula.Property{}
	for _, exam := range []examinations.ID{examinations.ReachabilityCardinality, examinations.CTLFireability, examinations.UpperBounds} {
		lists[exam] = drawn(r, net, exam, 4)
	}
	return lists
}

// drawn draws formulas of an examination, where it has any.
func drawn(r *rand.Rand, net *pnml.Net, exam examinations.ID, number int) (list []formula.Property) {
	draw := nettest.NewFormulas(r, net)
	for k := range number {
		var f formula.Formula
		switch exam {
		case examinations.UpperBounds:
			f = &formula.Bound{Places: draw.Some(draw.Places)}
		case examinations.ReachabilityCardinality, examinations.ReachabilityFireability:
			if f = (&formula.ExistsPath{F: &formula.Finally{F: draw.State(2)}}); r.IntN(2) == 0 {
				f = &formula.AllPaths{F: &formula.Globally{F: draw.State(2)}}
			}
		case examinations.CTLCardinality, examinations.CTLFireability:
			f = draw.CTL(3)
		case examinations.LTLCardinality, examinations.LTLFireability:
			if f = (&formula.AllPaths{F: draw.LTL(3)}); k%2 == 0 {
				f = withoutNext(f)
			}
		default:
			return nil
		}
		list = append(list, formula.Property{ID: fmt.Sprint("f", k), Formula: f})
	}
	return list
}

// withoutNext makes a formula that cannot see stuttering.
func withoutNext(f formula.Formula) formula.Formula {
	if next, is := f.(*formula.Next); is {
		f = &formula.Finally{F: next.F}
	}
	return formula.Over(f, withoutNext)
}

func compare(t *testing.T, net *pnml.Net, exam examinations.ID, want, got map[string]string, i int) int {
	t.Helper()
	for item, v := range got {
		if want[item] != v {
			t.Errorf("net %d, %s %s: %s instead of %s\n%s", i, exam, item, v, want[item], describe(net))
		}
	}
	return len(got)
}

func describe(net *pnml.Net) string {
	var b strings.Builder
	fmt.Fprintln(&b, "initial", net.Initial)
	for x := range net.Transitions.Len() {
		pre, v := net.Pre.Row(x)
		post, w := net.Post.Row(x)
		fmt.Fprintln(&b, x, pre, v, "->", post, w)
	}
	return b.String()
}

// safeNet synchronises a few state machines with one token each: every such
// net is one-safe.
func safeNet(r *rand.Rand) *pnml.Net {
	var b pnml.Builder
	machines := make([][]int, 1+r.IntN(3))
	for m := range machines {
		size := 1 + r.IntN(3)
		for i := range size {
			tokens := uint64(0)
			if i == 0 {
				tokens = 1
			}
			machines[m] = append(machines[m], b.Place(fmt.Sprintf("p%d_%d", m, i), tokens))
		}
	}
	for t := range 1 + r.IntN(7) {
		x := b.Transition(fmt.Sprintf("t%d", t))
		for _, m := range r.Perm(len(machines))[:1+r.IntN(min(2, len(machines)))] {
			b.In(machines[m][r.IntN(len(machines[m]))], x, 1)
			b.Out(x, machines[m][r.IntN(len(machines[m]))], 1)
		}
	}
	return nettest.Build(&b)
}
