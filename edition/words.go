package edition

import (
	"cmp"
	"fmt"
	"strings"
)

// Words are what an edition says of one numbered rule, in sentences.
type Words struct {
	Rule string // E-4.2; empty where the edition gives a function no number
	Text string
}

// numbers of sections whose functions have no number of their own, by the rules of 2016.
var numbers = map[string]string{"consistent": "E-2.2", "confidence": "E-2.2", "elect": "E-3.1"}

// about says what a section is, for a reader of its rules.
var about = map[string]string{"consistent": "Consistent values", "confidence": "Confidence of a tool", "elect": "Reference values", "flags": "Flag",
	"scoring": "Points", "ranking": "Ranking", "certified": "Proofs"}

// Words gives the rules of the edition in the order of their use: what each of its
// functions does, with its parameters. Functions of one number are together.
func (e *Edition) Words() (list []Words) {
	at := map[string]int{}
	for _, u := range e.uses {
		id := cmp.Or(u.rule, numbers[u.section])
		if u.function.Name == "oracle" { // the rules of 2016 have no such references
			id = u.rule
		}
		text := cmp.Or(about[u.section], u.section) + ": " + u.function.Doc + u.scope() + "." + u.settings()
		if n, known := at[id]; known {
			list[n].Text += "\n" + text
			continue
		}
		at[id] = len(list)
		list = append(list, Words{id, text})
	}
	return list
}

// scope says what a rule is limited to.
func (u use) scope() string {
	if u.only == "" {
		return ""
	}
	return "; for " + u.only + " only"
}

// settings lists the parameters of a use by the names that editions give them, each with
// its value and what it means.
func (u use) settings() string {
	var parts []string
	for _, p := range u.function.Params {
		value := cmp.Or(u.given[p.Name], p.Default)
		if p.Type == flagParam {
			value = map[string]string{"true": "yes", "false": "no"}[value]
		}
		if value != "" {
			parts = append(parts, fmt.Sprintf("%s %s (%s)", p.Name, value, p.Doc))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " With " + strings.Join(parts, ", ") + "."
}
