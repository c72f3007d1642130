// Package qualify finds out whether tools are fit for a contest (T-7): what their
// authors handed in is complete, and on the smallest instance of each model the tool
// starts, is understood, is never wrong, says what it does not do, and ends. Each
// tool gets a report with the command that repeats each failure.
package qualify
