// Package results reads and writes published results. A file that was read
// becomes a scoring.Contest, as the journal of a campaign does.
//
// There are three forms:
//
//   - raw-result-analysis.csv, the organisers' file of all runs of a contest with
//     its scores, masks, elected values and weights. A [Table] keeps every byte of
//     such a file; [Verify] recomputes every judged column from the answers alone;
//   - the plain answers CSV, one value per line;
//   - result XML of BenchExec.
//
// Readers have limits, collect diagnostics with line and column, and go on.
package results
