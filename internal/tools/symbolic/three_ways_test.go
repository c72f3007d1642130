package symbolic_test

import (
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

var everything = append([]examinations.ID{examinations.UpperBounds, examinations.ReachabilityCardinality, examinations.ReachabilityFireability,
	examinations.CTLCardinality, examinations.CTLFireability, examinations.LTLCardinality, examinations.LTLFireability}, withoutFormulas...)

// TestThreeWays asks two examinations of each of 2,000 random nets, with PODIUM_SOAK=1
// of 20,000: the explorer, with and without structural reductions, must answer what
// enumeration does, and every witness is replayed; the symbolic
// engine may leave out an answer, but gives none that differs.
func TestThreeWays(t *testing.T) {
	nets := nettest.Cases(2000)
	made := map[string]int{}
	for i := 0; made["nets"] < nets; i++ {
		r := rand.New(rand.NewPCG(5, uint64(i)))
		net := safeNet(r)
		if i%2 == 0 {
			net = nettest.RandomNet(r)
		}
		g := nettest.Explore(net, 100)
		if g == nil {
			continue
		}
		made["nets"]++
		for k := range 2 {
			exam := everything[(2*i+k)%len(everything)]
			properties := drawn(r, net, exam, 3)
			want := answers(g, exam, properties...)
			for _, unreduced := range []bool{false, true} {
				explore(t, net, exam, properties, want, unreduced, made)
			}
			compare(t, net, exam, want, ask(t, symbolic.Engine{}, t.Context(), exam, net, properties...), i)
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
func explore(t *testing.T, net *pnml.Net, exam examinations.ID, properties []formula.Property, want map[string]string, unreduced bool, made map[string]int) {
	t.Helper()
	v, got := unfold.Plain(net), map[string]string{}
	opt := explorer.Options{Memory: 1 << 26, Witnesses: true, Unreduced: unreduced}
	_, err := explorer.Decide(t.Context(), v, exam, properties, opt, func(x explorer.Answer) {
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
		if k := slices.IndexFunc(properties, func(p formula.Property) bool { return p.ID == x.Item }); k >= 0 {
			f = properties[k].Formula
		}
		if err := x.Witness.Prove(t.Context(), v, exam, f, x.Value); err != nil {
			t.Errorf("%s %s %s, reduced %v: %v\n%s", exam, x.Item, x.Value, x.Reduced, err, describe(net))
		}
	})
	if err != nil {
		t.Error(err)
	}
	for item, want := range want {
		if got[item] != want {
			t.Errorf("%s %s, reduced %v: %q instead of %s\n%s", exam, item, !unreduced, got[item], want, describe(net))
		}
	}
}
