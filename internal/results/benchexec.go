package results

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/verdict"
	"podium/internal/wording"
	"podium/models/task"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// BenchSet is one result XML of BenchExec: the runs of one tool on one set of
// tasks.
type BenchSet struct {
	File          string // name of the file, for diagnostics
	BenchmarkName string
	Name          string // run definition and set of tasks
	Block         string // set of tasks
	Tool          string
	Version       string
	Options       string
	Generator     string
	Limit         int64 // of CPU time in microseconds, 0 where the file gives none
	Runs          []BenchRun
}

// BenchRun is one run of a set.
type BenchRun struct {
	Line       int
	Name       string // file of the task
	Properties string
	Expected   string // expected verdict, "" where the file does not give it
	Status     string
	Ended      string // terminationreason: the limit that ended the run
	Category   string // correct, wrong, unknown, error, missing, correct-unconfirmed; may be ""
	CPU, Wall  int64  // microseconds, or scoring.Unmeasured
	Memory     int64  // bytes, or scoring.Unmeasured
	Energy     int64  // microjoules, 0 where it was not measured
	Parts      scoring.EnergyParts

	// What our own files say besides: see [WriteBenchExec].
	Value       string // name of the value, "" in other files
	Answer      string // where the status does not say it
	Examination string // where the property is another
	Order       int32  // of the run among all, in the first of its rows
	Confirmed   bool   // a validator confirms the witness
	Length      int32  // values of its vector, where that was cut; else 0
}

const (
	maxBenchRuns = 5_000_000
	maxXMLDepth  = 64
)

// ReadBenchExec reads a result XML that is not packed; see [Open]. Elements and
// columns that say nothing about answers and measurements are passed over.
func ReadBenchExec(name string, in io.Reader) (*BenchSet, diagnostic.List) {
	r := benchReader{decoder: xml.NewDecoder(in), set: &BenchSet{File: name}}
	r.read()
	r.found.Sort()
	if r.found.Err() != nil {
		return nil, r.found
	}
	return r.set, r.found
}

type benchReader struct {
	decoder *xml.Decoder
	set     *BenchSet
	found   diagnostic.List
	root    bool
	run     *BenchRun // the run that is open, nil outside
}

func (r *benchReader) note(severity diagnostic.Severity, code, format string, args ...any) {
	if len(r.found) >= maxFindings {
		return
	}
	line, col := r.decoder.InputPos()
	r.found.Add(diagnostic.Diagnostic{File: r.set.File, Line: line, Col: col, Severity: severity, Code: code, Message: fmt.Sprintf(format, args...)})
}

func (r *benchReader) read() {
	depth := 0
	for {
		token, err := r.decoder.RawToken()
		if err == io.EOF {
			break
		}
		var syntax *xml.SyntaxError
		if errors.As(err, &syntax) {
			r.found.Add(diagnostic.Diagnostic{File: r.set.File, Line: syntax.Line, Code: "benchexec-syntax", Message: "this is no XML: " + syntax.Msg})
			return
		}
		if err != nil {
			r.note(diagnostic.Error, "benchexec-read", "%v", err)
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxXMLDepth {
				r.note(diagnostic.Error, "benchexec-depth", "elements are nested deeper than %d", maxXMLDepth)
				return
			}
			if !r.start(t, depth) {
				return
			}
		case xml.EndElement:
			if depth--; depth < 0 {
				r.note(diagnostic.Error, "benchexec-syntax", "</%s> closes nothing", t.Name.Local)
				return
			}
			if isRun(t.Name) && depth == 1 {
				r.run = nil
			}
		}
	}
	switch {
	case !r.root:
		r.note(diagnostic.Error, "benchexec-root", "the file has no <result> element")
	case depth != 0:
		r.note(diagnostic.Error, "benchexec-syntax", "the file ends inside of an element")
	}
}

// isRun reports whether an element is a run; the first versions of BenchExec had another name.
func isRun(name xml.Name) bool { return name.Local == "run" || name.Local == "sourcefile" }

// start takes an opening element; it is false when reading must end.
func (r *benchReader) start(t xml.StartElement, depth int) bool {
	switch {
	case depth == 1 && (t.Name.Local == "pnml" || t.Name.Local == "property-set"):
		r.note(diagnostic.Error, "benchexec-instance", "this is a file of an instance, and not of results: name a campaign or a file of results; `podium check model` checks instances")
		return false
	case depth == 1 && (t.Name.Local != "result" || r.root):
		r.note(diagnostic.Error, "benchexec-root", "the only outer element is <result>, not <%s>", t.Name.Local)
		return false
	case depth == 1:
		r.root = true
		s := r.set
		for _, a := range t.Attr {
			if a.Name.Local == "timelimit" {
				s.Limit, _ = scaled(strings.TrimSpace(strings.TrimSuffix(a.Value, "s")), 6)
			}
			for name, into := range map[string]*string{"benchmarkname": &s.BenchmarkName, "name": &s.Name, "block": &s.Block, "tool": &s.Tool,
				"version": &s.Version, "options": &s.Options, "generator": &s.Generator} {
				if a.Name.Local == name {
					*into = a.Value
				}
			}
		}
	case depth == 2 && isRun(t.Name):
		if len(r.set.Runs) >= maxBenchRuns {
			r.note(diagnostic.Error, "benchexec-too-long", "the file has more than %d runs", maxBenchRuns)
			return false
		}
		r.open(t)
	case depth == 3 && t.Name.Local == "column" && r.run != nil:
		r.column(t)
	}
	return true
}

func (r *benchReader) open(t xml.StartElement) {
	line, _ := r.decoder.InputPos()
	run := BenchRun{Line: line, CPU: scoring.Unmeasured, Wall: scoring.Unmeasured, Memory: scoring.Unmeasured}
	for _, a := range t.Attr {
		switch a.Name.Local {
		case "name":
			run.Name = a.Value
		case "properties":
			run.Properties = a.Value
		case "expectedVerdict":
			run.Expected = a.Value
		}
	}
	if run.Name == "" {
		r.note(diagnostic.Error, "benchexec-run", "a run has no name")
	}
	r.set.Runs = append(r.set.Runs, run)
	r.run = &r.set.Runs[len(r.set.Runs)-1]
}

func (r *benchReader) column(t xml.StartElement) {
	title, value := "", ""
	for _, a := range t.Attr {
		switch a.Name.Local {
		case "title":
			title = a.Value
		case "value":
			value = a.Value
		}
	}
	figure := func(unit string, digits int, into *int64) {
		n, ok := scaled(strings.TrimSuffix(value, unit), digits)
		if !ok {
			r.note(diagnostic.Warning, "benchexec-number", "%s is %q, which is no decimal number of %s", title, value, unit)
			return
		}
		*into = n
	}
	switch title {
	case "status":
		r.run.Status = value
	case "category":
		r.run.Category = value
	case "terminationreason":
		r.run.Ended = value
	case "value", "answer", "examination", "order", "length", "witness":
		r.own(title, value)
	case "cputime":
		figure("s", 6, &r.run.CPU)
	case "walltime":
		figure("s", 6, &r.run.Wall)
	case "memory", "memUsage":
		figure("B", 0, &r.run.Memory)
	case "cpuenergy":
		figure("J", 6, &r.run.Energy)
		r.run.Energy = max(r.run.Energy, 0)
	default:
		if into := r.run.part(title); into != nil {
			var of int64
			figure("J", 6, &of)
			*into = min(*into+max(of, 0), maxEnergy)
		}
	}
}

// maxEnergy is more than any run takes, in microjoules; sums of such figures do not overflow.
const maxEnergy = 1_000_000_000_000_000_000

// part is the part of the energy that a column is of, nil for another column. BenchExec has a
// column for each package, such as cpuenergy-pkg0-core; ours are of all packages together.
func (r *BenchRun) part(title string) *int64 {
	of, ok := strings.CutPrefix(title, "cpuenergy-")
	if !ok {
		return nil
	}
	if pkg, rest, cut := strings.Cut(of, "-"); cut && strings.HasPrefix(pkg, "pkg") {
		of = rest
	}
	switch of {
	case "core":
		return &r.Parts.Core
	case "uncore":
		return &r.Parts.Uncore
	case "dram":
		return &r.Parts.DRAM
	}
	return nil
}

// confirmed is what the column witness of our files says.
const confirmed = "confirmed"

// own takes a column that only our files have.
func (r *benchReader) own(title, value string) {
	if r.set.Generator != podiumGenerator {
		return
	}
	switch title {
	case "value":
		r.run.Value = value
	case "answer":
		r.run.Answer = value
	case "examination":
		r.run.Examination = value
	case "witness":
		r.run.Confirmed = value == confirmed
	case "order":
		r.whole(title, value, &r.run.Order)
	case "length":
		r.whole(title, value, &r.run.Length)
	}
}

// whole reads a number that is not negative.
func (r *benchReader) whole(title, value string, into *int32) {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < 0 {
		r.note(diagnostic.Warning, "benchexec-number", "%s is %q, which is no whole number", title, value)
		return
	}
	*into = int32(n)
}

// participant is the name under which the runs of a set count: the benchmark's
// name, as in SV-COMP, or tool and version where all sets are of one benchmark; in our
// own files the tool's name.
func participant(s *BenchSet, sets []*BenchSet) string {
	if s.Generator == podiumGenerator {
		return s.Tool
	}
	same := !slices.ContainsFunc(sets, func(x *BenchSet) bool { return x.BenchmarkName != s.BenchmarkName })
	if s.BenchmarkName == "" || same {
		return strings.TrimSpace(s.Tool + " " + s.Version)
	}
	return s.BenchmarkName
}

// taskCategory is the set of tasks of a result file.
func (s *BenchSet) taskCategory() string {
	for _, name := range []string{s.Block, s.Name, s.BenchmarkName} {
		if name != "" {
			return name
		}
	}
	return "tasks"
}

// BenchContest makes a contest of result files. A task is a file and a property;
// its category, the examination of the contest, is the set of tasks of the file it
// stands in. Expected verdicts become the oracle; where a file does not state
// them, they follow from the category correct or wrong of a run, or from the old
// file names such as floppy_true-unreach-call.i. In our own files the rows of a run
// are its values.
func BenchContest(sets []*BenchSet, e *edition.Edition, p Participants) (*scoring.Contest, diagnostic.List) {
	var found diagnostic.List
	b := e.Builder()
	for _, s := range sets {
		differ, beyond := remark{s: s, code: "benchexec-category"}, remark{s: s, code: "benchexec-limit"}
		tool := participant(s, sets)
		b.Tool(p.tool(e, tool, 0))
		found = append(found, addBenchValues(b, s, e, p)...)
		if at := slices.IndexFunc(s.Runs, func(r BenchRun) bool { return r.Value == "" }); at >= 0 {
			if lacks := unasked(s.File, e, map[examinations.ID]int{examinations.ID(s.taskCategory()): s.Runs[at].Line}, (*edition.Edition).Asked); lacks != nil {
				found = append(found, lacks...)
				continue
			}
		}
		for i := range s.Runs {
			if s.Runs[i].Value != "" {
				continue
			}
			run := &s.Runs[i]
			answer, said := run.answer(e), run.Status
			if run.beyond(s) {
				if !answer.IsZero() {
					beyond.note(run, "say an answer beyond their limits, which BenchExec counts as TIMEOUT", said)
				}
				answer = examinations.Value{}
			}
			if ours := run.counts(answer); ours != "" && run.Category != "" && ours != strings.TrimSuffix(run.Category, "-unconfirmed") {
				differ.note(run, "have another category in the file than by edition "+e.ID, run.Category+" in the file, "+ours+" here")
			}
			if err := addBenchRun(b, s, run, tool, answer); err != nil && len(found) < maxFindings {
				found.Add(diagnostic.Diagnostic{File: s.File, Line: run.Line, Code: "benchexec-run", Message: err.Error()})
			}
		}
		found = append(found, differ.list()...)
		found = append(found, beyond.list()...)
	}
	found.Sort()
	if found.Err() != nil {
		return nil, found
	}
	return b.Contest(), found
}

// remark counts runs of a file that are read otherwise than the file says.
type remark struct {
	s             *BenchSet
	code          string
	count, line   int
	what, example string
}

func (m *remark) note(run *BenchRun, what, example string) {
	if m.count++; m.count == 1 {
		m.line, m.what, m.example = run.Line, what, example
	}
}

func (m *remark) list() diagnostic.List {
	if m.count == 0 {
		return nil
	}
	return diagnostic.List{{File: m.s.File, Line: m.line, Severity: diagnostic.Warning, Code: m.code,
		Message: fmt.Sprintf("%s %s; here: %s", wording.Count(m.count, "run", "runs"), m.what, diagnostic.Excerpt(m.example))}}
}

// beyond reports whether a run took more than it may.
func (r *BenchRun) beyond(s *BenchSet) bool {
	return r.Ended != "" || s.Limit > 0 && r.CPU > s.Limit
}

// counts is the category of a run by its answer, empty where there is nothing to judge.
func (r *BenchRun) counts(answer examinations.Value) string {
	switch expected := r.expected(); {
	case expected.IsZero():
		return ""
	case answer == expected:
		return "correct"
	case !answer.IsZero():
		return "wrong"
	}
	if r.Category == "error" || r.Category == "missing" {
		return r.Category // no answer all the same
	}
	return "unknown"
}

func addBenchRun(b *scoring.Builder, s *BenchSet, run *BenchRun, tool string, answer examinations.Value) error {
	instance := run.instance()
	exam := examinations.ID(s.taskCategory())
	item := string(exam)
	expected := run.expected()
	entry := scoring.Entry{Tool: tool, Instance: instance, Exam: exam, Run: scoring.Run{
		Participation: run.participation(answer), CPU: run.CPU, Wall: run.Wall, Memory: run.Memory, Energy: run.Energy, Parts: run.Parts.OrNil(),
		Source: fmt.Sprintf("%s:%d", s.File, run.Line)}}
	if !answer.IsZero() {
		entry.Answers = []scoring.AnsweredValue{{Item: item, Value: answer, Witness: run.witness()}}
	}
	if err := b.Declare(instance, exam, item); err != nil {
		return err
	}
	if !expected.IsZero() {
		if err := b.Oracle(instance, exam, item, expected); err != nil {
			return err
		}
	}
	return b.Add(entry)
}

// instance is the task: a file and a property.
func (r *BenchRun) instance() string {
	if r.Properties == "" {
		return r.Name
	}
	return r.Name + "#" + r.property()
}

// property is that of the run. BenchExec before 2.0 names that of memory safety as a list.
func (r *BenchRun) property() string {
	parts := strings.Fields(r.Properties)
	if slices.Sort(parts); slices.Equal(parts, slices.Sorted(slices.Values(verdict.MemorySafety))) {
		return "valid-memsafety"
	}
	return r.Properties
}

// expected is the verdict that the run should have; a subproperty is kept only
// where it distinguishes answers.
func (r *BenchRun) expected() examinations.Value {
	return verdict.Expected(r.expects(), r.property())
}

// expects is the same in words: as the file says, as its old name says, or as follows from
// the category.
func (r *BenchRun) expects() string {
	if r.Expected != "" {
		return r.Expected
	}
	if property := r.property(); property == satisfiable {
		switch {
		case strings.Contains(r.Name, "_unsat"):
			return verdict.False
		case strings.Contains(r.Name, "_sat"):
			return verdict.True
		}
	} else if property != "" {
		named, wrong := task.ReadName(r.Name)
		for _, n := range named {
			if n.Property == property && n.Verdict != task.Unstated && len(wrong) == 0 {
				return verdict.WithPart(verdict.Expected(n.Verdict.String(), property), n.Subproperty).Text
			}
		}
	}
	v, _ := verdict.Parse(r.verdict())
	switch {
	case v.IsZero():
	case strings.HasPrefix(r.Category, "correct"):
		return v.Text
	case r.Category == "wrong" && v == examinations.True:
		return verdict.False
	case r.Category == "wrong":
		return verdict.True
	}
	return ""
}

// satisfiable is the property of formulas of SMT solvers: sat says that it holds, unsat that it
// does not.
const satisfiable = "sat"

// verdict is the status in the words of programs.
func (r *BenchRun) verdict() string {
	if r.Properties == satisfiable {
		switch r.Status {
		case "sat":
			return examinations.True.Text
		case "unsat":
			return examinations.False.Text
		}
	}
	return verdict.Status(r.Status)
}

// oldParts are the words that BenchExec 1 had for the violation of a property, as in
// "false(reach)".
var oldParts = map[string][]string{"unreach-call": {"reach"}, "unreach-label": {"reach"}, "no-overflow": {"overflow"}, "no-data-race": {"race"}}

// answer is the verdict of the tool, as an edition reads it.
func (r *BenchRun) answer(e *edition.Edition) examinations.Value {
	property := r.property()
	parts := oldParts[property]
	if property == "valid-memsafety" {
		parts = verdict.MemorySafety
	}
	return e.Verdicts.Against(r.verdict(), property, parts, r.expects())
}

func (r *BenchRun) participation(answer examinations.Value) scoring.Participation {
	switch {
	case !answer.IsZero():
		return scoring.Answered
	case strings.HasPrefix(r.Status, "TIMEOUT"):
		return scoring.OutOfTime
	}
	return scoring.CannotCompute
}

func (r *BenchRun) witness() scoring.Witness {
	switch {
	case r.Category == "correct-unconfirmed":
		return scoring.Unconfirmed
	case r.Confirmed:
		return scoring.Confirmed
	}
	return scoring.Unasked
}
