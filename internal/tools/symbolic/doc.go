// Package symbolic answers the examinations of one-safe nets with decision
// diagrams: the tool "symbolic".
//
// A set of markings of a one-safe net is a boolean function over its places,
// one variable (level) per place in a static order. The node table and the set
// operations are those of github.com/dalzilio/rudd; on top of them stand
// saturation (Ciardo, Lüttgen, Siminiscanu 2001) for the reachable markings
// and constrained saturation (Zhao, Ciardo 2009) for backward reachability.
//
// Vocabulary: an event is the effect of one transition, a list of steps, one
// per place it touches, each from a value to a value; a relation is a list of
// events, by the level of their first step; settling a node means firing the
// events that begin at its level until nothing new is found.
//
// One-safety is never believed. Events fire only where their outputs are empty,
// so the fixpoint holds reachable markings only, whatever the net; afterwards
// it is searched for a marking that enables a transition with an occupied
// output. There is one: the net is not one-safe, and OneSafe is the only thing
// that is answered. There is none: the fixpoint is closed, hence it is the
// whole state space, and the net is proved one-safe.
//
// LTL is decided on the product with a tableau, whose guesses stand on levels of
// their own below the places. Coloured nets are unfolded first; what is asked of a
// coloured place or transition is asked of all that it unfolds to.
package symbolic
