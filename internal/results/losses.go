package results

import (
	"fmt"
	"slices"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// misfits finds what a published table cannot hold (errors) and what it shortens
// (warnings). whole tells that every sheet names all values that were asked for, as
// those of a campaign do.
func misfits(e *edition.Edition, r *scoring.Result, whole bool) diagnostic.List {
	var found diagnostic.List
	refuse := func(code, format string, args ...any) {
		found.Add(diagnostic.Diagnostic{Code: code, Message: fmt.Sprintf(format, args...),
			Hint: "--format answers holds such results"})
	}
	c := r.Contest
	for i, s := range c.Sheets {
		exam := &c.Exams[s.Exam]
		if n := int(s.Values); n > exam.Required || n < exam.Required && !whole && !c.AsDisplayed {
			refuse("raw-places", "%s of %s asks for %d values and %d are known, by ids that do not say their places", exam.ID,
				c.Instances[c.Sheets[i].Instance].Name, exam.Required, n)
			break
		}
	}
	odd, shortened := 0, 0
	var first string
	for sheet, s := range c.Sheets {
		kind := e.Kinds[c.Exams[s.Exam].ID]
		for tool := range c.Tools {
			for v := int(s.First); v < int(s.First+s.Values); v++ {
				answer := c.Ballots.Row(v)[tool]
				text := displayedText(r, answer)
				_, err := tableValue(kind, text)
				if ofTask(e, &c.Exams[s.Exam]) {
					text = taskText(c.Values[answer], scoring.Unasked)
					_, err = taskAnswer(text)
				}
				if err != nil {
					if odd++; odd == 1 {
						first = fmt.Sprintf("%q of %s on %s of %s", text, c.Tools[tool].Name, c.Exams[s.Exam].ID, c.Instances[c.Sheets[sheet].Instance].Name)
					}
				} else if kind == examinations.Nat && text != "?" && numberOf(text) != c.Values[answer] {
					shortened++
				}
			}
		}
		for v := int(s.First); v < int(s.First+s.Values) && c.Oracle != nil && given(e, &c.Exams[s.Exam]); v++ {
			expected := c.Values[c.Oracle[v]]
			if _, err := taskAnswer(taskText(expected, scoring.Unasked)); err != nil {
				if odd++; odd == 1 {
					first = fmt.Sprintf("%q, which is expected of %s", expected.Text, c.Items[v])
				}
			}
		}
	}
	if odd > 0 {
		refuse("raw-value", "%s that a published file may show, the first %s", wording.Count(odd, "answer is no value", "answers are no values"), first)
	}
	if shortened > 0 {
		found.Add(diagnostic.Diagnostic{Severity: diagnostic.Warning, Code: "raw-digits",
			Message: fmt.Sprintf("%s written with five digits, as edition %s shows and compares numbers; --format answers keeps all digits", wording.Count(shortened, "number is", "numbers are"), e.ID)})
	}
	return found
}

// unwritable finds texts that would break a table, which knows no quotes.
func (t *Table) unwritable() diagnostic.List {
	for i := range t.Rows {
		for c, field := range t.Rows[i] {
			if strings.ContainsAny(field, ",\r\n") || field == "" && Column(c) <= ExaminationColumn {
				return diagnostic.List{{Code: "raw-text", Message: fmt.Sprintf("a field of a published file cannot hold %q", field),
					Hint: "--format answers holds such names"}}
			}
		}
	}
	return nil
}

// Unsaid warns of facts that decide scores and that no form of results can
// hold: whoever reads the file has to state them again.
func Unsaid(e *edition.Edition, c *scoring.Contest) diagnostic.List {
	var found diagnostic.List
	warn := func(n int, format, one, many string) {
		if n > 0 {
			found.Add(diagnostic.Diagnostic{Severity: diagnostic.Warning, Code: "export-unsaid", Message: fmt.Sprintf(format, wording.Count(n, one, many))})
		}
	}
	classes, families, out, barred, silent, void := 0, 0, 0, 0, 0, 0
	for i := range c.Instances {
		if c.Instances[i].Class != e.Classes.Class(c.Instances[i].Name) {
			classes++
		}
	}
	for tool, t := range c.Tools {
		if t.FamilyName() != t.Name {
			families++
		}
		switch {
		case disqualified(c, tool):
			barred++
		case t.OutOfCompetition && !slices.Contains(e.OutOfCompetition, t.Name):
			out++
		}
	}
	hidden := 0
	seen := make([]bool, len(c.Instances))
	for sheet, s := range c.Sheets {
		for tool := range c.Tools {
			switch c.Run(sheet, tool).Participation {
			case scoring.Absent:
			case scoring.Void:
				void++
			default:
				seen[s.Instance] = true
				if c.OptedOut(sheet, tool) {
					hidden++
				}
			}
		}
	}
	for _, s := range seen {
		if !s {
			silent++
		}
	}
	warn(classes, "the class of %s not in the file: give --classes with it", "instance is", "instances are")
	warn(families, "the family of %s not in the file: give --families with it", "tool is", "tools are")
	warn(out, "the file does not say that %s out of competition: give --out-of-competition with it", "tool is", "tools are")
	warn(barred, "the file does not say that %s disqualified, whose answers are votes for those who read it: say so beside the file, or withdraw the tool", "tool is", "tools are")
	warn(hidden, "%s in the file, in categories that the tools opt out of: do not publish it", "run is", "runs are")
	warn(silent, "%s not in the file, where families count fewer instances", "instance without runs is", "instances without runs are")
	warn(void, "%s not in the file", "void run is", "void runs are")
	return found
}

// disqualified reports whether decisions took a tool's place and all of its runs.
func disqualified(c *scoring.Contest, tool int) bool {
	if c.StruckPlace(tool) == "" {
		return false
	}
	for sheet := range c.Sheets {
		if c.StruckRun(sheet, tool) == "" {
			return false
		}
	}
	return true
}

// Untold warns of facts about runs that an answers CSV and a published table
// leave out. A published table holds what is expected of tasks, and which answers were not
// confirmed.
func Untold(e *edition.Edition, c *scoring.Contest, table bool) diagnostic.List {
	var found diagnostic.List
	warn := func(n int, format, one, many string) {
		if n > 0 {
			found.Add(diagnostic.Diagnostic{Severity: diagnostic.Warning, Code: "export-untold", Message: fmt.Sprintf(format, wording.Count(n, one, many))})
		}
	}
	expected, witnesses, energy, cut := 0, 0, 0, 0
	for _, s := range c.Sheets {
		held := table && given(e, &c.Exams[s.Exam])
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			if !held && c.Oracle != nil && c.Oracle[v] != 0 {
				expected++
			}
			for tool := range c.Tools {
				if w := c.Witness(v, tool); w != scoring.Unasked && !(held && w == scoring.Unconfirmed) {
					witnesses++
				}
			}
		}
	}
	for i := range c.Runs {
		if c.Runs[i].Energy != 0 {
			energy++
		}
		if c.Runs[i].Participation == scoring.Answered && c.Runs[i].Vector < c.Sheets[i/len(c.Tools)].Values {
			cut++
		}
	}
	warn(expected, "%s not in the file, which holds answers only", "expected verdict is", "expected verdicts are")
	warn(witnesses, "the fate of %s is not in the file", "witness", "witnesses")
	warn(cut, "%s fewer values than asked for, which the file does not tell from values left open", "run has", "runs have")
	warn(energy, "the energy of %s is not in the file", "run", "runs")
	return found
}
