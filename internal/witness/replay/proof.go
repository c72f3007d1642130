package replay

import (
	"bufio"
	"fmt"
	"math/big"
	"strconv"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
)

// checkProof checks the proof of a witness, together with its runs, for a claim.
func (n *Net) checkProof(clock *clock.Clock, w *witness.Witness, c witness.Claim, lookup func(string) (formula.Formula, bool)) witness.Result {
	r := witness.Result{Claim: c, State: witness.Unconfirmed}
	bad, how, err := n.Bad(w.Exam, c, lookup)
	if err == nil {
		err = certificate.Check(clock, bad, w.Proof)
	}
	if err != nil {
		r.Detail = fmt.Sprintf("line %d: the proof does not hold: %v", w.Proof.Line, err)
		return r
	}
	if w.Exam == examinations.UpperBounds && c.Value.Text != "0" {
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

// Bad gives the markings that must not be reachable where a claim is true, and what a
// proof of that shows. The error says that no proof can show the claim.
func (n *Net) Bad(exam examinations.ID, c witness.Claim, lookup func(string) (formula.Formula, bool)) (bad certificate.Bad, how string, err error) {
	never := "a proof shows that no reachable marking "
	switch {
	case c.AtLeast || c.Value == examinations.Infinite:
	case (exam == examinations.ReachabilityDeadlock || exam == examinations.GlobalProperties) && c.Item == string(examinations.ReachabilityDeadlock) && c.Value == examinations.False:
		return certificate.Satisfying(n.view, &formula.Deadlock{}, false), never + "is dead", nil
	case exam == examinations.OneSafe && c.Item == string(exam) && c.Value == examinations.True:
		return certificate.NotOneSafe(n.view), never + "has two tokens in a place", nil
	case exam.HasFormulas():
		f, ok := lookup(c.Item)
		if !ok {
			return bad, "", fmt.Errorf("%s has no formula %s", exam, excerpt(c.Item))
		}
		return n.badOf(f, c, never)
	}
	return bad, "", fmt.Errorf("no proof of this form shows that %s is %s", excerpt(c.Item), c.Bound())
}

// badOf is Bad for a formula: EF f that is false, AG f that is true, and a bound.
func (n *Net) badOf(f formula.Formula, c witness.Claim, never string) (certificate.Bad, string, error) {
	if b, ok := f.(*formula.Bound); ok {
		places, err := n.view.PlacesOf(b.Places)
		most, parseErr := strconv.ParseUint(c.Value.Text, 10, 64)
		if err != nil || parseErr != nil {
			return certificate.Bad{}, "", fmt.Errorf("%s is no bound that a proof can have", c.Bound())
		}
		bad, err := certificate.MoreThan(n.view, places, most)
		return bad, never + "has more than " + c.Value.Text + " tokens there", err
	}
	if e, ok := f.(*formula.ExistsPath); ok && c.Value == examinations.False {
		if g, ok := e.F.(*formula.Finally); ok {
			return certificate.Satisfying(n.view, g.F, false), never + "satisfies it", nil
		}
	}
	if a, ok := f.(*formula.AllPaths); ok && c.Value == examinations.True {
		if g, ok := a.F.(*formula.Globally); ok {
			return certificate.Satisfying(n.view, g.F, true), never + "violates it", nil
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
	for _, f := range p.Facts {
		begin([]string{"invariant", "trap", "siphon"}[f.Kind])
		terms(f.Terms, f.Kind == witness.Invariant)
		end()
	}
	for _, s := range p.Steps {
		switch s.Kind {
		case witness.Split:
			begin("split " + strconv.Itoa(s.Split))
		case witness.Cut:
			begin("cut " + new(big.Int).Set(s.Bound).String())
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
