// Package tokens counts tokens: the firing rule of P/T nets on markings that are
// not packed, when one marking covers another, and sums that do not overflow.
// An enabled transition takes the weights of its arcs from the places before it
// and adds those of the arcs behind it (T. Murata, "Petri nets: properties,
// analysis and applications", 1989). A [Game] keeps what a marking enables while
// transitions fire, and says of a [Goal] whether it holds, and how far away it is.
package tokens
