// Package examinations knows what is asked of the tools (E-1.x) and what they
// answer: the table of examinations, formula files, tool output, oracles.
//
// An examination of an instance asks for values: four numbers for StateSpace,
// one answer per formula for the formula examinations, one truth value for a
// global property. A [Key] names one such value, a [Value] is what a tool, an
// oracle or the vote says of it, in canonical text: two values agree when their
// texts are equal, and no number is ever rounded. A [Programme] is the list of
// examinations of a year.
//
// Formula files hold properties; a [Property] is an id and a [Formula], a typed
// syntax tree. [ReadFormulas] reads the XML form, which is normative (E-1.8),
// [ReadText] the text form, [CheckFormulas] compares with the net, and
// [Generate] makes new formulas.
//
// A [Reader] takes answers from the output of a tool. It is as tolerant as the
// contest is, and says by rule codes what another reader would not understand:
// see [Rules]. What the rules of the contest leave open, such as the answer that
// counts when there are two, is an option with a name. [OpenLog] reads the logs
// of earlier contests.
//
// [ReadOracle] and [ReadOracleCSV] read agreed answers. There, and in published
// vectors, a formula is known by its rank among the sorted ids, see [Ranked].
package examinations
