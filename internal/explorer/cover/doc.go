// Package cover decides coverability: it builds the graph of Karp and Miller, which
// is finite also where the markings of a net are not, and tells from it the bounds of
// sums of places, which transitions can fire, and whether a marking can be reached
// with at least some numbers of tokens. It gives runs that prove what it tells.
//
// Source: R. M. Karp and R. E. Miller, "Parallel program schemata", Journal of
// Computer and System Sciences 3, 1969.
package cover
