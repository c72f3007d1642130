package prover

import (
	"math"
	"math/big"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/pnml"
)

// Limits of a search.
const (
	maxCells = 1 << 24 // of a table: 8 bytes each
	maxSteps = 1 << 14
	maxTraps = 64 // of a proof
)

// Prove looks for a proof that no reachable marking of the net is bad. It gives nil when
// it finds none, which says nothing of the markings; then firings, where they are not nil,
// say how often each transition fires on a way to a bad marking, if there is a way: they
// solve the state equation, in fractions.
func Prove(clock *clock.Clock, net *pnml.Net, bad certificate.Bad) (proof *witness.Proof, firings []float64, err error) {
	walk, err := certificate.Begin(clock, bad)
	if err != nil {
		return nil, nil, err
	}
	p := &prover{clock: clock, net: net, walk: walk, proof: &witness.Proof{}}
	if !p.search(nil) {
		return nil, p.firings, nil
	}
	// The facts of a proof stand before its cases; the checker has the last word.
	if certificate.Check(clock, bad, p.proof) != nil {
		return nil, nil, nil
	}
	return p.proof, nil, nil
}

// Claim is the value of an item that may have a proof; f is its formula, where it has
// one.
func Claim(exam examinations.ID, item string, f formula.Formula) witness.Claim {
	_, always := f.(*formula.AllPaths)
	return witness.Claim{Item: item, Value: examinations.Truth(always || exam == examinations.OneSafe)}
}

type prover struct {
	clock *clock.Clock
	net   *pnml.Net
	walk  *certificate.Walk
	proof *witness.Proof
	part  part       // of the net, for the table at hand
	near  [][]uint32 // by place: the transitions that touch it
	// unitOf gives the unit of a place, outer the unit around a unit, -1 where there is none.
	unitOf, outer []int
	traps         []int // numbers of the facts that are traps
	// firings lead to the marking that was found last in a case that is not closed.
	firings []float64
}

// search closes the case at hand, by cases of it where need be. split are the
// disjunctions that were split on the way to it.
func (p *prover) search(split []int) bool {
	closed, marking := p.close()
	if closed || marking == nil {
		return closed
	}
	_, disjunctions := p.walk.Case()
	best := -1
	for d, parts := range disjunctions {
		if !slices.Contains(split, d) && (best < 0 || parts < disjunctions[best]) {
			best = d
		}
	}
	if best < 0 || len(p.proof.Steps) >= maxSteps {
		return false
	}
	parts := disjunctions[best]
	if !p.step(witness.Step{Kind: witness.Split, Split: best}) {
		return false
	}
	split = append(slices.Clone(split), best)
	for range parts {
		if !p.search(split) {
			return false
		}
	}
	return true
}

func (p *prover) step(s witness.Step) bool {
	p.proof.Steps = append(p.proof.Steps, s)
	return p.walk.Step(s) == nil
}

// close closes the case at hand by a sum of inequalities; else it gives a marking of the
// approximation, in fractions of tokens, that is in the case, or nil for want of one. It
// looks at the places near those of the case first.
func (p *prover) close() (closed bool, marking []float64) {
	for {
		given, _ := p.walk.Case()
		facts := p.trapFacts()
		all := slices.Concat(given, facts)
		var seeds []uint32
		for _, x := range all {
			for _, term := range x.Terms {
				seeds = append(seeds, term.Place)
			}
		}
		var table *tableau
		for p.part = range p.parts(seeds, len(all)) {
			table = p.table(given, facts)
			if table.below(p.clock, -1e-6) {
				return p.leaf(table.solution(), given, facts), nil
			}
		}
		if table == nil {
			return false, nil
		}
		p.firings = make([]float64, p.net.Transitions.Len())
		for k, x := range table.prices()[:len(p.part.transitions)] {
			p.firings[p.part.transitions[k]] = x
		}
		marking = p.reached(p.firings)
		for i := range marking {
			marking[i] += float64(p.net.Initial[i])
		}
		if !p.trap(marking) {
			return false, marking
		}
	}
}

// table is the program whose solutions below zero are contradictions: weights s of
// places, then multiples of the inequalities that are given, then of facts. With them
// s - (sum of the inequalities) is a sum over places that no transition makes larger.
func (p *prover) table(given, facts []certificate.AtMost) *tableau {
	n, all := len(p.part.places), slices.Concat(given, facts)
	rows := make([][]float64, len(p.part.transitions)+1)
	for t := range rows {
		rows[t] = make([]float64, n+len(all))
	}
	change := rows[:len(rows)-1]
	for k, t := range p.part.transitions {
		p.effect(t, func(place uint32, by float64) {
			if at := p.part.column[place]; at >= 0 {
				change[k][at] += by
			}
		})
	}
	cost := make([]float64, n+len(all))
	for k, place := range p.part.places {
		cost[k] = float64(p.net.Initial[place])
	}
	for k, x := range all {
		bound, _ := x.Bound.Float64()
		cost[n+k] = bound
		for _, term := range x.Terms {
			factor, _ := term.Factor.Float64()
			cost[n+k] -= factor * float64(p.net.Initial[term.Place])
			for t := range change {
				change[t][n+k] -= factor * change[t][p.part.column[term.Place]]
			}
		}
		rows[len(rows)-1][n+k] = 1
	}
	bounds := make([]float64, len(rows))
	bounds[len(rows)-1] = 1
	return newTableau(rows, bounds, cost)
}

// trapFacts are the inequalities of the traps.
func (p *prover) trapFacts() []certificate.AtMost {
	all := p.walk.Facts()
	list := make([]certificate.AtMost, len(p.traps))
	for i, number := range p.traps {
		list[i] = all[number]
	}
	return list
}

// effect gives what a transition adds to places.
func (p *prover) effect(t uint32, add func(place uint32, by float64)) {
	places, weights := p.net.Pre.Row(int(t))
	for k, place := range places {
		add(place, -float64(weights.At(k)))
	}
	places, weights = p.net.Post.Row(int(t))
	for k, place := range places {
		add(place, float64(weights.At(k)))
	}
}

// reached is what numbers of firings add to the places.
func (p *prover) reached(firings []float64) []float64 {
	added := make([]float64, p.net.Places.Len())
	for t, x := range firings {
		if x != 0 {
			p.effect(uint32(t), func(place uint32, by float64) { added[place] += x * by })
		}
	}
	return added
}

// leaf closes the case by a solution of the table, made exact.
func (p *prover) leaf(z []float64, given, facts []certificate.AtMost) bool {
	n := len(p.part.places)
	sum := map[uint32]*big.Rat{} // what is left for an invariant
	step := witness.Step{Kind: witness.Leaf}
	for k, x := range z[:n] {
		if r := near(x); r.Sign() > 0 {
			sum[p.part.places[k]] = r
		}
	}
	for k, x := range z[n:] {
		factor := near(x)
		if factor.Sign() <= 0 {
			continue
		}
		part := witness.Part{Factor: factor, Number: k}
		from := given
		if k >= len(given) {
			part.Fact, part.Number, from, k = true, p.traps[k-len(given)], facts, k-len(given)
		}
		step.Sum = append(step.Sum, part)
		for _, term := range from[k].Terms {
			if sum[term.Place] == nil {
				sum[term.Place] = new(big.Rat)
			}
			sum[term.Place].Sub(sum[term.Place], new(big.Rat).Mul(factor, term.Factor))
		}
	}
	invariant := witness.Fact{Kind: witness.Invariant}
	for place := range p.net.Places.Len() {
		if r := sum[uint32(place)]; r != nil && r.Sign() != 0 {
			invariant.Terms = append(invariant.Terms, witness.Term{Factor: r, Place: uint32(place)})
		}
	}
	if len(invariant.Terms) > 0 {
		if p.walk.Add(invariant) != nil {
			return false
		}
		p.proof.Facts = append(p.proof.Facts, invariant)
		step.Sum = append(step.Sum, witness.Part{Factor: big.NewRat(1, 1), Fact: true, Number: len(p.proof.Facts) - 1})
	}
	return p.step(step)
}

// near is the fraction with a small denominator that is nearest to a number, by its
// continued fraction.
func near(x float64) *big.Rat {
	const most, close = 1 << 14, 1e-7
	if math.Abs(x) < close {
		return new(big.Rat)
	}
	p0, q0, p1, q1, rest := int64(0), int64(1), int64(1), int64(0), x
	for range 32 {
		whole := math.Floor(rest)
		if math.Abs(whole) > 1<<30 {
			break
		}
		p2, q2 := int64(whole)*p1+p0, int64(whole)*q1+q0
		if q2 > most {
			break
		}
		p0, q0, p1, q1 = p1, q1, p2, q2
		if math.Abs(x-float64(p1)/float64(q1)) < close || rest == whole {
			break
		}
		rest = 1 / (rest - whole)
	}
	if q1 == 0 {
		return new(big.Rat)
	}
	return big.NewRat(p1, q1)
}

// trap adds the largest trap among the places that a marking leaves empty, if it is
// marked at first: then the marking is not reachable.
func (p *prover) trap(marking []float64) bool {
	if len(p.traps) >= maxTraps {
		return false
	}
	in := make([]bool, len(marking))
	for place, tokens := range marking {
		in[place] = tokens < 1e-6
	}
	for again := true; again; {
		again = false
		for t := range p.net.Transitions.Len() {
			gives, _ := p.net.Post.Row(t)
			if slices.ContainsFunc(gives, func(place uint32) bool { return in[place] }) {
				continue
			}
			takes, _ := p.net.Pre.Row(t)
			for _, place := range takes {
				if in[place] {
					in[place], again = false, true
				}
			}
		}
	}
	fact := witness.Fact{Kind: witness.Trap}
	for place, is := range in {
		if is {
			fact.Terms = append(fact.Terms, witness.Term{Factor: big.NewRat(1, 1), Place: uint32(place)})
		}
	}
	if len(fact.Terms) == 0 || p.walk.Add(fact) != nil {
		return false
	}
	p.traps = append(p.traps, len(p.proof.Facts))
	p.proof.Facts = append(p.proof.Facts, fact)
	return true
}
