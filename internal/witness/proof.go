package witness

import "math/big"

// Proof shows what no run can show; package certificate checks it.
type Proof struct {
	Facts []Fact
	// Clauses hold in every reachable marking: in the initial one, and together they are
	// kept by every firing.
	Clauses []Clause
	// Diagrams are sets of markings that hold the initial one and that no firing leaves.
	Diagrams []*Diagram
	Trees    []Tree
	Line     int // of its first line, 0 when it was not read
}

// FactKind says what a fact is.
type FactKind uint8

// The facts: a weighted sum that no firing makes larger, a set of places that once
// marked stays marked, and one that once empty stays empty.
const (
	Invariant FactKind = iota
	Trap
	Siphon
)

// Fact is something that holds in every reachable marking. An invariant says that the
// sum over its terms is at most what it is in the initial marking; the places of a trap
// together hold at least one token, those of a siphon none.
type Fact struct {
	Kind  FactKind
	Terms []Term // of traps and siphons only the places count
}

// Term is a factor times the tokens of a place of the net, or of the unfolded net.
type Term struct {
	Factor *big.Rat
	Place  uint32
}

// AtMost is the inequality: the sum of factors times tokens is at most a bound.
type AtMost struct {
	Terms []Term
	Bound *big.Rat
}

// Clause says that one of its alternatives holds. An alternative is some inequalities
// with whole numbers, which hold together.
type Clause [][]AtMost

// Diagram is a set of markings as a graph without cycles. A node of a level has an edge for
// each number of tokens that a marking of the set has in the place of the level; it leads to a
// node of the next level, and below the last one to the end. Places without a level may hold
// any number of tokens.
type Diagram struct {
	Places []uint32 // of the net, by levels, from the top
	// Nodes stand behind those to which their edges lead. The last one is the top. Their
	// edges stand by ascending tokens.
	Nodes [][]Edge
}

// Edge is an edge of a node of a diagram.
type Edge struct {
	Tokens uint64
	To     uint32 // a node, from 1 on; or 0, the end
}

// HeadKind says which markings a tree of cases is about.
type HeadKind uint8

// The heads. No reachable marking is bad, which the value of the witness explains; no
// firing of a transition breaks a clause; a state formula holds always, or never; a
// transition never fires; a place never changes its number of tokens; some state formulas never
// hold together; from every reachable marking there is a way to one where a formula holds, or to
// one that holds no less than the initial one in any place.
const (
	Bad HeadKind = iota
	Keep
	Always
	Never
	Dead
	Constant
	Apart
	Return
	Home
)

// Head says what a tree shows.
type Head struct {
	Kind   HeadKind
	Number int       // of the clause, of the state formula, or of the part with a path quantifier
	At     uint32    // the transition of the net that fires; or the transition or place, by what ids name
	States []Literal // that never hold together
}

// Literal is a state formula of the formula, by its number from 0, or with Not its negation.
type Literal struct {
	Number int
	Not    bool
}

// Tree is a tree of cases, each node before its children: it shows that no marking is as
// the head would not have it. A tree about a way back shows that no such marking is without a
// move.
type Tree struct {
	Head  Head
	Rank  []Term     // of a way back: a sum without negative factors that each move makes smaller
	Moves [][]uint32 // of a way back: transitions that fire one after the other
	Steps []Step
}

// Back reports whether a head is about a way back.
func (h Head) Back() bool { return h.Kind == Return || h.Kind == Home }

// StepKind says what a step is.
type StepKind uint8

// The steps: one case for each part of a disjunction or for each alternative of a clause,
// two cases by a bound, and what ends a case: a contradiction, or a diagram without such a
// marking.
const (
	Split StepKind = iota
	SplitClause
	Cut
	Leaf
	Outside
)

// Step is a node of a tree of cases. In a case some things are assumed; they are
// numbered from 0 in the order in which they come: disjunctions by themselves, and
// inequalities by themselves.
type Step struct {
	Kind  StepKind
	Split int      // number of the disjunction, of the clause, or of the diagram
	Terms []Term   // of a cut, with whole factors: the sum is at most Bound, or at least one more
	Bound *big.Int // of a cut
	Sum   []Part   // of a leaf
}

// Part is a multiple of an inequality that is assumed, or of a fact.
type Part struct {
	Factor *big.Rat // positive
	Fact   bool
	Number int
}
