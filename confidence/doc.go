// Package confidence computes from the answers of tools the confidence of each
// tool (E-2) and the reference values (E-3).
//
// A value is one piece of result of one examination of one instance (E-2.2).
// [Ballots] hold all answers: one row per value, one column per tool, one small
// number per answer. The answers of a row are its [Vote]s. There are two steps,
// and an edition names the function for each:
//
//   - a [ConsistentFunc] decides which values belong to V, the values on which the
//     tools agree. The [Share] of a tool counts how often it gave the agreed
//     answer, and a [ShareFunc] makes its confidence of it (Rtool and Ctool of the
//     rules are one number);
//   - an [ElectFunc] elects the [Reference] of a value among the votes, each
//     weighted by the confidence of its tool, and says by which [Clause].
//
// All results are exact: confidences are ratios of counts, and weights are
// compared as integers over one common denominator. Nothing here reads a clock
// or a file or uses floating point, and the order of tools or values changes no
// result.
package confidence
