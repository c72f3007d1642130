// Package enumeration decides values by visiting all reachable markings of a small net,
// in the plainest way: a map of markings, their successors, and formulas evaluated by
// the definitions of their operators. It repeats what a search has found and shares
// nothing with it but the reading of nets and formulas. docs/witnesses.md is the manual.
//
// In the same way it checks what a witness says of some markings ([Branches]), and decides
// formulas of LTL by state formulas that never hold together ([Outline]).
package enumeration
