package replay

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// mutex is a ring with a token that only one station holds.
func mutex(t *testing.T) *Net {
	t.Helper()
	family, _ := models.FindFamily("TokenRingMutex")
	net, err := family.Build("3")
	if err != nil {
		t.Fatal(err)
	}
	return NewNet(unfold.Plain(net))
}

// replayed reads witnesses and returns what they show, a line each.
func replayed(n *Net, text string, f formula.Formula) string {
	var out []string
	r := NewReader(strings.NewReader(text), n, Options{File: "w"})
	for r.Scan() {
		w := r.Witness()
		if len(w.Claims) == 0 {
			out = append(out, w.Faults.Error())
		}
		for _, result := range n.Check(context.Background(), w, func(string) (formula.Formula, bool) { return f, f != nil }) {
			out = append(out, string(result.State)+" "+result.Claim.String()+": "+result.Detail)
		}
	}
	return strings.Join(append(out, r.Found().Error()), "\n")
}

// TestProofsAreWrittenAndRead: what the prover finds is written, read and accepted.
func TestProofsAreWrittenAndRead(t *testing.T) {
	n := mutex(t)
	for name, c := range map[string]struct {
		exam  examinations.ID
		claim witness.Claim
		bad   certificate.Bad
	}{
		"no deadlock": {examinations.ReachabilityDeadlock, witness.Claim{Item: "ReachabilityDeadlock", Value: examinations.False}, certificate.Satisfying(&formula.Deadlock{}, false)},
		"one-safe":    {examinations.OneSafe, witness.Claim{Item: "OneSafe", Value: examinations.True}, certificate.NotOneSafe(n.view)},
	} {
		found, err := prover.NewNet(nil, n.view).Prove(nil, c.bad)
		if err != nil || found.Proof == nil {
			t.Fatalf("%s: %v %v", name, found, err)
		}
		var text bytes.Buffer
		if err := n.Write(&text, &witness.Witness{Instance: "TokenRingMutex-PT-3", Exam: c.exam, Claims: []witness.Claim{c.claim}, Proof: found.Proof}); err != nil {
			t.Fatal(err)
		}
		if got := replayed(n, text.String(), nil); !strings.HasPrefix(got, "confirmed ") {
			t.Errorf("%s: %s\n%s", name, got, text.String())
		}
		lines := strings.Split(text.String(), "\n")
		for i, line := range lines {
			if strings.HasPrefix(line, "leaf") || strings.HasPrefix(line, "split") {
				cut := strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "\n")
				if got := replayed(n, cut, nil); !strings.HasPrefix(got, "unconfirmed ") {
					t.Errorf("%s without line %d: %s", name, i+1, got)
				}
			}
		}
	}
}

// TestProofLines: what is wrong with a line of a proof is said with its place.
func TestProofLines(t *testing.T) {
	b := &pnml.Builder{}
	b.Place("p", 1)
	b.Place("q", 0)
	b.Transition("t")
	b.In(0, 0, 1)
	b.Out(0, 1, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	n := NewNet(unfold.Plain(net))
	bound := &formula.Bound{Places: []string{"p", "q"}}
	head := "format podium-witness/1\ninstance N-PT-1\nexamination UpperBounds\nvalue b 1\nrun\nfire t\n"
	good := head + "proof\ninvariant 1 p\nmore 1 q\nleaf a0 1 f0 1\nend\n"
	if got := replayed(n, good, bound); !strings.HasPrefix(got, "confirmed b 1: a proof shows that no reachable marking has more than 1 token there, and a run reaches it") {
		t.Error(got)
	}
	for _, c := range []struct{ old, fresh, want string }{
		{"run\nfire t\n", "", "unconfirmed b 1: the proof shows that it is at most 1; that it is no less, no run of the witness shows"},
		{"value b 1", "value b 0", "unconfirmed b 0: line 7: the proof does not hold: step 0: the sum is no contradiction"},
		{"value b 1", "value b >=1", "no proof of this form"},
		{"invariant 1 p", "invariant 2 p", "step 0: the sum is no contradiction"},
		{"invariant 1 p", "invariant -1 p", `fact 0: transition "t" adds 2 to the sum`},
		{"invariant 1 p", "invariant x p", `w:8:11: "x" is no fraction`},
		{"invariant 1 p", "invariant 1e9 p", `w:8:11: "1e9" is no fraction`},
		{"invariant 1 p", "invariant 010/1 p", `w:8:11: "010/1" is no fraction`},
		{"invariant 1 p", "invariant 1/01 p", `w:8:11: "1/01" is no fraction`},
		{"invariant 1 p", "invariant 01 p", `w:8:11: "01" is no fraction`},
		{"invariant 1 p", "invariant 1/0 p", `w:8:11: "1/0" is no fraction`},
		{"invariant 1 p", "invariant 1 r", `w:8:13: the net has no place "r"`},
		{"invariant 1 p", "trap p", `w:9:6: the net has no place "1"`},
		{"invariant 1 p\nmore 1 q", "trap p", `transition "t" takes tokens from the trap and gives none back`},
		{"invariant 1 p\nmore 1 q", "siphon p", "the siphon is marked in the initial marking"},
		{"leaf a0 1 f0 1", "leaf b0 1", `w:10:6: "b0" is neither an inequality`},
		{"leaf a0 1 f0 1", "leaf a0 1 f0 -1", "step 0: a factor is not positive"},
		{"leaf a0 1 f0 1", "leaf a7 1", "step 0: there is no inequality 7 here, but 1 of them"},
		{"leaf a0 1 f0 1", "split 0", "step 0: there is no disjunction 0 here"},
		{"leaf a0 1 f0 1", "split zero", `w:10:7: "zero" is no number here`},
		{"leaf a0 1 f0 1", "cut 0 1 p\nleaf a0 1 f0 1\nleaf a0 1 f0 1\nleaf a0 1 f0 1", "step 3: all cases are closed before it"},
		{"leaf a0 1 f0 1", "cut 0 1 p\nleaf a0 1 f0 1", "not all cases are closed"},
		{"leaf a0 1 f0 1", "leaf a0 1 f0 1\ninvariant 1 p", "facts, clauses and diagrams stand before the cases"},
		{"more 1 q", "more 1 q 2", "w:10:1: the line before this one ends behind a factor"},
		{"leaf a0 1 f0 1", "leaf a0 1 f0", "w:11:1: the line before this one ends behind a factor"},
		{"proof\n", "", "stands outside of a proof"},
		{"proof\n", "proof\nproof\n", "a proof begins twice"},
		{"leaf a0 1 f0 1", "run\nleaf a0 1 f0 1", "w:10:1: a run stands behind the line proof"},
		{"leaf a0 1 f0 1", "leaf a0 1 f0 1\nfire t", "w:11:1: a run stands behind the line proof"},
		{"proof\n", "proof\nvalue c 1\n", `w:8:1: the line "value" stands twice, or behind a run, a proof`},
		{"proof\n", "proof\ninstance N-PT-1\n", `w:8:1: the line "instance" stands twice, or behind a run, a proof`},
		{"proof\n", "prof\n", `did you mean "proof"?`},
		{"invariant", "invariante", `did you mean "invariant"?`},
		{"proof\n", "proof\nmore p\n", "there is nothing that this line goes on with"},
	} {
		if got := replayed(n, strings.Replace(good, c.old, c.fresh, 1), bound); !strings.Contains(got, c.want) {
			t.Errorf("%q: %s", c.fresh, got)
		}
	}
}

// TestClauseLines: a clause is read, and what is wrong with it or with the trees is said.
func TestClauseLines(t *testing.T) {
	// p and q never both have a token, which no sum says: t takes from p what u gives back.
	b := &pnml.Builder{}
	for place, tokens := range []uint64{1, 0, 0} {
		b.Place(string(rune('p'+place)), tokens)
	}
	b.Transition("t")
	b.In(0, 0, 1)
	b.Out(0, 1, 1)
	b.Out(0, 2, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	n := NewNet(unfold.Plain(net))
	both := &formula.ExistsPath{F: &formula.Finally{F: &formula.And{Fs: []formula.Formula{
		&formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{"p"}}},
		&formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{"q"}}}}}}}
	good := `format podium-witness/1
instance N-PT-1
examination ReachabilityCardinality
value x FALSE
proof
invariant 1 p 1 q
clause 1 p <= 0 or 1 q
more <= 0
clause 1 p <= 1
keep 0 t
split c1
leaf f0 1 a1 1 a2 1
bad
split c0
leaf a0 1 a2 1
leaf a1 1 a2 1
end
`
	if got := replayed(n, good, both); !strings.HasPrefix(got, "confirmed x FALSE: a proof shows that no reachable marking satisfies it") {
		t.Error(got)
	}
	for _, c := range []struct{ old, fresh, want string }{
		{"split c1\nleaf f0 1 a1 1 a2 1\n", "leaf f0 1 a1 1 a2 1\n", "confirmed x FALSE"}, // as docs/witnesses.md has it
		{"clause 1 p <= 1", "clause 1 p <= 0", "clause 1: no alternative of the clause holds in the initial marking"},
		{"clause 1 p <= 1", "clause 1/2 p <= 1", "clause 1: a clause has whole numbers only"},
		{"clause 1 p <= 1", "clause 1 r <= 0", `nothing shows that transition "t" keeps clause 1`},
		{"clause 1 p <= 1", "clause 1 p <=", "w:10:1: the line before this one ends"},
		{"clause 1 p <= 1", "clause 1 p <= 1 or", "w:10:1: the line before this one ends"},
		{"clause 1 p <= 1", "clause", "w:10:1: the line before this one ends"},
		{"clause 1 p <= 1", "clause 1 p <= 1 2", `w:9:17: "2" stands behind an inequality`},
		{"clause 1 p <= 1", "clause 1 s <= 1", `w:9:10: the net has no place "s"`},
		{"keep 0 t", "keep 1 t", "tree 0: the transition cannot break the clause"},
		{"keep 0 t", "keep 7 t", "tree 0: the transition cannot break the clause"},
		{"keep 0 t", "keep 0 u", `w:10:6: the net has no transition "u"`},
		{"keep 0 t", "keep x t", `w:10:6: "x" is no fraction`},
		{"bad\n", "bad p\n", `w:13:5: "p" is too much on this line`},
		{"bad\n", "never 0\n", "confirmed x FALSE: with the parts of the formula that a proof shows"},
		{"bad\n", "never 1\n", "tree 1: the formula has no state formula 1, but 1 of them"},
		{"bad\n", "always 0\n", "tree 1: step 1: there is no inequality 2"},
		{"bad\n", "dead t\n", "tree 1: such a proof does not show that"},
		{"bad\n", "constant p\n", "tree 1: such a proof does not show that"},
		{"split c0", "split c2", "tree 1: step 0: there is no clause 2, but 2 of them"},
		{"bad\nsplit c0\nleaf a0 1 a2 1\nleaf a1 1 a2 1\n", "", "it has no cases that show the value"},
	} {
		if got := replayed(n, strings.Replace(good, c.old, c.fresh, 1), both); !strings.Contains(got, c.want) {
			t.Errorf("%q: %s", c.fresh, got)
		}
	}
}
