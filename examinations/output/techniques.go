package output

import (
	"slices"
	"strings"
)

// knownTechniques are the technique keywords of the manual of 2015 and those
// seen in the contests since, sorted. Any word is accepted.
var knownTechniques = []string{
	"ABSTRACTIONS", "BESTFIRST_WALK", "BMC", "COLLATERAL_PROCESSING", "CPN_APPROX", "CTL_CZERO", "DECISION_DIAGRAMS",
	"EQUATIONAL_ABSTRACTION", "EXHAUSTIVE_WALK", "EXPLICIT", "IMPLICIT", "IMPLICIT_RELATION", "INDUCTION", "INITIAL_STATE", "K_INDUCTION",
	"LINEAR_EQUATIONS", "LP_APPROX", "LTLNFBA", "LTSMIN", "NET_UNFOLDING", "OVER_APPROXIMATION", "PARALLEL_PROCESSING",
	"PARIKH_WALK", "PARTIAL_ORDER", "PROBABILISTIC_WALK", "QUERY_REDUCTION", "RANDOM_WALK", "RELATIONS", "SATURATION",
	"SAT_SMT", "SEQUENTIAL", "SEQUENTIAL_PROCESSING", "SIPHON_TRAP", "STATE_COMPRESSION", "STATE_EQUATION", "STATIC_VARIABLE_REORDERING",
	"STRUCTURAL_REDUCTION", "STUBBORN_SETS", "SYMMETRIES", "TAUTOLOGY", "TOPOLOGICAL", "TRACE_ABSTRACTION_REFINEMENT",
	"UNFOLDING_TO_PT", "USE_NUPN",
}

// KnownTechnique reports whether a technique keyword, without its parameter in
// parentheses, has been seen in a contest.
func KnownTechnique(word string) bool {
	name, _, _ := strings.Cut(word, "(")
	_, ok := slices.BinarySearch(knownTechniques, name)
	return ok
}
