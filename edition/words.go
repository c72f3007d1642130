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
		text := cmp.Or(about[u.section], u.section) + ": " + u.function.Doc + "." + u.settings()
		if n, known := at[id]; known {
			list[n].Text += "\n" + text
			continue
		}
		at[id] = len(list)
		list = append(list, Words{id, text})
	}
	return list
}

// settings lists the parameters of a use, with what they mean.
func (u use) settings() string {
	var parts []string
	for _, p := range u.function.Params {
		if value := cmp.Or(u.given[p.Name], p.Default); value != "" {
			parts = append(parts, fmt.Sprintf("%s: %s", p.Doc, value))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.ToUpper(parts[0][:1]) + parts[0][1:] + strings.Join(append([]string{""}, parts[1:]...), "; ") + "."
}
