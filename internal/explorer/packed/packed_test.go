package packed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// TestFiresLikeTokens compares what is enabled in packed markings, what they lead to
// and their hashes with the firing rule on plain markings, in layouts that are too
// narrow at first.
func TestFiresLikeTokens(t *testing.T) {
	fired, wide := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(3, seed))
		net := drawn(rng)
		plain := slices.Clone(net.Initial)
		l := NewLayout(net, plain)
		v := View{Layout: l, Program: Compile(nil, net, l, make([]uint32, len(plain)))}
		var s Successors
		for range 30 {
			m, unpacked := make([]uint64, v.Layout.Words), make([]uint64, len(plain))
			v.Layout.Pack(plain, m)
			if v.Layout.Unpack(m, unpacked); !slices.Equal(unpacked, plain) {
				t.Fatalf("seed %d: %v is packed as %v", seed, plain, unpacked)
			}
			var want []uint32
			for x := range net.Transitions.Len() {
				if tokens.Enabled(net, x, plain) != v.Fireable(m, uint32(x)) {
					t.Fatalf("seed %d: transition %d in %v", seed, x, plain)
				}
				if tokens.Enabled(net, x, plain) {
					want = append(want, uint32(x))
				}
			}
			s = s.Emptied()
			enabled := s.Enabled(nil, v.Program, m)
			if len(enabled) != len(want) || v.Dead(m) != (len(want) == 0) {
				t.Fatalf("seed %d: %d actions are enabled in %v, want %d", seed, len(enabled), plain, len(want))
			}
			if len(enabled) == 0 {
				break
			}
			a := enabled[rng.IntN(len(enabled))]
			tokens.Fire(net, int(v.Program.Transition(a)), plain)
			if s.Fire(nil, v.Program, m, []uint32{a}) >= 0 {
				wide++
				l := v.Layout.Widen(net, plain)
				v = View{Layout: l, Program: Compile(nil, net, l, make([]uint32, len(plain)))}
				continue
			}
			fired++
			if v.Layout.Unpack(s.Batch, unpacked); !slices.Equal(unpacked, plain) || s.Hashes[0] != NewKeys(v.Layout.Words).Hash(s.Batch) {
				t.Fatalf("seed %d: a firing leads to %v, not %v", seed, unpacked, plain)
			}
		}
	}
	if fired < 1000 || wide < 100 {
		t.Errorf("only %d firings, %d wider layouts", fired, wide)
	}
}

// drawn is a net with arcs of all weights up to 9.
func drawn(rng *rand.Rand) *pnml.Net {
	b := &pnml.Builder{ID: "drawn"}
	places := 1 + rng.IntN(40)
	for p := range places {
		b.Place(fmt.Sprint("p", p), uint64(rng.IntN(20)))
	}
	for range 1 + rng.IntN(8) {
		t := b.Transition(fmt.Sprint("t", rng.Uint64()))
		for range 1 + rng.IntN(3) {
			b.In(rng.IntN(places), t, uint64(1+rng.IntN(9)))
			b.Out(t, rng.IntN(places), uint64(1+rng.IntN(9)))
		}
	}
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}
