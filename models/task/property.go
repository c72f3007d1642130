package task

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"podium/pnml/diagnostic"
)

// Property is the content of a property file: every check has to hold.
type Property struct {
	File   string
	Checks []Check
}

// Check is one line of a property file: CHECK( init(ENTRY), LTL(FORMULA) ).
type Check struct {
	Line    int
	Entry   string // where programs begin: main()
	Formula string // one blank between words: G ! call(reach_error())
	Name    string // of the formula: unreach-call
	Symbol  string // function, label or exception that the formula is about; may be empty
}

// formulas are what the rules list; a name in angle brackets stands for a word of the
// file. G ! label is of the years before 2015, G assert
// and G ! uncaught of programs in Java.
var formulas = []struct{ text, name string }{
	{"G ! call(<function>())", "unreach-call"},
	{"G ! label(<label>)", "unreach-label"},
	{"G valid-free", "valid-free"},
	{"G valid-deref", "valid-deref"},
	{"G valid-memtrack", "valid-memtrack"},
	{"G valid-memcleanup", "valid-memcleanup"},
	{"G ! overflow", "no-overflow"},
	{"G ! data-race", "no-data-race"},
	{"F end", "termination"},
	{"G assert", "valid-assert"},
	{"G ! uncaught(<exception>)", "no-runtime-exception"},
}

// memorySafety are the parts of valid-memsafety: a program satisfies all of them or
// violates exactly one.
var memorySafety = []string{"valid-free", "valid-deref", "valid-memtrack"}

// Name is the property in verdicts and names of categories: that of the only check,
// valid-memsafety for its three parts, else the name of the file.
func (p *Property) Name() string {
	names := p.Parts()
	switch {
	case len(names) == 1:
		return names[0]
	case len(names) == len(memorySafety) && !slices.ContainsFunc(memorySafety, func(s string) bool { return !slices.Contains(names, s) }):
		return "valid-memsafety"
	}
	return strings.TrimSuffix(filepath.Base(p.File), filepath.Ext(p.File))
}

// Parts are the names of the checks, which are what a verdict FALSE(p) may name.
func (p *Property) Parts() []string {
	names := make([]string, len(p.Checks))
	for i, c := range p.Checks {
		names[i] = c.Name
	}
	return names
}

// maxProperty bounds a property file, in bytes.
const maxProperty = 1 << 16

// ReadProperty reads a property file. Name is the file in the findings. The property
// is nil when a finding is an error.
func ReadProperty(name string, text []byte) (*Property, diagnostic.List) {
	var found diagnostic.List
	p := &Property{File: name}
	if len(text) > maxProperty {
		return nil, diagnostic.List{{File: name, Code: "property-size", Message: fmt.Sprintf("the property file is larger than %d bytes", maxProperty)}}
	}
	line := 0
	for part := range strings.Lines(string(text)) {
		line++
		if strings.TrimSpace(part) == "" {
			continue
		}
		c, col, problem := readCheck(part)
		c.Line = line
		if problem != "" {
			found.Add(diagnostic.Diagnostic{File: name, Line: line, Col: col, Code: "property-syntax", Message: problem, Hint: checkHint})
			continue
		}
		if slices.Contains(p.Parts(), c.Name) {
			found.Add(diagnostic.Diagnostic{File: name, Line: line, Col: 1, Code: "property-repeated", Message: c.Name + " is checked already", Hint: "remove the line"})
			continue
		}
		p.Checks = append(p.Checks, c)
	}
	if len(p.Checks) == 0 && len(found) == 0 {
		found.Add(diagnostic.Diagnostic{File: name, Code: "property-empty", Message: "the file has no property", Hint: checkHint})
	}
	if found.Err() != nil {
		return nil, found
	}
	return p, found
}

const checkHint = "a line is CHECK( init(main()), LTL(F) ), F one of G ! call(FUNCTION()), G ! label(LABEL), G valid-free, G valid-deref, G valid-memtrack, " +
	"G valid-memcleanup, G ! overflow, G ! data-race, F end, G assert, G ! uncaught(EXCEPTION)"

// readCheck reads one line. A problem stands at a column in bytes from 1.
func readCheck(line string) (c Check, col int, problem string) {
	rest := line
	at := func() int { return len(line) - len(strings.TrimLeft(rest, " \t")) + 1 }
	skip := func(word string) bool {
		after, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), word)
		if ok {
			rest = after
		}
		return ok
	}
	for _, word := range []string{"CHECK", "(", "init", "("} {
		if !skip(word) {
			return c, at(), fmt.Sprintf("%q is missing", word)
		}
	}
	entry, after, ok := inBrackets(rest)
	if !ok || strings.TrimSpace(entry) == "" {
		return c, at(), "init(...) names no function, or is not closed"
	}
	c.Entry, rest = strings.TrimSpace(entry), after
	for _, word := range []string{",", "LTL", "("} {
		if !skip(word) {
			return c, at(), fmt.Sprintf("%q is missing", word)
		}
	}
	col = at()
	formula, after, ok := inBrackets(rest)
	if !ok {
		return c, col, "LTL(...) is not closed"
	}
	if rest = after; !skip(")") {
		return c, at(), `")" is missing`
	}
	if strings.TrimSpace(rest) != "" {
		return c, at(), "the line goes on after CHECK(...)"
	}
	c.Formula = strings.Join(strings.Fields(formula), " ")
	if c.Name, c.Symbol, ok = knownFormula(c.Formula); !ok {
		return c, col, "the rules have no formula " + diagnostic.Excerpt(c.Formula)
	}
	return c, 0, ""
}

// inBrackets splits a text at the bracket that closes the one before it.
func inBrackets(text string) (inside, after string, ok bool) {
	depth := 1
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:i], text[i+1:], true
			}
		}
	}
	return "", "", false
}

// knownFormula finds a formula of the rules; blanks do not matter.
func knownFormula(text string) (name, symbol string, ok bool) {
	text = strings.ReplaceAll(text, " ", "")
	for _, f := range formulas {
		before, after, open := strings.Cut(strings.ReplaceAll(f.text, " ", ""), "<")
		if !open {
			if text == before {
				return f.name, "", true
			}
			continue
		}
		_, after, _ = strings.Cut(after, ">")
		if rest, found := strings.CutPrefix(text, before); found {
			if symbol, found = strings.CutSuffix(rest, after); found && isWord(symbol) {
				return f.name, symbol, true
			}
		}
	}
	return "", "", false
}

// isWord reports whether a text can be the name of a function or a label.
func isWord(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && r != '.' && r != '$' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}
