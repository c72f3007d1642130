package check

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"podium/internal/explorer/naive"
	"podium/internal/explorer/space"
)

// TestBottomsOfRandomNets: a marking is in a component that no edge leaves if and only
// if it can be reached again from all that it reaches.
func TestBottomsOfRandomNets(t *testing.T) {
	inside, outside := 0, 0
	for seed := range uint64(600) {
		net := naive.RandomNet(rand.New(rand.NewPCG(37, seed)))
		g := naive.Explore(net, 100)
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
			want := true
			for j, reached := range g.Reach(i) {
				want = want && (!reached || g.Reach(j)[i])
			}
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
