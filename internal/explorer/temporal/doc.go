// Package temporal translates temporal formulas into the forms that can be decided on
// a space of markings: [CTL] over three operators, and [LTL] into an [Automaton]. It
// knows no markings: state formulas are [Atoms], which others evaluate.
package temporal
