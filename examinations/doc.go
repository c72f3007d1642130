// Package examinations knows what is asked of the tools (E-1.x): the table of
// examinations, the formula files, and what a tool's output says.
//
// An examination of an instance asks for values: four numbers for StateSpace,
// one answer per formula for the formula examinations, one truth value for a
// global property. A [Key] names one such value, a [Value] is what a tool, an
// oracle or the vote says of it.
package examinations
