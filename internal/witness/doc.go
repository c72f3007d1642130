// Package witness reads, writes and replays witnesses: runs of a net that prove
// values of an examination. docs/witnesses.md is the manual of the format.
//
// # Words
//
// A run is a sequence of firings from the initial marking on; a part at its end,
// the cycle, may be repeated for ever. A witness is one run or several, with the
// values of one examination that they shall prove, its claims. A firing names a
// transition, on a coloured net with a binding of its variables. A lasso is a run
// whose cycle leads back to where it begins; a covering run is one whose cycle
// adds tokens and takes none away, so that the net is unbounded (Karp and Miller,
// 1969).
//
// # What a replay shows
//
// A replay fires the runs one step after the other, on counts of 64 bits with
// every overflow seen, and knows nothing of how they were found: it shares no code
// with the explorer. What the runs show is compared with every claim:
// [Confirmed] when they prove it, [Refuted] when they prove a value that
// contradicts it, else [Unconfirmed], with what is missing. A value that holds of
// all runs (AG f TRUE, no deadlock, a finite bound) is shown by no run.
package witness
