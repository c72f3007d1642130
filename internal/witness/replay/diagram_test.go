package replay

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/diagram"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/pnml"
	"podium/pnml/unfold"
)

// drawn is the reachable markings of a net; nil for a net without places.
func drawn(ctx context.Context, net *pnml.Net) *witness.Diagram {
	space := diagram.NewSearch(ctx, unfold.Plain(net), 1<<24).Explore(ctx, 1)
	if space == nil {
		return nil
	}
	return space.Drawn(nil, 1<<16)
}

// without leaves some places out of a net, and returns the others.
func without(t *testing.T, rng *rand.Rand, net *pnml.Net) (*pnml.Net, []uint32) {
	b := &pnml.Builder{}
	var kept []uint32
	at := map[uint32]int{}
	for p := range uint32(net.Places.Len()) {
		if rng.IntN(3) > 0 {
			at[p] = b.Place(net.Places.At(int(p)), net.Initial[p])
			kept = append(kept, p)
		}
	}
	for k := range net.Transitions.Len() {
		b.Transition(net.Transitions.At(k))
		for i, p := range first(net.Pre.Row(k)) {
			if to, ok := at[p]; ok {
				b.In(to, k, second(net.Pre.Row(k)).At(i))
			}
		}
		for i, p := range first(net.Post.Row(k)) {
			if to, ok := at[p]; ok {
				b.Out(k, to, second(net.Post.Row(k)).At(i))
			}
		}
	}
	small, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return small, kept
}

func first[A, B any](a A, _ B) A  { return a }
func second[A, B any](_ A, b B) B { return b }

// TestDiagrams: on random nets, a proof by the diagram of the reachable markings confirms what is
// true of formulas, bounds, deadlocks and places, and nothing else; the same with places left out
// confirms nothing wrong. Texts that are changed at random, and those that are read for another
// formula, never confirm a wrong value.
func TestDiagrams(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 16))
	right, fewer, corrupted, read, kept := map[examinations.ID]int{}, 0, 0, 0, 0
	for net, g := range nettest.RandomNets(rng, nettest.Cases(400)) {
		n := NewNet(unfold.Plain(net))
		all := drawn(t.Context(), net)
		small, places := without(t, rng, net)
		var some *witness.Diagram
		if nettest.Explore(small, 300) != nil { // else it has no bound, or a large one
			some = drawn(t.Context(), small)
		}
		if some != nil {
			for i, p := range some.Places {
				some.Places[i] = places[p]
			}
		}
		formulas := nettest.NewFormulas(rng, net)
		state := &formula.ExistsPath{F: &formula.Finally{F: formulas.State(3)}}
		other := &formula.ExistsPath{F: &formula.Finally{F: formulas.State(3)}}
		bound := &formula.Bound{Places: formulas.Some(formulas.Places)}
		for _, q := range []struct {
			exam         examinations.ID
			f, other     formula.Formula
			claim, truth string
		}{
			{examinations.ReachabilityCardinality, state, other, "FALSE", examinations.Truth(g.Sat(state)[0]).Text},
			{examinations.UpperBounds, bound, bound, strconv.Itoa(g.UpperBound(bound.Places)), strconv.Itoa(g.UpperBound(bound.Places))},
			{examinations.ReachabilityDeadlock, nil, nil, "FALSE", g.Value(examinations.ReachabilityDeadlock, "", nil)},
			{examinations.OneSafe, nil, nil, "TRUE", g.Value(examinations.OneSafe, "", nil)},
		} {
			item := "f"
			if q.f == nil {
				item = string(q.exam)
			}
			check := func(text string, f formula.Formula, truth string) (results []witness.Result) {
				for _, w := range readAll(t, n, text, Options{}) {
					if len(w.Faults) == 0 {
						read++
					}
					for _, r := range n.Check(t.Context(), w, func(string) (formula.Formula, bool) { return f, f != nil }) {
						if w.Exam == q.exam && r.State == witness.Confirmed && r.Claim.Value.Text != truth && !atLeastTruth(r.Claim, truth) {
							t.Fatalf("%s is %s: %s: %s\n%s\n%+v", q.exam, truth, r.Claim, r.Detail, text, net)
						}
						results = append(results, r)
					}
				}
				return results
			}
			for _, d := range []*witness.Diagram{all, some} {
				if d == nil {
					continue
				}
				w := &witness.Witness{Instance: "N-PT-1", Exam: q.exam, Claims: []witness.Claim{{Item: item, Value: examinations.Value{Kind: q.exam.Kind(), Text: q.claim}}},
					Proof: &witness.Proof{Diagrams: []*witness.Diagram{d}, Trees: []witness.Tree{{Steps: []witness.Step{{Kind: witness.Outside}}}}}}
				if q.exam == examinations.UpperBounds {
					most, _ := strconv.Atoi(q.truth)
					fire, _ := g.RunTo(g.Sat(&formula.LessEqual{Left: &formula.Number{N: uint64(most)}, Right: &formula.TokensCount{Places: bound.Places}}))
					w.Paths = []witness.Path{witness.Finite(fire)}
				}
				var out bytes.Buffer
				if err := n.Write(&out, w); err != nil {
					t.Fatal(err)
				}
				r := check(out.String(), q.f, q.truth)
				confirmed := len(r) == 1 && r[0].State == witness.Confirmed
				if confirmed {
					right[q.exam]++
				}
				if d == all && confirmed != (q.claim == q.truth) {
					t.Fatalf("%s is %s: %+v\n%s", q.exam, q.truth, r, out.String())
				} else if d == some && confirmed {
					fewer++
				}
				for k := range 8 {
					text := out.String()
					for range 1 + k%2 {
						text = spoilt(rng, text)
					}
					corrupted++
					for _, r := range check(text, q.f, q.truth) {
						if r.State == witness.Confirmed {
							kept++
						}
					}
				}
				if q.other != nil && q.exam != examinations.UpperBounds {
					check(out.String(), q.other, examinations.Truth(g.Sat(q.other)[0]).Text)
				}
			}
		}
	}
	t.Logf("confirmed: %v, %d of them with fewer places; of %d changed texts %d are read, %d values confirmed", right, fewer, corrupted, read, kept)
	if len(right) < 4 || fewer == 0 || corrupted < 10_000 || read < corrupted/20 || kept == 0 {
		t.Errorf("confirmed: %v, %d of them with fewer places; of %d changed texts %d are read, %d values confirmed", right, fewer, corrupted, read, kept)
	}
}

// TestDiagramLines reads the example of docs/witnesses.md, and what is wrong with others.
func TestDiagramLines(t *testing.T) {
	b := &pnml.Builder{}
	b.Place("p", 2)
	b.Place("q", 0)
	b.Transition("t")
	b.In(0, 0, 1)
	b.Out(0, 1, 1)
	b.Transition("u")
	b.In(1, 1, 2)
	b.Out(1, 0, 2)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	n := NewNet(unfold.Plain(net))
	tokens := func(p string) formula.Integer { return &formula.TokensCount{Places: []string{p}} }
	f := &formula.ExistsPath{F: &formula.Finally{F: &formula.And{Fs: []formula.Formula{
		&formula.LessEqual{Left: &formula.Number{N: 1}, Right: tokens("p")},
		&formula.Or{Fs: []formula.Formula{&formula.LessEqual{Left: &formula.Number{N: 2}, Right: tokens("q")}, &formula.LessEqual{Left: &formula.Number{N: 3}, Right: tokens("p")}}}}}}}
	good := `format podium-witness/1
instance N-PT-1
examination ReachabilityCardinality
value x FALSE
proof
diagram p q
node 2 0
node 1 0
node 0 0
node 0 1 1 2 2 3
outside 0
end
`
	if got := replayed(n, good, f); !strings.HasPrefix(got, "confirmed x FALSE: a proof shows that no reachable marking satisfies it") {
		t.Error(got)
	}
	for _, c := range []struct{ old, fresh, want string }{
		{"outside 0", "split 0\noutside 0\noutside 0", "confirmed x FALSE"},
		{"outside 0", "split 0\noutside 0\nmore 1", "there is nothing that this line goes on with"},
		{"outside 0", "cut 0 2097152 p\noutside 0\noutside 0", "step 1: a factor is no whole number, or beyond 1048576"},
		{"outside 0", "cut 0 -9223372036854775808 p\noutside 0\noutside 0", "step 1: a factor is no whole number, or beyond 1048576"},
		{"outside 0", "cut 0 1048576 p 1 p\noutside 0\noutside 0", "step 1: a factor is no whole number, or beyond 1048576"},
		{"outside 0", "cut 9223372036854775808 1 p\noutside 0\noutside 0", "confirmed x FALSE"},
		{"outside 0", "cut -9223372036854775808 1 p\noutside 0\noutside 0", "confirmed x FALSE"},
		{"outside 0", "outside 1", "step 0: there is no diagram 1, but 1 of them"},
		{"outside 0", "outside 0 1", `w:11:9: "0" is no number here`},
		{"outside 0", "outside c0", `w:11:9: "c0" is no number here`},
		{"outside 0", "outside 0\noutside 0", "step 1: all cases are closed before it"},
		{"outside 0", "outside 0\nnode 0 3", `w:12:1: the line "node" stands elsewhere`},
		{"diagram p q", "diagram p q\nmore p", "diagram 0: a place has two levels"},
		{"diagram p q", "diagram p", "diagram 0: node 4: its edges do not ascend"},
		{"diagram p q", "diagram p r", `w:6:11: the net has no place "r"`},
		{"diagram p q\n", "", `w:6:1: the line "node" stands elsewhere`},
		{"node 2 0", "node 2", "w:8:1: the line before this one ends"},
		{"node 2 0", "node", "diagram 0: node 1 has no edge"},
		{"node 2 0", "node 02 0", `w:7:6: "02" is no number of tokens or of a node`},
		{"node 2 0", "node 2 -1", `w:7:8: "-1" is no number of tokens or of a node`},
		{"node 2 0", "node 2 4", "diagram 0: node 1: its edges do not ascend"},
		{"node 2 0", "node 2 0 2 0", "diagram 0: node 1: its edges do not ascend"},
		{"node 2 0", "node 2097152 0", "diagram 0: node 1: its edges do not ascend, have more than 1048576 tokens"},
		{"node 2 0", "node 3 0", `diagram 0: transition "t" leads out of it`},
		{"0 1 1 2 2 3\n", "0 1 2 3\n", `diagram 0: transition "t" leads out of it`},
		{"0 1 1 2 2 3\n", "0 1 1 2\n", "diagram 0: the initial marking is not in it"},
		{"0 1 1 2 2 3\n", "0 1 1 2 2 3 3 3\n", "diagram 0: transition \"t\" leads out of it"},
		{"node 0 1 1 2 2 3\n", "", "diagram 0: the last node does not stand at the first place"},
		{"node 2 0\n", "node 2 0\nnode 2 0\n", "diagram 0: the initial marking is not in it"},
		{"node 2 0\nnode 1 0\nnode 0 0\nnode 0 1 1 2 2 3", "node 2 0 3 0\nnode 1 0\nmore 2 0\nnode 0 0 1 0\nnode 0 0\nnode 0 1 1 2 2 3 3 4", "step 0: the diagram has such a marking"},
		{"diagram p q\nnode 2 0\nnode 1 0\nnode 0 0\nnode 0 1 1 2 2 3", "diagram p\nnode 0 0 1 0 2 0", `diagram 0: transition "u" leads out of it`},
		{"diagram p q\nnode 2 0\nnode 1 0\nnode 0 0\nnode 0 1 1 2 2 3", "diagram", "diagram 0: it has no node"},
	} {
		if got := replayed(n, strings.Replace(good, c.old, c.fresh, 1), f); !strings.Contains(got, c.want) {
			t.Errorf("%q: %s", c.fresh, got)
		}
	}
}
