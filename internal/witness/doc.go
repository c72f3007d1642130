// Package witness defines witnesses: paths of a net that prove values of an
// examination. docs/witnesses.md is the manual of the format. Package replay
// reads and writes witnesses, which takes a net, and fires them.
//
// # Words
//
// A path is a sequence of firings from the initial marking on; a part at its
// end, the cycle, may be repeated for ever. A witness is one path or several,
// with the values of one examination that they prove, its claims. A firing
// names a transition, on a coloured net with a binding of its variables. Files
// call a path a run. A
// lasso is a path whose cycle leads back to where it begins; a covering path is
// one whose cycle adds tokens and takes none away, so that the net is unbounded
// (Karp and Miller, 1969).
package witness
