package directed

import (
	"math/rand/v2"
	"testing"

	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/internal/witness/enumeration"
	"podium/pnml/unfold"
)

// TestLocal: on random nets, with and without dead markings, every value is decided, and is the one that
// enumeration gives, and with little memory none is another one. The checker accepts what shows it.
func TestLocal(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	asked, decided := 0, map[bool]int{}
	for net, g := range nettest.RandomNets(rng, nettest.Cases(1000)) {
		view := unfold.Plain(net)
		for depth := range 5 {
			f := nettest.NewFormulas(rng, net).CTL(depth)
			want := g.Sat(f)[0]
			holds, show, ok := Local(nil, view, f, 1<<24)
			if asked++; !ok || holds != want {
				t.Fatalf("%v, %v, not %v: %s on %v", holds, ok, want, formula.Print(f), g.Markings)
			}
			decided[holds]++
			if got, err := enumeration.Branches(nil, view, enumeration.Small, show(), f); err != nil || got != holds {
				t.Fatalf("a replay says %v, not %v: %v: %s on %v", got, holds, err, formula.Print(f), g.Markings)
			}
			if holds, _, ok := Local(nil, view, f, rng.IntN(4096)); ok && holds != want {
				t.Fatalf("%v in little memory: %s on %v", holds, formula.Print(f), g.Markings)
			}
		}
	}
	if decided[true] < asked/4 || decided[false] < asked/4 {
		t.Errorf("%v decided of %d", decided, asked)
	}
}
