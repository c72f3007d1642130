package referee

import (
	"context"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer/directed"
	"podium/internal/explorer/simplify"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/internal/witness/enumeration"
	"podium/internal/witness/replay"
)

// facts are what is known of formulas of one marking, by their text: of the net of a
// hearing, shared by its examinations.
type facts map[string]*fact

// fact is what is known of one formula.
type fact struct {
	met   directed.Met // on walks
	asked bool         // whether a proof was looked for
	value bool         // it holds in all reachable markings, or in none
	known bool

	looked, decided bool
	first           bool // it holds in the initial marking
}

func (fs facts) of(f formula.Formula) *fact {
	key := formula.Print(f)
	if fs[key] == nil {
		fs[key] = &fact{}
	}
	return fs[key]
}

// simplify makes the open formulas of CTL smaller by what linear programs prove of all
// reachable markings, for the techniques that follow. It keeps the values of those that become
// constants, and of formulas of LTL whose
// automata have no run along markings that may be reachable.
func (h *hearing) simplify(ctx context.Context, p *oracle.Proof) {
	if h.net.Skeleton && p.Exam == examinations.LTLFireability {
		return // what is enabled initially a skeleton does not show
	}
	if h.facts == nil {
		h.facts = facts{}
	}
	open := h.openProperties(p)
	h.meet(ctx, open)
	net := replay.NewNet(h.net.View)
	share(ctx, open, func(ctx context.Context, property formula.Property) {
		part, stop := clock.Part(ctx, 2)
		defer stop()
		always := func(f formula.Formula) (value, known bool) { return h.always(part, net, f) }
		var decided formula.Formula
		var apart []witness.Head
		if slices.Contains(ofLTL, p.Exam) {
			decided, apart = h.withoutRun(part, net, property.Formula, func(f formula.Formula) bool {
				value, known := always(f)
				return known && !value
			})
		} else {
			left := simplify.CTL(property.Formula, always)
			decided = simplify.Marking{
				Holds:   func(f formula.Formula) (value, known bool) { return h.initially(ctx, f) },
				Reaches: func(f formula.Formula) bool { return !h.net.Skeleton && h.facts.of(f).met.True },
			}.Initially(left)
			h.goOnWith(property.ID, left)
		}
		if c, ok := decided.(*formula.Constant); ok {
			h.keepConstant(ctx, net, p, property, examinations.Truth(c.Value), apart)
		}
	})
}

// keepConstant keeps the value of a formula that became a constant, with proofs that show
// the formula that was given, where they are found in time.
func (h *hearing) keepConstant(ctx context.Context, net *replay.Net, p *oracle.Proof, property formula.Property, value examinations.Value, apart []witness.Head) {
	var w *witness.Witness
	if len(apart) > 0 {
		w = h.keptApart(ctx, net, p.Exam, property, value, apart)
	} else if w = h.shownNear(ctx, p.Exam, property.ID, property.Formula, value == examinations.True); w == nil {
		clock.Until(ctx, func(c *clock.Clock) error { // its end says that nothing is found
			w = h.concluded(ctx, c, net, p.Exam, property.ID)
			return nil
		})
	}
	if w != nil && w.Claims[0].Value == value {
		h.keepProof(p, w)
		return
	}
	h.found(p, oracle.ProvedValue{Item: property.ID, Text: value.Text, By: oracle.ByLaws})
}

// Firings of the walks that look for markings with formulas and without them.
const meetings = 1 << 20

// meet walks to see what formulas of one marking are met, in a quarter of the time that is left.
func (h *hearing) meet(ctx context.Context, properties []formula.Property) {
	var list []formula.Formula
	seen := map[string]bool{}
	for _, property := range properties {
		formula.Walk(property.Formula, func(f formula.Formula) {
			if key := formula.Print(f); formula.IsState(f) && !seen[key] {
				seen[key] = true
				list = append(list, f)
			}
		})
	}
	met := make([]directed.Met, len(list))
	ctx, cancel := clock.Part(ctx, 4)
	defer cancel()
	clock.Until(ctx, func(c *clock.Clock) error { // its end ends the walks only
		directed.Meet(c, h.net.View, list, met, meetings)
		return nil
	})
	for i, f := range list {
		known := h.facts.of(f)
		known.met.True, known.met.False = known.met.True || met[i].True, known.met.False || met[i].False
		// What is not met of its negation is not met either.
		other := h.facts.of(simplify.Not(f))
		other.met.True, other.met.False = other.met.True || met[i].False, other.met.False || met[i].True
	}
}

// always reports whether a proof shows that a formula holds in all reachable markings, or
// in none.
func (h *hearing) always(ctx context.Context, net *replay.Net, f formula.Formula) (value, known bool) {
	if c, ok := f.(*formula.Constant); ok {
		return c.Value, true
	}
	x := h.facts.of(f)
	if x.known || x.asked || x.met.True && x.met.False {
		return x.value, x.known
	}
	x.asked = true
	try := func(value bool) bool {
		claim := witness.Claim{Item: "f", Value: examinations.Truth(value)}
		var claimed formula.Formula = &formula.ExistsPath{F: &formula.Finally{F: f}}
		if value {
			claimed = &formula.AllPaths{F: &formula.Globally{F: f}}
		}
		bad, _, err := net.Bad(examinations.ReachabilityCardinality, claim, func(string) (formula.Formula, bool) { return claimed, true })
		if err != nil {
			return false
		}
		var found prover.Result
		err = clock.Until(ctx, func(c *clock.Clock) (err error) {
			found, err = h.net.forProofs(c).Prove(c, bad)
			return err
		})
		if err != nil {
			x.asked = false // it may be asked again
		}
		return err == nil && found.Proof != nil
	}
	switch {
	case !x.met.False && try(true):
		x.value, x.known = true, true
	case !x.met.True && try(false):
		x.known = true
	}
	return x.value, x.known
}

// initially reports whether a formula of one marking holds in the initial one, where that is known in time.
func (h *hearing) initially(ctx context.Context, f formula.Formula) (value, known bool) {
	if h.net.Skeleton && !countsTokens(f) {
		return false, false
	}
	x := h.facts.of(f)
	if !x.looked {
		x.looked = clock.Until(ctx, func(c *clock.Clock) error {
			x.first, x.decided = directed.Initially(c, h.net.View, f)
			return nil
		}) == nil
	}
	return x.first, x.decided
}

// withoutRun returns the value of a formula of LTL when it has no path along markings that may
// be reachable which would make it otherwise, else nil; and the state formulas of which it
// needs that they never hold together. never reports whether a formula of one marking never holds.
func (h *hearing) withoutRun(ctx context.Context, net *replay.Net, f formula.Formula, never func(formula.Formula) bool) (value formula.Formula, apart []witness.Head) {
	list := formula.States(f)
	var holds, known bool
	if clock.Until(ctx, func(c *clock.Clock) error {
		holds, known = enumeration.Outline(c, f, net.Initially, func(hold, fail []int) bool {
			head := witness.Head{Kind: witness.Apart}
			var all []formula.Formula
			for _, k := range hold {
				head.States = append(head.States, witness.Literal{Number: k})
				all = append(all, list[k])
			}
			for _, k := range fail {
				head.States = append(head.States, witness.Literal{Number: k, Not: true})
				all = append(all, simplify.Not(list[k]))
			}
			if len(all) == 0 || !never(simplify.All(all)) {
				return false
			}
			apart = append(apart, head)
			return true
		})
		return nil
	}) != nil || !known {
		return nil, nil
	}
	if len(apart) == 0 { // the first marking decides it; a proof has at least one tree
		apart = append(apart, witness.Head{Kind: witness.Apart, States: []witness.Literal{{Number: 0}, {Number: 0, Not: true}}})
	}
	return &formula.Constant{Value: holds}, apart
}

// keptApart shows a value of a formula of LTL by proofs that some state formulas never hold
// together; nil where they are not found.
func (h *hearing) keptApart(ctx context.Context, net *replay.Net, exam examinations.ID, property formula.Property, value examinations.Value, apart []witness.Head) *witness.Witness {
	w := &witness.Witness{Exam: exam, Claims: []witness.Claim{{Item: property.ID, Value: value}}}
	markings := func(head witness.Head) (certificate.Bad, error) { return net.Together(property.Formula, head) }
	return h.withProof(ctx, w, apart, markings)
}

// withProof gives a witness a proof of all heads, nil where one of them has none, or the replay
// does not accept what comes of it.
func (h *hearing) withProof(ctx context.Context, w *witness.Witness, heads []witness.Head, markings func(witness.Head) (certificate.Bad, error)) *witness.Witness {
	if clock.Until(ctx, func(c *clock.Clock) error {
		prove := h.net.forProofs(c).Begin(c)
		for _, head := range heads {
			bad, err := markings(head)
			if err != nil {
				return err
			}
			if shown, err := prove.Show(head, bad); err != nil || !shown {
				return err
			}
		}
		w.Proof = prove.Proof(markings)
		return nil
	}) != nil || w.Proof == nil || !h.accepts(w, lookup(h.given)) {
		return nil
	}
	return w
}
