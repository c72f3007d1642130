package referee

import (
	"cmp"
	"context"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml"
	"podium/pnml/unfold"
)

// patience is what a technique gets for an examination. The time only ends what decides
// nothing.
const patience = 10 * time.Millisecond

// deciding are the techniques that decide something, each by its name, with the steps that it has in the order.
func deciding() map[string][]step {
	list := map[string][]step{}
	for _, s := range order {
		if !s.shows {
			list[s.technique] = append(list[s.technique], s)
		}
	}
	list["enumeration"] = append(list["enumeration"], step{of: ofOthers, do: func(h *hearing, ctx context.Context, p *oracle.Proof) { h.explore(ctx, p, 5) }})
	list["diagrams"] = append(list["diagrams"], step{do: (*hearing).showDrawn})
	return list
}

// TestEachTechniqueAlone: on random nets each technique decides alone, and all of them
// together, and each value is the one that enumeration in the plainest way gives; each
// witness is confirmed by a replay. So they do where numbers are large; where there are too many
// markings to visit, techniques have to agree. 20 nets of each kind with some fifty formulas and
// values each; with PODIUM_SOAK=1, 2,000.
func TestEachTechniqueAlone(t *testing.T) {
	for _, kind := range []struct {
		name   string
		nets   func(rng *rand.Rand, number int) iter.Seq2[*pnml.Net, *nettest.Graph]
		silent []string // techniques that decide nothing on so few nets
	}{
		{"small numbers", nettest.RandomNets, nil},
		{"large numbers", nettest.LargeNets, []string{"cover", "diagrams", "stubborn sets"}},
		{"many markings", nettest.VastNets, []string{"bounds", "cover", "diagrams", "stubborn sets"}},
	} {
		t.Run(kind.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(21, 4))
			decided := map[string]int{}
			for drawn, plain := range kind.nets(rng, nettest.Cases(200)/10) {
				decideAlone(t, rng, drawn, plain, decided)
			}
			t.Log(decided)
			for name := range deciding() {
				if decided[name] == 0 && !slices.Contains(kind.silent, name) {
					t.Errorf("%s decided nothing", name)
				}
			}
		})
	}
}

// decideAlone lets each technique decide what it can of a net, and counts the values.
func decideAlone(t *testing.T, rng *rand.Rand, drawn *pnml.Net, plain *nettest.Graph, decided map[string]int) {
	t.Helper()
	view := unfold.Plain(drawn)
	truth := truthOf(plain)
	for exam, properties := range questions(rng, drawn) {
		for name, steps := range deciding() {
			h := heard(t, view, patience, properties)
			p := &oracle.Proof{Instance: "N-PT-1", Exam: exam}
			for _, s := range steps {
				if s.of == nil || slices.Contains(s.of, exam) {
					s.do(h, h.limited, p)
				}
			}
			decided[name] += len(p.Values)
			right(t, name, truth, h, p, properties)
		}
	}
}

// heard is a hearing of a net, with some time for everything.
func heard(t *testing.T, view unfold.View, d time.Duration, properties []formula.Property) *hearing {
	h := &hearing{Referee: &Referee{Options: Options{Memory: 1 << 28, Budget: d, Cores: 1, Say: func(string) {}}}, net: &net{View: view}}
	h.ask(properties)
	var stop context.CancelFunc
	h.limited, stop = context.WithTimeout(t.Context(), d)
	t.Cleanup(stop)
	return h
}

// ask has a hearing asked for some formulas.
func (h *hearing) ask(properties []formula.Property) {
	h.given, h.properties = properties, properties
	h.net.witnesses = nil
}

// truth gives the value of an item, of which somebody says one.
type truth func(exam examinations.ID, item string, f formula.Formula, said string) string

// truthOf decides values by enumeration; where the markings are not known, what is said
// first is true.
func truthOf(plain *nettest.Graph) truth {
	if plain == nil {
		first := map[string]string{}
		return func(exam examinations.ID, item string, _ formula.Formula, said string) string {
			key := string(exam) + item
			first[key] = cmp.Or(first[key], said)
			return first[key]
		}
	}
	return func(exam examinations.ID, item string, f formula.Formula, _ string) string {
		return plain.Value(exam, item, f)
	}
}

// right fails where a value is not the one that enumeration gives, or where a replay does
// not confirm a witness.
func right(t *testing.T, name string, truth truth, h *hearing, p *oracle.Proof, properties []formula.Property) {
	t.Helper()
	for _, v := range p.Values {
		f, _ := lookup(properties)(v.Item)
		if want := truth(p.Exam, v.Item, f, v.Text); v.Text != want {
			t.Fatalf("%s: %s %s is %s, and not %s: %#v", name, p.Exam, v.Item, want, v.Text, f)
		}
	}
	net := replay.NewNet(h.net.View)
	for _, w := range h.net.witnesses {
		for _, result := range net.Check(t.Context(), w, lookup(properties)) {
			if result.State != witness.Confirmed {
				t.Fatalf("%s: the witness of %s %s is %s: %s", name, p.Exam, result.Claim, result.State, result.Detail)
			}
		}
	}
}

// questions are all examinations, with some random formulas each.
func questions(rng *rand.Rand, net *pnml.Net) map[examinations.ID][]formula.Property {
	formulas := nettest.NewFormulas(rng, net)
	some := func(draw func() formula.Formula) (list []formula.Property) {
		for _, id := range []string{"a", "b", "c"} {
			list = append(list, formula.Property{ID: id, Formula: draw()})
		}
		return list
	}
	reach := func() formula.Formula {
		if rng.IntN(2) == 0 {
			return &formula.AllPaths{F: &formula.Globally{F: formulas.State(3)}}
		}
		return &formula.ExistsPath{F: &formula.Finally{F: formulas.State(3)}}
	}
	return map[examinations.ID][]formula.Property{
		examinations.StateSpace: nil, examinations.ReachabilityDeadlock: nil, examinations.QuasiLiveness: nil,
		examinations.StableMarking: nil, examinations.Liveness: nil, examinations.OneSafe: nil,
		examinations.UpperBounds:             some(func() formula.Formula { return &formula.Bound{Places: formulas.Some(formulas.Places)} }),
		examinations.ReachabilityCardinality: some(reach),
		examinations.ReachabilityFireability: some(reach),
		examinations.CTLCardinality:          some(func() formula.Formula { return formulas.CTL(3) }),
		examinations.CTLFireability: some(func() formula.Formula {
			if rng.IntN(3) == 0 { // there always is a way
				return &formula.AllPaths{F: &formula.Globally{F: &formula.ExistsPath{F: &formula.Finally{F: formulas.State(2)}}}}
			}
			return formulas.CTL(4)
		}),
		examinations.LTLCardinality: some(func() formula.Formula { return &formula.AllPaths{F: formulas.LTL(3)} }),
		examinations.LTLFireability: some(func() formula.Formula { return &formula.ExistsPath{F: formulas.LTL(3)} }),
	}
}
