package results

import (
	"fmt"
	"slices"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// valueRun collects the rows of a run in one of our own files.
type valueRun struct {
	line  int
	entry scoring.Entry
	items []string
	seen  map[string]bool // items, where there are many
	// oracle holds expected verdicts, by item: nothing where there is none.
	oracle []examinations.Value
}

// addBenchValues adds the runs of a file that has a row for each value.
func addBenchValues(b *scoring.Builder, s *BenchSet, e *edition.Edition, p Participants) diagnostic.List {
	var found diagnostic.List
	fail := func(line int, err error) {
		if err != nil && len(found) < maxFindings {
			found.Add(diagnostic.Diagnostic{File: s.File, Line: line, Code: "benchexec-run", Message: err.Error()})
		}
	}
	lines := map[examinations.ID]int{}
	for i := range s.Runs {
		if row := &s.Runs[i]; row.Value != "" && lines[row.sheet(e).Exam] == 0 {
			lines[row.sheet(e).Exam] = row.Line
		}
	}
	if lacks := unasked(s.File, e, lines, (*edition.Edition).Examination); lacks != nil {
		return lacks
	}
	runs := map[scoring.SheetName]*valueRun{}
	var order []*valueRun
	for i := range s.Runs {
		row := &s.Runs[i]
		if row.Value == "" {
			continue
		}
		name := row.sheet(e)
		run, met := runs[name]
		if !met {
			run = &valueRun{line: row.Line, entry: row.entry(s, name)}
			runs[name] = run
			order = append(order, run)
		}
		fail(row.Line, run.take(row, e))
	}
	for _, run := range order {
		b.Instance(run.entry.Instance, p.class(e, run.entry.Instance))
		fail(run.line, run.add(b))
	}
	return found
}

// sheet is the examination and the instance of a row.
func (r *BenchRun) sheet(e *edition.Edition) scoring.SheetName {
	name := scoring.SheetName{Instance: r.Name, Exam: examinations.ID(r.Properties)}
	if r.Examination != "" {
		name.Exam = examinations.ID(r.Examination)
	}
	if exam, ok := e.Examination(name.Exam); ok && exam.Required > 1 {
		name.Instance = strings.TrimSuffix(r.Name, "/"+r.Value)
	}
	if r.Examination != "" {
		name.Instance += "#" + r.Properties
	}
	return name
}

// benchWords are the statuses of runs without answers.
var benchWords = map[string]scoring.Participation{
	"TIMEOUT":         scoring.OutOfTime,
	"ERROR (CC)":      scoring.CannotCompute,
	"ERROR (DNC)":     scoring.DoNotCompete,
	"ERROR (Unknown)": scoring.Unreadable,
}

// became says what became of the run of a row.
func (r *BenchRun) became() scoring.Participation {
	if word, ok := benchWords[r.Status]; ok {
		return word
	}
	return scoring.Answered
}

// entry is the run that begins with a row.
func (r *BenchRun) entry(s *BenchSet, name scoring.SheetName) scoring.Entry {
	return scoring.Entry{Tool: s.Tool, Instance: name.Instance, Exam: name.Exam, Run: scoring.Run{Participation: r.became(),
		CPU: r.CPU, Wall: r.Wall, Memory: r.Memory, Energy: r.Energy, Parts: r.Parts.OrNil(), Order: r.Order, Vector: r.Length, Source: fmt.Sprintf("%s:%d", s.File, r.Line)}}
}

// take adds a row to its run.
func (v *valueRun) take(r *BenchRun, e *edition.Edition) error {
	if r.became() != v.entry.Participation {
		return fmt.Errorf("the rows of one run say %s here and %s in line %d", r.became(), v.entry.Participation, v.line)
	}
	if v.has(r.Value) {
		return fmt.Errorf("the run has two rows for its value %s", r.Value)
	}
	expected := examinations.Value{}
	if r.Answer == "" {
		expected = r.expected()
	}
	v.items, v.oracle = append(v.items, r.Value), append(v.oracle, expected)
	answer := r.answer(e)
	if r.Answer != "" {
		answer = numberOf(r.Answer)
	}
	if !answer.IsZero() {
		v.entry.Answers = append(v.entry.Answers, scoring.AnsweredValue{Item: r.Value, Value: answer, Witness: r.witness()})
	}
	return nil
}

// fewItems is the number of items up to which they are compared one by one.
const fewItems = 32

// has reports whether a value has a row already.
func (v *valueRun) has(item string) bool {
	if len(v.items) < fewItems {
		return slices.Contains(v.items, item)
	}
	if v.seen == nil {
		v.seen = map[string]bool{}
		for _, i := range v.items {
			v.seen[i] = true
		}
	}
	twice := v.seen[item]
	v.seen[item] = true
	return twice
}

func (v *valueRun) add(b *scoring.Builder) error {
	if err := b.Declare(v.entry.Instance, v.entry.Exam, v.items...); err != nil {
		return err
	}
	for i, expected := range v.oracle {
		if !expected.IsZero() {
			if err := b.Oracle(v.entry.Instance, v.entry.Exam, v.items[i], expected); err != nil {
				return err
			}
		}
	}
	return b.Add(v.entry)
}
