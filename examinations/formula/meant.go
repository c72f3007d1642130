package formula

import (
	"slices"
	"strings"

	"podium/pnml/diagnostic"
)

// What may stand where, for the next step of findings: a suggestion names only what could
// stand there, and of a word of the schema that stands in a wrong place, it says the right one.

// The places of the schema that hold more than one kind of element; others have the name of
// their element.
const (
	ofFormulas = "a formula"
	ofNumbers  = "a number"
)

// mayStand are the elements of each place.
var mayStand = map[string][]string{
	"property-set": {"property"},
	"property":     {"id", "description", "formula"},
	ofFormulas: {"all-paths", "exists-path", "next", "globally", "finally", "until", "deadlock", "is-fireable",
		"negation", "conjunction", "disjunction", "integer-le", "place-bound"},
	ofNumbers:      {"integer-constant", "integer-sum", "integer-difference", "tokens-count"},
	"until":        {"before", "reach"},
	"is-fireable":  {"transition"},
	"tokens-count": {"place"},
	"place-bound":  {"place"},
}

// holders are the elements that have each place in them.
var holders = map[string]string{
	ofFormulas: "<formula> and in operators of formulas",
	ofNumbers:  "<integer-le>, <integer-sum> and <integer-difference>",
}

// standsElsewhere says in which elements a word of the schema stands, "" for other words.
func standsElsewhere(name string) string {
	for place, list := range mayStand {
		switch {
		case !slices.Contains(list, name):
		case name == "place":
			return "<tokens-count> and <place-bound>"
		case name == "place-bound":
			return "<formula>, alone"
		case holders[place] != "":
			return holders[place]
		default:
			return "<" + place + ">"
		}
	}
	return ""
}

// meantElement returns the next step for an element that may not stand in a place.
func meantElement(name, place string) string {
	here := mayStand[place]
	if where := standsElsewhere(name); where != "" && !slices.Contains(here, name) {
		return "it stands in " + where
	}
	if near, ok := diagnostic.Nearest(name, slices.Values(here)); ok && near != name {
		return "did you mean <" + near + ">?"
	}
	if len(here) == 0 || len(here) > 6 {
		return nextSteps["formula-unsupported"]
	}
	return "<" + strings.Join(here, ">, <") + "> may stand here"
}

// misplaced says what is wrong with an element that may not stand where a formula or a
// number is expected.
func misplaced(name, place, otherwise string) string {
	if standsElsewhere(name) != "" {
		return "<" + name + "> where " + place + " is expected"
	}
	return "<" + diagnostic.Cut(name) + "> is " + otherwise
}
