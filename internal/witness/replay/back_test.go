package replay

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/internal/witness/enumeration"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestWaysBack: on random nets, witnesses with ways back confirm what enumeration says. Texts
// that are changed at random, and those that are read for another formula, never confirm a
// wrong value, nor refute a right one.
func TestWaysBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 8))
	right, corrupted, read, kept := map[examinations.ID]int{}, 0, 0, 0
	for net, g := range nettest.RandomNets(rng, nettest.Cases(500)) {
		view := unfold.Plain(net)
		graph, err := enumeration.Explore(nil, view, enumeration.Small)
		if err != nil {
			t.Fatal(err)
		}
		n := NewNet(view)
		draw := nettest.NewFormulas(rng, net)
		f, other := nested(rng, draw), nested(rng, draw)
		for _, w := range []*witness.Witness{home(n, g), returning(n, g, f)} {
			if w == nil || len(w.Proof.Trees[0].Moves) == 0 && rng.IntN(8) > 0 {
				continue
			}
			var out bytes.Buffer
			if err := n.Write(&out, w); err != nil {
				t.Fatal(err)
			}
			for k := range 40 {
				text, asked := out.String(), f
				for range min(k, 1+k%2) {
					text = spoilt(rng, text)
				}
				if k%4 == 3 {
					asked = other
				}
				if w.Exam == examinations.Liveness {
					asked = nil
				}
				truth, err := graph.Value(nil, w.Exam, w.Claims[0].Item, asked)
				if err != nil {
					t.Fatal(err)
				}
				for _, w := range readAll(t, n, text, Options{}) {
					for _, r := range n.Check(t.Context(), w, func(string) (formula.Formula, bool) { return asked, asked != nil }) {
						of := w.Exam == examinations.Liveness && r.Claim.Item == "Liveness" || w.Exam == examinations.CTLFireability
						if of && (r.Proved.Contradicts(truth) || r.State == witness.Confirmed && r.Claim.Value != truth) {
							t.Fatalf("%s %s, which is %s: %s\n%s\n%+v", r.State, r.Claim, truth, r.Detail, text, net)
						}
						if confirmed := r.State == witness.Confirmed; confirmed && k == 0 {
							right[w.Exam]++
						} else if confirmed {
							kept++
						}
					}
					if k > 0 && len(w.Faults) == 0 && strings.Contains(text, "move") {
						read++
					}
				}
				if k > 0 {
					corrupted++
				}
			}
		}
	}
	t.Logf("confirmed: %v; of %d changed texts %d with moves are read, %d confirm a value", right, corrupted, read, kept)
	if len(right) < 2 || corrupted < 10_000 || read < corrupted/20 || kept == 0 {
		t.Errorf("confirmed: %v; of %d changed texts %d with moves are read, %d confirm a value", right, corrupted, read, kept)
	}
}

// nested is a formula with a part to which there may always be a way back.
func nested(rng *rand.Rand, draw *nettest.Formulas) formula.Formula {
	part := formula.Formula(&formula.ExistsPath{F: &formula.Finally{F: draw.State(1)}})
	if rng.IntN(3) == 0 {
		part = &formula.AllPaths{F: &formula.Globally{F: draw.State(1)}}
	}
	switch rng.IntN(4) {
	case 0:
		return &formula.ExistsPath{F: &formula.Finally{F: part}}
	case 1:
		return &formula.AllPaths{F: &formula.Finally{F: &formula.Or{Fs: []formula.Formula{draw.State(1), part}}}}
	}
	return &formula.AllPaths{F: &formula.Globally{F: part}}
}

// home is a witness of Liveness, nil where there is no way home.
func home(n *Net, g *nettest.Graph) *witness.Witness {
	w := &witness.Witness{Instance: "N-PT-1", Exam: examinations.Liveness, Claims: []witness.Claim{{Item: "Liveness", Value: examinations.True}}, Proof: prover.NewNet(nil, n.view).Home(nil)}
	if w.Proof == nil {
		return nil
	}
	for t := range n.net.Transitions.Len() {
		enabled := g.Sat(&formula.Fireable{Transitions: []string{n.net.Transitions.At(t)}})
		if run, ok := g.RunTo(enabled); ok {
			w.Paths = append(w.Paths, witness.Finite(append(run, uint32(t))))
		}
	}
	return w
}

// returning is a witness of a formula of CTL with a tree for each part to which a way back is
// found; nil without any.
func returning(n *Net, g *nettest.Graph, f formula.Formula) *witness.Witness {
	w := &witness.Witness{Instance: "N-PT-1", Exam: examinations.CTLFireability, Claims: []witness.Claim{{Item: "f", Value: examinations.Truth(g.Sat(f)[0])}}}
	_, w.Proof = prover.NewNet(nil, n.view).Ways(nil, f, n.In)
	if w.Proof == nil {
		return nil
	}
	return w
}

// TestLinesOfWaysBack reads the example of docs/witnesses.md, and what is wrong with others.
func TestLinesOfWaysBack(t *testing.T) {
	b := &pnml.Builder{ID: "n"}
	for _, name := range []string{"p", "q", "r"} {
		b.Place(name, map[string]uint64{"p": 1}[name])
	}
	for k, name := range []string{"to_q", "to_r", "to_p"} {
		t := b.Transition(name)
		b.In(k, t, 1)
		b.Out(t, (k+1)%3, 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	n := NewNet(unfold.Plain(net))
	marked := &formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{"p"}}}
	always := &formula.AllPaths{F: &formula.Globally{F: &formula.ExistsPath{F: &formula.Finally{F: marked}}}}
	good := `format podium-witness/1
instance N-PT-1
examination CTLCardinality
value x TRUE
proof
invariant -1 p -1 q -1 r
return 1
rank 2 q 1 r
move to_r
move to_p
leaf f0 1 a0 1 a1 1 a2 1
end
`
	if got := replayed(n, good, always); !strings.HasPrefix(got, "confirmed x TRUE: with the parts of the formula that a proof shows") {
		t.Error(got)
	}
	for _, c := range []struct{ old, fresh, want string }{
		{"return 1", "return 0", "the formula has no part 0 that is E F f or A G f"},
		{"return 1", "return 7", "the formula has no part 7 that is E F f or A G f"},
		{"return 1", "home", `such a proof does not show that "x" is TRUE`},
		{"return 1", "bad", `w:8:1: the line "rank" stands elsewhere`},
		{"value x TRUE", "value x FALSE", "refuted x FALSE"},
		{"rank 2 q", "rank -2 q", "the rank has a negative factor"},
		{"rank 2 q", "rank 1 q", "move 0 does not make the rank smaller"},
		{"rank 2 q 1 r", "rank 2 s", `w:8:8: the net has no place "s"`},
		{"rank 2 q 1 r\n", "", "move 0 does not make the rank smaller"},
		{"move to_r\n", "move to_r\nrank 1 p\n", `w:10:1: the line "rank" stands elsewhere`},
		{"move to_r\n", "move to_r to_p to_q\n", "move 0 does not make the rank smaller"},
		{"move to_r\n", "move to_r to_p\n", "confirmed x TRUE"},
		{"move to_r\n", "mvoe to_r\n", `did you mean "move"?`},
		{"move to_r\n", "move\n", "move 0 does not make the rank smaller"},
		{"move to_r\n", "move to_s\n", `w:9:6: the net has no transition "to_s"`},
		{"move to_r\n", "", "there is no inequality 2 here, but 2 of them"},
		{"move to_p\n", "", "there is no inequality 2 here, but 2 of them"},
		{"leaf f0 1 a0 1 a1 1 a2 1\n", "", "not all cases are closed"},
		{"leaf f0", "move to_r\nleaf f0", "confirmed x TRUE"},
		{"a2 1\n", "a2 1\nmove to_r\n", `w:12:1: the line "move" stands elsewhere`},
	} {
		if got := replayed(n, strings.Replace(good, c.old, c.fresh, 1), always); !strings.Contains(got, c.want) {
			t.Errorf("%q: %s", c.fresh, got)
		}
	}
}
