// Package nettest draws nets and formulas at random, for tests, and has some whose answers are
// known. The reachability graph of a net, and where formulas hold on it, is what the checker of
// witnesses enumerates.
package nettest
