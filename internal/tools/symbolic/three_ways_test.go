package symbolic_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer"
	"podium/internal/nettest"
	"podium/internal/tools/symbolic"
	"podium/pnml"
	"podium/pnml/unfold"
)

// asked is an examination of a net with its true answers.
type asked struct {
	exam  examinations.ID
	props []formula.Property
	want  map[string]string
}

var everything = append([]examinations.ID{examinations.UpperBounds, examinations.ReachabilityCardinality, examinations.ReachabilityFireability,
	examinations.CTLCardinality, examinations.CTLFireability, examinations.LTLCardinality, examinations.LTLFireability}, withoutFormulas...)

// question draws formulas where the examination has them, and answers by the graph.
func (g *graph) question(r *rand.Rand, exam examinations.ID) asked {
	a := asked{exam: exam, want: map[string]string{}}
	if !exam.HasFormulas() {
		a.want = g.answers(exam)
		return a
	}
	f := formulas{r, g.net}
	add := func(asked formula.Formula, want string) {
		id := fmt.Sprint("f", len(a.props))
		a.props = append(a.props, formula.Property{ID: id, Formula: asked})
		a.want[id] = want
	}
	for k := range 3 {
		switch exam {
		case examinations.UpperBounds:
			b := &formula.Bound{Places: f.some(&g.net.Places)}
			add(b, fmt.Sprint(g.bound(b.Places)))
		case examinations.ReachabilityCardinality, examinations.ReachabilityFireability:
			formula := f.reachability()
			add(formula, examinations.Truth(g.ctl(formula)[0]).Text)
		case examinations.CTLCardinality, examinations.CTLFireability:
			formula := f.state(3, true)
			add(formula, examinations.Truth(g.ctl(formula)[0]).Text)
		case examinations.LTLCardinality, examinations.LTLFireability:
			if len(g.markings) > 25 {
				continue
			}
			inner := f.linear(3)
			if k%2 == 0 {
				inner = withoutNext(inner)
			}
			add(&formula.AllPaths{F: inner}, examinations.Truth(!g.violated(inner)).Text)
		}
	}
	return a
}

// withoutNext makes a formula that cannot see stuttering.
func withoutNext(f formula.Formula) formula.Formula {
	switch f := f.(type) {
	case *formula.Next:
		return &formula.Finally{F: withoutNext(f.F)}
	case *formula.Finally:
		return &formula.Finally{F: withoutNext(f.F)}
	case *formula.Globally:
		return &formula.Globally{F: withoutNext(f.F)}
	case *formula.Until:
		return &formula.Until{Before: withoutNext(f.Before), Reach: withoutNext(f.Reach)}
	case *formula.Not:
		return &formula.Not{F: withoutNext(f.F)}
	case *formula.Or:
		return &formula.Or{Fs: []formula.Formula{withoutNext(f.Fs[0]), withoutNext(f.Fs[1])}}
	}
	return f
}

// TestThreeWays asks two examinations of each of 2,000 random nets, with PODIUM_SOAK=1
// of 20,000: the explorer, with and without structural reductions, must answer what a
// naive evaluator does, LTL by a tableau, and every witness is replayed; the symbolic
// engine may leave out an answer, but gives none that differs.
func TestThreeWays(t *testing.T) {
	nets := nettest.Cases(2000)
	made := map[string]int{}
	for i := 0; made["nets"] < nets; i++ {
		r := rand.New(rand.NewPCG(5, uint64(i)))
		net := safeNet(r)
		if i%2 == 0 {
			net = wildNet(r)
		}
		g := enumerate(net, 100)
		if g == nil {
			continue
		}
		made["nets"]++
		for k := range 2 {
			a := g.question(r, everything[(2*i+k)%len(everything)])
			for _, unreduced := range []bool{false, true} {
				a.explore(t, net, unreduced, made)
			}
			compare(t, net, a.exam, a.want, ask(t, symbolic.Engine{}, t.Context(), a.exam, net, a.props...), i)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Log(made)
	if made["answers"] < 6*nets || made["reduced"] < nets/2 || made["witnesses of reduced nets"] < nets/10 {
		t.Error("the comparison is thin")
	}
}

// explore demands every answer of the explorer, and that witnesses prove them.
func (a asked) explore(t *testing.T, net *pnml.Net, unreduced bool, made map[string]int) {
	t.Helper()
	v, got := unfold.Plain(net), map[string]string{}
	opt := explorer.Options{Memory: 1 << 26, Witnesses: true, Unreduced: unreduced}
	_, err := explorer.Decide(t.Context(), v, a.exam, a.props, opt, func(x explorer.Answer) {
		got[x.Item] = x.Value.Text
		made["answers"]++
		if x.Reduced {
			made["reduced"]++
		}
		if x.Witness == nil {
			return
		}
		if x.Reduced {
			made["witnesses of reduced nets"]++
		}
		var f formula.Formula
		if k := slices.IndexFunc(a.props, func(p formula.Property) bool { return p.ID == x.Item }); k >= 0 {
			f = a.props[k].Formula
		}
		if err := x.Witness.Prove(t.Context(), v, a.exam, f, x.Value); err != nil {
			t.Errorf("%s %s %s, reduced %v: %v\n%s", a.exam, x.Item, x.Value, x.Reduced, err, describe(net))
		}
	})
	if err != nil {
		t.Error(err)
	}
	for item, want := range a.want {
		if got[item] != want {
			t.Errorf("%s %s, reduced %v: %q instead of %s\n%s", a.exam, item, !unreduced, got[item], want, describe(net))
		}
	}
}
