package compare

import (
	"fmt"

	"podium/pnml/diagnostic"
)

// mostFindings bounds the findings of one tool; a workflow shows few.
const mostFindings = 50

// Findings are what is worse, as errors on the file After, and a note when nothing is.
func (r *Report) Findings() diagnostic.List {
	var list diagnostic.List
	add := func(severity diagnostic.Severity, code, format string, args ...any) {
		list.Add(diagnostic.Diagnostic{File: r.After.Name, Severity: severity, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		found := 0
		for _, c := range t.Changes {
			if !c.Worse() {
				continue
			}
			if found++; found <= mostFindings {
				add(diagnostic.Error, "compare-value", "%s: %s: %s", t.Title(), c.Kind, c.what())
			}
		}
		if found > mostFindings {
			add(diagnostic.Error, "compare-value", "%s: %d more values are worse", t.Title(), found-mostFindings)
		}
		if t.LimitsWorse {
			add(diagnostic.Error, "compare-limits", "%s: %s", t.Title(), r.say("significantly more models lost values to limits than gained some"))
		}
		for _, row := range t.rows() {
			if row.Time.Claim == More {
				add(diagnostic.Error, "compare-time", "%s, %s: CPU time %s", t.Title(), row.Name, row.Time)
			}
			if row.Memory.Claim == More {
				add(diagnostic.Error, "compare-memory", "%s, %s: memory %s", t.Title(), row.Name, row.Memory)
			}
		}
	}
	if len(list) == 0 {
		add(diagnostic.Note, "compare", "%s", r.Verdict())
	}
	return list
}
