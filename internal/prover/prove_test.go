package prover

import (
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"podium/examinations/formula"
	"podium/internal/explorer/naive"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/pnml"
	"podium/pnml/unfold"
)

// question is a condition on markings, and whether a reachable one satisfies it.
type question struct {
	net       *pnml.Net
	bad       certificate.Bad
	reachable bool
}

// questions draws small nets with conditions on their markings: formulas, deadlock,
// bounds and safety, each decided by enumeration.
func questions(n int, seed uint64, each func(question)) {
	rng := rand.New(rand.NewPCG(seed, 5))
	for range n {
		net := naive.RandomNet(rng)
		g := naive.Explore(net, 400)
		if g == nil {
			continue
		}
		view := unfold.Plain(net)
		formulas := naive.NewFormulas(rng, g)
		for range 4 {
			f := formulas.State(2)
			for _, not := range []bool{false, true} {
				each(question{net, certificate.Satisfying(view, f, not), slices.Contains(g.Sat(f), !not)})
			}
		}
		each(question{net, certificate.Satisfying(view, &formula.Deadlock{}, false), slices.Contains(g.Sat(&formula.Deadlock{}), true)})
		place := uint32(rng.IntN(net.Places.Len()))
		bound := g.UpperBound([]string{net.Places.At(int(place))})
		for k := max(0, bound-1); k <= bound+1; k++ {
			bad, err := certificate.MoreThan(view, []uint32{place}, uint64(k))
			if err != nil {
				panic(err)
			}
			each(question{net, bad, bound > k})
		}
		most, _ := g.Tokens()
		each(question{net, certificate.NotOneSafe(view), most > 1})
	}
}

// TestProofsAreRight: on small nets no proof is found of what enumeration refutes, and
// many are found of what is true.
func TestProofsAreRight(t *testing.T) {
	true_, found := 0, 0
	questions(nets(400), 1, func(q question) {
		proof, _, err := Prove(nil, q.net, q.bad)
		if err != nil {
			t.Fatal(err)
		}
		if !q.reachable {
			true_++
		}
		if proof == nil {
			return
		}
		if found++; q.reachable {
			t.Fatalf("a reachable marking is proved not to be: %+v", proof)
		}
	})
	t.Logf("%d of %d are proved", found, true_)
	if found*10 < true_*6 {
		t.Errorf("only %d of %d are proved", found, true_)
	}
}

// nets is a number of random nets, ten times as many in a long test.
func nets(n int) int {
	if os.Getenv("PODIUM_SOAK") != "" {
		return 20 * n
	}
	return n
}

// TestCorruptedProofs changes proofs at random and asks the checker whether they still
// show something: it may only accept what enumeration confirms.
func TestCorruptedProofs(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	tried, accepted := 0, 0
	var kept []*witness.Proof
	questions(nets(300), 2, func(q question) {
		if proof, _, err := Prove(nil, q.net, q.bad); err == nil && proof != nil {
			kept = append(kept, proof)
		}
		if len(kept) == 0 {
			return
		}
		// A proof of this question, or of another one on another net.
		for range 2 {
			broken := corrupt(rng, q.net, kept[len(kept)-1-rng.IntN(min(len(kept), 20))])
			tried++
			if certificate.Check(nil, q.bad, broken) == nil {
				if accepted++; q.reachable {
					t.Fatalf("a wrong value is proved: %+v", broken)
				}
			}
		}
	})
	t.Logf("%d corrupted proofs were tried, %d still hold", tried, accepted)
	if tried < 1000 || accepted == 0 {
		t.Errorf("%d corrupted proofs were tried, %d still hold", tried, accepted)
	}
}

// corrupt changes one or two things in a copy of a proof.
func corrupt(rng *rand.Rand, net *pnml.Net, p *witness.Proof) *witness.Proof {
	c := &witness.Proof{}
	for _, f := range p.Facts {
		f.Terms = slices.Clone(f.Terms)
		c.Facts = append(c.Facts, f)
	}
	for _, s := range p.Steps {
		s.Sum = slices.Clone(s.Sum)
		c.Steps = append(c.Steps, s)
	}
	number := func() *big.Rat { return big.NewRat(int64(rng.IntN(7)-2), int64(1+rng.IntN(3))) }
	for range 1 + rng.IntN(2) {
		switch rng.IntN(9) {
		case 0:
			if len(c.Facts) > 0 {
				f := &c.Facts[rng.IntN(len(c.Facts))]
				f.Kind = witness.ProofKind(rng.IntN(3))
			}
		case 1:
			if len(c.Facts) > 0 {
				f := &c.Facts[rng.IntN(len(c.Facts))]
				f.Terms = append(f.Terms, witness.Term{Factor: number(), Place: uint32(rng.IntN(net.Places.Len()))})
			}
		case 2:
			if len(c.Facts) > 0 {
				f := &c.Facts[rng.IntN(len(c.Facts))]
				if len(f.Terms) > 0 {
					f.Terms[rng.IntN(len(f.Terms))].Factor = number()
				}
			}
		case 3, 4:
			if s := &c.Steps[rng.IntN(len(c.Steps))]; len(s.Sum) > 0 {
				x := &s.Sum[rng.IntN(len(s.Sum))]
				x.Factor = number()
			}
		case 5:
			if s := &c.Steps[rng.IntN(len(c.Steps))]; len(s.Sum) > 0 {
				s.Sum[rng.IntN(len(s.Sum))].Number = rng.IntN(4)
			}
		case 6:
			k := rng.IntN(len(c.Steps))
			c.Steps = slices.Delete(c.Steps, k, k+1)
			if len(c.Steps) == 0 {
				c.Steps = slices.Clone(p.Steps)
			}
		case 7:
			c.Steps = slices.Insert(c.Steps, rng.IntN(len(c.Steps)+1), witness.Step{Kind: witness.Cut, Bound: big.NewInt(int64(rng.IntN(3))),
				Terms: []witness.Term{{Factor: big.NewRat(1, 1), Place: uint32(rng.IntN(net.Places.Len()))}}})
		default:
			k := rng.IntN(len(c.Steps))
			c.Steps = slices.Insert(c.Steps, k, c.Steps[k])
		}
	}
	return c
}

// TestBoundsAreRight: on small nets no bound is proved that is too low, and most are
// the true ones.
func TestBoundsAreRight(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	proved, exact := 0, 0
	for range nets(400) {
		net := naive.RandomNet(rng)
		g := naive.Explore(net, 400)
		if g == nil {
			continue
		}
		for place := range net.Places.Len() {
			most, proof, _, ok := Bound(nil, unfold.Plain(net), []uint32{uint32(place)})
			if !ok {
				continue
			}
			if proved++; proof == nil {
				t.Fatal("a bound without a proof")
			}
			switch bound := uint64(g.UpperBound([]string{net.Places.At(place)})); {
			case most < bound:
				t.Fatalf("%d is proved to be the most, and %d are reached", most, bound)
			case most == bound:
				exact++
			}
		}
	}
	t.Logf("%d bounds are proved, %d of them exactly", proved, exact)
	if exact*10 < proved*7 {
		t.Errorf("only %d of %d bounds are exact", exact, proved)
	}
}
