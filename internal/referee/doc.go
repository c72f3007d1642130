// Package referee decides values by proving them, instead of by a vote.
//
// A [Referee] decides examinations of instances, each within a budget of time
// and memory, and leaves open what it cannot decide ([Referee.Instance]). It
// writes a certificate that says how each value was proved, continues where an
// earlier call stopped, and compares proved values with known answers. [Form]
// decides the table of properties of a model in the same way. [Open] makes a
// [Replayer], which replays runs that prove values. docs/referee.md describes
// all of it.
package referee
