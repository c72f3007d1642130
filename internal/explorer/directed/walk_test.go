package directed

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/clock/clocktest"
	"podium/internal/explorer"
	"podium/internal/explorer/tokens"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/internal/witness/enumeration"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestWalk: on random nets, what is found is there and the run leads to it, and almost
// all that is there is found.
func TestWalk(t *testing.T) {
	if there, found := reached(t, Walk); found*10 < there*9 || there == 0 {
		t.Errorf("%d found of %d", found, there)
	}
}

// TestDive: depth first in reduced nets, all is found.
func TestDive(t *testing.T) {
	dive := func(c *clock.Clock, view unfold.View, f formula.Formula, _ []float64) ([]uint32, bool) {
		return Dive(c, view, f)
	}
	if there, found := reached(t, dive); found < there || there == 0 {
		t.Errorf("%d found of %d", found, there)
	}
}

// reached counts the formulas on random nets that some marking satisfies, and those to which a run is found;
// each run has to lead there.
func reached(t *testing.T, find func(*clock.Clock, unfold.View, formula.Formula, []float64) ([]uint32, bool)) (there, found int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 8))
	for net, g := range nettest.RandomNets(rng, nettest.Cases(500)) {
		f := nettest.NewFormulas(rng, net).State(3)
		if rng.IntN(5) == 0 {
			f = &formula.Deadlock{}
		}
		var firings []float64
		if rng.IntN(2) == 0 { // of whatever sense
			for range net.Transitions.Len() {
				firings = append(firings, float64(rng.IntN(3)))
			}
		}
		want := g.Sat(&formula.ExistsPath{F: &formula.Finally{F: f}})[0]
		if want {
			there++
		}
		var run []uint32
		got := false
		clock.Until(clocktest.Looks(4), func(c *clock.Clock) error {
			run, got = find(c, unfold.Plain(net), f, firings)
			return nil
		})
		if !got {
			continue
		}
		if found++; !want || !g.Reaches(run, f) {
			t.Fatalf("%v does not lead to %#v on %v", run, f, g.Markings)
		}
	}
	return there, found
}

// built is a net that a test describes.
func built(t *testing.T, b *pnml.Builder) unfold.View {
	t.Helper()
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return unfold.Plain(net)
}

// holds is the formula that a place has at most some tokens.
func holds(place string, tokens uint64) formula.Formula {
	return &formula.LessEqual{Left: &formula.TokensCount{Places: []string{place}}, Right: &formula.Number{N: tokens}}
}

// TestMeet: walks say what is met, and come to an end where the initial marking is dead, and
// where every walk is as long as it may be.
func TestMeet(t *testing.T) {
	moving, dead := &pnml.Builder{}, &pnml.Builder{}
	p := moving.Place("p", 1)
	q := moving.Place("q", 0)
	fires := moving.Transition("t")
	moving.In(p, fires, 1)
	moving.Out(fires, q, 1)
	dead.Place("p", 1)
	dead.In(dead.Place("q", 0), dead.Transition("t"), 1)
	for name, tc := range map[string]struct {
		view unfold.View
		want Met
	}{
		"a net that moves":   {built(t, moving), Met{True: true, False: true}},
		"a net that is dead": {built(t, dead), Met{False: true}},
	} {
		met := make([]Met, 1)
		err := clock.Until(clocktest.Looks(1000), func(c *clock.Clock) error {
			Meet(c, tc.view, []formula.Formula{holds("p", 0)}, met, 1<<20)
			return nil
		})
		if err != nil || met[0] != tc.want {
			t.Errorf("%s: %+v, want %+v; %v", name, met[0], tc.want, err)
		}
	}
}

// TestTooManyTokens: where a place holds more tokens at first than walks count, they find
// nothing.
func TestTooManyTokens(t *testing.T) {
	b := &pnml.Builder{}
	b.Place("p", 2*tokens.MaxTokens)
	view := built(t, b)
	clock.Until(clocktest.Looks(4), func(c *clock.Clock) error {
		if run, found := Walk(c, view, holds("p", tokens.MaxTokens), nil); found {
			t.Errorf("the run %v leads to a place with fewer tokens than it has", run)
		}
		met := make([]Met, 1)
		if Meet(c, view, []formula.Formula{holds("p", tokens.MaxTokens)}, met, 1); met[0] != (Met{}) {
			t.Errorf("%+v is met", met[0])
		}
		if value, known := Initially(c, view, holds("p", tokens.MaxTokens)); known {
			t.Errorf("it holds initially: %v", value)
		}
		return nil
	})
}

// TestByFirings: a marking that is many firings away is found by the firings that a
// solution of the state equation asks for.
func TestByFirings(t *testing.T) {
	const tokens = 500
	net := nettest.Ring(5, tokens)
	f := &formula.LessEqual{Left: &formula.Number{N: tokens}, Right: &formula.TokensCount{Places: []string{"p4"}}}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var run []uint32
	clock.Until(ctx, func(c *clock.Clock) error {
		run, _ = Walk(c, unfold.Plain(net), f, []float64{tokens, tokens, tokens, tokens, 0})
		return nil
	})
	if len(run) != 4*tokens {
		t.Errorf("a run of %d firings", len(run))
	}
}

// TestLasso: on random nets, a run that is found is replayed and gives the value that
// enumeration gives, and almost all runs are found.
func TestLasso(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 9))
	there, found := 0, 0
	for net, g := range nettest.RandomNets(rng, nettest.Cases(500)) {
		path := nettest.NewFormulas(rng, net).LTL(4)
		f, runIf := formula.Formula(&formula.AllPaths{F: path}), examinations.False
		if rng.IntN(3) == 0 {
			f, runIf = &formula.ExistsPath{F: path}, examinations.True
		}
		view, want := unfold.Plain(net), examinations.Truth(g.Value(examinations.LTLCardinality, "f", f) == "TRUE")
		if want == runIf {
			there++
		}
		var stem, cycle []uint32
		holds, got := false, false
		clock.Until(clocktest.Looks(40), func(c *clock.Clock) error {
			stem, cycle, holds, got = Lasso(c, view, f, rng.IntN(2) == 0)
			return nil
		})
		if !got {
			continue
		}
		found++
		value := examinations.Truth(holds)
		run := explorer.Witness{Stem: stem, Cycle: cycle}
		if err := run.Prove(t.Context(), view, examinations.LTLCardinality, f, value); err != nil || value != want {
			t.Fatalf("%v, not %v: %v does not decide %#v on %v: %v", value, want, run, f, g.Markings, err)
		}
	}
	println(found, there)
	if found*10 < there*9 || there == 0 {
		t.Errorf("%d found of %d", found, there)
	}
}

// TestWord: on random nets, a run that is found gives the value that enumeration gives, and
// most are accepted by a replay; and many are found.
func TestWord(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	found, proved := map[bool]int{}, 0
	for net, g := range nettest.RandomNets(rng, nettest.Cases(500)) {
		f := formula.Formula(&formula.AllPaths{F: nettest.NewFormulas(rng, net).LTL(4)})
		view, want := unfold.Plain(net), examinations.Truth(g.Value(examinations.LTLCardinality, "f", f) == "TRUE")
		var run []uint32
		holds, got := false, false
		clock.Until(clocktest.Looks(8), func(c *clock.Clock) error {
			run, holds, got = Word(c, view, f)
			return nil
		})
		if want == examinations.False {
			found[got]++
		}
		if !got {
			continue
		}
		if holds || want == examinations.True {
			t.Fatalf("%v, not %v: %v does not decide %#v on %v", holds, want, run, f, g.Markings)
		}
		way := explorer.Witness{Stem: run}
		if way.Prove(t.Context(), view, examinations.LTLCardinality, f, examinations.False) == nil {
			proved++
		}
	}
	if found[true] < found[false] || proved < found[true]*3/4 {
		t.Errorf("%v found, a replay accepts %d", found, proved)
	}
}

// TestBranch: on random nets, what is shown of CTL is what enumeration gives, and
// almost everything is shown. The checker accepts each witness for the value, and changed
// ones for no other value.
func TestBranch(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	asked, shown, changed := 0, map[bool]int{}, 0
	for net, g := range nettest.RandomNets(rng, nettest.Cases(500)) {
		for range 3 {
			f := nettest.NewFormulas(rng, net).CTL(3)
			holds, ok := false, false
			var show *witness.Branches
			clock.Until(clocktest.Looks(20), func(c *clock.Clock) error {
				holds, show, ok = Branch(c, unfold.Plain(net), f, true, false)
				return nil
			})
			if asked++; !ok {
				continue
			}
			if shown[holds]++; holds != g.Sat(f)[0] {
				t.Fatalf("%v: %#v on %v", holds, f, g.Markings)
			}
			if got, err := enumeration.Branches(nil, unfold.Plain(net), enumeration.Small, show, f); err != nil || got != holds {
				t.Fatalf("%v, not %v, by %+v: %v: %s on %v", got, holds, show, err, formula.Print(f), g.Markings)
			}
			for range 5 {
				c := corrupted(rng, show)
				if got, err := enumeration.Branches(nil, unfold.Plain(net), enumeration.Small, c, f); err == nil && got != holds {
					t.Fatalf("%v by %+v: %s on %v", got, c, formula.Print(f), g.Markings)
				} else if err == nil {
					changed++
				}
			}
		}
	}
	if n := shown[true] + shown[false]; n*10 < asked*9 || shown[true] < n/4 || shown[false] < n/4 {
		t.Errorf("%v shown of %d", shown, asked)
	}
	t.Logf("%v shown of %d, %d changed witnesses still show the value", shown, asked, changed)
}

// corrupted changes something in a copy of a witness.
func corrupted(rng *rand.Rand, show *witness.Branches) *witness.Branches {
	c := &witness.Branches{Ways: slices.Clone(show.Ways), Claims: slices.Clone(show.Claims)}
	for range 1 + rng.IntN(3) {
		if len(c.Ways) > 0 && rng.IntN(3) == 0 {
			way := &c.Ways[rng.IntN(len(c.Ways))]
			way.Fire = slices.Clone(way.Fire)
			switch k := rng.IntN(len(way.Fire) + 1); {
			case k == len(way.Fire) || rng.IntN(4) == 0:
				way.From = rng.IntN(3)
			case rng.IntN(2) == 0:
				way.Fire[k] = uint32(rng.IntN(4))
			default:
				way.Fire = way.Fire[:k]
			}
			continue
		}
		if len(c.Claims) == 0 {
			continue
		}
		list := &c.Claims[rng.IntN(len(c.Claims))]
		list.Markings = slices.Clone(list.Markings)
		switch rng.IntN(5) {
		case 0:
			list.Holds = !list.Holds
		case 1:
			list.Part = rng.IntN(4)
		case 2:
			slices.Reverse(list.Markings)
		case 3:
			list.Markings = append(list.Markings, rng.IntN(6))
		default:
			k := rng.IntN(len(list.Markings) + 1)
			list.Markings = slices.Delete(list.Markings, k, min(k+1, len(list.Markings)))
		}
	}
	return c
}

// TestCover: on random nets, the runs fire every transition, and are found where every
// transition can fire.
func TestCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	there, found := 0, 0
	for net, g := range nettest.RandomNets(rng, nettest.Cases(500)) {
		if net.Transitions.Len() == 0 {
			continue
		}
		want := g.Value(examinations.QuasiLiveness, "", nil) == "TRUE"
		if want {
			there++
		}
		view := unfold.Plain(net)
		var runs [][]uint32
		got := false
		clock.Until(clocktest.Looks(4), func(c *clock.Clock) error {
			runs, got = Cover(c, view, view.TransitionGroups())
			return nil
		})
		if !got {
			continue
		}
		way := explorer.Witness{Stem: runs[0], Further: runs[1:]}
		if err := way.Prove(t.Context(), view, examinations.QuasiLiveness, nil, examinations.True); !want || err != nil {
			t.Fatalf("%v on %v: %v", runs, g.Markings, err)
		}
		found++
	}
	println(found, there)
	if found*10 < there*9 || there == 0 {
		t.Errorf("%d found of %d", found, there)
	}
}

// TestBranchTakesLittleFirst: of the parts of a conjunction or a disjunction what takes little is
// shown first, whatever stands first in the formula.
func TestBranchTakesLittleFirst(t *testing.T) {
	w, _ := newWalker(nil, unfold.Plain(nettest.Ring(3, 2)))
	b := &branches{walker: w, plan: newPlanner(w), numbers: map[formula.Formula]int{}, known: map[held]bool{}}
	few := holds("p1", 1)
	next := &formula.ExistsPath{F: &formula.Next{F: few}}
	always := &formula.AllPaths{F: &formula.Globally{F: next}}
	b.numbers[next], b.numbers[always] = 0, 1
	for _, f := range []formula.Formula{&formula.And{Fs: []formula.Formula{always, next, few}}, &formula.Or{Fs: []formula.Formula{next, always, few}}} {
		for _, not := range []bool{false, true} {
			n, err := b.node(f, not)
			if err != nil {
				t.Fatal(err)
			}
			if got := []int{n.parts[0].part, n.parts[1].part, n.parts[2].part}; !slices.Equal(got, []int{-1, 0, 1}) {
				t.Errorf("%s: parts %v", formula.Print(f), got)
			}
		}
	}
}

// TestBranchIsNotDeep: a net whose runs have no end takes no more stack than there is.
func TestBranchIsNotDeep(t *testing.T) {
	net := &pnml.Builder{}
	net.Out(net.Transition("t"), net.Place("p", 0), 1)
	w, _ := newWalker(nil, built(t, net))
	always := &formula.AllPaths{F: &formula.Globally{F: &formula.Fireable{Transitions: []string{"t"}}}}
	b := &branches{walker: w, plan: newPlanner(w), numbers: map[formula.Formula]int{always: 0}, known: map[held]bool{}}
	n, err := b.node(always, false)
	if err != nil {
		t.Fatal(err)
	}
	if w.begin(); b.shown(n, mostEffort) || b.depth != 0 || len(w.Enabled) != 1 {
		t.Errorf("shown, or left at depth %d", b.depth)
	}
}
