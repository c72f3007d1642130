// Package state has the state formulas: those without temporal operators, which one
// marking decides. A [Lookup] turns the ids of a formula file into places and
// transitions of the net that is searched, which may be a reduced one. The formulas
// are evaluated on packed markings and, where adding tokens never makes them false, on
// the nodes of a coverability graph.
package state
