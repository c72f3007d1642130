// Package check decides temporal formulas and liveness on a space of markings, also
// while the space is not complete: then it says what is known.
//
//   - CTL by labelling, backwards along the edges (ctl.go): per formula a set of
//     markings that surely satisfy it, and a set outside of which none does.
//   - LTL by the search for an accepted run in the product with an automaton (ltl.go).
//   - Liveness on the components that no edge leaves (components.go).
//
// The space must have been searched with its edges.
package check
