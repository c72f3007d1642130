package replay

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestParts: each part of a proof does its work, and a changed one does not.
func TestParts(t *testing.T) {
	b := &pnml.Builder{}
	p, q, s, u := b.Place("p", 1), b.Place("q", 0), b.Place("s", 0), b.Place("u", 0)
	move, back, grow := b.Transition("move"), b.Transition("back"), b.Transition("grow")
	b.In(p, move, 1)
	b.Out(move, q, 2)
	b.In(q, back, 1)
	b.Out(back, p, 1)
	b.In(s, grow, 1)
	b.Out(grow, s, 1)
	b.Out(grow, u, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	n := NewNet(unfold.Plain(net))
	never := func(fs ...formula.Formula) formula.Formula {
		return &formula.ExistsPath{F: &formula.Finally{F: &formula.And{Fs: fs}}}
	}
	atMost := func(n uint64, places ...string) formula.Formula {
		return &formula.LessEqual{Left: &formula.TokensCount{Places: places}, Right: &formula.Number{N: n}}
	}
	one, twice := &formula.Number{N: 1}, &formula.Sum{Terms: []formula.Integer{&formula.TokensCount{Places: []string{"q"}}, &formula.TokensCount{Places: []string{"q"}}}}
	head := "format podium-witness/1\ninstance N-PT-1\nexamination ReachabilityCardinality\nvalue x FALSE\nproof\n"
	for _, c := range []struct {
		name  string
		f     formula.Formula
		proof string
		wrong []string // what stands in place of a part, and what is there instead
	}{
		{"siphon", never(atLeast(1, "u")), "siphon s u\nleaf a0 1 f0 1\n",
			[]string{"siphon s u", "siphon u", "siphon s u", "siphon s", "siphon s u", "siphon p q", "f0 1", "f0 1/2", "a0 1 f0 1", "f0 1"}},
		{"trap", never(atMost(0, "p", "q")), "trap p q\nleaf a0 1 f0 1\n",
			[]string{"trap p q", "trap p", "trap p q", "trap q", "trap p q", "trap p q s u\nleaf a0 1\n", "a0 1 f0 1", "a0 1/2 f0 1", "a0 1 f0 1", "f0 1"}},
		{"cut", never(&formula.LessEqual{Left: one, Right: twice}, &formula.LessEqual{Left: twice, Right: one}), "cut 0 1 q\nleaf a0 1 a2 2\nleaf a1 1 a2 2\n", // twice a number is not 1
			[]string{"cut 0", "cut 1", "cut 0", "cut -1", "cut 0 1 q", "cut 0 1/2 q", "cut 0 1 q", "cut 0 1 p", "leaf a1 1 a2 2\n", "", "a1 1 a2 2", "a1 1 a2 1"}},
	} {
		if got := replayed(n, head+c.proof+"end\n", c.f); !strings.HasPrefix(got, "confirmed ") {
			t.Errorf("%s: %s", c.name, got)
		}
		for k := 0; k < len(c.wrong); k += 2 {
			text := head + strings.Replace(c.proof, c.wrong[k], c.wrong[k+1], 1) + "end\n"
			if got := replayed(n, text, c.f); !strings.HasPrefix(got, "unconfirmed ") {
				t.Errorf("%s: %s\n%s", c.name, got, text)
			}
		}
	}
}

// TestProofOfUnfolding: a proof on a coloured net names places of the unfolded net, from
// finding to replay.
func TestProofOfUnfolding(t *testing.T) {
	n := colouredRing(t)
	proved := 0
	for k, places := range n.view.PlaceGroups() {
		most, proof, _, ok := prover.NewNet(nil, n.view).Bound(nil, places)
		initial := uint64(0)
		for _, p := range places {
			initial += n.net.Initial[p]
		}
		if !ok || most != initial || most == 0 {
			continue
		}
		bound := &formula.Bound{Places: []string{n.view.Places().At(k)}}
		for _, value := range []uint64{most, most - 1, most + 1} {
			w := &witness.Witness{Instance: "Ring-COL-1", Exam: examinations.UpperBounds, Paths: []witness.Path{witness.Finite(nil)}, Proof: proof,
				Claims: []witness.Claim{{Item: "b", Value: examinations.Value{Kind: examinations.Nat, Text: strconv.FormatUint(value, 10)}}}}
			var text bytes.Buffer
			if err := n.Write(&text, w); err != nil {
				t.Fatal(err)
			}
			got := replayed(n, text.String(), bound)
			if want := map[bool]string{true: "confirmed ", false: "unconfirmed "}[value == most]; !strings.HasPrefix(got, want) {
				t.Errorf("%d: %s\n%s", value, got, text.String())
			}
			for _, p := range places {
				name := " " + string(witness.AppendName(nil, n.net.Places.At(int(p)))) + " "
				if value == most && strings.Contains(text.String(), name) {
					proved++
				}
			}
		}
	}
	if proved == 0 {
		t.Error("no proof names a place of the unfolded net")
	}
}
