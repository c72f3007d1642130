// Package examinations knows what is asked of the tools (E-1.x): the table of
// examinations, their values and the programme of each year.
//
// An examination of an instance asks for values: four numbers for StateSpace,
// one answer per formula for the formula examinations, one truth value for a
// global property. A [Key] names one such value, a [Value] is what a tool, an
// oracle or the vote says of it, in canonical text: two values agree when their
// texts are equal, and no number is ever rounded. A [Programme] is the list of
// examinations of a year.
//
// Three rooms below hold what is read and written: examinations/formula the
// formulas that are asked, examinations/output the answers of tools,
// examinations/oracle answers that are known from elsewhere.
package examinations
