package formula

import (
	"fmt"
	"strings"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

// CheckIDs checks that ids of formulas which name an instance and an examination, as in
// AirplaneLD-PT-0010-CTLFireability-2025-00, name those of the file. Results are joined
// by the ids, so that formulas of another model would be judged as its own. Ids of
// another form draw a warning. Ids that belong to the same other place are one finding,
// at the first of them.
func CheckIDs(file string, properties []Property, instance string, exam examinations.ID) diagnostic.List {
	type source struct {
		instance string
		exam     examinations.ID
	}
	var (
		list  diagnostic.List
		more  []int // of each finding, how many ids it stands for beside its own
		alike = map[source]int{}
	)
	begin := instance
	if exam != "" {
		begin += "-" + string(exam)
	}
	for i := range properties {
		p := &properties[i]
		named, of, ok := splitID(p.ID)
		d := diagnostic.Diagnostic{File: file, Line: p.Line, Col: p.Col}
		switch {
		case !ok && strings.HasPrefix(p.ID, begin+"-"):
			continue
		case !ok:
			d.Severity, d.Code, d.Message = diagnostic.Warning, "formula-id", "the id "+diagnostic.Excerpt(p.ID)+" lacks the beginning "+begin
			d.Hint = "write it: tools and results tell formulas by it"
		case named != instance:
			d.Code, d.Message = "formula-other-model", "the id "+diagnostic.Excerpt(p.ID)+" names "+diagnostic.Cut(named)+", and the instance is "+instance
			d.Hint = "are these the formulas of another net? Ids begin with " + begin
		case of != exam && exam != "":
			d.Code, d.Message = "formula-other-examination", "the id "+diagnostic.Excerpt(p.ID)+" names "+string(of)+", and the file is of "+string(exam)
			d.Hint = "name the file " + of.FormulaFile() + ", or write ids that begin with " + begin
		default:
			continue
		}
		if first, known := alike[source{named, of}]; known {
			more[first]++
			continue
		}
		alike[source{named, of}] = len(list)
		list.Add(d)
		more = append(more, 0)
	}
	for i, n := range more {
		if n > 0 {
			list[i].Message += fmt.Sprintf("; so do %d more ids of this file", n)
		}
	}
	return list
}

// splitID returns the instance and the examination that an id names.
func splitID(id string) (instance string, exam examinations.ID, ok bool) {
	for _, exam := range examinations.All() {
		if at := strings.LastIndex(id, "-"+string(exam)+"-"); at > 0 && exam.HasFormulas() {
			instance = id[:at]
			return instance, exam, strings.Contains(instance, "-PT-") || strings.Contains(instance, "-COL-")
		}
	}
	return "", "", false
}
