package check

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"podium/examinations/formula"
	"podium/internal/explorer/space"
	"podium/internal/nettest"
)

// TestBottomsOfRandomNets: a marking is in a component that no edge leaves if and only
// if it can be reached again from all that it reaches.
func TestBottomsOfRandomNets(t *testing.T) {
	inside, outside := 0, 0
	for seed := range uint64(600) {
		net := nettest.RandomNet(rand.New(rand.NewPCG(37, seed)))
		g := nettest.Explore(net, 100)
		if g == nil {
			continue
		}
		s := space.Explore(t.Context(), net, space.Options{Edges: true})
		bottom := map[string]bool{}
		plain := make([]uint64, len(net.Initial))
		err := Bottoms(s, func(members []uint32) bool {
			for _, i := range members {
				s.Layout.Unpack(s.At(i), plain)
				bottom[fmt.Sprint(plain)] = true
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range g.Markings {
			here := &formula.And{}
			for p, n := range m {
				count, number := &formula.TokensCount{Places: []string{net.Places.At(p)}}, &formula.Number{N: n}
				here.Fs = append(here.Fs, &formula.LessEqual{Left: count, Right: number}, &formula.LessEqual{Left: number, Right: count})
			}
			want := g.Sat(&formula.AllPaths{F: &formula.Globally{F: &formula.ExistsPath{F: &formula.Finally{F: here}}}})[i]
			if bottom[fmt.Sprint(m)] != want {
				t.Fatalf("seed %d: marking %v is in a bottom component: %v", seed, m, !want)
			}
			if want {
				inside++
			} else {
				outside++
			}
		}
		s.Close()
	}
	if inside < 500 || outside < 500 {
		t.Errorf("only %d markings are in bottom components, %d are not", inside, outside)
	}
}
