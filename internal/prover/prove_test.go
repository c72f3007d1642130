package prover

import (
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/pnml"
	"podium/pnml/unfold"
)

// question is a condition on markings, as the checker sees it and as a formula, and whether
// a reachable one satisfies it.
type question struct {
	net       *pnml.Net
	bad       certificate.Bad
	reachable bool
	graph     *nettest.Graph
	formula   formula.Formula
}

// questions draws small nets with conditions on their markings: formulas, deadlock,
// bounds and safety, each decided by enumeration.
func questions(n int, seed uint64, each func(question)) {
	rng := rand.New(rand.NewPCG(seed, 5))
	for range n {
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 400)
		if g == nil {
			continue
		}
		view := unfold.Plain(net)
		ask := func(bad certificate.Bad, f formula.Formula) {
			each(question{net, bad, slices.Contains(g.Sat(f), true), g, f})
		}
		formulas := nettest.NewFormulas(rng, net)
		for range 4 {
			f := formulas.State(2)
			ask(certificate.Satisfying(f, false), f)
			ask(certificate.Satisfying(f, true), &formula.Not{F: f})
		}
		ask(certificate.Satisfying(&formula.Deadlock{}, false), &formula.Deadlock{})
		place := uint32(rng.IntN(net.Places.Len()))
		bound := g.UpperBound([]string{net.Places.At(int(place))})
		for k := max(0, bound-1); k <= bound+1; k++ {
			bad, err := certificate.MoreThan([]uint32{place}, uint64(k))
			if err != nil {
				panic(err)
			}
			ask(bad, atLeast(net, place, k+1))
		}
		two := &formula.Or{}
		for p := range uint32(net.Places.Len()) {
			two.Fs = append(two.Fs, atLeast(net, p, 2))
		}
		ask(certificate.NotOneSafe(view), two)
	}
}

// atLeast says that a place holds some tokens.
func atLeast(net *pnml.Net, place uint32, tokens int) formula.Formula {
	return &formula.LessEqual{Left: &formula.Number{N: uint64(tokens)}, Right: &formula.TokensCount{Places: []string{net.Places.At(int(place))}}}
}

// view is the net as formulas see it.
func (q question) view() unfold.View { return unfold.Plain(q.net) }

// accepts reports whether the checker accepts a proof.
func (q question) accepts(p *witness.Proof) bool {
	return certificate.Begin(nil, q.view()).Check(nil, p, func(witness.Head) (certificate.Bad, error) { return q.bad, nil }) == nil
}

// TestProofsAreRight: on small nets no proof is found of what enumeration refutes, and many
// are found of what is true; more with clauses than without. A run leads to a bad marking.
func TestProofsAreRight(t *testing.T) {
	unreachable, plain, strong, runs, clauses := 0, 0, 0, 0, 0
	questions(nets(400), 1, func(q question) {
		simple, err := NewNet(nil, q.view()).Prove(nil, q.bad)
		if err != nil {
			t.Fatal(err)
		}
		found, err := NewNet(nil, q.view()).Strengthen(nil, q.bad)
		if err != nil {
			t.Fatal(err)
		}
		if (simple.Proof != nil || found.Proof != nil) && q.reachable {
			t.Fatalf("a reachable marking is proved not to be: %+v", found.Proof)
		}
		if found.Found && !q.graph.Reaches(found.Run, q.formula) {
			t.Fatalf("the run %v does not lead to a bad marking of %+v", found.Run, q.net)
		}
		if q.reachable {
			if found.Found {
				runs++
			}
			return
		}
		unreachable++
		if simple.Proof != nil {
			plain++
		}
		if found.Proof != nil {
			strong++
			clauses += len(found.Proof.Clauses)
		}
	})
	t.Logf("of %d, %d are proved without clauses, and %d with %d of them; %d runs", unreachable, plain, strong, clauses, runs)
	if plain*10 < unreachable*6 || strong*100 < unreachable*95 || clauses == 0 || runs == 0 {
		t.Errorf("of %d, only %d are proved without clauses, and %d with %d of them; %d runs", unreachable, plain, strong, clauses, runs)
	}
}

// nets is a number of random nets, twenty times as many in a long test.
func nets(n int) int {
	if os.Getenv("PODIUM_SOAK") != "" {
		return 20 * n
	}
	return n
}

// TestCorruptedProofs changes proofs at random and asks the checker whether they still
// show something: it may only accept what enumeration confirms.
func TestCorruptedProofs(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	tried, accepted, clauses := 0, 0, 0
	var kept []*witness.Proof
	questions(nets(600), 2, func(q question) {
		prove := NewNet(nil, q.view()).Prove
		if rng.IntN(2) == 0 {
			prove = NewNet(nil, q.view()).Strengthen
		}
		// Of those without clauses, a part is enough.
		own := false
		if found, err := prove(nil, q.bad); err == nil && found.Proof != nil && (len(found.Proof.Clauses) > 0 || rng.IntN(8) == 0) {
			kept, own = append(kept, found.Proof), true
		}
		if len(kept) == 0 {
			return
		}
		// A proof of this question, or of another one on another net.
		for k := range 2 {
			at := len(kept) - 1 - rng.IntN(min(len(kept), 20))
			if own && k == 0 {
				at = len(kept) - 1
			}
			broken := corrupt(rng, q.net, kept[at])
			tried++
			if q.accepts(broken) {
				accepted++
				clauses += len(broken.Clauses)
				if q.reachable {
					t.Fatalf("a wrong value is proved: %+v", broken)
				}
			}
		}
	})
	t.Logf("%d corrupted proofs were tried, %d still hold, with %d clauses", tried, accepted, clauses)
	if tried < 10_000 || accepted == 0 || clauses == 0 {
		t.Errorf("%d corrupted proofs were tried, %d still hold, with %d clauses", tried, accepted, clauses)
	}
}

// corrupt changes one or two things in a copy of a proof.
func corrupt(rng *rand.Rand, net *pnml.Net, p *witness.Proof) *witness.Proof {
	c := &witness.Proof{Facts: slices.Clone(p.Facts), Clauses: slices.Clone(p.Clauses), Trees: slices.Clone(p.Trees)}
	number := func() *big.Rat { return big.NewRat(int64(rng.IntN(7)-2), int64(1+rng.IntN(3))) }
	term := func() witness.Term {
		return witness.Term{Factor: big.NewRat(int64(rng.IntN(4)-1), 1), Place: uint32(rng.IntN(net.Places.Len()))}
	}
	for range 1 + rng.IntN(2) {
		switch kind := rng.IntN(8); {
		case len(c.Trees) == 0: // all are gone
		case kind == 0 && len(c.Facts) > 0:
			f := &c.Facts[rng.IntN(len(c.Facts))]
			f.Terms = slices.Clone(f.Terms)
			switch rng.IntN(3) {
			case 0:
				f.Kind = witness.FactKind(rng.IntN(3))
			case 1:
				f.Terms = append(f.Terms, term())
			default:
				if len(f.Terms) > 0 {
					f.Terms[rng.IntN(len(f.Terms))].Factor = number()
				}
			}
		case kind <= 2 && len(c.Clauses) > 0:
			i := rng.IntN(len(c.Clauses))
			x := corruptClause(rng, c.Clauses[i], term)
			c.Clauses[i] = x
		case kind == 3 && len(c.Trees) > 1: // one is missing, or there twice
			i := rng.IntN(len(c.Trees))
			if rng.IntN(2) == 0 {
				c.Trees = slices.Delete(c.Trees, i, i+1)
			} else {
				c.Trees = slices.Insert(c.Trees, i, c.Trees[i])
			}
		case kind == 4:
			i := rng.IntN(len(c.Trees))
			c.Trees[i].Head = witness.Head{Kind: witness.HeadKind(rng.IntN(2)), Number: rng.IntN(3), At: uint32(rng.IntN(1 + net.Transitions.Len()))}
		default:
			i := rng.IntN(len(c.Trees))
			c.Trees[i].Steps = corruptSteps(rng, c.Trees[i].Steps, number, term)
		}
	}
	return c
}

// corruptClause changes a copy of a clause.
func corruptClause(rng *rand.Rand, clause witness.Clause, term func() witness.Term) witness.Clause {
	clause = slices.Clone(clause)
	if len(clause) == 0 {
		return clause
	}
	i := rng.IntN(len(clause))
	clause[i] = slices.Clone(clause[i])
	switch kind := rng.IntN(4); {
	case kind == 0:
		return slices.Delete(clause, i, i+1)
	case kind == 1 || len(clause[i]) == 0:
		clause[i] = append(clause[i], witness.AtMost{Terms: []witness.Term{term()}, Bound: big.NewRat(int64(rng.IntN(4)-1), 1)})
	case kind == 2:
		clause[i][0].Bound = big.NewRat(int64(rng.IntN(4)-1), 1)
	default:
		clause[i][0].Terms = append(slices.Clone(clause[i][0].Terms), term())
	}
	return clause
}

// corruptSteps changes a copy of steps.
func corruptSteps(rng *rand.Rand, steps []witness.Step, number func() *big.Rat, term func() witness.Term) []witness.Step {
	steps = slices.Clone(steps)
	if len(steps) == 0 {
		return steps
	}
	k := rng.IntN(len(steps))
	s := &steps[k]
	s.Sum = slices.Clone(s.Sum)
	switch kind := rng.IntN(6); {
	case kind <= 1 && len(s.Sum) > 0:
		s.Sum[rng.IntN(len(s.Sum))].Factor = number()
	case kind == 2 && len(s.Sum) > 0:
		s.Sum[rng.IntN(len(s.Sum))].Number = rng.IntN(4)
	case kind == 3:
		return slices.Delete(steps, k, k+1)
	case kind == 4:
		return slices.Insert(steps, k, witness.Step{Kind: witness.Cut, Bound: big.NewInt(int64(rng.IntN(3))), Terms: []witness.Term{term()}})
	case len(s.Sum) > 0: // this changes nothing
		for i, part := range s.Sum {
			s.Sum[i].Factor = new(big.Rat).Add(part.Factor, part.Factor)
		}
	case s.Kind != witness.Leaf && s.Kind != witness.Cut:
		s.Kind, s.Split = witness.StepKind(rng.IntN(2)), rng.IntN(3)
	default:
		return slices.Insert(steps, k, steps[k])
	}
	return steps
}

// TestBoundsAreRight: on small nets no bound is proved that is too low, and most are
// the true ones.
func TestBoundsAreRight(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	proved, exact := 0, 0
	for range nets(400) {
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 400)
		if g == nil {
			continue
		}
		for place := range net.Places.Len() {
			most, proof, _, ok := NewNet(nil, unfold.Plain(net)).Bound(nil, []uint32{uint32(place)})
			if !ok {
				continue
			}
			if proved++; proof == nil {
				t.Fatal("a bound without a proof")
			}
			switch bound := uint64(g.UpperBound([]string{net.Places.At(place)})); {
			case most < bound:
				t.Fatalf("%d is proved to be the most, and %d are reached", most, bound)
			case most == bound:
				exact++
			}
		}
	}
	t.Logf("%d bounds are proved, %d of them exactly", proved, exact)
	if exact*10 < proved*7 {
		t.Errorf("only %d of %d bounds are exact", exact, proved)
	}
}

// TestNextPart: where the numbers of a solution cannot be made exact, a larger part of the net
// has another one.
func TestNextPart(t *testing.T) {
	b := &pnml.Builder{}
	from, to := b.Place("from", 1), b.Place("to", 0)
	names := []string{"to"}
	for k := range firstPart - 2 {
		names = append(names, "other"+strconv.Itoa(k))
		b.Place(names[k+1], 0)
	}
	key, move := b.Place("key", 0), b.Transition("move") // the key is missing, and not in the first part
	b.In(from, move, 32749)
	b.Out(move, to, 32713)
	b.In(key, move, 1<<16)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	view := unfold.Plain(net)
	bad := certificate.Satisfying(&formula.And{Fs: []formula.Formula{
		&formula.LessEqual{Left: &formula.Number{N: 2}, Right: &formula.TokensCount{Places: names}},
		&formula.LessEqual{Left: &formula.TokensCount{Places: []string{"from"}}, Right: &formula.Number{N: 5}},
	}}, false)
	if found, err := NewNet(nil, view).Prove(nil, bad); err != nil || found.Proof == nil {
		t.Errorf("no proof: %+v, %v", found, err)
	}
}

// TestMemoryHasLimits: what a search keeps does not grow beyond its limits: it forgets which
// cases are closed, and ends where there is no room for facts or clauses.
func TestMemoryHasLimits(t *testing.T) {
	b := &pnml.Builder{}
	from, to, move := b.Place("from", 1), b.Place("to", 0), b.Transition("move")
	b.In(from, move, 1)
	b.Out(move, to, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	view := unfold.Plain(net)
	bad, err := certificate.MoreThan([]uint32{0, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	begin := func() *Prover {
		p := NewNet(nil, view).Begin(nil)
		p.frames = newFrames(p)
		return p
	}
	for name, fill := range map[string]func(p *Prover){
		"nothing":        func(*Prover) {},
		"closed cases":   func(p *Prover) { p.frames.bytes = mostBytes + 1; p.frames.refuted["other"] = nil },
		"terms of facts": func(p *Prover) { p.terms = maxTerms },
	} {
		p := begin()
		fill(p)
		shown, err := p.Show(witness.Head{}, bad)
		if full := name == "terms of facts"; err != nil || shown == full || full != (len(p.proof.Facts) == 0) {
			t.Errorf("%s: shown %v with %d facts, %v", name, shown, len(p.proof.Facts), err)
		}
	}
	p := begin()
	c, _ := p.sums.cubeOf(atLeastOf(1))
	p.frames.bytes, p.frames.refuted["other"] = mostBytes+1, nil
	if p.frames.refute(c); len(p.frames.refuted) != 1 || p.frames.bytes > mostBytes {
		t.Errorf("%d closed cases are kept", len(p.frames.refuted))
	}
	p.frames.left, p.frames.atoms = 1, mostAtoms
	if p.frames.block(c, 1); len(p.frames.learned) > 0 {
		t.Error("a lesson is kept for which there is no room")
	}
}

// atLeastOf says that a place holds at least two tokens.
func atLeastOf(place uint32) []witness.AtMost {
	return []witness.AtMost{{Terms: []witness.Term{{Factor: big.NewRat(-1, 1), Place: place}}, Bound: big.NewRat(-2, 1)}}
}
