// Package selection is a small language that chooses runs of a campaign:
//
//	tool=lola examination=CTL* outcome=memory,cputime host!=node3
//
// A selection is a list of terms with blanks between them. A term is a key, = or !=,
// and one or more patterns with commas between them, in which * stands for any text
// and ? for one letter. A run is chosen when it fits all terms; it fits a term when
// its value fits one of the patterns, or with != none of them. The empty selection
// chooses all runs.
package selection

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"podium/pnml/diagnostic"
)

// Key is what a term speaks of.
type Key string

// The keys.
const (
	Tool        Key = "tool"
	Model       Key = "model"       // such as Philosophers
	Instance    Key = "instance"    // such as Philosophers-PT-000010
	Form        Key = "form"        // COL or PT
	Examination Key = "examination" // such as CTLFireability
	Outcome     Key = "outcome"     // how the run ended, see Facts
	Host        Key = "host"        // name of the computer that did it
)

// Described is a key with what it is for people.
type Described struct {
	Key   Key
	About string
}

// Keys lists the keys.
var Keys = []Described{
	{Tool, "name of a tool"},
	{Model, "name of a model, as Philosophers"},
	{Instance, "name of an instance, as Philosophers-PT-000010"},
	{Form, "COL or PT"},
	{Examination, "name of an examination, as CTLFireability"},
	{Outcome, "how the run ended: exited, signal, cputime, walltime, memory, output, and so on; answered, CC or DNC; void; left for a run without an end"},
	{Host, "name of the computer that did the run"},
}

// Facts are the values of a run. A key may have several, or none.
type Facts map[Key][]string

// Selection chooses runs.
type Selection struct{ terms []term }

type term struct {
	key      Key
	not      bool
	patterns []string
}

// Limits of a selection.
const (
	maxText  = 64 << 10
	maxTerms = 100
)

// Parse reads a selection. Errors name the column and the next step.
func Parse(text string) (*Selection, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("the selection has %d bytes; the limit is %d", len(text), maxText)
	}
	s := &Selection{}
	for at := 0; at < len(text); {
		if blank(text[at]) {
			at++
			continue
		}
		end := at
		for end < len(text) && !blank(text[end]) {
			end++
		}
		t, err := parseTerm(text[at:end])
		if err != nil {
			return nil, fmt.Errorf("column %d of the selection: %w", at+1, err)
		}
		if s.terms = append(s.terms, t); len(s.terms) > maxTerms {
			return nil, fmt.Errorf("the selection has more than %d terms", maxTerms)
		}
		at = end
	}
	return s, nil
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func parseTerm(text string) (t term, err error) {
	name, patterns, ok := strings.Cut(text, "=")
	if !ok {
		return t, fmt.Errorf("%s is no term: a term is a key and a pattern, such as tool=lola", diagnostic.Excerpt(text))
	}
	name, t.not = strings.CutSuffix(name, "!")
	t.key = Key(name)
	var known []string
	for _, k := range Keys {
		known = append(known, string(k.Key))
	}
	if !slices.Contains(known, name) {
		return t, fmt.Errorf("there is no key %s%s", diagnostic.Excerpt(name), diagnostic.Instead(name, known))
	}
	for pattern := range strings.SplitSeq(patterns, ",") {
		if pattern == "" {
			return t, fmt.Errorf("%s has an empty pattern; * stands for any text", diagnostic.Excerpt(text))
		}
		if _, err := path.Match(pattern, ""); err != nil {
			return t, fmt.Errorf("the pattern %s cannot be read: * is any text, ? a letter, [ab] one of some letters", diagnostic.Excerpt(pattern))
		}
		t.patterns = append(t.patterns, pattern)
	}
	return t, nil
}

// String returns the selection in its own language.
func (s *Selection) String() string {
	var words []string
	for _, t := range s.terms {
		sign := "="
		if t.not {
			sign = "!="
		}
		words = append(words, string(t.key)+sign+strings.Join(t.patterns, ","))
	}
	return strings.Join(words, " ")
}

// All reports whether the selection chooses every run.
func (s *Selection) All() bool { return len(s.terms) == 0 }

// Chooses reports whether a run with these values is chosen.
func (s *Selection) Chooses(f Facts) bool {
	for i := range s.terms {
		t := &s.terms[i]
		if slices.ContainsFunc(f[t.key], t.fits) == t.not {
			return false
		}
	}
	return true
}

// Names reports whether a term has a pattern that fits one of these values.
func (s *Selection) Names(f Facts) bool {
	return slices.ContainsFunc(s.terms, func(t term) bool { return slices.ContainsFunc(f[t.key], t.fits) })
}

// fits reports whether a value fits one of the patterns; the case of letters counts in
// none of them.
func (t *term) fits(value string) bool {
	value = strings.ToLower(value)
	return slices.ContainsFunc(t.patterns, func(pattern string) bool {
		ok, _ := path.Match(strings.ToLower(pattern), value) // its form was checked
		return ok
	})
}

// known returns an error for the first pattern that fits none of the names of its key;
// keys without names are not looked at.
func (s *Selection) known(names map[Key][]string) error {
	for _, t := range s.terms {
		for _, pattern := range t.patterns {
			one := term{patterns: []string{pattern}}
			if names[t.key] == nil || slices.ContainsFunc(names[t.key], one.fits) {
				continue
			}
			return fmt.Errorf("no %s fits %s%s", t.key, diagnostic.Excerpt(pattern), diagnostic.Instead(pattern, names[t.key]))
		}
	}
	return nil
}
