package walk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/tools/engine"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml"
	"podium/pnml/unfold"
)

func answer(t *testing.T, exam examinations.ID, net *pnml.Net, fs ...formula.Formula) string {
	t.Helper()
	task := engine.Task{Exam: exam, View: unfold.Plain(net), Budget: time.Minute}
	for i, f := range fs {
		task.Properties = append(task.Properties, formula.Property{ID: fmt.Sprint("f", i), Formula: f})
	}
	task.Witnesses = &engine.Witnesses{Dir: t.TempDir(), Instance: "X-PT-1", Exam: exam}
	var out strings.Builder
	if err := (Engine{}).Answer(t.Context(), task, engine.NewPrinter(&out, exam)); err != nil {
		t.Fatal(err)
	}
	confirm(t, task, out.String())
	return out.String()
}

// confirm demands that every witness proves its values, and that every answer that
// only a walk can have found has one.
func confirm(t *testing.T, task engine.Task, output string) {
	t.Helper()
	if err := task.Witnesses.Err(); err != nil {
		t.Fatal(err)
	}
	formula := func(item string) (formula.Formula, bool) {
		for _, p := range task.Properties {
			if p.ID == item {
				return p.Formula, true
			}
		}
		return nil, false
	}
	files, err := filepath.Glob(filepath.Join(task.Witnesses.Dir, "*"+witness.Suffix))
	if err != nil {
		t.Fatal(err)
	}
	confirmed := map[string]bool{}
	net := replay.NewNet(task.View)
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for r := replay.NewReader(f, net, replay.Options{File: file, Instance: "X-PT-1", Exam: task.Exam}); r.Scan(); {
			for _, result := range net.Check(t.Context(), r.Witness(), formula) {
				if confirmed[result.Claim.Item] = result.State == witness.Confirmed; !confirmed[result.Claim.Item] {
					t.Errorf("%s %s is %s: %s", task.Exam, result.Claim, result.State, result.Detail)
				}
			}
		}
	}
	for line := range strings.Lines(output) {
		if words := strings.Fields(line); strings.Contains(line, "_WALK") && !confirmed[words[1]] {
			t.Errorf("no witness confirms: %s", line)
		}
	}
}

// factory makes a token in out again and again while run is marked; stop takes
// the token of run away.
func factory() *pnml.Net {
	var b pnml.Builder
	run, out := b.Place("run", 1), b.Place("out", 0)
	work, stop := b.Transition("work"), b.Transition("stop")
	b.In(run, work, 1)
	b.Out(work, run, 1)
	b.Out(work, out, 1)
	b.In(run, stop, 1)
	return build(&b)
}

func count(places ...string) formula.Integer {
	return &formula.TokensCount{Places: places}
}

// TestFactory: what walks prove of an unbounded net.
func TestFactory(t *testing.T) {
	exists := func(f formula.Formula) formula.Formula {
		return &formula.ExistsPath{F: &formula.Finally{F: f}}
	}
	always := func(f formula.Formula) formula.Formula {
		return &formula.AllPaths{F: &formula.Globally{F: f}}
	}
	many := &formula.LessEqual{Left: &formula.Number{N: 5}, Right: count("out")}
	for exam, cases := range map[examinations.ID][]struct {
		formula formula.Formula
		want    string
	}{
		examinations.StateSpace:           {{nil, "CANNOT_COMPUTE"}},
		examinations.OneSafe:              {{nil, "FORMULA OneSafe FALSE"}},
		examinations.ReachabilityDeadlock: {{nil, "FORMULA ReachabilityDeadlock TRUE"}},
		examinations.QuasiLiveness:        {{nil, "FORMULA QuasiLiveness TRUE"}},
		examinations.StableMarking:        {{nil, "FORMULA StableMarking FALSE"}},
		examinations.Liveness:             {{nil, "FORMULA Liveness FALSE"}},
		examinations.UpperBounds:          {{&formula.Bound{Places: []string{"run"}}, "FORMULA f0 CANNOT_COMPUTE"}},
		examinations.ReachabilityCardinality: {{exists(many), "FORMULA f0 TRUE"}, {always(&formula.Not{F: many}), "FORMULA f1 FALSE"},
			{always(&formula.LessEqual{Left: count("run"), Right: &formula.Number{N: 1}}), "FORMULA f2 CANNOT_COMPUTE"}},
		examinations.CTLFireability: {{&formula.ExistsPath{F: &formula.Globally{F: &formula.Fireable{Transitions: []string{"work"}}}}, "FORMULA f0 CANNOT_COMPUTE"},
			{&formula.AllPaths{F: &formula.Next{F: &formula.Fireable{Transitions: []string{"work"}}}}, "FORMULA f1 FALSE"},
			{&formula.ExistsPath{F: &formula.Next{F: &formula.Deadlock{}}}, "FORMULA f2 TRUE"}},
		examinations.LTLFireability: {{&formula.AllPaths{F: &formula.Globally{F: &formula.Fireable{Transitions: []string{"work"}}}}, "FORMULA f0 FALSE"},
			{&formula.AllPaths{F: &formula.Fireable{Transitions: []string{"work"}}}, "FORMULA f1 CANNOT_COMPUTE"}},
	} {
		var fs []formula.Formula
		for _, c := range cases {
			if c.formula != nil {
				fs = append(fs, c.formula)
			}
		}
		got := answer(t, exam, factory(), fs...)
		for _, c := range cases {
			if !strings.Contains(got, c.want) {
				t.Errorf("%s: %q is missing in\n%s", exam, c.want, got)
			}
		}
	}
}

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

// TestRepeatable: the same net gives the same answers, techniques and order.
func TestRepeatable(t *testing.T) {
	f := &formula.ExistsPath{F: &formula.Finally{F: &formula.LessEqual{Left: &formula.Number{N: 3}, Right: count("p1")}}}
	g := &formula.ExistsPath{F: &formula.Finally{F: &formula.Fireable{Transitions: []string{"t7"}}}}
	first := answer(t, examinations.ReachabilityCardinality, ring(9), f, g)
	for range 3 {
		if again := answer(t, examinations.ReachabilityCardinality, ring(9), f, g); again != first || !strings.Contains(first, "TRUE") {
			t.Fatalf("%q and %q", first, again)
		}
	}
}

// TestEndsByItself: a walk without hope ends long before the budget, and at
// once when the context has ended.
func TestEndsByItself(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ctx := range []context.Context{t.Context(), ended} {
		var out strings.Builder
		task := engine.Task{Exam: examinations.ReachabilityDeadlock, View: unfold.Plain(ring(9)), Budget: 100 * time.Hour}
		if err := (Engine{}).Answer(ctx, task, engine.NewPrinter(&out, task.Exam)); err != nil || out.String() != "CANNOT_COMPUTE\n" {
			t.Errorf("%v, %q", err, out.String())
		}
	}
}
