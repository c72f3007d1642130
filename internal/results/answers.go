package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// AnswersHeader is the first line of an answers CSV. One more column may follow,
// ",wall_s", for the wall-clock time.
const AnswersHeader = "tool,instance,examination,value_id,answer,cpu_s,mem_mb"

// wallColumn follows AnswersHeader in files that state wall-clock times.
const wallColumn = ",wall_s"

// Participants states the facts about tools and instances that files of answers
// leave out. With the zero value every tool is a family of its own, and classes
// are those of the edition.
type Participants struct {
	Classes  map[string]models.Class // by instance name
	Families map[string]string       // by tool (E-4.5)
	// OutOfCompetition names tools that vote but are not ranked, besides those
	// that the edition names.
	OutOfCompetition []string
}

// class returns the class of an instance.
func (p Participants) class(e *edition.Edition, instance string) models.Class {
	if c, ok := p.Classes[instance]; ok {
		return c
	}
	return e.Classes.Class(instance)
}

// tool describes a participant.
func (p Participants) tool(e *edition.Edition, name string, order int) scoring.Tool {
	t := e.Participant(name)
	t.Family, t.Order = p.Families[name], order
	t.OutOfCompetition = t.OutOfCompetition || slices.Contains(p.OutOfCompetition, name)
	return t
}

// maxFindings bounds the number of diagnostics of one file.
const maxFindings = 100

// ReadAnswers reads an answers CSV. Lines may come in any order; a value of a run
// that is given twice is a warning, two different ones are an error. A run's times
// and memory are the greatest of its lines; empty fields are not measured. Values
// of formulas that are named by number, 00, 01, ..., are known to be as many as the
// examination asks for. The contest is nil when a diagnostic is an error.
func ReadAnswers(name string, in io.Reader, e *edition.Edition, p Participants) (*scoring.Contest, diagnostic.List) {
	r := answersReader{name: name, edition: e, runs: map[answersRun]*pendingRun{}, lines: map[examinations.ID]int{}}
	r.read(in)
	r.found = append(r.found, unasked(name, e, r.lines, (*edition.Edition).Examination)...)
	if r.found.Err() != nil {
		r.found.Sort()
		return nil, r.found
	}
	b := e.Builder()
	r.declareNumbered(b)
	for _, key := range r.order {
		run := r.runs[key]
		b.Tool(p.tool(e, key.tool, 0))
		b.Instance(key.instance, p.class(e, key.instance))
		entry := run.entry(key)
		err := b.Declare(entry.Instance, entry.Exam, run.items()...)
		if err == nil {
			err = b.Add(entry)
		}
		if err != nil {
			r.found.Add(diagnostic.Diagnostic{File: name, Line: run.line, Code: "answers-run", Message: err.Error()})
		}
	}
	r.found.Sort()
	if r.found.Err() != nil {
		return nil, r.found
	}
	return b.Contest(), r.found
}

// declareNumbered names all values of the sheets whose values are numbered, also
// those that no line speaks of.
func (r *answersReader) declareNumbered(b *scoring.Builder) {
	numbered := map[scoring.SheetName]bool{}
	items := map[string][]string{}
	for _, key := range r.order {
		sheet := scoring.SheetName{Instance: key.instance, Exam: examinations.ID(key.exam)}
		if _, met := items[key.exam]; !met {
			items[key.exam] = r.numbers(sheet.Exam)
		}
		all, met := numbered[sheet]
		for _, a := range r.runs[key].answers {
			all = (all || !met) && slices.Contains(items[key.exam], a.Item)
			met = true
		}
		numbered[sheet] = all
	}
	for sheet, all := range numbered {
		if all {
			b.Declare(sheet.Instance, sheet.Exam, items[string(sheet.Exam)]...)
		}
	}
}

// mostNumbered is the number of two-digit ids.
const mostNumbered = 100

// numbers are the ids 00, 01, ... of an examination of several formulas.
func (r *answersReader) numbers(id examinations.ID) []string {
	exam, _ := r.edition.Examination(id)
	if exam.Items != nil || exam.Required < 2 || exam.Required > mostNumbered {
		return nil
	}
	items := make([]string, exam.Required)
	for n := range items {
		items[n] = rowItem(exam, n)
	}
	return items
}

type answersReader struct {
	name    string
	fields  int // columns of the file
	edition *edition.Edition
	runs    map[answersRun]*pendingRun
	order   []answersRun
	repeats []int                   // lines that say again what was said before
	lines   map[examinations.ID]int // the first of each examination
	found   diagnostic.List
}

type answersRun struct{ tool, instance, exam string }

// pendingRun collects the lines of a run.
type pendingRun struct {
	line              int
	cpu, memory, wall int64
	word              scoring.Participation // what lines without a value say
	answers           []scoring.AnsweredValue
	lines             []int32 // of answers
	index             map[string]int
}

func (r *answersReader) fail(line, col int, code, format string, args ...any) bool {
	r.found.Add(diagnostic.Diagnostic{File: r.name, Line: line, Col: col, Code: code, Message: fmt.Sprintf(format, args...)})
	return len(r.found) < maxFindings
}

func (r *answersReader) read(in io.Reader) {
	tail := &tailReader{in: in}
	defer func() {
		if tail.last != 0 && tail.last != '\n' {
			r.found.Add(diagnostic.Diagnostic{File: r.name, Severity: diagnostic.Warning, Code: "answers-open",
				Message: "the last line has no line end: was the file cut there?"})
		}
	}()
	c := csv.NewReader(tail)
	c.FieldsPerRecord = -1
	c.ReuseRecord = true
	head, err := c.Read()
	title := strings.TrimPrefix(strings.Join(head, ","), "\ufeff")
	if err != nil || title != AnswersHeader && title != AnswersHeader+wallColumn {
		r.fail(1, 1, "answers-header", "the first line must read %s", AnswersHeader)
		return
	}
	r.fields = len(head)
	for {
		fields, err := c.Read()
		var syntax *csv.ParseError
		switch {
		case err == io.EOF:
			r.countRepeats()
			return
		case errors.As(err, &syntax):
			if !r.fail(syntax.Line, syntax.Column, "answers-syntax", "%v", syntax.Err) {
				return
			}
			continue
		case err != nil:
			r.fail(0, 0, "answers-read", "%v", err)
			return
		}
		line, _ := c.FieldPos(0)
		if len(fields) != r.fields {
			if !r.fail(line, 1, "answers-fields", "the line has %d fields instead of %d", len(fields), r.fields) {
				return
			}
			continue
		}
		if !r.line(c, line, fields) {
			return
		}
	}
}

// tailReader remembers the last byte that was read.
type tailReader struct {
	in   io.Reader
	last byte
}

func (t *tailReader) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	if n > 0 {
		t.last = p[n-1]
	}
	return n, err
}

func (r *answersReader) countRepeats() {
	if len(r.repeats) > 0 {
		r.found.Add(diagnostic.Diagnostic{File: r.name, Line: r.repeats[0], Severity: diagnostic.Warning, Code: "answers-repeated",
			Message: fmt.Sprintf("this line says again what the file has said before; %d lines do", len(r.repeats))})
	}
}

// line takes one record; it is false when there are too many findings.
func (r *answersReader) line(c *csv.Reader, line int, fields []string) bool {
	exam, known := r.edition.Examination(examinations.ID(fields[2]))
	if id := examinations.ID(fields[2]); r.lines[id] == 0 {
		r.lines[examinations.ID(strings.Clone(fields[2]))] = line
	}
	if _, wild := r.edition.Examination(scoring.AnyExamination); !known && !wild {
		return true // the end says it once
	}
	for i, what := range []string{"tool", "instance", "", "value_id"} {
		if what != "" && fields[i] == "" {
			_, col := c.FieldPos(i)
			return r.fail(line, col, "answers-empty", "the field %s is empty", what)
		}
	}
	figures := [3]int64{scoring.Unmeasured, scoring.Unmeasured, scoring.Unmeasured}
	for i, text := range fields[5:] {
		n, ok := scaled(text, 6)
		if !ok {
			_, col := c.FieldPos(5 + i)
			return r.fail(line, col, "answers-number", "cpu_s, mem_mb and wall_s are decimal numbers or empty")
		}
		figures[i] = n
	}
	run := r.run(answersRun{fields[0], fields[1], fields[2]}, line)
	run.cpu, run.memory, run.wall = max(run.cpu, figures[0]), max(run.memory, figures[1]), max(run.wall, figures[2])
	value, word := canonical(fields[4])
	if word != scoring.Answered || run.word == scoring.Absent {
		run.word = word
	}
	item := strings.Clone(itemName(exam, fields[3]))
	at, repeated := run.index[item]
	switch {
	case !repeated:
		run.index[item] = len(run.answers)
		run.answers = append(run.answers, scoring.AnsweredValue{Item: item, Value: value})
		run.lines = append(run.lines, int32(line))
	case run.answers[at].Value != value:
		_, col := c.FieldPos(4)
		return r.fail(line, col, "answers-repeated", "this run has answered %s otherwise in line %d: one of the lines is to be taken out", item, run.lines[at])
	default:
		r.repeats = append(r.repeats, line)
	}
	return true
}

func (r *answersReader) run(key answersRun, line int) *pendingRun {
	run, ok := r.runs[key]
	if !ok {
		key = answersRun{strings.Clone(key.tool), strings.Clone(key.instance), strings.Clone(key.exam)}
		run = &pendingRun{line: line, cpu: scoring.Unmeasured, memory: scoring.Unmeasured, wall: scoring.Unmeasured, index: map[string]int{}}
		r.runs[key] = run
		r.order = append(r.order, key)
	}
	return run
}

// items are the names of the values that the lines of a run speak of.
func (p *pendingRun) items() []string {
	items := make([]string, len(p.answers))
	for i, a := range p.answers {
		items[i] = a.Item
	}
	return items
}

// entry is the run as the builder takes it.
func (p *pendingRun) entry(key answersRun) scoring.Entry {
	e := scoring.Entry{Tool: key.tool, Instance: key.instance, Exam: examinations.ID(key.exam),
		Run:     scoring.Run{Participation: scoring.Answered, CPU: p.cpu, Wall: p.wall, Memory: p.memory},
		Answers: p.answers}
	if !slices.ContainsFunc(p.answers, func(a scoring.AnsweredValue) bool { return !a.Value.IsZero() }) && p.word != scoring.Answered {
		e.Participation, e.Answers = p.word, nil
	}
	return e
}

// itemName takes the number of a value, 00, 01, ..., for the name that the edition
// gives it; the only value of an examination has the examination's own name.
func itemName(exam scoring.Examination, id string) string {
	if exam.Required == 1 && exam.Items == nil && id == "00" {
		return string(exam.ID)
	}
	if n, err := strconv.Atoi(id); err == nil && exam.Items != nil && n >= 0 && n < len(exam.Items) {
		return exam.Items[n]
	}
	return id
}

// canonical reads an answer of any kind. Without a value it tells what the word
// says of the run: an open value still counts as an answered run. Text that is
// neither truth value nor natural number is a value of its own, equal to itself.
func canonical(text string) (examinations.Value, scoring.Participation) {
	text = strings.TrimSpace(text)
	switch strings.ToUpper(text) {
	case "", "?":
		return examinations.Value{}, scoring.Answered
	case "CC", "CANNOT_COMPUTE", "NA":
		return examinations.Value{}, scoring.CannotCompute
	case "DNC", "DO_NOT_COMPETE":
		return examinations.Value{}, scoring.DoNotCompete
	case "DNF":
		return examinations.Value{}, scoring.OutOfTime
	case "UNKNOWN":
		return examinations.Value{}, scoring.Unreadable
	case "T", "TRUE":
		return examinations.True, scoring.Answered
	case "F", "FALSE":
		return examinations.False, scoring.Answered
	case "OO", "+OO":
		return examinations.Infinite, scoring.Answered
	}
	if v, ok := examinations.ParseValue(text, examinations.Nat); ok {
		return v, scoring.Answered
	}
	if v, ok := examinations.ParseInterval(text); ok {
		return v, scoring.Answered
	}
	if digits, negative := strings.CutPrefix(text, "-"); negative {
		if v, ok := examinations.ParseValue(digits, examinations.Nat); ok && v != examinations.Infinite && !strings.HasPrefix(digits, "+") {
			if v.Text != "0" {
				v.Text = "-" + v.Text
			}
			return v, scoring.Answered
		}
	}
	return examinations.Value{Kind: examinations.Nat, Text: strings.Clone(text)}, scoring.Answered
}

// scaled reads a decimal number as a whole number of 10^-digits; digits beyond
// are cut off. Empty text is not measured.
func scaled(text string, digits int) (int64, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return scoring.Unmeasured, true
	}
	whole, decimals, _ := strings.Cut(text, ".")
	if len(whole) > 12 || whole == "" || !isDigits(whole) || !isDigits(decimals) {
		return 0, false
	}
	decimals = (decimals + strings.Repeat("0", digits))[:digits]
	n, err := strconv.ParseInt(whole+decimals, 10, 64)
	return n, err == nil
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// WriteAnswers writes a contest as answers CSV, in the order of its sheets, tools
// and values. Values that a run left open are not written, except that a run
// without any answer has one line with the word of its participation. The column
// wall_s is there where a wall-clock time is known.
func WriteAnswers(out io.Writer, c *scoring.Contest) error {
	w := csv.NewWriter(out)
	header := AnswersHeader
	wall := slices.ContainsFunc(c.Runs, func(r scoring.Run) bool { return r.Participation != scoring.Absent && r.Wall != scoring.Unmeasured })
	if wall {
		header += wallColumn
	}
	if err := w.Write(strings.Split(header, ",")); err != nil {
		return err
	}
	for i, s := range c.Sheets {
		for tool := range c.Tools {
			run := c.Run(i, tool)
			if run.Participation == scoring.Absent || run.Participation == scoring.Void {
				continue
			}
			line := []string{c.Tools[tool].Name, c.Instances[s.Instance].Name, string(c.Exams[s.Exam].ID), "", "",
				unscaled(run.CPU), unscaled(run.Memory)}
			if wall {
				line = append(line, unscaled(run.Wall))
			}
			if err := writeRun(w, c, s, tool, run, line); err != nil {
				return err
			}
		}
	}
	w.Flush()
	return w.Error()
}

func writeRun(w *csv.Writer, c *scoring.Contest, s scoring.Sheet, tool int, run *scoring.Run, line []string) error {
	written := false
	for v := int(s.First); v < int(s.First+s.Values); v++ {
		if value := c.Answer(v, tool); !value.IsZero() {
			line[3], line[4] = c.Items[v], sourceText(c, value)
			written = true
			if err := w.Write(line); err != nil {
				return err
			}
		}
	}
	if written || s.Values == 0 {
		return nil
	}
	line[3], line[4] = c.Items[s.First], "?"
	if run.Participation != scoring.Answered {
		line[4] = run.Participation.String()
	}
	return w.Write(line)
}

// unscaled writes millionths as a decimal number.
func unscaled(n int64) string {
	if n == scoring.Unmeasured {
		return ""
	}
	text := fmt.Sprintf("%d.%06d", n/1_000_000, n%1_000_000)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// ReadClasses reads lines "instance,known|stripped|surprise".
func ReadClasses(name string, in io.Reader) (map[string]models.Class, diagnostic.List) {
	classes, found := map[string]models.Class{}, diagnostic.List{}
	readPairs(name, in, &found, func(line int, key, word string) {
		class, err := models.ParseClass(word)
		if err != nil {
			found.Add(diagnostic.Diagnostic{File: name, Line: line, Code: "classes-word", Message: err.Error()})
			return
		}
		classes[key] = class
	})
	return classes, found
}

// ReadFamilies reads lines "tool,family", which join the variants of a tool.
func ReadFamilies(name string, in io.Reader) (map[string]string, diagnostic.List) {
	families, found := map[string]string{}, diagnostic.List{}
	readPairs(name, in, &found, func(_ int, tool, family string) { families[tool] = family })
	return families, found
}

func readPairs(name string, in io.Reader, found *diagnostic.List, take func(line int, key, word string)) {
	c := csv.NewReader(in)
	c.FieldsPerRecord = 2
	for {
		fields, err := c.Read()
		if err == io.EOF {
			return
		}
		if err != nil {
			found.Add(diagnostic.Diagnostic{File: name, Code: "pairs-syntax", Message: err.Error()})
			return
		}
		line, _ := c.FieldPos(0)
		take(line, fields[0], fields[1])
	}
}
