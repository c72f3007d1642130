// Package benchmark reads and writes the benchmark definitions of BenchExec: XML files that
// name a tool, its options, limits, and sets of tasks.
//
// A definition has run definitions, which are configurations of the tool, and sets of
// tasks, for one of them or for all. [Read] gives for each run definition its sets of tasks
// with the options of each; what Podium cannot do as BenchExec does is refused where it
// would change results, and else warned of. [Definition.Write] writes the form that [Read]
// reads.
//
// Sources: BenchExec's document type of benchmark definitions, and its documentation.
package benchmark
