// Package replay reads and writes witnesses of a net and fires them. A [Net] gives
// the transitions and bindings that the lines of a witness name, so that reading
// and writing need one too.
//
// A replay fires the paths one step after the other, on counts of 64 bits with
// every overflow seen, and knows nothing of how they were found: it shares no code
// with the explorer. What the paths show is compared with every claim:
// [witness.Confirmed] when they prove it, [witness.Refuted] when they prove a value
// that contradicts it, else [witness.Unconfirmed], with what is missing. A value
// that holds of all paths (AG f TRUE, no deadlock, a finite bound) is shown by no
// path.
package replay
