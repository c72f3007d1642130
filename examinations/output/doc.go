// Package output reads what tools print (E-1.7).
//
// A [Reader] takes answers from the output of a tool. It is as tolerant as the
// contest is, and says by rule codes what another reader would not understand:
// see [LintRules]. What the rules of the contest leave open, such as the answer that
// counts when there are two, is an option with a name: see [ReaderOptions].
// [OpenLog] reads the logs of earlier contests.
package output
