package explorer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/cover"
	"podium/internal/explorer/tokens"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/pnml"
	"podium/pnml/unfold"
)

// relay is three stations that fill one place each from the one before; the token
// that goes from station to station never comes back, so that no cycle adds to the
// last place and takes nothing away.
func relay() *pnml.Net {
	var b pnml.Builder
	var at, full []int
	for _, name := range []string{"a", "b", "c"} {
		at, full = append(at, b.Place("at "+name, 0)), append(full, b.Place("full "+name, 0))
	}
	start := b.Place("start", 1)
	begin := b.Transition("begin")
	b.In(start, begin, 1)
	b.Out(begin, at[0], 1)
	for k, name := range []string{"a", "b", "c"} {
		t := b.Transition("fill " + name)
		b.In(at[k], t, 1)
		b.Out(t, at[k], 1)
		b.Out(t, full[k], 1)
		if k > 0 {
			b.In(full[k-1], t, 2)
			u := b.Transition("go to " + name)
			b.In(at[k-1], u, 1)
			b.Out(u, at[k], 1)
		}
	}
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

// TestRelay: the bound of the last place is infinite, and a run with inner cycles
// shows it, on the net as it is and on the reduced one.
func TestRelay(t *testing.T) {
	net := relay()
	bound := &formula.Bound{Places: []string{"full c"}}
	reach := &formula.ExistsPath{F: &formula.Finally{F: &formula.LessEqual{Left: &formula.Number{N: 5}, Right: &formula.TokensCount{Places: []string{"full c"}}}}}
	for _, unreduced := range []bool{false, true} {
		opt := Options{Witnesses: true, Unreduced: unreduced}
		answers, _ := decideAll(t, net, examinations.UpperBounds, []formula.Property{{ID: "f", Formula: bound}}, opt)
		if answers["f"] != "+inf" {
			t.Errorf("the bound is %s", answers["f"])
		}
		if answers, _ := decideAll(t, net, examinations.ReachabilityCardinality, []formula.Property{{ID: "f", Formula: reach}}, opt); answers["f"] != "TRUE" {
			t.Errorf("five tokens are reached: %s", answers["f"])
		}
	}
}

// TestInnerCycles: runs of random nets with cycles at random places prove a sum
// unbounded only where the coverability graph says so.
func TestInnerCycles(t *testing.T) {
	proved := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(23, seed))
		net := nettest.RandomNet(rng)
		if seed%10 == 0 {
			net = relay()
		}
		c := cover.New(nil, net, 1<<22)
		if c == nil {
			continue
		}
		w := &Witness{}
		m := slices.Clone(net.Initial)
		for range 30 {
			var enabled []uint32
			for u := range net.Transitions.Len() {
				if tokens.Enabled(net, u, m) {
					enabled = append(enabled, uint32(u))
				}
			}
			if len(enabled) == 0 {
				break
			}
			u := enabled[rng.IntN(len(enabled))]
			if !tokens.Fire(net, int(u), m) {
				break
			}
			w.Stem = append(w.Stem, u)
		}
		for range 10 {
			spans := []int{rng.IntN(len(w.Stem) + 1), rng.IntN(len(w.Stem) + 1), rng.IntN(len(w.Stem) + 1), rng.IntN(len(w.Stem) + 1)}
			slices.Sort(spans)
			w.Inner = nil
			for k := 0; k < 4; k += 2 {
				if spans[k] < spans[k+1] {
					w.Inner = append(w.Inner, witness.Span{From: spans[k], To: spans[k+1]})
				}
			}
			p := uint32(rng.IntN(net.Places.Len()))
			bound := &formula.Bound{Places: []string{net.Places.At(int(p))}}
			if w.Prove(t.Context(), unfold.Plain(net), examinations.UpperBounds, bound, examinations.Infinite) != nil {
				continue
			}
			proved++
			if _, infinite := c.Bound([]uint32{p}); !infinite {
				t.Fatalf("seed %d: %+v proves the bounded place %s unbounded", seed, w, bound.Places)
			}
		}
	}
	if proved < 100 {
		t.Errorf("only %d runs proved anything", proved)
	}
	t.Logf("%d runs proved a place unbounded", proved)
}
