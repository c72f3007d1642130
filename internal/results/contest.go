package results

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
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
// judgements are not looked at, but for expected verdicts of tasks, and where the edition
// elects no values. Tools are listed in the order of their first rows;
// where an edition prefers the first row among equals, the order of the rows of
// the table decides. Fields that cannot be read are reported as warnings: a figure
// counts as not measured, answers as unreadable. The contest is nil when a run stands
// twice in the table, or when the edition does not have an examination of it.
func (t *Table) Contest(e *edition.Edition, p Participants) (*scoring.Contest, diagnostic.List) {
	var found diagnostic.List
	note := func(row int, severity diagnostic.Severity, err error) {
		if len(found) < maxFindings {
			found.Add(diagnostic.Diagnostic{File: t.Name, Line: row + 2, Severity: severity, Code: "table-row", Message: err.Error()})
		}
	}
	lines := map[examinations.ID]int{}
	for i := range t.Rows {
		if id := examinations.ID(t.Rows[i][ExaminationColumn]); lines[id] == 0 {
			lines[id] = i + 2
		}
	}
	if lacks := unasked(t.Name, e, lines, (*edition.Edition).Examination); lacks != nil {
		return nil, lacks
	}
	b := e.Builder()
	b.AsDisplayed = true
	tools := map[string]bool{}
	for i := range t.Rows {
		row := &t.Rows[i]
		exam, _ := e.Asked(examinations.ID(row[ExaminationColumn]))
		if tool := row[ToolColumn]; !tools[tool] {
			tools[tool] = true
			b.Tool(p.tool(e, tool, len(tools)))
		}
		b.Instance(row[InputColumn], p.class(e, row[InputColumn]))
		entry, problems := tableEntry(e, exam, row)
		entry.Order = int32(i)
		if err := b.Add(entry); err != nil {
			note(i, diagnostic.Error, err)
		} else if err := row.given(e, exam, b); err != nil {
			note(i, diagnostic.Error, err)
		}
		for _, err := range problems {
			note(i, diagnostic.Warning, err)
		}
	}
	found.Sort()
	if found.Err() != nil {
		return nil, found
	}
	t.declare(e, b)
	return b.Contest(), found
}

// lookup looks an examination of an edition up.
type lookup = func(*edition.Edition, examinations.ID) (scoring.Examination, bool)

// unasked says in one finding which examinations of a file an edition lacks, and which editions have
// them all, looked up with inOthers. Lines holds the first line of each examination. It is nil where the
// edition has them.
func unasked(file string, e *edition.Edition, lines map[examinations.ID]int, inOthers lookup) diagnostic.List {
	lacks := func(of *edition.Edition, in lookup) (names []string) {
		for _, id := range slices.Sorted(maps.Keys(lines)) {
			if _, ok := in(of, id); !ok {
				names = append(names, diagnostic.Excerpt(string(id)))
			}
		}
		return names
	}
	names := lacks(e, (*edition.Edition).Asked)
	if len(names) == 0 {
		return nil
	}
	line := 0
	for id, at := range lines {
		if _, ok := e.Asked(id); !ok && (line == 0 || at < line) {
			line = at
		}
	}
	var fit []string
	for _, id := range edition.Names() {
		text, err := edition.Source(id)
		if err != nil {
			continue
		}
		if other, found := edition.Load(id, text); found.Err() == nil && len(lacks(other, inOthers)) == 0 {
			fit = append(fit, id)
		}
	}
	hint := "no edition of podium has all examinations of the file; `podium edition show ID` lists those of one"
	if len(fit) > 0 {
		hint = "all examinations of the file are in " + wording.And(fit) + ": name the edition with --edition"
	}
	return diagnostic.List{{File: file, Line: line, Code: "results-examination", Message: "edition " + e.ID + " has no examination " + wording.Few(names, 3), Hint: hint}}
}

// Techniques are those that each row names, separated by blanks, in the order of the rows,
// which is the Order of runs.
func (t *Table) Techniques() []string {
	list, seen := make([]string, len(t.Rows)), map[string]string{"-": ""}
	for i := range t.Rows {
		text, known := seen[t.Rows[i][TechniquesColumn]]
		if !known {
			text = strings.Clone(t.Rows[i][TechniquesColumn]) // and not the whole line
			seen[text] = text
		}
		list[i] = text
	}
	return list
}

// given takes the expected verdicts of a row, where none are elected: for tasks, and in
// editions without elections. There the column of elected values holds what was given.
func (r *Row) given(e *edition.Edition, exam scoring.Examination, b *scoring.Builder) error {
	text := r[EstimatedColumn]
	if !given(e, &exam) || strings.Trim(text, "?- ") == "" {
		return nil
	}
	if e.Kinds[exam.ID] == examinations.Bool {
		text = strings.ReplaceAll(text, " ", "")
	}
	values, err := vector(e, exam, text)
	if err != nil {
		return fmt.Errorf("the expected values cannot be read: %w", err)
	}
	for _, v := range values {
		if v.Value.IsZero() {
			continue
		}
		if err := b.Oracle(r[InputColumn], exam.ID, v.Item, v.Value); err != nil {
			return err
		}
	}
	return nil
}

// declare names all values that an examination asks for, also where no run
// answered.
func (t *Table) declare(e *edition.Edition, b *scoring.Builder) {
	items := map[string][]string{}
	for i := range t.Rows {
		row := &t.Rows[i]
		names, ok := items[row[ExaminationColumn]]
		if !ok {
			exam, _ := e.Asked(examinations.ID(row[ExaminationColumn]))
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

// tableEntry reads the answers and measurements of a row, with what is wrong in it.
func tableEntry(e *edition.Edition, exam scoring.Examination, row *Row) (scoring.Entry, []error) {
	var problems []error
	figure := func(column Column, digits int, what string) int64 {
		n, ok := scaled(row[column], digits)
		if !ok && row[column] != "-" {
			problems = append(problems, fmt.Errorf("the %s %q is no decimal number", what, row[column]))
		}
		if !ok {
			return scoring.Unmeasured
		}
		return n
	}
	entry := scoring.Entry{Tool: row[ToolColumn], Instance: row[InputColumn], Exam: exam.ID, Run: scoring.Run{
		Source: row[RunIDColumn],
		Ending: row.ending(),
		CPU:    figure(CPUColumn, 3, "CPU time"),
		Wall:   figure(TimeColumn, 3, "time"),
		Memory: figure(MemoryColumn, 6, "memory"),
	}}
	if word, ok := rowWords[row[ResultsColumn]]; ok {
		entry.Participation = word
		return entry, problems
	}
	answers, err := vector(e, exam, row[ResultsColumn])
	if err != nil {
		entry.Participation = scoring.Unreadable
		return entry, append(problems, err)
	}
	entry.Participation, entry.Answers, entry.Vector = scoring.Answered, answers, int32(len(answers))
	return entry, problems
}

// ending reads how the program of a run ended from the flags of time and memory. The
// status alone does not say it: some tools have timeout in all their rows.
func (r *Row) ending() scoring.Ending {
	timeout, overflow := r[TimeFlagColumn] == "DNF" || r[ResultsColumn] == "DNF", r[MemoryFlagColumn] == "MOVF"
	switch {
	case timeout && overflow:
		return scoring.AtBothLimits
	case timeout:
		return scoring.AtTimeLimit
	case overflow:
		return scoring.AtMemoryLimit
	case r[StatusColumn] == "normal":
		return scoring.ByItself
	}
	return scoring.UnknownEnding
}

// vector reads the values of a results field: a string of T, F and ? for truth
// values, tokens separated by blanks for numbers. It may be shorter than the
// examination asks for, when the log was cut. The verdict of a task may be more than a
// letter, see [taskText].
func vector(e *edition.Edition, exam scoring.Examination, text string) ([]scoring.AnsweredValue, error) {
	kind := e.Kinds[exam.ID]
	if ofTask(e, &exam) {
		answer, err := taskAnswer(text)
		answer.Item = rowItem(exam, 0)
		return []scoring.AnsweredValue{answer}, err
	}
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
	if v := numberOf(token); v.Text != token || strings.Trim(token, "0123456789.eE+-") == "" || strings.HasPrefix(token, "+Inf") || v == examinations.Infinite {
		return v, nil
	}
	return examinations.Value{}, fmt.Errorf("%q is no number", token)
}

// numberOf is the number that a file shows as a text, or the text itself.
func numberOf(text string) examinations.Value {
	if v, ok := examinations.ParseValue(text, examinations.Nat); ok && examinations.Displayed(v) == text {
		return v
	}
	return examinations.Value{Kind: examinations.Nat, Text: text}
}
