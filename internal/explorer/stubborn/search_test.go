package stubborn

import (
	"errors"
	"math/rand/v2"
	"testing"

	"podium/examinations/formula"
	"podium/internal/explorer/naive"
	"podium/pnml/unfold"
)

// TestSearch: on random nets a marking is found exactly where the naive graph has one,
// by a run that leads to it, and markings are left out.
func TestSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	found, missed, visited, whole := 0, 0, 0, 0
	for used := 0; used < naive.Cases(4000); {
		net := naive.RandomNet(rng)
		g := naive.Explore(net, 300)
		if g == nil {
			continue
		}
		used++
		f := naive.NewFormulas(rng, g).State(3)
		if used%4 == 0 {
			f = &formula.Deadlock{}
		}
		got, err := Search(nil, unfold.Plain(net), f, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		want := g.Sat(&formula.ExistsPath{F: &formula.Finally{F: f}})[0]
		if got.Found != want {
			t.Fatalf("%v, not %v: %#v on %v", got, want, f, g.Markings)
		}
		if got.Found {
			found++
			if !g.Reaches(got.Run, f) {
				t.Errorf("the run %v does not show it", got.Run)
			}
			continue
		}
		missed++
		visited, whole = visited+got.Markings, whole+len(g.Markings)
	}
	if found < 1000 || missed < 500 || visited*4 > whole*3 {
		t.Errorf("%d found, %d not, %d of %d markings visited", found, missed, visited, whole)
	}
}

// TestPhilosophers: far fewer markings than the net has lead to its deadlock.
func TestPhilosophers(t *testing.T) {
	got, err := Search(nil, unfold.Plain(naive.Philosophers(8)), &formula.Deadlock{}, 1<<30)
	if err != nil || !got.Found {
		t.Fatal(got, err)
	}
	if whole := len(naive.Explore(naive.Philosophers(8), 100_000).Markings); got.Markings*4 > whole {
		t.Errorf("%d of %d markings", got.Markings, whole)
	}
	if _, err := Search(nil, unfold.Plain(naive.Ring(6, 40)), &formula.Deadlock{}, 200); !errors.Is(err, ErrMemory) {
		t.Error(err)
	}
}
