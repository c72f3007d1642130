package space

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/internal/nettest"
	"podium/pnml"
)

// TestCores: on several cores every marking has the same number, the same parent
// and the same successors as on one, and a search that is cut off is cut off at
// the same place.
func TestCores(t *testing.T) {
	type named struct {
		name string
		net  *pnml.Net
	}
	nets := []named{{"ring 5 14", nettest.Ring(5, 14)}, {"ring 3 300", nettest.Ring(3, 300)}, {"philosophers 7", nettest.Philosophers(7)}, {"unbounded", nettest.Unbounded()}, {"rarely", nettest.Rarely(30)}, {"burst", nettest.Burst(60, 200)}}
	drawn := 300 * rounds
	if testing.Short() {
		drawn = 30 // the race detector needs to see few
	}
	for seed := range uint64(drawn) {
		nets = append(nets, named{fmt.Sprint("seed ", seed), nettest.RandomNet(rand.New(rand.NewPCG(41, seed)))})
	}
	for _, c := range nets {
		for _, opt := range []Options{
			{Memory: 1 << 26, MaxStates: 20_000, Tuning: Tuning{LearnAfter: 1, LeastWindow: 4}},
			{Memory: 1 << 26, MaxStates: 3000, Edges: true, Tuning: Tuning{LearnAfter: 1, LeastWindow: 4}},
			{Memory: 1 << 18, Tuning: Tuning{LearnAfter: 1, LeastWindow: 4}},
			{Memory: 1 << 26, MaxStates: 20_000, Tuning: Tuning{LearnAfter: 2 * chunkMarkings, LeastWindow: 4}},
		} {
			want := explored(t, c.net, opt)
			opt.Cores = 3
			if got := explored(t, c.net, opt); !slices.Equal(got, want) {
				t.Fatalf("%s, edges %v, memory %d: another space on three cores", c.name, opt.Edges, opt.Memory)
			}
		}
	}
}

// TestCoresLearn: on several cores the same firings are left out as on one.
func TestCoresLearn(t *testing.T) {
	for _, net := range []*pnml.Net{nettest.Ring(5, 14), nettest.Philosophers(9), nettest.Rarely(30), nettest.Burst(60, 200)} {
		var followed [2]uint64
		for k, cores := range []int{1, 3} {
			s := NewSearch(nil, net, Options{Tuning: Tuning{LearnAfter: 2 * chunkMarkings, LeastWindow: 4}, Cores: cores})
			s.Run(t.Context())
			if followed[k] = s.followed; !s.Complete() || s.Edges() == s.followed {
				t.Errorf("%s: %v, all of %d edges were followed", net.ID, s.Stop(), s.Edges())
			}
			s.Close()
		}
		if followed[0] != followed[1] {
			t.Errorf("%s: %d edges are followed on one core, %d on three", net.ID, followed[0], followed[1])
		}
	}
}

// explored writes a space down.
func explored(t *testing.T, net *pnml.Net, opt Options) (lines []string) {
	t.Helper()
	s := Explore(t.Context(), net, opt)
	defer s.Close()
	lines = append(lines, fmt.Sprintln(s.Stop(), s.States(), s.expanded, s.MaxInPlace(), s.MaxPerMarking(), s.budget.Used(), s.Budget().Peak()))
	if s.Complete() {
		lines = append(lines, fmt.Sprint(s.Edges()))
	}
	var buf []uint32
	for i := range uint32(s.States()) {
		line := fmt.Sprint(s.store.at(i))
		if i > 0 {
			line += fmt.Sprint(" parent ", s.parents.of(i))
		}
		if s.edges != nil && i < s.expanded {
			buf = s.edges.row(i, buf)
			line += fmt.Sprint(" leads to ", buf)
		}
		lines = append(lines, line)
	}
	return lines
}
