// Package diagnostic is the one form in which Podium reports what is wrong with
// something read from outside: a model, a formula file, a tool's output, a
// manifest, an edition.
//
// A diagnostic has a position, a rule code, a severity, a message and, where
// there is one, the next step. Readers collect diagnostics and go on. A list is
// sorted, and repetitions are dropped, before it is printed.
package diagnostic

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Severity tells whether a diagnostic refuses the input.
type Severity uint8

// Only an Error makes a check fail.
const (
	Error Severity = iota
	Warning
	Note
)

// String returns the lower-case word that is printed.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "note"
}

// Diagnostic is one finding. Line and Col count from 1, Col in bytes; 0 means
// that the finding is about the whole file, or the whole line.
type Diagnostic struct {
	File     string
	Line     int
	Col      int
	Severity Severity
	Code     string // short stable rule code, e.g. "pnml-duplicate-id"; may be empty
	Message  string // one line, no final stop
	Hint     string // the next step, may be empty
	Subject  string // name that the finding is about, for programs; not printed
}

// Position is "file:line:col" with the parts that are known.
func (d Diagnostic) Position() string {
	switch {
	case d.Line == 0:
		return d.File
	case d.Col == 0:
		return fmt.Sprintf("%s:%d", d.File, d.Line)
	}
	return fmt.Sprintf("%s:%d:%d", d.File, d.Line, d.Col)
}

// Error is the line that a terminal shows: position, severity unless it is an
// error, message, code and hint, all of it printable.
func (d Diagnostic) Error() string {
	var b strings.Builder
	if p := d.Position(); p != "" {
		b.WriteString(p + ": ")
	}
	if d.Severity != Error {
		b.WriteString(d.Severity.String() + ": ")
	}
	b.WriteString(d.Message)
	if d.Code != "" {
		b.WriteString(" [" + d.Code + "]")
	}
	if d.Hint != "" {
		b.WriteString("; " + d.Hint)
	}
	return Printable(strings.ReplaceAll(b.String(), "\n", "\u240a"))
}

// List is a collection of findings. The zero value is ready for use.
type List []Diagnostic

// Add appends one finding.
func (l *List) Add(d Diagnostic) { *l = append(*l, d) }

// Sort orders by file, line, column, code and message and drops repetitions. What is said of a
// file as a whole stands behind what is said of its lines.
func (l *List) Sort() {
	line := func(d Diagnostic) int { return cmp.Or(d.Line, math.MaxInt) }
	slices.SortStableFunc(*l, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(line(a), line(b)), cmp.Compare(a.Col, b.Col),
			cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
	*l = slices.Compact(*l)
}

// Count returns the number of findings of one severity.
func (l List) Count(s Severity) int {
	n := 0
	for _, d := range l {
		if d.Severity == s {
			n++
		}
	}
	return n
}

// Err is nil when no finding is an error, else the list itself.
func (l List) Err() error {
	if l.Count(Error) == 0 {
		return nil
	}
	return l
}

// Error prints the findings one per line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, d := range l {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}
