// Package walk answers what random walks prove: the tool "walk".
//
// A walk fires enabled transitions from the initial marking on and forgets
// where it has been, so it needs little memory and goes deep in nets of any
// size. What it meets is proved reachable, and nothing else is ever concluded
// from it: a dead marking, a marking in which a formula holds, a transition
// that fires, a place that changes, a second token on a place. A walk that
// covers an earlier marking of its own and has grown proves a sum of places
// unbounded (Karp, Miller 1969).
//
// Three things stand beside the walks: structural bounds by semiflows, which
// meet the lower bounds that walks find; a prefix of the reachability graph on
// which CTL formulas are judged in three values; and lassos (walks that close a
// loop, or end in a dead marking), on which LTL formulas are refuted.
//
// Vocabulary: the game is the token game in one current marking; a form is a
// weighted sum of places kept up to date while the game goes on; a goal is a
// predicate on markings that some walk shall reach; news is anything that
// brings an answer nearer.
package walk
