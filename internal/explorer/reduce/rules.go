package reduce

import "strings"

// Keep says which answers a reduction must not change.
type Keep uint8

const (
	Graph     Keep = iota // every marking and every firing: StateSpace
	Steps                 // the observed counts step by step, and dead markings: formulas with X or deadlock
	Branching             // CTL without X, on maximal paths
	Linear                // LTL without X, dead markings stutter
	Futures               // CTL whose only operators are EF, AG and E U
	Firings               // which transitions can fire, and can always fire again
	Deadlocks             // whether a dead marking is reachable
	Reachable             // whether a marking is reachable that has enough tokens here and few enough there
	keeps
)

// String returns the name of the column of the table.
func (k Keep) String() string {
	return [...]string{"Graph", "Steps", "Branching", "Linear", "Futures", "Firings", "Deadlocks", "Reachable"}[k]
}

// Rule is a structural reduction.
type Rule uint8

// The rules, in the order of the table of the package.
const (
	DeadTransition Rule = iota
	ConstantPlace
	SinkPlace
	ImplicitPlace
	TwinTransition
	DominatedTransition
	IdentityTransition
	SourceTransition
	PostAgglomeration
	PostChoice
	PreAgglomeration
	FreeAgglomeration
	FreeCircuit
	Cone
	rules
)

// String returns the name of the row of the table.
func (r Rule) String() string { return table[r].name }

// row is what the table says of a rule: where it may be used.
type row struct {
	name string
	for_ [keeps]bool
}

// table is the table of the package comment. Its tests show for every empty
// field that nothing is reduced, for every full one that answers stay.
var table = [rules]row{
	DeadTransition:      {"dead transition", columns("GSBLFTDR")},
	ConstantPlace:       {"constant place", columns("GSBLFTDR")},
	SinkPlace:           {"sink place", columns("SBLFTDR")},
	ImplicitPlace:       {"implicit place", columns("SBLFTDR")},
	TwinTransition:      {"twin transition", columns("SBLFTDR")},
	DominatedTransition: {"dominated transition", columns("SBLFDR")},
	IdentityTransition:  {"identity transition", columns("D")},
	SourceTransition:    {"source transition", columns("DR")},
	PostAgglomeration:   {"post-agglomeration", columns("BLFTDR")},
	PostChoice:          {"post-agglomeration of a choice", columns("LTDR")},
	PreAgglomeration:    {"pre-agglomeration", columns("BLFDR")},
	FreeAgglomeration:   {"free agglomeration", columns("R")},
	FreeCircuit:         {"free circuit", columns("FDR")},
	Cone:                {"cone of influence", columns("FR")},
}

// columns reads one letter per question: Graph, Steps, Branching, Linear,
// Futures, firings (T), Deadlocks, Reachable.
func columns(letters string) (on [keeps]bool) {
	for i, letter := range "GSBLFTDR" {
		on[i] = strings.ContainsRune(letters, letter)
	}
	return on
}

// Allowed reports whether a rule may be used where something is to be kept.
func (r Rule) Allowed(k Keep) bool { return table[r].for_[k] }
