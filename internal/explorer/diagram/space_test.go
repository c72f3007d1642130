package diagram

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock/clocktest"
	"podium/internal/nettest"
	"podium/pnml"
	"podium/pnml/unfold"
)

func explored(t *testing.T, net *pnml.Net, choice int) *Space {
	t.Helper()
	all := orders(t.Context(), net)
	s, ok := newSpace(nil, unfold.Plain(net), 1<<26, all[choice%len(all)])
	if !ok {
		t.Fatal("the net is too large")
	}
	if err := s.Explore(nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRandomNets compares every examination with enumeration, for every order of
// the places.
func TestRandomNets(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	truths := map[string]int{}
	for net, g := range nettest.RandomNets(rng, nettest.Cases(300)) {
		s := explored(t, net, rng.IntN(8))
		ask := func(exam examinations.ID, item string, f formula.Formula) {
			t.Helper()
			want := g.Value(exam, item, f)
			v, ok := s.Decide(nil, exam, item, f)
			if !ok || v.Text != want {
				t.Fatalf("%s %s: %s, not %s; %#v on %v", exam, item, v.Text, want, f, g.Markings)
			}
			truths[string(exam)+" "+want]++
		}
		for _, exam := range []examinations.ID{examinations.StateSpace, examinations.ReachabilityDeadlock, examinations.OneSafe, examinations.StableMarking, examinations.QuasiLiveness, examinations.Liveness} {
			for _, item := range exam.Items(nil) {
				ask(exam, item, nil)
			}
		}
		formulas := nettest.NewFormulas(rng, net)
		for range 4 {
			places := formulas.Some(formulas.Places)
			ask(examinations.UpperBounds, "", &formula.Bound{Places: places})
			ask(examinations.CTLCardinality, "", formulas.CTL(3))
			ask(examinations.LTLCardinality, "", &formula.AllPaths{F: formulas.LTL(3)})
		}
	}
	for _, want := range []string{"LTLCardinality TRUE", "LTLCardinality FALSE", "Liveness TRUE", "Liveness FALSE", "CTLCardinality TRUE", "CTLCardinality FALSE"} {
		if truths[want] == 0 {
			t.Errorf("%s never came up: %v", want, truths)
		}
	}
}

// plainGreedy is greedy without what makes it fast.
func plainGreedy(net *pnml.Net) (order []uint32) {
	done := make([]bool, net.Places.Len())
	part := func(places []uint32, none, factor float64) float64 {
		placed := 0
		for _, p := range places {
			if done[p] {
				placed++
			}
		}
		if placed == 0 {
			return none / float64(max(len(places), 1))
		}
		return factor * float64(placed) / float64(max(len(places), 1))
	}
	for range done {
		best, most := -1, 0.0
		for p := range done {
			givers, takers, touching := 0.0, 0.0, 0
			for t := range net.Transitions.Len() {
				takes, _ := net.Pre.Row(t)
				gives, _ := net.Post.Row(t)
				if slices.Contains(gives, uint32(p)) {
					touching++
					givers += part(takes, 0.1, 1) + part(gives, 0, 2)
				}
				if slices.Contains(takes, uint32(p)) {
					touching++
					takers += part(gives, 0.1, 1) + part(takes, 0.2, 2)
				}
			}
			if w := (givers + takers) / float64(max(1, touching)); !done[p] && (best < 0 || w > most+1e-9) {
				best, most = p, w
			}
		}
		done[best] = true
		order = append(order, uint32(best))
	}
	return order
}

// TestGreedy: the greedy order is the one that its definition gives, but where two places are
// as good as each other.
func TestGreedy(t *testing.T) {
	rng, same, all := rand.New(rand.NewPCG(2, 9)), 0, 0
	for net := range nettest.RandomNets(rng, nettest.Cases(200)) {
		all++
		if slices.Equal(greedy(nil, net, touchedBy(nil, net)), plainGreedy(net)) {
			same++
		}
	}
	if same*100 < all*95 {
		t.Errorf("%d of %d orders are as they should be", same, all)
	}
}

// TestSearchGoesOn: where the time is over before the orders are found, or before their spaces
// are made, a search goes on with what there is.
func TestSearchGoesOn(t *testing.T) {
	view := unfold.Plain(nettest.Philosophers(100))
	for looks := range 12 {
		ctx := clocktest.Looks(looks)
		s := NewSearch(ctx, view, 1<<27)
		if space := s.Explore(ctx, 2); space != nil && looks == 0 {
			t.Error("a space is known without time")
		}
		if s.Over() {
			t.Fatalf("after %d looks, the search is over", looks)
		}
		if space := s.Explore(t.Context(), 2); space == nil || !space.Known() {
			t.Errorf("after %d looks, the search comes to no end", looks)
		}
	}
}

// TestPhilosophers counts more markings than could be enumerated, exactly: N philosophers
// have twice the markings of one less, and those of two less.
func TestPhilosophers(t *testing.T) {
	if testing.Short() {
		t.Skip("it does one thing after another, for long")
	}
	before, markings := big.NewInt(2), big.NewInt(6)
	for n := 3; n <= 200; n++ {
		next := new(big.Int).Lsh(markings, 1)
		before, markings = markings, next.Add(next, before)
		if g := nettest.Explore(nettest.Philosophers(n), 500); n <= 6 && (g == nil || markings.Cmp(big.NewInt(int64(len(g.Markings)))) != 0) {
			t.Fatalf("%d philosophers have not %v markings", n, markings)
		}
	}
	s := explored(t, nettest.Philosophers(200), 0)
	v, ok := s.Decide(nil, examinations.ReachabilityDeadlock, "", nil)
	if !ok || v != examinations.True {
		t.Error(v, ok)
	}
	v, ok = s.Decide(nil, examinations.StateSpace, "STATES", nil)
	if !ok || v.Text != markings.String() || len(v.Text) != 77 {
		t.Errorf("%v, %v, not %v", v, ok, markings)
	}
}
