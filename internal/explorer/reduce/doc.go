// Package reduce makes nets smaller without changing the answer that is asked
// for: structural reductions, each a named rule of the literature that looks at
// the shape of the net only.
//
//	G. Berthelot, "Transformations and decompositions of nets", 1987
//	T. Murata, "Petri nets: properties, analysis and applications", 1989
//	F. M. Bønneland, J. Dyhr, P. G. Jensen, M. Johannsen, J. Srba, "Stubborn
//	versus structural reductions for Petri nets", 2019
//	Y. Thierry-Mieg, "Structural reductions revisited", 2020
//
// # What may be used where
//
// A [Question] says what is to be kept and which places are observed: those
// that a formula counts, and, because is-fireable is a matter of counts, those
// that its transitions need. A transition that changes no observed count is
// invisible. Answers are read on maximal runs, a dead marking stutters.
//
//	                       Graph Steps Branching Linear Futures Firings Deadlocks Reachable
//	dead transition          x     x       x        x      x       x        x         x
//	constant place           x     x       x        x      x       x        x         x
//	sink place                     x       x        x      x       x        x         x
//	implicit place                 x       x        x      x       x        x         x
//	twin transition                x       x        x      x       x        x         x
//	dominated transition           x       x        x      x                x         x
//	identity transition                                                     x
//	source transition                                                       x         x
//	post-agglomeration                     x        x      x       x        x         x
//	  of a choice                                   x              x        x         x
//	pre-agglomeration                      x        x      x                x         x
//	free agglomeration                                                                x
//	free circuit                                           x                x         x
//	cone of influence                                      x                          x
//
// Graph is StateSpace. Steps is LTL and CTL with X or with deadlock as an atom.
// Branching is CTL without X, Futures what of it has only EF, AG and E U.
// Linear is LTL without X. Firings is QuasiLiveness and Liveness, and
// StableMarking, which asks whether a transition fires that changes a place.
// Reachable is EF f and AG f, f without temporal operators, UpperBounds, and
// OneSafe, which observes all places. Where the cone of influence is taken,
// transitions that change nothing are outside of it.
//
// # Runs
//
// A transition of the reduced net stands for a run of the original one, so that
// every run can be lifted back: an answer keeps its witness ([Reduction.Lift]).
package reduce
