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

// TestSymbolicAgreement compares the engine with a naive evaluator on random
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
			net = wildNet(r)
		}
		g := enumerate(net, 25)
		if g == nil {
			continue
		}
		f := formulas{r, net}
		inner := f.linear(3)
		property := formula.Property{ID: "f", Formula: &formula.AllPaths{F: inner}}
		want := g.violated(inner)
		if want {
			violated++
		}
		safe := g.answers(examinations.OneSafe)["OneSafe"] == "TRUE"
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
			net = wildNet(r)
		}
		g := enumerate(net, 400)
		if g == nil {
			continue
		}
		for _, exam := range withoutFormulas {
			got := ask(t, engine, until(), exam, net)
			decided[exam] += compare(t, net, exam, g.answers(exam), got, i)
		}
		safe := g.answers(examinations.OneSafe)["OneSafe"] == "TRUE"
		for exam, list := range questions(formulas{r, net}) {
			want := map[string]string{}
			for _, p := range list {
				if b, ok := p.Formula.(*formula.Bound); ok {
					want[p.ID] = fmt.Sprint(g.bound(b.Places))
					continue
				}
				want[p.ID] = examinations.Truth(g.ctl(p.Formula)[0]).Text
			}
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

// questions makes properties of every kind.
func questions(f formulas) map[examinations.ID][]formula.Property {
	lists := map[examinations.ID][]formula.Property{}
	add := func(exam examinations.ID, g formula.Formula) {
		lists[exam] = append(lists[exam], formula.Property{ID: fmt.Sprint(exam, len(lists[exam])), Formula: g})
	}
	for range 4 {
		add(examinations.ReachabilityCardinality, f.reachability())
		add(examinations.CTLFireability, f.state(3, true))
		add(examinations.UpperBounds, &formula.Bound{Places: f.some(&f.net.Places)})
	}
	return lists
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
