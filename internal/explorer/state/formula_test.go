package state_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/internal/nettest"
	"podium/pnml/unfold"
)

// TestFormulasOfRandomNets compares formulas on packed markings with their plain
// evaluation and, where their sets are upward-closed, with that on unpacked ones.
func TestFormulasOfRandomNets(t *testing.T) {
	values, closed := map[bool]int{}, 0
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(43, seed))
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 100)
		if g == nil {
			continue
		}
		source := nettest.NewFormulas(rng, net).State(3)
		lookup := &state.Lookup{View: unfold.Plain(net)}
		f, err := lookup.Formula(source)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		for i, holds := range g.Sat(source) {
			want[fmt.Sprint(g.Markings[i])] = holds
			if got, err := lookup.In(g.Markings[i], source); err != nil || got != holds {
				t.Fatalf("seed %d: in %v it is %v, %v", seed, g.Markings[i], got, err)
			}
		}
		onNodes, upwardClosed := state.OnNodes(nil, net, f)
		s := space.Explore(t.Context(), net, space.Options{})
		plain := make([]uint64, len(net.Initial))
		for i := range uint32(s.States()) {
			s.Layout.Unpack(s.At(i), plain)
			holds := f.Holds(&s.View, s.At(i))
			values[holds]++
			if holds != want[fmt.Sprint(plain)] {
				t.Fatalf("seed %d: in %v it is %v", seed, plain, holds)
			}
			if upwardClosed {
				closed++
				if onNodes(plain) != holds {
					t.Fatalf("seed %d: in node %v it is not %v", seed, plain, holds)
				}
			}
		}
		s.Close()
	}
	if values[true] < 500 || values[false] < 500 || closed < 300 {
		t.Errorf("only %v values, %d on nodes", values, closed)
	}
}
