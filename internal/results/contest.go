package results

import (
	"fmt"
	"strings"

	"podium/examinations"
	"podium/internal/diagnostic"
	"podium/internal/edition"
	"podium/scoring"
)

// rowWords are the results that say what became of a run without giving values.
var rowWords = map[string]scoring.Participation{
	"DNC":     scoring.DoNotCompete,
	"CC":      scoring.CannotCompute,
	"DNF":     scoring.OutOfTime,
	"Unknown": scoring.Unreadable,
}

// Contest makes a contest of the answers and measurements of a table; its
// judgements are not looked at. The order of the tools is that of their first
// rows, because the bonuses of some editions go to the first row among equals.
// The contest is nil when a diagnostic is an error.
func (t *Table) Contest(e *edition.Edition, p Participants) (*scoring.Contest, diagnostic.List) {
	var found diagnostic.List
	b := e.Builder()
	b.AsDisplayed = true
	tools := map[string]bool{}
	for i := range t.Rows {
		row := &t.Rows[i]
		if tool := row[ToolColumn]; !tools[tool] {
			tools[tool] = true
			b.Tool(p.tool(e, tool, len(tools)))
		}
		b.Instance(row[InputColumn], p.class(e, row[InputColumn]))
		entry, err := tableEntry(e, row)
		if err == nil {
			err = b.Add(entry)
		}
		if err != nil {
			found.Add(diagnostic.Diagnostic{File: t.Name, Line: i + 2, Code: "table-row", Message: err.Error()})
			if len(found) >= maxFindings {
				break
			}
		}
	}
	if found.Err() == nil {
		t.declare(e, b)
	}
	found.Sort()
	if found.Err() != nil {
		return nil, found
	}
	return b.Contest(), found
}

// declare names all values that an examination asks for, also where no run
// answered.
func (t *Table) declare(e *edition.Edition, b *scoring.Builder) {
	items := map[string][]string{}
	for i := range t.Rows {
		row := &t.Rows[i]
		names, ok := items[row[ExaminationColumn]]
		if !ok {
			exam, _ := e.Examination(examinations.ID(row[ExaminationColumn]))
			for n := range exam.Required {
				names = append(names, rowItem(exam, n))
			}
			items[row[ExaminationColumn]] = names
		}
		b.Declare(row[InputColumn], examinations.ID(row[ExaminationColumn]), names...)
	}
}

// rowItem names a value of a vector by its position.
func rowItem(exam scoring.Examination, position int) string {
	switch {
	case exam.Items != nil:
		return exam.Items[position]
	case exam.Required == 1:
		return string(exam.ID)
	}
	return fmt.Sprintf("%02d", position)
}

// tableEntry reads the answers and measurements of a row.
func tableEntry(e *edition.Edition, row *Row) (scoring.Entry, error) {
	id := examinations.ID(row[ExaminationColumn])
	exam, ok := e.Examination(id)
	if !ok {
		return scoring.Entry{}, fmt.Errorf("edition %s has no examination %q", e.ID, id)
	}
	entry := scoring.Entry{Tool: row[ToolColumn], Instance: row[InputColumn], Exam: id,
		Run: scoring.Run{Source: row[RunIDColumn]}}
	var err error
	if entry.CPU, err = measured(row[CPUColumn], 3, "CPU"); err != nil {
		return entry, err
	}
	if entry.Wall, err = measured(row[TimeColumn], 3, "time"); err != nil {
		return entry, err
	}
	if entry.Memory, err = measured(row[MemoryColumn], 6, "memory"); err != nil {
		return entry, err
	}
	if word, ok := rowWords[row[ResultsColumn]]; ok {
		entry.Participation = word
		return entry, nil
	}
	entry.Participation = scoring.Answered
	entry.Answers, err = vector(exam, e.Kinds[id], row[ResultsColumn])
	entry.Vector = int32(len(entry.Answers))
	return entry, err
}

func measured(text string, digits int, what string) (int64, error) {
	n, ok := scaled(text, digits)
	if !ok {
		return 0, fmt.Errorf("the %s %q is no decimal number", what, text)
	}
	return n, nil
}

// vector reads the values of a results field: a string of T, F and ? for truth
// values, tokens separated by blanks for numbers. It may be shorter than the
// examination asks for, when the log was cut.
func vector(exam scoring.Examination, kind examinations.Kind, text string) ([]scoring.AnsweredValue, error) {
	var tokens []string
	if kind == examinations.Nat {
		tokens = strings.Fields(text)
	} else {
		tokens = strings.Split(text, "")
	}
	if len(tokens) == 0 || len(tokens) > exam.Required {
		return nil, fmt.Errorf("%s asks for %d values, the results %q are %d", exam.ID, exam.Required, text, len(tokens))
	}
	answers := make([]scoring.AnsweredValue, len(tokens))
	for i, token := range tokens {
		value, err := tableValue(kind, token)
		if err != nil {
			return nil, err
		}
		answers[i] = scoring.AnsweredValue{Item: rowItem(exam, i), Value: value}
	}
	return answers, nil
}

// tableValue reads one value. A number whose canonical text would not be shown as
// it stands in the file keeps the file's text, because equality in these files is
// that of the texts.
func tableValue(kind examinations.Kind, token string) (examinations.Value, error) {
	switch {
	case token == "?":
		return examinations.Value{}, nil
	case kind == examinations.Bool && token == "T":
		return examinations.True, nil
	case kind == examinations.Bool && token == "F":
		return examinations.False, nil
	case kind == examinations.Bool:
		return examinations.Value{}, fmt.Errorf("%q is none of T, F and ?", token)
	}
	if v, ok := examinations.ParseValue(token, examinations.Nat); ok && examinations.Displayed(v) == token {
		return v, nil
	}
	if strings.Trim(token, "0123456789.eE+-") != "" && !strings.HasPrefix(token, "+Inf") {
		return examinations.Value{}, fmt.Errorf("%q is no number", token)
	}
	return examinations.Value{Kind: examinations.Nat, Text: token}, nil
}
