package replay

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/internal/witness/enumeration"
)

// checkProof checks the proof of a witness, together with its runs, for a claim.
func (n *Net) checkProof(clock *clock.Clock, w *witness.Witness, c witness.Claim, lookup func(string) (formula.Formula, bool)) witness.Result {
	r := witness.Result{Claim: c, State: witness.Unconfirmed}
	of := n.claimed(clock, w, c, lookup)
	if n.proofs == nil {
		n.proofs = certificate.Begin(clock, n.view)
	}
	err := n.proofs.Check(clock, w.Proof, of.markings)
	if err != nil {
		r.Detail = fmt.Sprintf("line %d: the proof does not hold: %v", w.Proof.Line, err)
		return r
	}
	var how string
	switch first := of.first; {
	case ofState(first):
		return of.concluded()
	case first.Kind == witness.Home:
		return of.live()
	case first.Kind == witness.Dead:
		how = "a proof shows that transition " + excerpt(n.view.Transitions().At(int(first.At))) + " never fires"
	case first.Kind == witness.Constant:
		how = "a proof shows that place " + excerpt(n.view.Places().At(int(first.At))) + " never changes"
	default:
		_, how, _ = n.Bad(w.Exam, c, lookup) // the check had no error
	}
	if c.Value.Kind == examinations.Nat && c.Value.Text != "0" {
		lower := n.checkPaths(clock, w, c, lookup)
		if lower.Proved.Value != c.Value {
			r.Detail = "the proof shows that it is at most " + c.Value.Text + "; that it is no less, no run of the witness shows"
			return r
		}
		how += ", and a run reaches it"
	}
	r.State, r.Detail = witness.Confirmed, how
	r.Proved = witness.Claim{Item: c.Item, Value: c.Value}
	return r
}

// firstHead is the head of the first tree that is not about a clause.
func firstHead(p *witness.Proof) witness.Head {
	for _, tree := range p.Trees {
		if tree.Head.Kind != witness.Keep {
			return tree.Head
		}
	}
	return witness.Head{}
}

func ofState(h witness.Head) bool {
	return h.Kind == witness.Always || h.Kind == witness.Never || h.Kind == witness.Apart || h.Kind == witness.Return
}

// claimed is a claim of a witness with a proof.
type claimed struct {
	*Net
	w      *witness.Witness
	claim  witness.Claim
	lookup func(string) (formula.Formula, bool)
	clock  *clock.Clock
	first  witness.Head
	// Of the formula; nil until a head names one.
	states  []formula.Formula
	returns map[int]certificate.Return
}

func (n *Net) claimed(clock *clock.Clock, w *witness.Witness, c witness.Claim, lookup func(string) (formula.Formula, bool)) *claimed {
	return &claimed{Net: n, w: w, claim: c, lookup: lookup, clock: clock, first: firstHead(w.Proof)}
}

// markings returns the markings that a tree shows not to be reachable. The error says that
// such a tree shows nothing about the claim.
func (c *claimed) markings(head witness.Head) (certificate.Bad, error) {
	value, exam := c.claim.Value, c.w.Exam
	if head.Kind != c.first.Kind && !(ofState(head) && ofState(c.first)) {
		return certificate.Bad{}, errors.New("a proof shows either that nothing bad is reachable, or something about parts of the formula, a transition, or a place, or that there is a way home")
	}
	switch head.Kind {
	case witness.Always, witness.Never, witness.Apart:
		f, ok := c.lookup(c.claim.Item)
		if !ok || !exam.HasFormulas() {
			return certificate.Bad{}, fmt.Errorf("%s has no formula %s", exam, excerpt(c.claim.Item))
		}
		if c.states == nil {
			c.states = formula.States(f)
		}
		c.clock.Work(16 * (1 + len(head.States)))
		return c.together(c.states, head)
	case witness.Return:
		if f, ok := c.lookup(c.claim.Item); ok && (exam == examinations.CTLCardinality || exam == examinations.CTLFireability) {
			if c.returns == nil {
				c.returns = certificate.Returns(f)
			}
			part, ok := c.returns[head.Number]
			if !ok {
				return certificate.Bad{}, fmt.Errorf("the formula has no part %d that is E F f or A G f, where f is about one marking", head.Number)
			}
			return certificate.Satisfying(part.To, true), nil
		}
	case witness.Home:
		c.clock.Work(8 * c.net.Places.Len())
		if c.claim.Item == string(exam) && exam == examinations.Liveness && value == examinations.True {
			return certificate.Below(c.net.Initial), nil
		}
	case witness.Dead:
		c.clock.Work(8 * c.net.Transitions.Len())
		if int(head.At) < c.view.Transitions().Len() && c.claim.Item == string(exam) && (exam == examinations.QuasiLiveness || exam == examinations.Liveness) && value == examinations.False {
			return certificate.Enabled(c.view.TransitionGroups()[head.At]), nil
		}
	case witness.Constant:
		c.clock.Work(8 * c.net.Places.Len())
		if int(head.At) < c.view.Places().Len() && c.claim.Item == string(exam) && exam == examinations.StableMarking && value == examinations.True {
			return certificate.Changed(c.view, c.view.PlaceGroups()[head.At])
		}
	default:
		c.clock.Work(32 * c.net.Places.Len())
		bad, _, err := c.Bad(exam, c.claim, c.lookup)
		return bad, err
	}
	return certificate.Bad{}, fmt.Errorf("such a proof does not show that %s is %s", excerpt(c.claim.Item), c.claim.Bound())
}

// live confirms that the net is live where the runs of the witness fire every transition: they
// can do so again from each marking that holds no less than the initial one, and the proof shows
// that there always is a way to such a marking.
func (c *claimed) live() witness.Result {
	runs := *c.w
	runs.Exam = examinations.QuasiLiveness
	r := c.checkPaths(c.clock, &runs, witness.Claim{Item: string(runs.Exam), Value: examinations.True}, c.lookup)
	r.Claim = c.claim
	if r.State == witness.Confirmed {
		r.Proved, r.Detail = c.claim, "a proof shows that there is a way back to the initial marking from every reachable one, and from there "+r.Detail
	} else {
		r.Proved, r.Detail = witness.Claim{}, "a proof shows that there is a way back to the initial marking from every reachable one, but not every transition fires in the runs: "+r.Detail
	}
	return r
}

// apart are the literals that a head about state formulas does not allow together.
func apart(head witness.Head) []witness.Literal {
	if head.Kind == witness.Apart {
		return head.States
	}
	return []witness.Literal{{Number: head.Number, Not: head.Kind == witness.Always}}
}

// Together are the markings that a head about state formulas of a formula does not allow.
func (n *Net) Together(f formula.Formula, head witness.Head) (certificate.Bad, error) {
	return n.together(formula.States(f), head)
}

// together is Together of a formula with these state formulas.
func (n *Net) together(list []formula.Formula, head witness.Head) (certificate.Bad, error) {
	all, states := &formula.And{}, apart(head)
	if len(states) > 2*len(list) {
		return certificate.Bad{}, fmt.Errorf("the head names %d state formulas and negations, and the formula has %d", len(states), 2*len(list))
	}
	for _, x := range states {
		switch {
		case x.Number < 0 || x.Number >= len(list):
			return certificate.Bad{}, fmt.Errorf("the formula has no state formula %d, but %d of them, from 0", x.Number, len(list))
		case x.Not:
			all.Fs = append(all.Fs, &formula.Not{F: list[x.Number]})
		default:
			all.Fs = append(all.Fs, list[x.Number])
		}
	}
	return certificate.Satisfying(all, false), nil
}

// outlined returns the value of a formula of LTL that has no path along markings in which no
// state formulas hold that a proof shows never to hold together.
func (c *claimed) outlined() (value examinations.Value, known bool) {
	f, _ := c.lookup(c.claim.Item)
	holds, known := enumeration.Outline(c.clock, f, c.Initially, func(holds, fails []int) bool {
		return slices.ContainsFunc(c.w.Proof.Trees, func(tree witness.Tree) bool {
			c.clock.Work(16 * (1 + len(tree.Head.States)))
			return ofState(tree.Head) && tree.Head.Kind != witness.Return && !slices.ContainsFunc(apart(tree.Head), func(x witness.Literal) bool {
				return x.Not && !slices.Contains(fails, x.Number) || !x.Not && !slices.Contains(holds, x.Number)
			})
		})
	})
	return examinations.Truth(holds), known
}

// concluded returns what follows from parts of the formula that are always true or always false,
// and from the runs or the branches of the witness.
func (c *claimed) concluded() witness.Result {
	if c.w.Exam == examinations.LTLCardinality || c.w.Exam == examinations.LTLFireability {
		if value, known := c.outlined(); known {
			return compare(c.claim, shown{value: value, how: "no path that would make it otherwise is left without the state formulas that a proof shows never to hold together"})
		}
	}
	known := certificate.Known{States: map[int]bool{}, Parts: map[int]bool{}}
	for _, tree := range c.w.Proof.Trees {
		switch number := tree.Head.Number; tree.Head.Kind {
		case witness.Always, witness.Never:
			known.States[number] = tree.Head.Kind == witness.Always
		case witness.Return:
			known.Parts[number] = c.returns[number].Value
		}
	}
	left := c.Left(c.w.Exam, c.claim.Item, known, c.lookup)
	look := func(string) (formula.Formula, bool) { return left, true }
	runs := *c.w
	if len(runs.Paths) == 0 {
		runs.Paths = []witness.Path{witness.Finite(nil)} // it shows the initial marking
	}
	var r witness.Result
	if runs.Branches != nil {
		r = c.checkBranches(c.clock, &runs, c.claim, look)
	} else {
		r = c.checkPaths(c.clock, &runs, c.claim, look)
	}
	r.Detail = "with the parts of the formula that a proof shows to be always true, or never: " + r.Detail
	return r
}

// Initially reports whether a state formula holds in the initial marking.
func (n *Net) Initially(f formula.Formula) bool { return n.In(f)(n.net.Initial) }

// In returns what reports whether a state formula holds in a marking; in none, where the formula is
// about other places or transitions than those of the net.
func (n *Net) In(f formula.Formula) func(marking []uint64) bool {
	holds, err := n.compile(f, &atom{}) // nobody asks which places it depends on
	return func(marking []uint64) bool { return err == nil && holds(&game{net: n, tokens: marking}) }
}

// Left returns what is left of a formula of an examination where some of its parts are known to
// be always true, or always false.
func (n *Net) Left(exam examinations.ID, item string, known certificate.Known, lookup func(string) (formula.Formula, bool)) formula.Formula {
	f, _ := lookup(item)
	return certificate.Conclude(f, known, exam == examinations.LTLCardinality || exam == examinations.LTLFireability)
}

// Bad returns the markings that must not be reachable where a claim is true, and what a
// proof of that shows. The error says that no proof can show the claim.
func (n *Net) Bad(exam examinations.ID, c witness.Claim, lookup func(string) (formula.Formula, bool)) (bad certificate.Bad, how string, err error) {
	never := "a proof shows that no reachable marking "
	switch {
	case c.AtLeast || c.Value == examinations.Infinite:
	case (exam == examinations.ReachabilityDeadlock || exam == examinations.GlobalProperties) && c.Item == string(examinations.ReachabilityDeadlock) && c.Value == examinations.False:
		return certificate.Satisfying(&formula.Deadlock{}, false), never + "is dead", nil
	case exam == examinations.OneSafe && c.Item == string(exam) && c.Value == examinations.True:
		return certificate.NotOneSafe(n.view), never + "has two tokens in a place", nil
	case exam == examinations.StateSpace:
		return n.badOfCount(c, never)
	case exam.HasFormulas():
		f, ok := lookup(c.Item)
		if !ok {
			return bad, "", fmt.Errorf("%s has no formula %s", exam, excerpt(c.Item))
		}
		return n.badOf(f, c, never)
	}
	return bad, "", errNoProof(c)
}

func errNoProof(c witness.Claim) error {
	return fmt.Errorf("no proof of this form shows that %s is %s", excerpt(c.Item), c.Bound())
}

// badOfCount is Bad for the largest numbers of tokens of StateSpace.
func (n *Net) badOfCount(c witness.Claim, never string) (bad certificate.Bad, how string, err error) {
	most, err := strconv.ParseUint(c.Value.Text, 10, 64)
	if err != nil {
		return bad, "", fmt.Errorf("%s is no number that a proof can have", c.Bound())
	}
	switch c.Item {
	case "MAX_TOKEN_PER_MARKING":
		all := make([]uint32, n.net.Places.Len())
		for p := range all {
			all[p] = uint32(p)
		}
		bad, err = certificate.MoreThan(all, most)
		return bad, never + "has " + moreThan(most), err
	case "MAX_TOKEN_IN_PLACE":
		bad, err = certificate.Fuller(n.view, most)
		return bad, never + "has " + moreThan(most) + " in a place", err
	}
	return bad, "", errNoProof(c)
}

func moreThan(tokens uint64) string {
	if tokens == 1 {
		return "more than 1 token"
	}
	return fmt.Sprintf("more than %d tokens", tokens)
}

// badOf is Bad for a formula: EF f that is false, AG f that is true, and a bound.
func (n *Net) badOf(f formula.Formula, c witness.Claim, never string) (certificate.Bad, string, error) {
	if b, ok := f.(*formula.Bound); ok {
		places, err := n.view.PlacesOf(b.Places)
		most, parseErr := strconv.ParseUint(c.Value.Text, 10, 64)
		if err != nil || parseErr != nil {
			return certificate.Bad{}, "", fmt.Errorf("%s is no bound that a proof can have", c.Bound())
		}
		bad, err := certificate.MoreThan(places, most)
		return bad, never + "has " + moreThan(most) + " there", err
	}
	if e, ok := f.(*formula.ExistsPath); ok && c.Value == examinations.False {
		if g, ok := e.F.(*formula.Finally); ok {
			return certificate.Satisfying(g.F, false), never + "satisfies it", nil
		}
	}
	if a, ok := f.(*formula.AllPaths); ok && c.Value == examinations.True {
		if g, ok := a.F.(*formula.Globally); ok {
			return certificate.Satisfying(g.F, true), never + "violates it", nil
		}
	}
	return certificate.Bad{}, "", fmt.Errorf("only that E F f is FALSE, that A G f is TRUE, and bounds have proofs")
}

// writeProof writes the proof of a witness.
func (n *Net) writeProof(b *bufio.Writer, p *witness.Proof) {
	var line []byte
	word := func(text string) {
		if len(line) >= widest {
			b.Write(append(line, '\n'))
			line = append(line[:0], "more"...)
		}
		line = append(append(line, ' '), text...)
	}
	begin := func(text string) { line = append(line[:0], text...) }
	end := func() { b.Write(append(line, '\n')) }
	terms := func(list []witness.Term, factors bool) {
		for _, t := range list {
			if factors {
				word(t.Factor.RatString())
			}
			word(string(witness.AppendName(nil, n.net.Places.At(int(t.Place)))))
		}
	}
	begin("proof")
	end()
	inequality := func(x witness.AtMost) {
		terms(x.Terms, true)
		word("<=")
		word(x.Bound.RatString())
	}
	for _, f := range p.Facts {
		begin(factWords[f.Kind])
		terms(f.Terms, f.Kind == witness.Invariant)
		end()
	}
	for _, clause := range p.Clauses {
		begin("clause")
		for i, alternative := range clause {
			for k, x := range alternative {
				if k > 0 {
					word("and")
				} else if i > 0 {
					word("or")
				}
				inequality(x)
			}
		}
		end()
	}
	for _, d := range p.Diagrams {
		begin("diagram")
		for _, place := range d.Places {
			word(string(witness.AppendName(nil, n.net.Places.At(int(place)))))
		}
		end()
		for _, edges := range d.Nodes {
			begin("node")
			for _, e := range edges {
				word(strconv.FormatUint(e.Tokens, 10))
				word(strconv.FormatUint(uint64(e.To), 10))
			}
			end()
		}
	}
	for _, tree := range p.Trees {
		if tree.Head.Kind != witness.Bad || len(p.Trees) > 1 {
			begin(headWords[tree.Head.Kind])
			for _, argument := range n.headArguments(tree.Head) {
				word(argument)
			}
			end()
		}
		if len(tree.Rank) > 0 {
			begin("rank")
			terms(tree.Rank, true)
			end()
		}
		for _, move := range tree.Moves {
			begin("move")
			for _, t := range move {
				word(string(n.appendFiring(nil, t)))
			}
			end()
		}
		for _, s := range tree.Steps {
			switch s.Kind {
			case witness.Split:
				begin("split " + strconv.Itoa(s.Split))
			case witness.SplitClause:
				begin("split c" + strconv.Itoa(s.Split))
			case witness.Outside:
				begin("outside " + strconv.Itoa(s.Split))
			case witness.Cut:
				begin("cut " + s.Bound.String())
				terms(s.Terms, true)
			default:
				begin("leaf")
				for _, x := range s.Sum {
					name := "a"
					if x.Fact {
						name = "f"
					}
					word(name + strconv.Itoa(x.Number))
					word(x.Factor.RatString())
				}
			}
			end()
		}
	}
}

// headArguments are the words behind the first one of the head of a tree.
func (n *Net) headArguments(h witness.Head) []string {
	switch h.Kind {
	case witness.Keep:
		return []string{strconv.Itoa(h.Number), string(n.appendFiring(nil, h.At))}
	case witness.Always, witness.Never, witness.Return:
		return []string{strconv.Itoa(h.Number)}
	case witness.Apart:
		words := make([]string, len(h.States))
		for i, x := range h.States {
			if words[i] = strconv.Itoa(x.Number); x.Not {
				words[i] = "!" + words[i]
			}
		}
		return words
	case witness.Dead:
		return []string{string(witness.AppendName(nil, n.view.Transitions().At(int(h.At))))}
	case witness.Constant:
		return []string{string(witness.AppendName(nil, n.view.Places().At(int(h.At))))}
	}
	return nil
}
