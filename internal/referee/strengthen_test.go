package referee

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml"
	"podium/pnml/unfold"
)

// pairs is a net whose tokens move in pairs: four are on p or q, never one or three on p, which
// no sum says. A place never changes.
func pairs(t *testing.T) *pnml.Net {
	t.Helper()
	b := &pnml.Builder{}
	b.Place("p", 4)
	b.Place("q", 0)
	b.Place("still", 3)
	for k, id := range []string{"go", "back"} {
		b.Transition(id)
		b.In(k, k, 2)
		b.Out(k, 1-k, 2)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestProofsWithClauses: what the state equation leaves open is proved by clauses, and what
// follows from proofs is decided; a replay confirms every witness, as it is written.
func TestProofsWithClauses(t *testing.T) {
	view := unfold.Plain(pairs(t))
	h := heard(t, view, time.Minute, nil)
	fires := func(id string) formula.Formula { return &formula.Fireable{Transitions: []string{id}} }
	tokens := func(id string) formula.Formula {
		return &formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{id}}}
	}
	three := &formula.And{Fs: []formula.Formula{
		&formula.LessEqual{Left: &formula.Number{N: 3}, Right: &formula.TokensCount{Places: []string{"p"}}},
		&formula.LessEqual{Left: &formula.TokensCount{Places: []string{"p"}}, Right: &formula.Number{N: 3}}}}
	properties := map[examinations.ID][]formula.Property{
		examinations.ReachabilityCardinality: {{ID: "f", Formula: &formula.ExistsPath{F: &formula.Finally{F: three}}}},
		examinations.LTLFireability: {
			{ID: "l", Formula: &formula.AllPaths{F: &formula.Globally{F: &formula.Until{Before: fires("go"), Reach: tokens("still")}}}},
			{ID: "open", Formula: &formula.AllPaths{F: &formula.Globally{F: &formula.Finally{F: fires("go")}}}}},
		examinations.CTLCardinality: {{ID: "c", Formula: &formula.AllPaths{F: &formula.Globally{F: &formula.ExistsPath{F: &formula.Finally{F: tokens("still")}}}}}},
	}
	want := map[string]string{"f": "FALSE", "l": "TRUE", "c": "TRUE", "StableMarking": "TRUE", "ReachabilityDeadlock": "FALSE", "MAX_TOKEN_IN_PLACE": "4", "MAX_TOKEN_PER_MARKING": "7"}
	got := map[string]string{}
	for _, exam := range []examinations.ID{examinations.ReachabilityCardinality, examinations.LTLFireability, examinations.CTLCardinality,
		examinations.ReachabilityDeadlock, examinations.StableMarking, examinations.StateSpace} {
		p := &oracle.Proof{Instance: "N-PT-1", Exam: exam}
		h.ask(properties[exam])
		for _, s := range withoutColoursOrder {
			if slices.Contains([]string{"clauses", "simplification", "conclusions"}, s.technique) && slices.Contains(s.of, exam) {
				s.do(h, h.limited, p)
			}
		}
		if exam == examinations.StateSpace {
			h.concludeRest(h.limited, p)
		}
		for _, v := range p.Values {
			if got[v.Item] = v.Text; v.By != oracle.ByProof {
				t.Errorf("%s: by %s", v.Item, v.By)
			}
		}
		for _, w := range h.net.witnesses {
			var text bytes.Buffer
			named := replay.NewNet(view)
			if err := named.Write(&text, w); err != nil {
				t.Fatal(err)
			}
			written := text.String()
			reader := replay.NewReader(&text, named, replay.Options{File: "w"})
			if !reader.Scan() {
				t.Fatal(reader.Found())
			}
			for _, r := range named.Check(t.Context(), reader.Witness(), lookup(properties[exam])) {
				if r.State != witness.Confirmed {
					t.Errorf("%s: %s %s\n%s", r.Claim.Item, r.State, r.Detail, written)
				}
			}
		}
	}
	for item, value := range want {
		if got[item] != value {
			t.Errorf("%s: %q, not %s", item, got[item], value)
		}
	}
	if len(got) != len(want) {
		t.Error(got)
	}
}
