package witness

import "math/big"

// Proof is a proof that no reachable marking is bad; package certificate says what that
// is, and checks it.
type Proof struct {
	Facts []Fact
	Steps []Step // of the tree of cases, each node before its children
	Line  int    // of its first line, 0 when it was not read
}

// ProofKind says what a fact or a step is.
type ProofKind uint8

// The facts: a weighted sum that no firing makes larger, a set of places that once
// marked stays marked, and one that once empty stays empty.
const (
	Invariant ProofKind = iota
	Trap
	Siphon
)

// The steps: one case for each part of a disjunction, two cases by a bound, and a
// contradiction, which ends a case.
const (
	Split ProofKind = iota
	Cut
	Leaf
)

// Fact is something that holds in every reachable marking. An invariant says that the
// sum over its terms is at most what it is in the initial marking; the places of a trap
// together hold at least one token, those of a siphon none.
type Fact struct {
	Kind  ProofKind
	Terms []Term // of traps and siphons only the places count
}

// Term is a factor times the tokens of a place of the net, or of the unfolded net.
type Term struct {
	Factor *big.Rat
	Place  uint32
}

// Step is a node of the tree of cases. In a case some things are assumed; they are
// numbered from 0 in the order in which they come: disjunctions by themselves, and
// inequalities by themselves.
type Step struct {
	Kind  ProofKind
	Split int      // number of the disjunction whose parts are the cases
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
