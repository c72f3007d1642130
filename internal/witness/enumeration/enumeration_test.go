package enumeration_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/clock/clocktest"
	"podium/internal/explorer"
	"podium/internal/nettest"
	"podium/internal/witness/enumeration"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestLimitsWithinAMarking: the successors of one marking do not go far beyond a limit.
func TestLimitsWithinAMarking(t *testing.T) {
	b := &pnml.Builder{}
	const wide = 3000
	for k := range wide {
		b.Place(fmt.Sprint("p", k), 1)
		b.Transition(fmt.Sprint("t", k))
		b.In(k, k, 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := enumeration.Explore(nil, unfold.Plain(net), enumeration.Limits{Markings: 1 << 20, Memory: 1 << 20}); err == nil {
		t.Error("more than a megabyte was taken")
	}
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 8 {
		t.Errorf("%d MB were taken", used)
	}
}

// TestValues compares all examinations of random nets with what the explorer says, which shares
// nothing with enumeration.
func TestValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	decided := map[string]int{}
	for net, g := range nettest.RandomNets(rng, nettest.Cases(2000)) {
		draw := nettest.NewFormulas(rng, net)
		for exam, f := range map[examinations.ID]formula.Formula{
			examinations.StateSpace: nil, examinations.ReachabilityDeadlock: nil, examinations.OneSafe: nil,
			examinations.StableMarking: nil, examinations.QuasiLiveness: nil, examinations.Liveness: nil,
			examinations.UpperBounds:    &formula.Bound{Places: draw.Some(draw.Places)},
			examinations.CTLFireability: draw.CTL(3),
			examinations.LTLFireability: &formula.AllPaths{F: draw.LTL(3)},
			examinations.LTLCardinality: &formula.ExistsPath{F: draw.LTL(3)},
		} {
			var properties []formula.Property
			if f != nil {
				properties = []formula.Property{{ID: "f", Formula: f}}
			}
			if _, err := explorer.Decide(t.Context(), unfold.Plain(net), exam, properties, explorer.Options{}, func(a explorer.Answer) {
				decided[string(exam)+" "+a.Value.Text]++
				if got := g.Value(exam, a.Item, f); got != a.Value.Text {
					t.Errorf("%s %s: %s, and the explorer says %s: %#v in %v", exam, a.Item, got, a.Value, f, g.Markings)
				}
			}); err != nil {
				t.Error(err)
			}
		}
	}
	for _, exam := range []examinations.ID{examinations.ReachabilityDeadlock, examinations.OneSafe, examinations.StableMarking, examinations.QuasiLiveness, examinations.Liveness, examinations.CTLFireability, examinations.LTLFireability, examinations.LTLCardinality} {
		if decided[string(exam)+" TRUE"] < 100 || decided[string(exam)+" FALSE"] < 100 {
			t.Errorf("%s was seldom decided: %v", exam, decided)
		}
	}
}

// TestLargeNumbers: sums are exact beyond 64 bits.
func TestLargeNumbers(t *testing.T) {
	b := &pnml.Builder{ID: "large"}
	p, q, u := b.Place("p", math.MaxUint64), b.Place("q", math.MaxUint64-1), b.Transition("t")
	b.In(b.Place("once", 1), u, 1)
	b.In(p, u, 1)
	b.Out(u, q, 1)
	g := nettest.Explore(nettest.Build(b), 3)
	if g == nil {
		t.Fatal("the places do not hold 2^64-1 tokens")
	}
	count := func(places ...string) formula.Integer { return &formula.TokensCount{Places: places} }
	for _, c := range []struct {
		exam examinations.ID
		item string
		f    formula.Formula
		want string
	}{
		{examinations.StateSpace, "STATES", nil, "2"},
		{examinations.StateSpace, "MAX_TOKEN_IN_PLACE", nil, "18446744073709551615"},
		{examinations.StateSpace, "MAX_TOKEN_PER_MARKING", nil, "36893488147419103230"},
		{examinations.UpperBounds, "f", &formula.Bound{Places: []string{"p", "q"}}, "36893488147419103229"},
		{examinations.CTLCardinality, "f", &formula.LessEqual{Left: count("p", "q"), Right: &formula.Number{N: math.MaxUint64}}, "FALSE"},
		{examinations.CTLCardinality, "f", &formula.LessEqual{Left: count("q"), Right: count("p")}, "TRUE"},
		{examinations.LTLCardinality, "f", &formula.AllPaths{F: &formula.Finally{F: &formula.LessEqual{Left: &formula.Number{N: math.MaxUint64}, Right: count("q")}}}, "TRUE"},
	} {
		if got := g.Value(c.exam, c.item, c.f); got != c.want {
			t.Errorf("%s %s: %s, not %s", c.exam, c.item, got, c.want)
		}
	}
}

// TestLimits: an enumeration ends at its limits, and says at which.
func TestLimits(t *testing.T) {
	for want, c := range map[string]struct {
		tokens uint64
		limits enumeration.Limits
	}{
		"more than 10 markings": {5, enumeration.Limits{10, 1 << 30}},
		"take more than 1 MB":   {60, enumeration.Limits{1 << 20, 1 << 20}},
	} {
		if _, err := enumeration.Explore(nil, unfold.Plain(nettest.Ring(4, c.tokens)), c.limits); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	b := &pnml.Builder{ID: "full"}
	b.Out(b.Transition("t"), b.Place("p", math.MaxUint64), 1)
	if _, err := enumeration.Explore(nil, unfold.Plain(nettest.Build(b)), enumeration.Small); err == nil || !strings.Contains(err.Error(), "tokens") {
		t.Errorf("a place holds too many tokens: %v", err)
	}
	g, err := enumeration.Explore(nil, unfold.Plain(nettest.Ring(3, 4)), enumeration.Small)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []formula.Formula{
		&formula.AllPaths{F: &formula.AllPaths{F: &formula.Constant{}}},
		&formula.Finally{F: &formula.Constant{}},
	} {
		if v, err := g.Value(nil, examinations.CTLCardinality, "f", f); err == nil {
			t.Errorf("%T has the value %s", f, v)
		}
	}
	if _, err := g.Value(nil, examinations.StateSpace, "NONE", nil); err == nil {
		t.Error("StateSpace has a value NONE")
	}
}

// TestValuesEndInTime: a clock ends the search for each value, also where few places of many
// are marked.
func TestValuesEndInTime(t *testing.T) {
	b := &pnml.Builder{}
	p, q := b.Place("p", 400), b.Place("q", 0)
	var places []string
	for i := range 1 << 9 {
		places = append(places, fmt.Sprint("r", i))
		b.Place(places[i], 0)
	}
	for i := range 1 << 4 {
		u := b.Transition(fmt.Sprint("t", i))
		b.In(p, u, 1)
		b.Out(u, q, 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	g, err := enumeration.Explore(nil, unfold.Plain(net), enumeration.Small)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		exam examinations.ID
		f    formula.Formula
	}{
		{examinations.UpperBounds, &formula.Bound{Places: places}},
		{examinations.OneSafe, nil},
		{examinations.StableMarking, nil},
		{examinations.Liveness, nil},
		{examinations.CTLCardinality, &formula.LessEqual{Left: &formula.TokensCount{Places: places}, Right: &formula.Number{}}},
	} {
		if _, err := g.Value(nil, tc.exam, "f", tc.f); err != nil {
			t.Errorf("%s: %v", tc.exam, err)
		}
		if err := clock.Until(clocktest.Looks(1), func(c *clock.Clock) error {
			_, err := g.Value(c, tc.exam, "f", tc.f)
			return err
		}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", tc.exam, err)
		}
	}
}
