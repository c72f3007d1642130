package enumeration_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/clock/clocktest"
	"podium/internal/explorer"
	"podium/internal/explorer/naive"
	"podium/internal/witness/enumeration"
	"podium/pnml"
	"podium/pnml/unfold"
)

// nets draws small nets with few markings.
func nets(t *testing.T, count int, use func(rng *rand.Rand, view unfold.View, g *enumeration.Graph, want *naive.Graph)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 1))
	for used := 0; used < count; {
		net := naive.RandomNet(rng)
		want := naive.Explore(net, 300)
		g, err := enumeration.Explore(nil, unfold.Plain(net), enumeration.Limits{300, 1 << 30})
		if (want == nil) != (err != nil) {
			t.Fatalf("%v, and the other is %v", err, want)
		}
		if want != nil {
			use(rng, unfold.Plain(net), g, want)
			used++
		}
	}
}

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

func value(t *testing.T, g *enumeration.Graph, exam examinations.ID, item string, f formula.Formula) string {
	t.Helper()
	v, err := g.Value(nil, exam, item, f)
	if err != nil {
		t.Fatalf("%s %s: %v", exam, item, err)
	}
	return v.Text
}

// TestNumbersAndProperties compares with the definitions.
func TestNumbersAndProperties(t *testing.T) {
	nets(t, naive.Cases(2000), func(rng *rand.Rand, _ unfold.View, g *enumeration.Graph, want *naive.Graph) {
		most, sum := want.Tokens()
		for item, n := range map[string]uint64{"STATES": uint64(len(want.Markings)), "TRANSITIONS": want.Firings(), "MAX_TOKEN_IN_PLACE": most, "MAX_TOKEN_PER_MARKING": sum} {
			if got := value(t, g, examinations.StateSpace, item, nil); got != strconv.FormatUint(n, 10) {
				t.Errorf("%s: %s, not %d", item, got, n)
			}
		}
		for _, exam := range []examinations.ID{examinations.ReachabilityDeadlock, examinations.OneSafe, examinations.StableMarking, examinations.QuasiLiveness, examinations.Liveness} {
			if got := value(t, g, exam, string(exam), nil); got != examinations.Truth(want.Global(exam)).Text {
				t.Errorf("%s: %s in %v", exam, got, want.Markings)
			}
		}
		places := naive.NewFormulas(rng, want).Places
		places = places[:1+rng.IntN(len(places))]
		if got := value(t, g, examinations.UpperBounds, "b", &formula.Bound{Places: places}); got != strconv.Itoa(want.UpperBound(places)) {
			t.Errorf("bound %s", got)
		}
	})
}

// TestFormulas compares CTL with the definitions, and LTL with the explorer and with the
// words that the naive graph lists.
func TestFormulas(t *testing.T) {
	holding, decided := 0, 0
	nets(t, naive.Cases(1500), func(rng *rand.Rand, view unfold.View, g *enumeration.Graph, want *naive.Graph) {
		draw := naive.NewFormulas(rng, want)
		f := draw.CTL(3)
		if got := value(t, g, examinations.CTLFireability, "f", f); got != examinations.Truth(want.Sat(f)[0]).Text {
			t.Errorf("CTL: %s", got)
		}
		path := draw.LTL(3)
		got := value(t, g, examinations.LTLFireability, "f", &formula.AllPaths{F: path})
		if got == "TRUE" {
			holding++
			want.Words(6, 200, func(w naive.Word) bool {
				if !w.Holds(want, path)[0] {
					t.Errorf("LTL: a word violates what is TRUE")
					return false
				}
				return true
			})
		}
		if _, err := explorer.Decide(t.Context(), view, examinations.LTLFireability, []formula.Property{{ID: "f", Formula: &formula.AllPaths{F: path}}}, explorer.Options{}, func(a explorer.Answer) {
			decided++
			if a.Value.Text != got {
				t.Errorf("LTL: %s, and the explorer says %s", got, a.Value)
			}
		}); err != nil {
			t.Error(err)
		}
	})
	if holding < 200 || decided < 1000 {
		t.Errorf("%d hold, %d were decided by both", holding, decided)
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
		"tokens":                {1 << 40, enumeration.Small},
	} {
		if _, err := enumeration.Explore(nil, unfold.Plain(naive.Ring(4, c.tokens)), c.limits); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	g, err := enumeration.Explore(nil, unfold.Plain(naive.Ring(3, 4)), enumeration.Small)
	if err != nil {
		t.Fatal(err)
	}
	large := &formula.Number{N: 1 << 63}
	for _, f := range []formula.Formula{
		&formula.LessEqual{Left: large, Right: large},
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
