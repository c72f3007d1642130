package replay

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// drawnMerging merges colours of a net at random.
func drawnMerging(rng *rand.Rand, s *pnml.Symmetric) pnml.Merging {
	m := make(pnml.Merging, len(s.PlaceSort))
	for p := range m {
		for _, sort := range s.Components(p) {
			var classes []uint32
			if s.CanMerge(sort) && rng.IntN(2) == 0 {
				classes = make([]uint32, s.Sorts[sort].Size)
				for v := range classes {
					if classes[v] = uint32(v); v > 0 && rng.IntN(2) == 0 {
						classes[v] = classes[rng.IntN(v)]
					}
				}
			}
			m[p] = append(m[p], classes)
		}
	}
	return m
}

// mergedColour is the first colour that a colour of a place is merged with.
func mergedColour(s *pnml.Symmetric, m pnml.Merging, place int, colour uint64) uint64 {
	stride, first := s.Sorts[s.PlaceSort[place]].Size, uint64(0)
	for i, sort := range s.Components(place) {
		size := s.Sorts[sort].Size
		stride /= size
		v := colour / stride % size
		if c := m[place][i]; c != nil {
			v = uint64(c[v])
		}
		first += v * stride
	}
	return first
}

// tokens writes what an arc moves, by places and colours; with a merging, by merged colours.
func tokens(u *unfold.Unfolding, arcs *pnml.Arcs, t int, m pnml.Merging) map[string]uint64 {
	moved := map[string]uint64{}
	places, weights := arcs.Row(t)
	for k, p := range places {
		place, colour := u.PlaceOf(int(p))
		if m != nil {
			colour = mergedColour(u.Source, m, place, colour)
		}
		moved[fmt.Sprintf("%d.%d", place, colour)] += weights.At(k)
	}
	return moved
}

// stable says by enumeration of all bindings whether each token that one takes can be replaced.
func stable(u *unfold.Unfolding, m pnml.Merging) bool {
	s := u.Source
	for t := range s.Transitions.Len() {
		from, to := u.TransitionsOf(t)
		known := map[string]bool{} // bindings, by what they take, and put of merged colours
		for i := from; i < to; i++ {
			known[fmt.Sprint(tokens(u, &u.Net.Pre, i, nil), tokens(u, &u.Net.Post, i, m))] = true
		}
		for i := from; i < to; i++ {
			puts := tokens(u, &u.Net.Post, i, m)
			places, _ := u.Net.Pre.Row(i)
			for _, p := range places {
				place, colour := u.PlaceOf(int(p))
				for other := range s.Sorts[s.PlaceSort[place]].Size {
					if other == colour || mergedColour(s, m, place, other) != mergedColour(s, m, place, colour) {
						continue
					}
					takes := tokens(u, &u.Net.Pre, i, nil)
					key := fmt.Sprintf("%d.%d", place, colour)
					if takes[key]--; takes[key] == 0 {
						delete(takes, key)
					}
					takes[fmt.Sprintf("%d.%d", place, other)]++
					if !known[fmt.Sprint(takes, puts)] {
						return false
					}
				}
			}
		}
	}
	return true
}

// TestUnlike: on random coloured nets, of random mergings and of those that are found, the checker
// accepts only those that all bindings bear out, and nearly all that are found. 1,000 nets; with
// PODIUM_SOAK=1, more.
func TestUnlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 1))
	accepted, refused, found, odd := 0, 0, 0, 0
	for seed := range nettest.Cases(1000) {
		s := nettest.RandomColoured(rng)
		u, err := unfold.Unfold(t.Context(), s, unfold.Limits{Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		m, err := unfold.Mergeable(t.Context(), s, unfold.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if m != nil {
			if found++; Unlike(s, m) != nil {
				odd++
			}
		}
		for _, m := range []pnml.Merging{m, drawnMerging(rng, s), drawnMerging(rng, s), drawnMerging(rng, s)} {
			switch {
			case m == nil:
			case Unlike(s, m) != nil:
				refused++
			case !stable(u, m):
				t.Errorf("net %d: %v is accepted", seed, m)
			default:
				accepted++
			}
		}
		if t.Failed() {
			t.Fatalf("net %d: %+v", seed, s)
		}
	}
	t.Logf("%d accepted, %d refused, %d found, of which %d are refused", accepted, refused, found, odd)
	if accepted < 100 || refused < 100 || found < 100 || odd > found/50 {
		t.Errorf("%d accepted, %d refused, %d found, of which %d are refused", accepted, refused, found, odd)
	}
}

// TestMergedValues: on random coloured nets, the values of the net with merged colours, and its
// deadlocks, bounds and formulas, are those of the unfolding, by enumeration of both. 60 nets; with
// PODIUM_SOAK=1, more.
func TestMergedValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 1))
	compared, smaller := map[examinations.ID]int{}, 0
	for seed := range uint64(nettest.Cases(600) / 4) {
		s := nettest.RandomColoured(rng)
		m, err := unfold.Mergeable(t.Context(), s, unfold.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if m == nil || Unlike(s, m) != nil {
			continue
		}
		net := Open(&pnml.Document{Symmetric: s}, unfold.Limits{})
		net.small.Markings = 2000
		for _, exam := range examinations.All() {
			var properties []formula.Property
			if exam == examinations.StateSpace || exam == examinations.GlobalProperties {
				continue
			}
			if exam.HasFormulas() {
				skeleton, _ := unfold.Skeleton(s)
				if properties, err = formula.Generate(skeleton.Net, models.ID{Family: "N", Param: "1"}, exam, formula.GenerateOptions{Seed: seed, Count: 4}); err != nil {
					t.Fatal(err)
				}
			}
			lookup := func(item string) (formula.Formula, bool) {
				k := slices.IndexFunc(properties, func(p formula.Property) bool { return p.ID == item })
				if k < 0 {
					return nil, false
				}
				return properties[k].Formula, true
			}
			for _, item := range exam.Items(formula.IDs(properties)) {
				claim := witness.Claim{Item: item, Value: examinations.False}
				if exam.Kind() == examinations.Nat {
					claim.Value = examinations.Value{Kind: examinations.Nat, Text: "0"}
				}
				w := &witness.Witness{Exam: exam, Claims: []witness.Claim{claim}, Enumerate: true}
				whole := net.Check(t.Context(), w, lookup)[0]
				if whole.State == witness.Unconfirmed {
					break // too many markings
				}
				w.Merging = m
				if merged := net.Check(t.Context(), w, lookup)[0]; merged.Proved != whole.Proved {
					t.Errorf("net %d %s: with merged colours %s, without %s", seed, exam, merged.Detail, whole.Detail)
				}
				compared[exam]++
			}
		}
		if c := net.coloured; c.whole.all.graph != nil && c.merged[0].net.all.graph.Markings() < c.whole.all.graph.Markings() {
			smaller++
		}
		if t.Failed() {
			t.Fatalf("net %d: %+v", seed, s)
		}
	}
	t.Logf("%d have fewer markings, values: %v", smaller, compared)
	for _, exam := range examinations.All() {
		if exam != examinations.StateSpace && exam != examinations.GlobalProperties && compared[exam] == 0 {
			t.Errorf("nothing is compared of %s", exam)
		}
	}
}

// TestMergedLines: lines about merged colours are read, what is written is read again as it was,
// and colours that are not alike are refused. A transition takes any colour but b.
func TestMergedLines(t *testing.T) {
	var b pnml.Builder
	b.Place("from", 0)
	b.Place("to", 0)
	b.Transition("t")
	plain := nettest.Build(&b)
	term := func(op pnml.Op, value uint64) *pnml.Term { return &pnml.Term{Op: op, Value: value} }
	differs := &pnml.Term{Op: pnml.OpUnequal, Sort: -1, Args: []*pnml.Term{term(pnml.OpVariable, 0), term(pnml.OpConstant, 1)}}
	x := term(pnml.OpVariable, 0)
	source := &pnml.Symmetric{
		Sorts:     []pnml.Sort{{ID: "C", Kind: pnml.FiniteSort, Size: 5, Constants: []pnml.Constant{{ID: "a", Name: "a"}, {ID: "b", Name: "b"}, {ID: "c d", Name: "c d"}, {ID: "e", Name: "e"}, {ID: "f", Name: "f"}}}},
		Variables: []pnml.Variable{{ID: "x"}}, Places: plain.Places, Transitions: plain.Transitions, PlaceSort: []int{0, 0}, Initial: []*pnml.Term{term(pnml.OpAll, 0), nil},
		Guards: []*pnml.Term{differs}, Pre: [][]pnml.ColouredArc{{{Place: 0, Term: x}}}, Post: [][]pnml.ColouredArc{{{Place: 1, Term: x}}}}
	net := Open(&pnml.Document{Symmetric: source}, unfold.Limits{})
	m, err := unfold.Mergeable(t.Context(), source, unfold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "[[[0 1 0 0 0]] [[0 0 0 0 0]]]"; fmt.Sprint(m) != want {
		t.Fatalf("%v is found, want %s", m, want)
	}
	four := &formula.ExistsPath{F: &formula.Finally{F: atLeast(4, "to")}}
	w := &witness.Witness{Instance: "N-PT-1", Exam: examinations.ReachabilityCardinality, Claims: []witness.Claim{{Item: "f", Value: examinations.True}},
		Paths: []witness.Path{witness.Finite([]uint32{0, 0, 0, 0})}, Merging: m}
	var text strings.Builder
	if err := net.Write(&text, w); err != nil {
		t.Fatal(err)
	}
	if want := "\nmerged from 1 a a \"c d\" f\nmerged to 1 a f\nvalue f TRUE\nrun\nfire t{x=a} t{x=a} t{x=a} t{x=a}\nend\n"; !strings.HasSuffix(text.String(), want) {
		t.Errorf("written is\n%s\nwant\n%s", text.String(), want)
	}
	if got := replayed(net, text.String(), four); !strings.HasPrefix(got, "confirmed f TRUE") {
		t.Error(got)
	}
	for _, c := range []struct{ lines, want string }{
		{"merged from 1 a a e f\nmerged from 1 a a \"c d\" \"c d\"\nmerged to 1 a f", "confirmed f TRUE"}, // lines of one class
		{"merged from 1 e f\nmerged from 1 \"c d\" e\nmerged from 1 f f a a\nmerged to 1 a f", "confirmed f TRUE"},
		{"merged to 1 a f", "step 2 (line 7): transition \"t{x=a}\" is not enabled"},
		{"merged from 1 a f", "w:6:1: the merged colours are not alike: transition \"t\" may tell those of place \"from\" apart"},
		{"merged nowhere 1 a f", "w:5:8: the net has no place \"nowhere\""},
		{"merged from 2 a f", "w:5:8: place from has no component \"2\""},
		{"merged from 1 a g", "w:5:8: the net has no colour of sort \"C\" \"g\""},
		{"merged from 1 f a", "w:5:8: colour f comes behind colour a"},
		{"merged from 1 a", "w:5:8: colours that are merged are written as intervals"},
		{"merged from 1 a f\nskeleton", "w:6:1: the line skeleton stands twice, beside one for another net"},
		{"skeleton\nmerged from 1 a f", "w:6:1: the line merged stands twice, beside one for another net"},
	} {
		if got := replayed(net, witnessOf("ReachabilityCardinality", "f TRUE", c.lines, "run", "fire t{x=a} t{x=a} t{x=a} t{x=a}"), four); !strings.Contains(got, c.want) {
			t.Errorf("%s gives\n%s\nwant %s", c.lines, got, c.want)
		}
	}
	if got := replayed(forks(t), witnessOf("ReachabilityCardinality", "f TRUE", "merged to 1 a f", "run"), four); !strings.Contains(got, errNoColours.Error()) {
		t.Error(got)
	}
	if got := replayed(net, witnessOf("StateSpace", "STATES 5", "merged to 1 a f", "enumerate"), nil); !strings.Contains(got, "has other markings") {
		t.Error(got)
	}
}
