package directed

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/clock/clocktest"
	"podium/internal/explorer/naive"
	"podium/pnml/unfold"
)

var cases = flag.Int("cases", 500, "random nets to compare")

// TestWalk: on random nets, what is found is there and the run leads to it, and almost
// all that is there is found.
func TestWalk(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	there, found := 0, 0
	for used := 0; used < *cases; {
		net := naive.RandomNet(rng)
		g := naive.Explore(net, 300)
		if g == nil {
			continue
		}
		used++
		f := naive.NewFormulas(rng, g).State(3)
		if used%5 == 0 {
			f = &formula.Deadlock{}
		}
		var firings []float64
		if used%2 == 0 { // of whatever sense
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
			run, got = Walk(c, unfold.Plain(net), f, firings)
			return nil
		})
		if !got {
			continue
		}
		if found++; !want || !g.Reaches(run, f) {
			t.Fatalf("%v does not lead to %#v on %v", run, f, g.Markings)
		}
	}
	if found*10 < there*9 || there == 0 {
		t.Errorf("%d found of %d", found, there)
	}
}

// TestByFirings: a marking that is many firings away is found by the firings that a
// solution of the state equation asks for.
func TestByFirings(t *testing.T) {
	const tokens = 500
	net := naive.Ring(5, tokens)
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
