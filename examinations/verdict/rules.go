package verdict

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Limits of rules.
const (
	MaxRules   = 100
	MaxPattern = 1000 // bytes
)

// The answers of a rule besides FALSE(PART).
const (
	True    = "TRUE"
	False   = "FALSE"
	Unknown = "UNKNOWN"
	Error   = "ERROR"
)

// Rule says under which conditions a run has which answer. All conditions that are
// given must hold.
type Rule struct {
	Stdout     string   `json:"stdout,omitempty" yaml:"stdout"`         // regular expression that a line of the output matches
	Stderr     string   `json:"stderr,omitempty" yaml:"stderr"`         // the same for standard error
	Exit       *int     `json:"exit,omitempty" yaml:"exit"`             // exit code
	Properties []string `json:"properties,omitempty" yaml:"properties"` // of the tasks that the rule is for; empty: all
	// Answer is TRUE, FALSE, FALSE(part), UNKNOWN or ERROR. FALSE($name) takes the part
	// from the group (?P<name>...) of a regular expression.
	Answer string `json:"answer" yaml:"answer"`
}

// Rules are tried in order.
type Rules []Rule

// Standard are the rules of a tool that says nothing else: it prints its verdict in a
// line of its own, as SV-COMP writes it.
var Standard = Rules{
	{Stdout: `^FALSE\((?P<part>[a-z-]+)\)$`, Answer: "FALSE($part)"},
	{Stdout: `^FALSE$`, Answer: False},
	{Stdout: `^TRUE$`, Answer: True},
	{Stdout: `^ERROR\b`, Answer: Error},
}

var (
	fixedAnswer = regexp.MustCompile(`^(TRUE|FALSE|UNKNOWN|ERROR|FALSE\([a-z]+(-[a-z]+)*\))$`)
	takenAnswer = regexp.MustCompile(`^FALSE\(\$([A-Za-z][A-Za-z0-9_]*)\)$`)
	partName    = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
)

// compiled is a rule that can be tried.
type compiled struct {
	stdout, stderr *regexp.Regexp
	exit           *int
	answer, group  string
}

// Problem says what is wrong with a rule, and with which of its keys.
type Problem struct{ Key, Message, Hint string }

// Check returns what is wrong with a rule.
func (r Rule) Check() []Problem {
	_, found := r.compile()
	return found
}

func (r Rule) compile() (c compiled, found []Problem) {
	refuse := func(key, hint, format string, args ...any) {
		found = append(found, Problem{key, fmt.Sprintf(format, args...), hint})
	}
	pattern := func(key, text string) *regexp.Regexp {
		if text == "" {
			return nil
		}
		if len(text) > MaxPattern {
			refuse(key, "split it into several rules", "the regular expression has %d bytes, and %d are possible", len(text), MaxPattern)
			return nil
		}
		re, err := regexp.Compile(text)
		if err != nil {
			refuse(key, "Go's syntax is that of RE2: no look-ahead and no back references", "this is no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		return re
	}
	c.stdout, c.stderr, c.exit = pattern("stdout", r.Stdout), pattern("stderr", r.Stderr), r.Exit
	if r.Stdout == "" && r.Stderr == "" && r.Exit == nil {
		refuse("", "write stdout: or stderr: and a regular expression, or exit: and a number", "the rule has no condition")
	}
	if r.Exit != nil && (*r.Exit < 0 || *r.Exit > 255) {
		refuse("exit", "exit codes are 0 to 255", "%d is no exit code", *r.Exit)
	}
	taken := takenAnswer.FindStringSubmatch(r.Answer)
	switch {
	case fixedAnswer.MatchString(r.Answer):
		c.answer = r.Answer
	case taken != nil:
		if c.group = taken[1]; len(found) == 0 && !hasGroup(c.stdout, c.group) && !hasGroup(c.stderr, c.group) {
			refuse("answer", "write (?P<"+c.group+">[a-z-]+) in the regular expression", "no regular expression of the rule has a group %q", c.group)
		}
	default:
		refuse("answer", "write TRUE, FALSE, FALSE(valid-deref), FALSE($part), UNKNOWN or ERROR", "the answer is %q", r.Answer)
	}
	return c, found
}

func hasGroup(re *regexp.Regexp, name string) bool {
	return re != nil && slices.Contains(re.SubexpNames(), name)
}

// compile returns the rules for tasks of a property; without any the standard ones.
func (list Rules) compile(property string) (all []compiled, err error) {
	if len(list) == 0 {
		list = Standard
	}
	if len(list) > MaxRules {
		return nil, fmt.Errorf("there are %d rules, and %d are possible", len(list), MaxRules)
	}
	for _, r := range list {
		if len(r.Properties) > 0 && !slices.Contains(r.Properties, property) {
			continue
		}
		c, found := r.compile()
		if len(found) > 0 {
			return nil, fmt.Errorf("%s: %s", cmp.Or(found[0].Key, "rule"), found[0].Message)
		}
		all = append(all, c)
	}
	return all, nil
}
