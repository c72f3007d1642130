// Package confidence turns what the tools answered into what is held to be
// true: the confidence of the tools (E-2) and the reference values (E-3).
//
// A value is one piece of result of one examination of one instance (E-2.2).
// All that the tools answered lies in [Ballots]: one row per value, one column
// per tool, one small number per answer. A row read without its empty cells is a
// list of [Vote]s. Two steps, each of them a function that an edition names,
// make references of votes:
//
//   - a [ConsistentFunc] tells which values belong to V, the values that the
//     tools agree upon; the [Share] of a tool counts how often it agreed there,
//     and the [Ratio] of that share is its confidence (Rtool and Ctool of the
//     rules are one number);
//   - an [ElectFunc] elects the [Reference] of a value among the votes, each
//     weighted by the confidence of its tool, and names the [Clause] that
//     decided.
//
// Everything here is exact and pure: confidences are ratios of counts, weights
// are compared as integers over one common denominator, there is no clock, no
// file and no floating point, and the order of tools or values changes nothing.
package confidence
