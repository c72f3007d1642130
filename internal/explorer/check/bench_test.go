package check

import (
	"testing"

	"podium/examinations/formula"
	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
	"podium/internal/nettest"
)

// BenchmarkComponents looks for the components that no edge leaves, and for runs of LTL, on
// spaces of many markings.
func BenchmarkComponents(b *testing.B) {
	net := nettest.Philosophers(12)
	s := space.Explore(b.Context(), net, space.Options{Edges: true})
	defer s.Close()
	b.Run("bottoms", func(b *testing.B) {
		for b.Loop() {
			if err := Bottoms(s, func([]uint32) bool { return true }); err != nil {
				b.Fatal(err)
			}
		}
	})
	fires := func(t int) formula.Formula { return &formula.Fireable{Transitions: []string{net.Transitions.At(t)}} }
	always := func(f formula.Formula) formula.Formula { return &formula.Globally{F: f} }
	never := &formula.LessEqual{Left: &formula.Number{N: 9}, Right: &formula.TokensCount{Places: []string{net.Places.At(0)}}}
	for name, f := range map[string]formula.Formula{
		"no run": always(&formula.Or{Fs: []formula.Formula{fires(0), &formula.Finally{F: never}}}),
		"no way": always(&formula.Finally{F: never}),
		"run":    always(&formula.Finally{F: &formula.And{Fs: []formula.Formula{fires(0), &formula.Finally{F: fires(5)}}}}),
	} {
		b.Run(name, func(b *testing.B) {
			a, atoms := someRun(b, net, f)
			for b.Loop() {
				p, err := NewProduct(s, a, atoms)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := p.Accepted(); err != nil {
					b.Fatal(err)
				}
				p.Close()
			}
		})
	}
}

// BenchmarkLabels decides formulas of CTL on such a space.
func BenchmarkLabels(b *testing.B) {
	s := space.Explore(b.Context(), nettest.Philosophers(12), space.Options{Edges: true})
	defer s.Close()
	l, err := NewLabels(s)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	for name, f := range map[string]temporal.CTL{
		"EG":    temporal.EG{F: temporal.Not{F: temporal.Atom(0)}},
		"EF AG": temporal.EU{F: temporal.True, G: temporal.Not{F: temporal.EU{F: temporal.True, G: temporal.Atom(0)}}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := l.Decide(f, []state.Formula{state.Dead{}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
