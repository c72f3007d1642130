package explorer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/cover"
	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/internal/nettest"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestCoverabilityOfBoundedNets: on a bounded net the graph says of bounds,
// firings, stable places and upward-closed formulas what enumeration says.
func TestCoverabilityOfBoundedNets(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does all of this: nothing for the race detector")
	}
	formulas := 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(23, seed))
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 300)
		if g == nil {
			continue
		}
		c := cover.New(nil, net, 1<<24)
		if c == nil {
			t.Fatalf("seed %d: no graph of a small net", seed)
		}
		for p := range net.Places.Len() {
			most, infinite := c.Bound([]uint32{uint32(p)})
			if want := g.UpperBound([]string{net.Places.At(p)}); infinite || most.String() != fmt.Sprint(want) {
				t.Fatalf("seed %d: bound of place %d is %v, want %d", seed, p, most, want)
			}
			changes := slices.ContainsFunc(g.Markings, func(m []uint64) bool { return m[p] != net.Initial[p] })
			if allFired(c, Changing(nil, net, [][]uint32{{uint32(p)}})) != changes {
				t.Fatalf("seed %d: place %d changes: %v", seed, p, changes)
			}
		}
		for x, fires := range c.Fired {
			fired := &formula.Fireable{Transitions: []string{net.Transitions.At(x)}}
			if fires != slices.Contains(g.Sat(fired), true) {
				t.Fatalf("seed %d: transition %d fires: %v", seed, x, fires)
			}
		}
		f := nettest.NewFormulas(rng, net).State(2)
		p, err := (&state.Lookup{View: unfold.Plain(net)}).Formula(f)
		if err != nil {
			t.Fatal(err)
		}
		if holds, ok := state.OnNodes(nil, net, p); ok {
			formulas++
			found := c.Reaches(holds)
			if want := g.Sat(&formula.ExistsPath{F: &formula.Finally{F: f}})[0]; found != want {
				t.Fatalf("seed %d: found %v, want %v", seed, found, want)
			}
		}
	}
	if formulas < 300 {
		t.Errorf("only %d formulas were upward-closed", formulas)
	}
}

// TestCoverabilityOfUnboundedNets: no reachable marking exceeds a finite bound,
// what fires in the graph is what fires, and where a bound is infinite, larger
// markings go on to be found.
func TestCoverabilityOfUnboundedNets(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does all of this: nothing for the race detector")
	}
	nets := 0
	for seed := range uint64(3000) {
		net := nettest.RandomNet(rand.New(rand.NewPCG(29, seed)))
		s := explored(t, net, space.Options{MaxStates: 3000})
		c := cover.New(nil, net, 1<<24)
		if s.Stop() != space.Unbounded || c == nil {
			s.Close()
			continue
		}
		nets++
		o := &boundsAndFirings{&bounds{}, map[uint32]bool{}}
		for p := range net.Places.Len() {
			o.sums, o.most, o.at = append(o.sums, state.Sum{Places: []uint32{uint32(p)}}), append(o.most, pnml.Total{}), append(o.at, 0)
		}
		far := space.NewSearch(nil, net, space.Options{MaxStates: 3000})
		far.Observer = o
		far.Run(t.Context())
		for p, most := range o.most {
			bound, infinite := c.Bound([]uint32{uint32(p)})
			if !infinite && bound.Less(most) || infinite && most.Less(pnml.Total{Lo: 4}) {
				t.Errorf("seed %d: place %d holds %v, its bound is %v (infinite: %v)", seed, p, most, bound, infinite)
			}
		}
		for x, fires := range c.Fired {
			if fires != o.fired[uint32(x)] {
				t.Errorf("seed %d: transition %d fires: %v", seed, x, fires)
			}
		}
		far.Close()
		s.Close()
	}
	if nets < 100 {
		t.Errorf("only %d nets were unbounded", nets)
	}
}

// boundsAndFirings also keeps which transitions were enabled.
type boundsAndFirings struct {
	*bounds
	fired map[uint32]bool
}

func (b *boundsAndFirings) Fired(t, _ uint32) bool {
	b.fired[t] = true
	return false
}

// TestDecideUnbounded: answers on a net without bound: one counter that grows,
// one that does not, a transition that needs more than there ever is.
func TestDecideUnbounded(t *testing.T) {
	net := nettest.Unbounded()
	atLeast := func(n uint64, p string) formula.Formula {
		return &formula.ExistsPath{F: &formula.Finally{F: &formula.LessEqual{Left: &formula.Number{N: n}, Right: &formula.TokensCount{Places: []string{p}}}}}
	}
	props := []formula.Property{{ID: "few", Formula: atLeast(3, "few")}, {ID: "many", Formula: atLeast(1000, "many")}, {ID: "two", Formula: atLeast(2, "few")}}
	answers, _ := decideAll(t, net, examinations.ReachabilityCardinality, props, Options{MaxStates: 4000})
	if got := fmt.Sprint(answers); got != "map[few:FALSE many:TRUE two:TRUE]" {
		t.Errorf("reachability: %s", got)
	}
	bounds := []formula.Property{{ID: "few", Formula: &formula.Bound{Places: []string{"few"}}}, {ID: "many", Formula: &formula.Bound{Places: []string{"many", "few"}}}}
	answers, _ = decideAll(t, net, examinations.UpperBounds, bounds, Options{MaxStates: 4000})
	if got := fmt.Sprint(answers); got != "map[few:2 many:+inf]" {
		t.Errorf("bounds: %s", got)
	}
	for exam, want := range map[examinations.ID]string{examinations.QuasiLiveness: "FALSE", examinations.Liveness: "FALSE", examinations.OneSafe: "FALSE", examinations.StableMarking: "TRUE"} {
		if answers, _ = decideAll(t, net, exam, nil, Options{MaxStates: 4000}); answers[string(exam)] != want {
			t.Errorf("%s: got %v, want %s", exam, answers, want)
		}
	}
}

func explored(t testing.TB, net *pnml.Net, opt space.Options) *space.Space {
	t.Helper()
	s := space.Explore(t.Context(), net, opt)
	t.Cleanup(s.Close)
	return s
}
