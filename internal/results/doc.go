// Package results reads and writes published results, which enter at the same
// place as the journal of a campaign: as the runs of a scoring.Contest.
//
// Three forms are known:
//
//   - raw-result-analysis.csv, the organisers' file of all runs of a contest with
//     its scores, masks, elected values and weights. A [Table] holds such a file
//     to the last byte; [Verify] recomputes every judged column from the answers
//     alone;
//   - the plain answers CSV, one value per line;
//   - result XML of BenchExec.
//
// Readers have limits, collect diagnostics with line and column, and go on.
package results
