// Package referee decides values of a contest by itself, instead of by a vote.
//
// A [Referee] decides the examinations of instances by enumerating markings, each
// within a budget, and leaves open what it cannot decide ([Referee.Instance]). It
// keeps a certificate that says how each value was proved, goes on where an earlier
// call stopped, and compares what it proves with known answers. [Form] decides the
// table of properties of a model in the same way. [Open] replays runs that prove
// values ([Replayer]). docs/referee.md describes all of it.
package referee
