package replay

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/internal/witness/enumeration"
	"podium/pnml/unfold"
)

// TestOutlines: on random nets, formulas of LTL that are decided by state formulas which
// never hold together have the value that enumeration gives; a replay accepts the proofs as
// they are written, and changed ones for no other value.
func TestOutlines(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 21))
	asked, decided, proved, changed := 0, map[examinations.Value]int{}, 0, 0
	for net, g := range nettest.RandomNets(rng, nettest.Cases(400)) {
		view := unfold.Plain(net)
		graph, err := enumeration.Explore(nil, view, enumeration.Small)
		if err != nil {
			t.Fatal(err)
		}
		n := NewNet(view)
		draw := nettest.NewFormulas(rng, net)
		f := formula.Formula(&formula.AllPaths{F: draw.LTL(3)})
		switch rng.IntN(4) {
		case 0:
			f = &formula.ExistsPath{F: draw.LTL(2)}
		case 1:
			f = &formula.Or{Fs: []formula.Formula{f, &formula.Not{F: &formula.AllPaths{F: draw.LTL(2)}}, draw.State(1)}}
		}
		lookup := func(string) (formula.Formula, bool) { return f, true }
		truth, err := graph.Value(nil, examinations.LTLCardinality, "f", f)
		if err != nil {
			t.Fatal(err)
		}
		var apart []witness.Head
		markings := func(head witness.Head) (certificate.Bad, error) { return n.Together(f, head) }
		prove := prover.NewNet(nil, view).Begin(nil)
		value, known := enumeration.Outline(nil, f, n.Initially, func(holds, fails []int) bool {
			head := witness.Head{Kind: witness.Apart}
			for _, k := range holds {
				head.States = append(head.States, witness.Literal{Number: k})
			}
			for _, k := range fails {
				head.States = append(head.States, witness.Literal{Number: k, Not: true})
			}
			bad, err := markings(head)
			if err != nil {
				t.Fatal(err)
			}
			shown, err := prove.Show(head, bad)
			if shown {
				apart = append(apart, head)
			}
			return err == nil && shown
		})
		if asked++; !known {
			continue
		}
		if decided[examinations.Truth(value)]++; examinations.Truth(value) != truth {
			t.Fatalf("%v: %s on %v", value, formula.Print(f), g.Markings)
		}
		proof := prove.Proof(markings)
		if len(apart) == 0 || proof == nil {
			continue
		}
		proved++
		w := &witness.Witness{Instance: "N-PT-1", Exam: examinations.LTLCardinality, Claims: []witness.Claim{{Item: "f", Value: truth}}, Proof: proof}
		var text bytes.Buffer
		if err := n.Write(&text, w); err != nil {
			t.Fatal(err)
		}
		written := text.String()
		list := readAll(t, n, written, Options{})
		if len(list) != 1 || same(list[0], w) != "" {
			t.Fatalf("%s is read as %v", written, list)
		}
		if r := n.Check(t.Context(), list[0], lookup)[0]; r.State != witness.Confirmed {
			t.Fatalf("%s: %s\n%s", formula.Print(f), r.Detail, written)
		}
		for range 8 {
			c, p := *w, *proof
			c.Proof, p.Trees = &p, slices.Clone(proof.Trees)
			c.Claims = []witness.Claim{{Item: "f", Value: examinations.Truth(rng.IntN(2) == 0)}}
			k := rng.IntN(len(p.Trees))
			head := &p.Trees[k].Head
			head.States = slices.Clone(head.States)
			switch rng.IntN(4) {
			case 0:
				p.Trees = slices.Delete(p.Trees, k, k+1)
			case 1:
				head.States = head.States[1:]
			case 2:
				head.States[0].Not = !head.States[0].Not
			default:
				head.States[0].Number = rng.IntN(4)
			}
			if r := n.Check(t.Context(), &c, lookup)[0]; r.Proved.Contradicts(truth) || r.State == witness.Confirmed && r.Claim.Value != truth {
				t.Fatalf("%s, which is %s: %s by %+v", formula.Print(f), truth, r.Detail, c.Proof)
			} else if r.State == witness.Confirmed {
				changed++
			}
		}
	}
	t.Logf("decided %v of %d, %d by a proof, %d changed proofs still show the value", decided, asked, proved, changed)
	if len(decided) < 2 || proved < asked/40 {
		t.Errorf("decided %v of %d, %d by a proof", decided, asked, proved)
	}
}
