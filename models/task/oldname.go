package task

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Named is what the name of a program says in the years before task definitions.
type Named struct {
	Property    string // unreach-call, valid-memsafety, ...; empty: the one of the category
	Verdict     Verdict
	Subproperty string // the part of the property that is violated
}

var namedVerdict = regexp.MustCompile(`_(true|false)-([a-z]+(?:-[a-z]+)*)`)

// oldProperties are what the names of 2013 to 2018 speak of; parts of
// valid-memsafety stand for it.
var oldProperties = []string{"unreach-label", "unreach-call", "valid-memsafety", "valid-memcleanup", "valid-free", "valid-deref", "valid-memtrack",
	"no-overflow", "termination", "no-data-race"}

// ReadName reads the name of a program. From 2013 on it says properties and verdicts:
// floppy_true-unreach-call_false-valid-deref.i.cil.c. Before, "BUG" and "unsafe" say
// that the error label is reached (report of 2012, section 4). It is empty when the
// name says nothing, which in 2012 meant that the label is not reached; unknown are
// properties that no rules of those years had.
func ReadName(name string) (named []Named, unknown []string) {
	base := path.Base(name)
	for _, m := range namedVerdict.FindAllStringSubmatch(base, -1) {
		n := Named{Property: m[2], Verdict: True}
		if m[1] == "false" {
			n.Verdict = False
		}
		if !slices.Contains(oldProperties, n.Property) {
			unknown = append(unknown, n.Property)
			continue
		}
		if slices.Contains(memorySafety, n.Property) {
			if n.Verdict == False {
				n.Subproperty = n.Property
			}
			n.Property = "valid-memsafety"
		}
		named = append(named, n)
	}
	if len(named)+len(unknown) == 0 && (strings.Contains(base, "BUG") || strings.Contains(base, "unsafe")) {
		named = []Named{{Verdict: False}}
	}
	return named, unknown
}
