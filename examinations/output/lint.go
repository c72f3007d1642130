package output

import (
	"slices"
	"strconv"
	"strings"

	"podium/pnml/diagnostic"
)

// LintRule is one rule of the lint of tool output: what a finding means, and what
// the developer of the tool can do.
type LintRule struct {
	Code        string
	Severity    diagnostic.Severity // of a tolerant reader; a strict one makes warnings errors
	Explanation string
	Hint        string
}

// LintRules lists all rules of the lint of tool output by their codes. An error
// means that a line looks like an answer and was not taken as one. A warning
// means that the answer was taken, but another reader might not take it; or that
// a line was not taken which may be an answer or any other message: an error where
// nothing else in the output is an answer for its item. A note is
// information only.
var LintRules = []LintRule{
	{"answer-bare-item", diagnostic.Warning, "an item and its value stand on a line without a keyword; the line is not read", "write FORMULA in front of the item, and TECHNIQUES behind the value"},
	{"answer-contradiction", diagnostic.Error, "two lines give different values for one item; the edition says which one counts", "print a value once, when it is proved"},
	{"answer-crlf", diagnostic.Warning, "lines end with carriage return and line feed, so the last word of a line has a byte too many for a strict reader", "end lines with a line feed alone"},
	{"answer-cut", diagnostic.Error, "the output ends inside a number or word, which may have lost its end and is not taken", "write a line with one call and flush it at once"},
	{"answer-empty-techniques", diagnostic.Warning, "TECHNIQUES is followed by no word", "name at least one technique"},
	{"answer-extra-text", diagnostic.Warning, "words stand between the value and TECHNIQUES, or after a keyword that must be alone on its line", "print remarks on lines of their own"},
	{"answer-indented", diagnostic.Warning, "blanks or NUL bytes stand before the keyword; the line is read, and other readers might not", "print the keyword in the first column"},
	{"answer-invalid-utf8", diagnostic.Warning, "the line holds bytes that are no UTF-8", "print ASCII only"},
	{"answer-keyword-case", diagnostic.Warning, "the keyword is not in upper case; the line is not read", "write keywords in upper case"},
	{"answer-late", diagnostic.Warning, "the line was printed after the time limit and does not count", "print a value as soon as it is known"},
	{"answer-long-line", diagnostic.Warning, "the line is longer than four million bytes; what stands beyond was not read", "print a short list of techniques"},
	{manyTechniques, diagnostic.Note, "the line names more than six techniques; the manual of 2015 allows six", "name the techniques that led to this value"},
	{"answer-missing-item", diagnostic.Error, "the keyword is followed by no item", "name the formula or the number after the keyword"},
	{"answer-missing-value", diagnostic.Error, "the item is followed by no value", "print the value between the item and TECHNIQUES"},
	{"answer-misspelt-keyword", diagnostic.Error, "the keyword is misspelt; the line is not read", "write FORMULA, STATE_SPACE, CANNOT_COMPUTE or DO_NOT_COMPETE, with underscores"},
	{"answer-negative", diagnostic.Warning, "-1 stands for an unknown number where the manual does not allow it; it is taken as no answer", "print CANNOT_COMPUTE for a formula, and no line at all for STATES"},
	{"answer-no-final-newline", diagnostic.Warning, "the last line has no line feed", "end every line with a line feed"},
	{"answer-no-keyword", diagnostic.Error, "TECHNIQUES stands in a line that does not begin with FORMULA or STATE_SPACE; the line is not read", "begin the line with the keyword, spelt like that"},
	{"answer-no-techniques", diagnostic.Warning, "the line has no list of techniques", "end the line with TECHNIQUES and their names"},
	{"answer-none", diagnostic.Warning, "no line of the output is an answer: it counts as CANNOT_COMPUTE", "print DO_NOT_COMPETE or CANNOT_COMPUTE when that is meant"},
	{"answer-not-at-head", diagnostic.Warning, "a keyword stands inside other text; it is not read, and other readers might", "keep keywords out of messages, and colours out of answers"},
	{"answer-nul", diagnostic.Error, "the line holds NUL bytes and is not read", "do not print binary data"},
	{"answer-number-form", diagnostic.Warning, "the number has a sign, leading zeros, decimals or an unusual word for infinity", "print decimal digits only, or +inf"},
	{"answer-refusal-blanks", diagnostic.Warning, "DO NOT COMPETE or CANNOT COMPUTE is written with blanks; it is taken as what it says", "write DO_NOT_COMPETE or CANNOT_COMPUTE, with underscores"},
	{"answer-refused-formula", diagnostic.Error, "DO_NOT_COMPETE is said of one formula; it is for whole examinations", "print CANNOT_COMPUTE for the formula"},
	{"answer-refused-yet-answered", diagnostic.Warning, "the output holds values as well as CANNOT_COMPUTE or DO_NOT_COMPETE for the same thing; the values count", "print one or the other"},
	{"answer-repeated", diagnostic.Warning, "the same value is printed again for an item", "print a value once"},
	{"answer-rounded", diagnostic.Warning, "the number is in scientific notation and probably rounded; it counts as the exact number that it denotes", "print all digits"},
	{"answer-technique", diagnostic.Note, "a word in the list of techniques is none that the contest has seen", "announce new techniques to the organisers, and write names without blanks"},
	{"answer-too-many-items", diagnostic.Error, "the output answers more items than any examination has; the rest is not read", "print only what is asked"},
	{"answer-two-values", diagnostic.Error, "another value, or the rest of a number, follows the value; none of it is read", "print one value, its digits without blanks, and then TECHNIQUES"},
	{"answer-unanswered", diagnostic.Warning, "no line of the output concerns the item", "print CANNOT_COMPUTE when the value cannot be found"},
	{"answer-unknown", diagnostic.Warning, "? is no value; it is taken as no answer", "print CANNOT_COMPUTE"},
	{"answer-unknown-item", diagnostic.Error, "the item is none of those asked for", "copy ids from the formula file, byte by byte"},
	{"answer-unreadable", diagnostic.Error, "the word after the item is no value", "print TRUE or FALSE, or decimal digits, or CANNOT_COMPUTE"},
	{"answer-utf16", diagnostic.Error, "the output begins as text in UTF-16 does; no answer is read in it", "print ASCII only"},
	{"answer-value-case", diagnostic.Warning, "the value is not in upper case", "print TRUE or FALSE"},
	{"answer-wrong-keyword", diagnostic.Error, "STATE_SPACE is for the examination StateSpace and FORMULA for all others", "use the keyword of the examination"},
	{"answer-wrong-kind", diagnostic.Error, "the value is a number where a truth value is asked for, or the other way round", "print TRUE or FALSE for formulas and digits for numbers and bounds"},
}

// FindLintRule returns the rule with a code, and false when there is none.
func FindLintRule(code string) (LintRule, bool) {
	i, ok := slices.BinarySearchFunc(LintRules, code, func(r LintRule, c string) int { return strings.Compare(r.Code, c) })
	if !ok {
		return LintRule{}, false
	}
	return LintRules[i], true
}

// maxFindings bounds the findings of one rule in one output.
const maxFindings = 50

// manyTechniques is a habit of tools, not of lines: it is noted once, with the number of
// lines.
const manyTechniques = "answer-many-techniques"

func mostOf(code string) int {
	if code == manyTechniques {
		return 1
	}
	return maxFindings
}

// findings collects what is wrong with an output, with a bound per rule.
type findings struct {
	file   string
	strict bool
	list   diagnostic.List
	count  map[string]int
	grave  int // findings other than notes
}

// add notes a finding unless there are enough of its rule. The message is made
// from parts only then, so that a flood of findings costs nothing.
func (f *findings) add(code string, line, col int, message ...string) {
	if f.count == nil {
		f.count = map[string]int{}
	}
	rule, _ := FindLintRule(code)
	severity := rule.Severity
	if severity != diagnostic.Note {
		f.grave++
	}
	f.count[code]++
	if f.count[code] > mostOf(code) {
		return
	}
	if f.strict && severity == diagnostic.Warning {
		severity = diagnostic.Error
	}
	text := strings.Join(message, "")
	if text == "" {
		text = rule.Explanation
	}
	f.list.Add(diagnostic.Diagnostic{File: f.file, Line: line, Col: col, Severity: severity, Code: code, Message: text, Hint: rule.Hint})
}

// all returns the findings in order, and of a rule that had more than are listed, how many.
func (f *findings) all() diagnostic.List {
	list := slices.Clone(f.list)
	for code, n := range f.count {
		if n > mostOf(code) && code == manyTechniques {
			at := slices.IndexFunc(list, func(d diagnostic.Diagnostic) bool { return d.Code == code })
			list[at].Message += "; " + strconv.Itoa(n) + " lines do"
		} else if n > maxFindings {
			list.Add(diagnostic.Diagnostic{File: f.file, Severity: diagnostic.Note, Code: code,
				Message: strconv.Itoa(n-maxFindings) + " more findings of this kind"})
		}
	}
	list.Sort()
	return list
}
