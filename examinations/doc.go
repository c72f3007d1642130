// Package examinations is about what tools are asked (E-1.x): the table of
// examinations and their values.
//
// An examination of an instance asks for values: four numbers for StateSpace,
// one value per formula for the formula examinations, one truth value for a
// global property. A [Key] names one of these values. A [Value] is an answer to
// it, given by a tool, by an oracle or by the vote, as canonical text: two
// answers agree when their texts are equal, and no number is ever rounded. A
// [Programme] is the list of examinations of a year.
//
// Three packages below this one read and write: examinations/formula the
// formulas that are asked, examinations/output the answers of tools,
// examinations/oracle values that are known from elsewhere.
package examinations
