// Package diagram explores nets with decision diagrams: sets of markings, however large,
// as graphs in which equal parts are shared.
//
// A diagram has one level for each place, in an order that brings the places of a
// transition together. A node of a level has an edge for each number of tokens that some
// marking of the set has in the place of the level; it leads to the set of what these
// markings have in the places below. Every path visits every level, and no edge leads to
// the empty set. So a place may hold any number of tokens, and a net needs no bound that
// is known beforehand.
//
// [Explore] computes the reachable markings by saturation (Ciardo, Lüttgen and
// Siminiceanu, "Saturation", 2001; for numbers of tokens that nobody knows beforehand:
// Ciardo, Marmorstein and Siminiceanu, 2003): the nodes of low levels are closed under
// the transitions that touch only these levels before higher ones are looked at. Sets of
// predecessors within a set are computed in the same way (Zhao and Ciardo, 2009). A
// [Space] counts markings and edges, gives bounds, and decides CTL by the fixpoints of its
// operators and LTL by the fair runs of the product with an automaton (Emerson and Lei,
// 1986).
//
// On an unbounded net the search does not end by itself; the clock, the memory or the
// largest number of tokens end it.
package diagram
