// Package simplify makes CTL formulas smaller by laws of the operators on maximal paths,
// and by what is known of all reachable markings: a part that holds in all of them, or in
// none, is a constant (Bønneland, Dyhr, Jensen, Johannsen and Srba, "Simplification of CTL
// formulae for efficient model checking of Petri nets", 2018).
package simplify
