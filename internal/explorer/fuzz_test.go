package explorer

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"podium/internal/nettest"
)

// rounds is how often the comparisons with enumeration are repeated, on other nets
// each time.
var rounds = nettest.Cases(1000) / 1000

// FuzzDecide lets the fuzzer choose the net and the formulas, which are compared
// with enumeration on whole spaces and on parts of them.
func FuzzDecide(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(binary.LittleEndian.AppendUint64(nil, seed))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		rng := rand.New(&bytesSource{choices, rand.NewPCG(31, uint64(len(choices)))})
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 100)
		if g == nil {
			return
		}
		for k, limit := range []uint64{0, 0, uint64(1 + len(g.Markings)/2)} {
			for _, c := range truthsOf(rng, net, g) {
				answers, _ := decideAll(t, net, c.exam, c.props, Options{Memory: 1 << 26, MaxStates: limit, Unreduced: k == 1})
				for item, want := range c.want {
					if got, ok := answers[item]; ok && got != want || !ok && limit == 0 {
						t.Fatalf("%s %s with limit %d: got %q, want %s", c.exam, item, limit, got, want)
					}
				}
			}
		}
	})
}

// bytesSource gives the fuzzer's bytes as random numbers, then those of a
// generator.
type bytesSource struct {
	bytes []byte
	rest  rand.Source
}

func (s *bytesSource) Uint64() uint64 {
	if len(s.bytes) == 0 {
		return s.rest.Uint64()
	}
	// The generators look at the highest bits.
	n := uint64(s.bytes[0])<<56 | uint64(s.bytes[0])
	s.bytes = s.bytes[1:]
	return n
}
