// Package benchexec hands a campaign on tasks over to BenchExec: [Export] writes benchmark
// definitions, task definitions, set files and tool-info modules with which BenchExec runs
// the same contest, and [Runexec] gives the command that repeats one run.
package benchexec
