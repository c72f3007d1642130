package prover

import (
	"math"
	"math/big"
	"slices"
	"sync/atomic"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Limits of a search.
const (
	maxCells = 1 << 24 // of a table: 8 bytes each
	maxSteps = 1 << 14 // of a tree
	maxTraps = 64      // of a proof
	maxTerms = 1 << 20 // of the facts that a search keeps, some 150 bytes each
)

// Result is what a search for a proof came to.
type Result struct {
	Proof *witness.Proof // nil when none was found, which says nothing of the markings
	// Firings, where there is no proof and they are not nil, say how often each transition
	// fires on a way to a bad marking, if there is a way: they solve the state equation, in
	// fractions.
	Firings []float64
	// Run leads to a bad marking, where one was found.
	Run   []uint32
	Found bool
}

// Net is what all searches for proofs about a net share. Several may go on at the same time.
type Net struct {
	view unfold.View
	net  *pnml.Net
	walk *certificate.Walk // is never under way itself
	near [][]uint32        // by place: the transitions that touch it
	// differs tells by transition, and distinct lists, which one changes other places than all
	// before it, or by other numbers.
	differs  []bool
	distinct []uint32
	// unitOf gives the unit of a place, outer the unit around a unit, -1 where there is none.
	unitOf, outer []int
	drawn         atomic.Pointer[Drawn] // nil where it is not known
}

// NewNet looks at a net once for all searches.
func NewNet(clock *clock.Clock, view unfold.View) *Net {
	n := &Net{view: view, net: view.Net, walk: certificate.Begin(clock, view)}
	n.touched(clock)
	n.differ(clock)
	n.units()
	return n
}

// Prove looks for a proof that no reachable marking of the net is bad, by the state equation
// and traps alone.
func (n *Net) Prove(clock *clock.Clock, bad certificate.Bad) (Result, error) {
	return n.Begin(clock).show(witness.Head{}, bad)
}

// Strengthen is Prove, and looks for clauses where the state equation and traps do not do.
func (n *Net) Strengthen(clock *clock.Clock, bad certificate.Bad) (Result, error) {
	p := n.Begin(clock)
	p.frames = newFrames(p)
	return p.show(witness.Head{}, bad)
}

// Begin begins a proof that may have several trees.
func (n *Net) Begin(clock *clock.Clock) *Prover {
	return &Prover{Net: n, clock: clock, walk: n.walk.Again(clock), proof: &witness.Proof{}, sums: sums{}}
}

// Show looks for a tree with a head that shows that no reachable marking is bad, and tells
// whether the proof has it then. Of several trees [Prover.Proof] gives the whole.
func (p *Prover) Show(head witness.Head, bad certificate.Bad) (bool, error) {
	if err := p.walk.Show(bad); err != nil {
		return false, err
	}
	p.tree = &witness.Tree{Head: head}
	if !p.search(nil) {
		return false, nil
	}
	p.proof.Trees = append(p.proof.Trees, *p.tree)
	return true, nil
}

// show is Show for a single tree.
func (p *Prover) show(head witness.Head, bad certificate.Bad) (Result, error) {
	shown, err := p.Show(head, bad)
	if !shown {
		return Result{Firings: p.firings, Run: p.run, Found: p.found}, err
	}
	return Result{Proof: p.Proof(func(witness.Head) (certificate.Bad, error) { return bad, nil })}, nil
}

// DeadTransition looks for a proof that some transition, by what ids name, never fires; nil where it finds none.
func (n *Net) DeadTransition(c *clock.Clock) *witness.Proof {
	return n.first(c, witness.Dead, n.view.TransitionGroups(), func(group []uint32) (certificate.Bad, error) { return certificate.Enabled(group), nil })
}

// ConstantPlace looks for a proof that some place, by what ids name, never changes; nil where it finds none.
func (n *Net) ConstantPlace(c *clock.Clock) *witness.Proof {
	return n.first(c, witness.Constant, n.view.PlaceGroups(), func(group []uint32) (certificate.Bad, error) { return certificate.Changed(n.view, group) })
}

// first returns the first proof for one of some groups, nil where there is none.
func (n *Net) first(c *clock.Clock, kind witness.HeadKind, groups [][]uint32, markings func(group []uint32) (certificate.Bad, error)) *witness.Proof {
	for at, group := range groups {
		if bad, err := markings(group); err == nil {
			if r, err := n.Begin(c).show(witness.Head{Kind: kind, At: uint32(at)}, bad); err == nil && r.Proof != nil {
				return r.Proof
			}
		}
	}
	return nil
}

// Proof returns the proof with all trees that were found; markings gives what they are about,
// as in [certificate.Walk.Check]. It returns nil when there are none. The checker has the last word.
func (p *Prover) Proof(markings func(witness.Head) (certificate.Bad, error)) *witness.Proof {
	if p.frames != nil && !p.frames.keep() {
		return nil
	}
	p.dropFacts()
	p.dropDiagrams()
	if p.walk.Check(p.clock, p.proof, markings) != nil {
		return nil
	}
	return p.proof
}

// dropFacts leaves out the facts that no leaf takes.
func (p *Prover) dropFacts() {
	number := map[int]int{}
	var kept []witness.Fact
	for _, tree := range p.proof.Trees {
		for i := range tree.Steps {
			step := &tree.Steps[i]
			step.Sum = slices.Clone(step.Sum) // the same leaf may close several cases
			for k := range step.Sum {
				part := &step.Sum[k]
				if !part.Fact {
					continue
				}
				if _, ok := number[part.Number]; !ok {
					number[part.Number] = len(kept)
					kept = append(kept, p.proof.Facts[part.Number])
				}
				part.Number = number[part.Number]
			}
		}
	}
	p.proof.Facts = kept
}

// Claim is the value of an item that may have a proof; f is its formula, where it has
// one.
func Claim(exam examinations.ID, item string, f formula.Formula) witness.Claim {
	_, always := f.(*formula.AllPaths)
	return witness.Claim{Item: item, Value: examinations.Truth(always || exam == examinations.OneSafe)}
}

// Prover looks for trees of a proof about a net.
type Prover struct {
	*Net
	clock *clock.Clock
	walk  *certificate.Walk
	proof *witness.Proof
	tree  *witness.Tree // under way
	part  part          // of the net, for the table at hand
	traps []int         // numbers of the facts that are traps
	terms int           // of all facts
	// firings lead to the marking that was found last in a case that is not closed.
	firings []float64
	sums    sums
	frames  *frames // nil: no clauses are looked for
	plain   bool    // nor are they for now
	run     []uint32
	found   bool // that run leads to a bad marking
}

// search closes the case at hand, by cases of it where need be. split are the
// disjunctions that were split on the way to it.
func (p *Prover) search(split []int) bool {
	given, disjunctions := p.walk.Case()
	if leaf, ok := p.close(given); ok {
		return leaf != nil && p.step(*leaf)
	}
	best := p.narrowest(given, disjunctions, split)
	if best < 0 && p.frames != nil && !p.plain {
		return p.frames.close(given)
	}
	if best < 0 || len(p.tree.Steps) >= maxSteps {
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

// mostNarrow is the number of disjunctions whose parts are looked at.
const mostNarrow = 32

// narrowest returns, of the smallest disjunctions that are not split yet, one with the fewest
// parts that nothing simple closes; -1 when all are split.
func (p *Prover) narrowest(given []witness.AtMost, disjunctions []int, split []int) int {
	var list []int
	for d := range disjunctions {
		if !slices.Contains(split, d) {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return disjunctions[a] - disjunctions[b] })
	best, fewest := -1, math.MaxInt
	for _, d := range list[:min(len(list), mostNarrow)] {
		left := 0
		for _, more := range p.walk.Alternatives(d) {
			p.clock.Work(64 * (1 + len(given)))
			if left < fewest && p.simply(slices.Concat(given, more)) == nil {
				left++
			}
		}
		if left < fewest {
			best, fewest = d, left
		}
		if fewest <= 1 {
			break
		}
	}
	return best
}

func (p *Prover) step(s witness.Step) bool {
	p.tree.Steps = append(p.tree.Steps, s)
	return p.walk.Step(s) == nil
}

// close returns a leaf for a case in which some inequalities are assumed. ok is false when
// there is a marking of the approximation in the case; p.firings lead there. Without a leaf
// and a marking the case is too large to be looked at.
func (p *Prover) close(given []witness.AtMost) (leaf *witness.Step, ok bool) {
	if len(given) == 0 {
		return nil, false // nothing contradicts the facts
	}
	given = slices.Clone(given)
	if leaf := p.simply(given); leaf != nil {
		return leaf, true
	}
	for {
		facts := p.trapFacts()
		leaf, table := p.contradiction(given, facts, maxCells)
		if leaf != nil || table == nil {
			return leaf, true
		}
		p.clock.Work(p.net.Transitions.Len() + p.net.Places.Len())
		p.firings = make([]float64, p.net.Transitions.Len())
		for k, x := range table.prices()[:len(p.part.transitions)] {
			p.firings[p.part.transitions[k]] = x
		}
		marking := p.reached(p.firings)
		for i := range marking {
			marking[i] += float64(p.net.Initial[i])
		}
		if !p.trap(marking) {
			return nil, false
		}
	}
}

// simply returns a leaf that takes one fact at most, where that closes a case.
func (p *Prover) simply(given []witness.AtMost) *witness.Step {
	if c, ok := p.sums.cubeOf(given); ok {
		if leaf := c.simply(p.walk.Facts()); leaf != nil && p.walk.Contradiction(given, leaf.Sum) == nil {
			return leaf
		}
	}
	return nil
}

// contradiction returns a leaf that closes a case by a sum of inequalities. It looks at the
// places near those of the case first, and at no table of more than some cells. Without a
// leaf it returns the last table; nil where its solution is no leaf in exact numbers.
func (p *Prover) contradiction(given, facts []witness.AtMost, cells int) (leaf *witness.Step, table *tableau) {
	all := slices.Concat(given, facts)
	var seeds []uint32
	for _, x := range all {
		for _, term := range x.Terms {
			seeds = append(seeds, term.Place)
		}
	}
	for p.part = range p.parts(seeds, len(all), cells) {
		table = p.table(given, facts)
		if table.below(p.clock, -1e-6) {
			leaf = p.leaf(table.solution(), given, facts)
			if leaf != nil && p.walk.Contradiction(given, leaf.Sum) == nil {
				return leaf, nil
			}
			table = nil // a larger part may have another solution
		}
	}
	return nil, table
}

// table is the program whose solutions below zero are contradictions: weights s of
// places, then multiples of the inequalities that are given, then of facts. With them
// s - (sum of the inequalities) is a sum over places that no transition makes larger.
func (p *Prover) table(given, facts []witness.AtMost) *tableau {
	n, all := len(p.part.places), slices.Concat(given, facts)
	rows := make([][]float64, len(p.part.transitions)+1)
	for t := range rows {
		p.clock.Work(n + len(all))
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
			p.clock.Work(64 + 8*len(change))
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
func (p *Prover) trapFacts() []witness.AtMost {
	all := p.walk.Facts()
	list := make([]witness.AtMost, len(p.traps))
	for i, number := range p.traps {
		list[i] = all[number]
	}
	return list
}

// effect gives what a transition adds to places.
func (n *Net) effect(t uint32, add func(place uint32, by float64)) {
	places, weights := n.net.Pre.Row(int(t))
	for k, place := range places {
		add(place, -float64(weights.At(k)))
	}
	places, weights = n.net.Post.Row(int(t))
	for k, place := range places {
		add(place, float64(weights.At(k)))
	}
}

// reached is what numbers of firings add to the places.
func (p *Prover) reached(firings []float64) []float64 {
	added := make([]float64, p.net.Places.Len())
	for t, x := range firings {
		if x != 0 {
			p.effect(uint32(t), func(place uint32, by float64) { added[place] += x * by })
		}
	}
	return added
}

// leaf makes a solution of the table exact: a leaf, and the fact that it needs. It returns nil
// when that is no fact.
func (p *Prover) leaf(z []float64, given, facts []witness.AtMost) *witness.Step {
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
		if !p.add(invariant) {
			return nil
		}
		step.Sum = append(step.Sum, witness.Part{Factor: big.NewRat(1, 1), Fact: true, Number: len(p.proof.Facts) - 1})
	}
	return &step
}

// add adds a fact, if it is one, and there is room for it.
func (p *Prover) add(f witness.Fact) bool {
	if p.terms+len(f.Terms) > maxTerms || p.walk.Add(f) != nil {
		return false
	}
	p.terms += len(f.Terms)
	p.proof.Facts = append(p.proof.Facts, f)
	return true
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
func (p *Prover) trap(marking []float64) bool {
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
			p.clock.Work(16)
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
	if len(fact.Terms) == 0 || !p.add(fact) {
		return false
	}
	p.traps = append(p.traps, len(p.proof.Facts)-1)
	return true
}
