package replay

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/internal/witness/enumeration"
	"podium/pnml/unfold"
)

// TestConclusions: on random nets, what is concluded from proofs is true, also when claims
// and proofs are changed at random; enumeration decides what is true.
func TestConclusions(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 21))
	rounds := 300
	if os.Getenv("PODIUM_SOAK") != "" {
		rounds *= 20
	}
	tried, confirmed, corrupted := 0, map[examinations.ID]int{}, 0
	for range rounds {
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 300)
		if g == nil {
			continue
		}
		view := unfold.Plain(net)
		graph, err := enumeration.Explore(nil, view, enumeration.Limits{Markings: 400, Memory: 1 << 24})
		if err != nil {
			t.Fatal(err)
		}
		n := NewNet(view)
		formulas := nettest.NewFormulas(rng, net)
		for _, q := range []struct {
			exam examinations.ID
			item string
			f    formula.Formula
		}{
			{examinations.CTLCardinality, "f", formulas.CTL(3)}, {examinations.CTLFireability, "f", &formula.AllPaths{F: &formula.Globally{F: formulas.CTL(2)}}},
			{examinations.LTLCardinality, "f", &formula.AllPaths{F: formulas.LTL(3)}}, {examinations.LTLFireability, "f", &formula.ExistsPath{F: formulas.LTL(2)}},
			{examinations.QuasiLiveness, "QuasiLiveness", nil}, {examinations.Liveness, "Liveness", nil}, {examinations.StableMarking, "StableMarking", nil},
			{examinations.StateSpace, "MAX_TOKEN_IN_PLACE", nil}, {examinations.StateSpace, "MAX_TOKEN_PER_MARKING", nil},
		} {
			truth, err := graph.Value(nil, q.exam, q.item, q.f)
			if err != nil {
				t.Fatal(err)
			}
			lookup := func(string) (formula.Formula, bool) { return q.f, q.f != nil }
			w := honest(n, q.exam, q.item, truth, lookup)
			for k := range 5 {
				c := w
				if k > 0 {
					c = changed(rng, n, w)
				}
				tried++
				for _, r := range n.Check(t.Context(), &c, lookup) {
					if r.Proved.Contradicts(truth) || r.State == witness.Confirmed && r.Claim.Value != truth {
						t.Fatalf("%s %s: %s %s, which is %s: %s\n%+v", q.exam, q.item, r.State, r.Claim, truth, r.Detail, c.Proof)
					}
					if r.State == witness.Confirmed {
						confirmed[q.exam]++
						if k > 0 {
							corrupted++
						}
					}
				}
			}
		}
	}
	t.Logf("%d witnesses, confirmed: %v, %d of them after a change", tried, confirmed, corrupted)
	if len(confirmed) < 8 || corrupted == 0 {
		t.Errorf("%d witnesses, confirmed: %v, %d of them after a change", tried, confirmed, corrupted)
	}
}

// honest is a witness with the true value and as many trees as are found for it.
func honest(n *Net, exam examinations.ID, item string, truth examinations.Value, lookup func(string) (formula.Formula, bool)) witness.Witness {
	w := witness.Witness{Instance: "N-PT-1", Exam: exam, Claims: []witness.Claim{{Item: item, Value: truth}}, Paths: []witness.Path{witness.Finite(nil)}}
	p := prover.NewNet(nil, n.view).Begin(nil)
	var heads []witness.Head
	switch exam {
	case examinations.QuasiLiveness, examinations.Liveness:
		for k := range n.view.Transitions().Len() {
			heads = append(heads, witness.Head{Kind: witness.Dead, At: uint32(k)})
		}
	case examinations.StableMarking:
		for k := range n.view.Places().Len() {
			heads = append(heads, witness.Head{Kind: witness.Constant, At: uint32(k)})
		}
	case examinations.StateSpace:
		heads = append(heads, witness.Head{})
	default:
		f, _ := lookup(item)
		for k := range formula.States(f) {
			heads = append(heads, witness.Head{Kind: witness.Always, Number: k}, witness.Head{Kind: witness.Never, Number: k})
		}
	}
	w.Proof = &witness.Proof{Trees: make([]witness.Tree, 1)}
	if len(heads) > 0 {
		w.Proof.Trees[0].Head = heads[0] // the claim is about such heads
	}
	of := n.claimed(nil, &w, w.Claims[0], lookup)
	for _, head := range heads {
		if bad, err := of.markings(head); err == nil {
			p.Show(head, bad)
		}
	}
	if proof := p.Proof(of.markings); proof != nil {
		w.Proof = proof
	}
	return w
}

// changed changes something in a copy of a witness.
func changed(rng *rand.Rand, n *Net, w witness.Witness) witness.Witness {
	w.Claims = slices.Clone(w.Claims)
	p := *w.Proof
	p.Facts, p.Clauses, p.Trees = slices.Clone(p.Facts), slices.Clone(p.Clauses), slices.Clone(p.Trees)
	w.Proof = &p
	tree := func() *witness.Tree {
		if len(p.Trees) == 0 {
			p.Trees = append(p.Trees, witness.Tree{})
		}
		return &p.Trees[rng.IntN(len(p.Trees))]
	}
	switch v := &w.Claims[0].Value; rng.IntN(6) {
	case 0:
		switch *v {
		case examinations.True:
			*v = examinations.False
		case examinations.False:
			*v = examinations.True
		default:
			v.Text = string('0' + rune(rng.IntN(4)))
		}
	case 1:
		tree().Head.Kind = witness.HeadKind(rng.IntN(9))
	case 2:
		tree().Head.Number = rng.IntN(4)
	case 3:
		tree().Head.At = uint32(rng.IntN(1 + n.net.Transitions.Len()))
	case 4:
		if t := tree(); len(t.Steps) > 0 {
			t.Steps = t.Steps[1:]
		}
	default:
		*tree() = p.Trees[rng.IntN(len(p.Trees))]
	}
	return w
}
