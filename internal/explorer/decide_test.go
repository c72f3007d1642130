package explorer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/space"
	"podium/internal/nettest"
	"podium/pnml"
	"podium/pnml/unfold"
)

// decideAll returns the answers of an examination as text.
func decideAll(t testing.TB, net *pnml.Net, exam examinations.ID, props []formula.Property, opt Options) (map[string]string, Report) {
	t.Helper()
	answers := map[string]string{}
	opt.Witnesses = true
	report, err := Decide(t.Context(), unfold.Plain(net), exam, props, opt, func(a Answer) {
		checkWitness(t, net, exam, props, a)
		if _, twice := answers[a.Item]; twice {
			t.Errorf("%s is answered twice", a.Item)
		}
		answers[a.Item] = a.Value.Text
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(answers)+len(report.Undecided) != len(exam.Items(formula.IDs(props))) {
		t.Errorf("%s: %d answers, undecided %v", exam, len(answers), report.Undecided)
	}
	return answers, report
}

// checkWitness replays what an answer comes with, and demands a witness where
// there must be one.
func checkWitness(t testing.TB, net *pnml.Net, exam examinations.ID, props []formula.Property, a Answer) {
	t.Helper()
	var f formula.Formula
	if k := slices.IndexFunc(props, func(p formula.Property) bool { return p.ID == a.Item }); k >= 0 {
		f = props[k].Formula
	}
	needed := exam == examinations.ReachabilityDeadlock && a.Value == examinations.True || exam == examinations.OneSafe && a.Value == examinations.False ||
		exam == examinations.QuasiLiveness && a.Value == examinations.True && net.Transitions.Len() > 0 || a.Value == examinations.Infinite
	if exam == examinations.ReachabilityCardinality || exam == examinations.LTLFireability {
		_, some := f.(*formula.ExistsPath)
		_, all := f.(*formula.AllPaths)
		needed = some && a.Value == examinations.True || all && a.Value == examinations.False
	}
	if a.Witness == nil {
		if needed {
			t.Errorf("%s %s %s has no witness", exam, a.Item, a.Value)
		}
		return
	}
	if err := a.Witness.Prove(t.Context(), unfold.Plain(net), exam, f, a.Value); err != nil {
		t.Errorf("%s %s %s: %v", exam, a.Item, a.Value, err)
	}
	if a.Value == examinations.Infinite {
		return
	}
	if err := a.Witness.Prove(t.Context(), unfold.Plain(net), exam, f, opposite(a.Value)); err == nil {
		t.Errorf("%s %s: the witness proves the opposite of %s too", exam, a.Item, a.Value)
	}
}

func opposite(v examinations.Value) examinations.Value {
	switch v {
	case examinations.True:
		return examinations.False
	case examinations.False:
		return examinations.True
	}
	return examinations.Value{Kind: examinations.Nat, Text: "70000"}
}

var globals = []examinations.ID{examinations.ReachabilityDeadlock, examinations.OneSafe, examinations.StableMarking, examinations.QuasiLiveness, examinations.Liveness}

// TestDecideRandomNets compares every examination with enumeration,
// on whole spaces and on spaces cut off early, where what is answered must be
// right too.
func TestDecideRandomNets(t *testing.T) {
	nets := 1000 * rounds
	if testing.Short() {
		nets = 100 // the race detector needs to see few
	}
	answered, cut := 0, 0
	for seed := range uint64(nets) {
		rng := rand.New(rand.NewPCG(11, seed))
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 300)
		if g == nil {
			continue
		}
		// With reductions and without, whole and cut off.
		some := uint64(1 + rng.IntN(len(g.Markings)))
		for _, opt := range []Options{{Memory: 1 << 26}, {Memory: 1 << 26, Unreduced: true}, {Memory: 1 << 26, Unreduced: true, Cores: 3, tuning: space.Tuning{LearnAfter: 1, LeastWindow: 4}}, {Memory: 1 << 26, MaxStates: some, Unreduced: seed%2 == 0}} {
			for _, c := range truthsOf(rng, net, g) {
				answers, _ := decideAll(t, net, c.exam, c.props, opt)
				for item, want := range c.want {
					got, ok := answers[item]
					switch {
					case ok && got != want:
						t.Fatalf("seed %d, %d markings, limit %d: %s %s is %s, want %s", seed, len(g.Markings), opt.MaxStates, c.exam, item, got, want)
					case !ok && opt.MaxStates == 0:
						t.Fatalf("seed %d: %s %s is not decided", seed, c.exam, item)
					case ok && opt.MaxStates > 0:
						cut++
					case ok:
						answered++
					}
				}
			}
		}
	}
	if answered < 12*nets || cut < 3*nets {
		t.Errorf("only %d answers on whole spaces and %d on others", answered, cut)
	}
}

type truths struct {
	exam  examinations.ID
	props []formula.Property
	want  map[string]string
}

// truthsOf asks every examination, with random formulas, and answers by
// enumeration.
func truthsOf(rng *rand.Rand, net *pnml.Net, g *nettest.Graph) []truths {
	var cases []truths
	for _, exam := range globals {
		cases = append(cases, truths{exam, nil, map[string]string{string(exam): g.Value(exam, "", nil)}})
	}
	counts := map[string]string{}
	for _, item := range examinations.StateSpace.Items(nil) {
		counts[item] = g.Value(examinations.StateSpace, item, nil)
	}
	cases = append(cases, truths{examinations.StateSpace, nil, counts})
	r := nettest.NewFormulas(rng, net)
	bounds := truths{exam: examinations.UpperBounds, want: map[string]string{}}
	reach := truths{exam: examinations.ReachabilityCardinality, want: map[string]string{}}
	branching := truths{exam: examinations.CTLFireability, want: map[string]string{}}
	for k := range 4 {
		places := r.Some(r.Places)
		id := fmt.Sprintf("ub-%d", k)
		bounds.props = append(bounds.props, formula.Property{ID: id, Formula: &formula.Bound{Places: places}})
		bounds.want[id] = fmt.Sprint(g.UpperBound(places))

		id = fmt.Sprintf("reach-%d", k)
		var f formula.Formula = &formula.ExistsPath{F: &formula.Finally{F: r.State(3)}}
		if k%2 == 0 {
			f = &formula.AllPaths{F: &formula.Globally{F: r.State(3)}}
		}
		reach.props = append(reach.props, formula.Property{ID: id, Formula: f})
		reach.want[id] = examinations.Truth(g.Sat(f)[0]).Text

		id, f = fmt.Sprintf("ctl-%d", k), r.CTL(3)
		branching.props = append(branching.props, formula.Property{ID: id, Formula: f})
		branching.want[id] = examinations.Truth(g.Sat(f)[0]).Text
	}
	return append(cases, bounds, reach, branching)
}

// TestDecideBadProperties: a property that does not fit is an error, the others
// are answered.
func TestDecideBadProperties(t *testing.T) {
	net := nettest.Philosophers(3)
	fine := &formula.ExistsPath{F: &formula.Finally{F: &formula.Deadlock{}}}
	for name, bad := range map[string]formula.Formula{
		"unknown transition":     &formula.ExistsPath{F: &formula.Finally{F: &formula.Fireable{Transitions: []string{"nobody"}}}},
		"unknown place":          &formula.ExistsPath{F: &formula.Next{F: &formula.LessEqual{Left: &formula.Number{}, Right: &formula.TokensCount{Places: []string{"nowhere"}}}}},
		"no quantifier":          &formula.Finally{F: &formula.Deadlock{}},
		"quantifier of nothing":  &formula.AllPaths{F: &formula.Deadlock{}},
		"empty conjunction":      &formula.ExistsPath{F: &formula.Next{F: &formula.And{}}},
		"a bound in a formula":   &formula.Bound{Places: []string{"eat0"}},
		"path formula of depth2": &formula.AllPaths{F: &formula.Globally{F: &formula.Finally{F: &formula.Deadlock{}}}},
	} {
		answers := map[string]string{}
		report, err := Decide(t.Context(), unfold.Plain(net), examinations.CTLFireability, []formula.Property{{ID: "bad", Formula: bad}, {ID: "fine", Formula: fine}}, Options{}, func(a Answer) {
			answers[a.Item] = a.Value.Text
		})
		if name == "empty conjunction" {
			// An empty conjunction is a state formula, and true.
			if err != nil || answers["bad"] != "TRUE" {
				t.Errorf("%s: %v, %v", name, answers, err)
			}
			continue
		}
		if err == nil || answers["fine"] != "TRUE" || len(report.Undecided) != 1 {
			t.Errorf("%s: %v, undecided %v, error %v", name, answers, report.Undecided, err)
		}
	}
	if _, err := Decide(t.Context(), unfold.Plain(net), "Nonsense", nil, Options{}, func(Answer) {}); err == nil {
		t.Error("an unknown examination is no error")
	}
}

// colouredPhilosophers are three: each takes the fork of his own colour, then that
// of the next.
const colouredPhilosophers = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<declaration><structure><declarations>
<namedsort id="P" name="P"><cyclicenumeration><feconstant id="a" name="a"/><feconstant id="b" name="b"/><feconstant id="c" name="c"/></cyclicenumeration></namedsort>
<variabledecl id="x" name="x"><usersort declaration="P"/></variabledecl>
</declarations></structure></declaration><page id="page">
<place id="think"><type><structure><usersort declaration="P"/></structure></type><hlinitialMarking><structure><all><usersort declaration="P"/></all></structure></hlinitialMarking></place>
<place id="fork"><type><structure><usersort declaration="P"/></structure></type><hlinitialMarking><structure><all><usersort declaration="P"/></all></structure></hlinitialMarking></place>
<place id="wait"><type><structure><usersort declaration="P"/></structure></type></place>
<place id="eat"><type><structure><usersort declaration="P"/></structure></type></place>
<transition id="left"/><transition id="right"/><transition id="free"/>
<arc id="a1" source="think" target="left"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a2" source="fork" target="left"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a3" source="left" target="wait"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a4" source="wait" target="right"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a5" source="fork" target="right"><hlinscription><structure><successor><subterm><variable refvariable="x"/></subterm></successor></structure></hlinscription></arc>
<arc id="a6" source="right" target="eat"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a7" source="eat" target="free"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a8" source="free" target="think"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a9" source="free" target="fork"><hlinscription><structure><add><subterm><variable refvariable="x"/></subterm><subterm><successor><subterm><variable refvariable="x"/></subterm></successor></subterm></add></structure></hlinscription></arc>
</page></net></pnml>`

// TestDecideGroups checks the conventions for coloured places and transitions
// on the philosophers, all of whom form one coloured net.
func TestDecideGroups(t *testing.T) {
	doc, found := pnml.Read(strings.NewReader(colouredPhilosophers), "philosophers")
	if found.Err() != nil {
		t.Fatal(found)
	}
	v, err := unfold.Of(t.Context(), doc, unfold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		exam  examinations.ID
		f     formula.Formula
		want  string
		plain string
	}{
		{examinations.OneSafe, nil, "FALSE", "TRUE"},
		{examinations.QuasiLiveness, nil, "TRUE", "TRUE"},
		{examinations.Liveness, nil, "FALSE", "FALSE"},
		{examinations.StableMarking, nil, "FALSE", "FALSE"},
		{examinations.UpperBounds, &formula.Bound{Places: []string{"eat"}}, "1", ""},
		{examinations.UpperBounds, &formula.Bound{Places: []string{"think", "wait", "eat"}}, "3", ""},
		{examinations.ReachabilityFireability, &formula.ExistsPath{F: &formula.Finally{F: &formula.Not{F: &formula.Fireable{Transitions: []string{"left", "free"}}}}}, "TRUE", ""},
		{examinations.ReachabilityCardinality, &formula.AllPaths{F: &formula.Globally{F: &formula.LessEqual{Left: &formula.TokensCount{Places: []string{"think", "wait"}}, Right: &formula.Number{N: 2}}}}, "FALSE", ""},
	} {
		var props []formula.Property
		if c.f != nil {
			props = []formula.Property{{ID: "f", Formula: c.f}}
		}
		got := ""
		if _, err := Decide(t.Context(), v, c.exam, props, Options{}, func(a Answer) { got = a.Value.Text }); err != nil || got != c.want {
			t.Errorf("%s: got %s, want %s (%v)", c.exam, got, c.want, err)
		}
		if c.plain == "" {
			continue
		}
		if answers, _ := decideAll(t, v.Net, c.exam, nil, Options{}); answers[string(c.exam)] != c.plain {
			t.Errorf("%s without groups: got %v, want %s", c.exam, answers, c.plain)
		}
	}
}
