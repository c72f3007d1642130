package prover

import (
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// TestWaysBackAreRight: on small nets no way back is shown where enumeration finds a marking
// without one, and many are shown where there always is one, also back to the initial marking.
func TestWaysBackAreRight(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	always, shown, moves := 0, 0, 0
	for net, g := range nettest.RandomNets(rng, nets(400)) {
		view := unfold.Plain(net)
		try := func(head witness.Head, bad certificate.Bad, f formula.Formula) {
			sat := g.Sat(f)
			truth := g.Sat(&formula.AllPaths{F: &formula.Globally{F: &formula.ExistsPath{F: &formula.Finally{F: f}}}})[0]
			p := NewNet(nil, view).Begin(nil)
			var ahead formula.Formula // for what is never met these walks take long
			if rng.IntN(8) == 0 {
				ahead = f
			}
			found, err := p.Return(head, Goal{Bad: bad, Reached: func(m []uint64) bool {
				i := slices.IndexFunc(g.Markings, func(other []uint64) bool { return slices.Equal(m, other) })
				return i >= 0 && sat[i] // of others it does not matter
			}, Formula: ahead})
			if err != nil {
				t.Fatal(err)
			}
			if truth {
				always++
			}
			if !found {
				return
			}
			proof := p.Proof(func(witness.Head) (certificate.Bad, error) { return bad, nil })
			if proof == nil {
				t.Fatalf("the checker does not accept the way back to %#v on %+v", f, net)
			}
			if !truth {
				t.Fatalf("a way back to %#v that is not always there on %+v: %+v", f, net, proof)
			}
			shown++
			moves += len(proof.Trees[0].Moves)
		}
		formulas := nettest.NewFormulas(rng, net)
		for range 4 {
			f := formulas.State(2)
			try(witness.Head{Kind: witness.Return}, certificate.Satisfying(f, true), f)
		}
		home := &formula.And{}
		for p, n := range net.Initial {
			home.Fs = append(home.Fs, atLeast(net, uint32(p), int(n)))
		}
		try(witness.Head{Kind: witness.Home}, certificate.Below(net.Initial), home)
	}
	t.Logf("of %d, %d are shown with %d moves", always, shown, moves)
	if shown*10 < always*8 || moves == 0 {
		t.Errorf("of %d, only %d are shown with %d moves", always, shown, moves)
	}
}

// TestWayBackToWhatIsFarAway: walks that fire by turns what has fired least never meet a marking
// with all tokens in one place; one that heads for it does.
func TestWayBackToWhatIsFarAway(t *testing.T) {
	view := unfold.Plain(nettest.Ring(8, 300))
	full := func(n uint64) formula.Formula {
		return &formula.AllPaths{F: &formula.Globally{F: &formula.ExistsPath{F: &formula.Finally{F: &formula.LessEqual{
			Left: &formula.Number{N: n}, Right: &formula.TokensCount{Places: []string{"p4"}}}}}}}
	}
	for n, want := range map[uint64]bool{300: true, 301: false} {
		known, proof := NewNet(nil, view).Ways(nil, full(n), replay.NewNet(view).In)
		if shown := proof != nil && known.Parts[1]; shown != want {
			t.Errorf("a way to %d tokens: %v, %v", n, known, proof)
		}
	}
}
