package explorer

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestCorruptedWitnesses damages witnesses of random nets at random and compares
// what the replay says with a plain one.
func TestCorruptedWitnesses(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does all of this: nothing for the race detector")
	}
	refused, still := 0, 0
	for seed := uint64(0); refused < 3000; seed++ {
		rng := rand.New(rand.NewPCG(17, seed))
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 200)
		if g == nil {
			continue
		}
		f := &formula.ExistsPath{F: &formula.Finally{F: nettest.NewFormulas(rng, net).State(3)}}
		props := []formula.Property{{ID: "f", Formula: f}}
		_, err := Decide(t.Context(), unfold.Plain(net), examinations.ReachabilityCardinality, props, Options{Witnesses: true}, func(a Answer) {
			if a.Witness == nil {
				return
			}
			for range 10 {
				w := corrupt(rng, *a.Witness, net.Transitions.Len())
				want := g.Reaches(slices.Concat(w.Stem, w.Cycle), f.F.(*formula.Finally).F)
				err := w.Prove(t.Context(), unfold.Plain(net), examinations.ReachabilityCardinality, f, examinations.True)
				if (err == nil) != want {
					t.Fatalf("seed %d: %v: the replay says %v, a plain replay %v", seed, w, err, want)
				}
				if want {
					still++
				} else {
					refused++
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if still == 0 {
		t.Error("no corrupted witness was still a proof, which is unlikely")
	}
}

func corrupt(rng *rand.Rand, w Witness, transitions int) Witness {
	stem := slices.Clone(w.Stem)
	at := rng.IntN(len(stem) + 1)
	some := uint32(rng.IntN(transitions + 1))
	switch kind := rng.IntN(5); {
	case kind == 0:
		stem = slices.Insert(stem, at, some)
	case kind == 1 && at < len(stem):
		stem = slices.Delete(stem, at, at+1)
	case kind == 2 && at < len(stem):
		stem[at] = some
	case kind == 3 && len(stem) > 1:
		k := rng.IntN(len(stem) - 1)
		stem[k], stem[k+1] = stem[k+1], stem[k]
	default:
		return Witness{Stem: stem, Cycle: []uint32{some}}
	}
	return Witness{Stem: stem}
}

// TestCorruptedLassos does the same for infinite runs.
func TestCorruptedLassos(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does all of this: nothing for the race detector")
	}
	refused := 0
	for seed := uint64(0); refused < 1000; seed++ {
		rng := rand.New(rand.NewPCG(19, seed))
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 100)
		if g == nil {
			continue
		}
		f := &formula.ExistsPath{F: nettest.NewFormulas(rng, net).LTL(3)}
		_, err := Decide(t.Context(), unfold.Plain(net), examinations.LTLCardinality, []formula.Property{{ID: "f", Formula: f}}, Options{Witnesses: true}, func(a Answer) {
			if a.Witness == nil {
				return
			}
			for range 10 {
				w := *a.Witness
				if w.Cycle = corrupt(rng, Witness{Stem: w.Cycle}, net.Transitions.Len()).Stem; rng.IntN(2) == 0 {
					w = Witness{Stem: corrupt(rng, *a.Witness, net.Transitions.Len()).Stem, Cycle: a.Witness.Cycle}
				}
				word, ok, open := g.Word(w.Stem, w.Cycle)
				want := ok && word.Holds(g, f.F)
				if open {
					// Whatever follows, the replay must not say more than is so.
					if err := w.Prove(t.Context(), unfold.Plain(net), examinations.LTLCardinality, f, examinations.True); err == nil && !want {
						t.Fatalf("seed %d: %v: the replay takes a run that goes on otherwise", seed, w)
					}
					continue
				}
				if err := w.Prove(t.Context(), unfold.Plain(net), examinations.LTLCardinality, f, examinations.True); (err == nil) != want {
					t.Fatalf("seed %d: %v: the replay says %v, a plain replay %v", seed, w, err, want)
				}
				if !want {
					refused++
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestWitnessKinds: runs that prove nothing, or not this.
func TestWitnessKinds(t *testing.T) {
	net := nettest.Philosophers(2)
	left0, _ := net.Transitions.Find("left0")
	left1, _ := net.Transitions.Find("left1")
	dead := &Witness{Stem: []uint32{uint32(left0), uint32(left1)}}
	for _, c := range []struct {
		name  string
		w     *Witness
		exam  examinations.ID
		f     formula.Formula
		value examinations.Value
		ok    bool
	}{
		{"deadlock", dead, examinations.ReachabilityDeadlock, nil, examinations.True, true},
		{"not live", dead, examinations.Liveness, nil, examinations.False, true},
		{"live", dead, examinations.Liveness, nil, examinations.True, false},
		{"not dead yet", &Witness{Stem: dead.Stem[:1]}, examinations.ReachabilityDeadlock, nil, examinations.True, false},
		{"one-safe", dead, examinations.OneSafe, nil, examinations.False, false},
		{"unbounded", dead, examinations.StateSpace, nil, examinations.Infinite, false},
		{"stable", dead, examinations.StableMarking, nil, examinations.False, false},
		{"bound", dead, examinations.UpperBounds, &formula.Bound{Places: []string{"eat0"}}, examinations.Infinite, false},
		{"nested", dead, examinations.CTLCardinality, &formula.ExistsPath{F: &formula.Next{F: &formula.Deadlock{}}}, examinations.True, false},
	} {
		if err := c.w.Prove(t.Context(), unfold.Plain(net), c.exam, c.f, c.value); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	counter := nettest.Ring(1, 1)
	if err := dead.Prove(t.Context(), unfold.Plain(counter), examinations.ReachabilityDeadlock, nil, examinations.True); err == nil {
		t.Error("a run of another net is taken")
	}
}

// TestEveryTransitionFiresOnItsRun: the run for a transition, which ends where it is enabled,
// fires it.
func TestEveryTransitionFiresOnItsRun(t *testing.T) {
	net := nettest.Ring(3, 1)
	d := &decision{exam: examinations.QuasiLiveness, watched: watched{net: net, transitions: unfold.Plain(net).TransitionGroups()}}
	for k, run := range [][]uint32{{}, {0}, {0, 1}} {
		if got, ok := d.fired(Answer{Item: strconv.Itoa(k), Witness: &Witness{Stem: run}}); !ok || !slices.Equal(got, append(slices.Clone(run), uint32(k))) {
			t.Errorf("transition %d: %v", k, got)
		}
	}
	b := &pnml.Builder{ID: "full"}
	b.Out(b.Transition("t"), b.Place("p", math.MaxUint64), 1)
	full := nettest.Build(b)
	d = &decision{exam: examinations.QuasiLiveness, watched: watched{net: full, transitions: unfold.Plain(full).TransitionGroups()}}
	if run, ok := d.fired(Answer{Item: "0", Witness: &Witness{}}); ok {
		t.Errorf("a firing that cannot be counted: %v", run)
	}
}
