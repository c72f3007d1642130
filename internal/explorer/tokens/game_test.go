package tokens_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations/formula"
	"podium/internal/explorer/state"
	"podium/internal/explorer/tokens"
	"podium/internal/nettest"
	"podium/pnml"
	"podium/pnml/unfold"
)

// enabled are the transitions that are enabled in the marking of a game, by the arcs.
func enabled(g *tokens.Game) (list []uint32) {
	for t := range g.Net.Transitions.Len() {
		if tokens.Enabled(g.Net, t, g.At) {
			list = append(list, uint32(t))
		}
	}
	return list
}

// TestGame: on random nets, what a game says is enabled is so in each marking that it goes to,
// firings lead to the markings that the arcs say, and back.
func TestGame(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	fired := 0
	for net, graph := range nettest.RandomNets(rng, nettest.Cases(300)) {
		g, ok := tokens.NewGame(nil, net)
		if !ok {
			t.Fatal("a small net is refused")
		}
		hashes, markings := map[string][2]uint64{}, map[[2]uint64]string{}
		same := func(m []uint64) {
			t.Helper()
			text := fmt.Sprint(m)
			if before, met := hashes[text]; met && before != g.Hash || markings[g.Hash] != "" && markings[g.Hash] != text {
				t.Fatalf("%v has the hash %x, and %x before; %s has it", m, g.Hash, before, markings[g.Hash])
			}
			hashes[text], markings[g.Hash] = g.Hash, text
			list := slices.Sorted(slices.Values(g.Enabled))
			if !slices.Equal(g.At, m) || !slices.Equal(list, enabled(g)) {
				t.Fatalf("%v enables %v; it is to be %v", g.At, list, m)
			}
			for x := range uint32(net.Transitions.Len()) {
				if fires := slices.Contains(list, x); g.Fireable(x) != fires || (g.Lacks[x] == 0) != fires || (g.Missing(x) == 0) != fires {
					t.Fatalf("transition %d in %v: %v, %d places lack tokens, %d of them", x, m, g.Fireable(x), g.Lacks[x], g.Missing(x))
				}
			}
		}
		g.Begin()
		for range 30 {
			i := rng.IntN(len(graph.Markings))
			g.Set(graph.Markings[i])
			same(graph.Markings[i])
			if len(g.Enabled) == 0 {
				continue
			}
			fired++
			x := g.Enabled[rng.IntN(len(g.Enabled))]
			next := slices.Clone(g.At)
			tokens.Fire(net, int(x), next)
			before := slices.Clone(g.Enabled)
			if small := g.Shift(x, 1); !small || !slices.Equal(g.At, next) || !slices.Equal(g.Enabled, before) {
				t.Fatalf("a shift leads to %v, not %v; %v, not %v, are enabled", g.At, next, g.Enabled, before)
			}
			if g.Shift(x, -1); !g.Fire(x) {
				t.Fatal("numbers are not small")
			}
			if same(next); rng.IntN(2) == 0 {
				g.Unfire(x)
				same(graph.Markings[i])
			}
		}
		g.Begin()
		same(net.Initial)
	}
	if fired < 1000 {
		t.Errorf("only %d firings", fired)
	}
}

// TestGoal: on random nets, a goal holds where the formula does in the plainest way, its
// distance is zero just there, and the transitions that make a sum larger or smaller do.
func TestGoal(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	held, moved := map[bool]int{}, 0
	for net, graph := range nettest.RandomNets(rng, nettest.Cases(500)) {
		g, _ := tokens.NewGame(nil, net)
		g.Begin()
		for range 4 {
			f := nettest.NewFormulas(rng, net).State(3)
			if rng.IntN(5) == 0 {
				f = &formula.Deadlock{}
			}
			not := rng.IntN(2) == 0
			goal, err := (&state.Lookup{View: unfold.Plain(net)}).Goal(g, f, not)
			if err != nil {
				t.Fatal(err)
			}
			for i, holds := range graph.Sat(f) {
				g.Set(graph.Markings[i])
				want := holds != not
				if held[want]++; g.Holds(goal) != want || (g.Distance(goal) == 0) != want {
					t.Fatalf("%v: %v, at a distance of %d: %s, negated %v, in %v", want, g.Holds(goal), g.Distance(goal), formula.Print(f), not, g.At)
				}
			}
			moved += moves(t, g, goal)
		}
	}
	if held[true] < 2000 || held[false] < 2000 || moved < 2000 {
		t.Errorf("%v held, %d transitions move sums", held, moved)
	}
}

// moves compares the transitions that change the sums of a goal with their effects, and counts
// them.
func moves(t *testing.T, g *tokens.Game, goal *tokens.Goal) (n int) {
	t.Helper()
	for _, part := range goal.Parts {
		n += moves(t, g, part)
	}
	if goal.Kind != tokens.AtMost {
		return n
	}
	var lowering, raising []uint32
	var gains []int64
	for x := range g.Net.Transitions.Len() {
		by := int64(0)
		for e := range tokens.Effects(g.Net, x) {
			for _, s := range goal.Sum {
				if s.Place == e.Place {
					by += s.By * (int64(e.Post) - int64(e.Pre))
				}
			}
		}
		if by < 0 {
			lowering, gains = append(lowering, uint32(x)), append(gains, -by)
		} else if by > 0 {
			raising = append(raising, uint32(x))
		}
	}
	got, by := g.Lowering(goal)
	if !slices.Equal(got, lowering) || !slices.Equal(by, gains) || !slices.Equal(g.Raising(goal), raising) {
		t.Fatalf("%v by %v and %v, not %v by %v and %v", got, by, g.Raising(goal), lowering, gains, raising)
	}
	return n + len(got) + len(g.Raising(goal))
}

// TestLargeNumbers: a game says where there are more tokens than it counts, and no goal has a sum
// that does not fit its numbers.
func TestLargeNumbers(t *testing.T) {
	b := &pnml.Builder{}
	full, most, none := b.Place("full", tokens.MaxTokens-1), b.Place("most", math.MaxUint64), b.Transition("none")
	b.In(most, none, math.MaxUint64)
	b.Out(b.Transition("fill"), full, 1)
	b.Out(b.Transition("flood"), full, math.MaxUint64)
	net := nettest.Build(b)
	if _, ok := tokens.NewGame(nil, net); ok {
		t.Error("2^64-1 tokens are counted")
	}
	net.Initial[most] = 5
	g, ok := tokens.NewGame(nil, net)
	if !ok {
		t.Fatal("2^40-1 tokens are not counted")
	}
	if g.Begin(); len(g.Enabled) != 2 || g.Missing(uint32(none)) != tokens.MaxTokens-5 {
		t.Errorf("%v are enabled; %d tokens are missing", g.Enabled, g.Missing(uint32(none)))
	}
	for _, x := range []uint32{1, 2} {
		if g.Fire(x) {
			t.Errorf("transition %d fits", x)
		}
		if g.Unfire(x); g.At[full] != tokens.MaxTokens-1 || g.Shift(x, 1) {
			t.Errorf("there are %d tokens, and a shift of transition %d fits", g.At[full], x)
		}
		g.Shift(x, -1)
	}
	count, lookup := &formula.TokensCount{Places: []string{"full"}}, state.Lookup{View: unfold.Plain(g.Net)}
	for n, fits := range map[uint64]bool{tokens.MaxTokens: true, tokens.MaxTokens + 1: false} {
		if _, err := lookup.Goal(g, &formula.LessEqual{Left: count, Right: &formula.Number{N: n}}, false); (err == nil) != fits {
			t.Errorf("a sum up to %d: %v", n, err)
		}
	}
	if _, err := lookup.Goal(g, &formula.ExistsPath{F: &formula.Finally{F: &formula.Deadlock{}}}, false); !errors.Is(err, tokens.ErrGoal) {
		t.Errorf("a goal of several markings: %v", err)
	}
}
