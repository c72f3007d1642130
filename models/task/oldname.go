package task

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"podium/pnml/diagnostic"
)

// Named is what the name of a program says in the years before task definitions.
type Named struct {
	Property    string // unreach-call, valid-memsafety, ...; empty: the one of the category
	Verdict     Verdict
	Subproperty string // the part of the property that is violated
}

var namedVerdict = regexp.MustCompile(`_(true|false|unknown)-([a-z]+(?:-[a-z]+)*)`)

// oldProperties are what the names of 2013 to 2018 speak of; parts of
// valid-memsafety stand for it.
var oldProperties = []string{"unreach-label", "unreach-call", "valid-memsafety", "valid-memcleanup", "valid-free", "valid-deref", "valid-memtrack",
	"no-overflow", "termination", "no-data-race"}

// ReadName reads the name of a program. From 2013 on it says properties and verdicts:
// floppy_true-unreach-call_false-valid-deref.i.cil.c. Before, "BUG" and "unsafe" say
// that the error label is reached (report of 2012, section 4). It is empty when the
// name says nothing, which in 2012 meant that the label is not reached. Wrong says what
// cannot be meant: properties that no rules of those years had, and verdicts that contradict each other.
func ReadName(name string) (named []Named, wrong []string) {
	base := path.Base(name)
	for _, m := range namedVerdict.FindAllStringSubmatch(base, -1) {
		n := Named{Property: m[2], Verdict: map[string]Verdict{"true": True, "false": False}[m[1]]}
		if !slices.Contains(oldProperties, n.Property) {
			wrong = append(wrong, "speaks of a property that is not known: "+diagnostic.Excerpt(n.Property))
			continue
		}
		if slices.Contains(memorySafety, n.Property) {
			if n.Verdict == False {
				n.Subproperty = n.Property
			}
			n.Property = "valid-memsafety"
		}
		at := slices.IndexFunc(named, func(o Named) bool { return o.Property == n.Property })
		switch {
		case at < 0:
			named = append(named, n)
		case n.Verdict == True && parts(m[2], named[at].Subproperty): // one part holds, another one does not
		case named[at].Verdict == True && n.Subproperty != "" && !strings.Contains(base, "_true-valid-memsafety") && !strings.Contains(base, "_true-"+n.Subproperty):
			named[at] = n
		case named[at] != n:
			wrong = append(wrong, "says two verdicts on "+n.Property)
		}
	}
	if len(named)+len(wrong) == 0 && (strings.Contains(base, "BUG") || strings.Contains(base, "unsafe")) {
		named = []Named{{Verdict: False}}
	}
	return named, wrong
}

// parts reports whether these are two parts of memory safety.
func parts(one, other string) bool {
	return one != other && slices.Contains(memorySafety, one) && slices.Contains(memorySafety, other)
}
