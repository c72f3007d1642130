package results

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/verdict"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// BenchInfo is what a result XML states besides the runs. Empty fields are
// written as "unknown", or left out where BenchExec does not ask for them.
type BenchInfo struct {
	Benchmark string // name of the campaign
	Date      string // "2026-11-20 12:00:00 UTC"
	Start     string // "2026-11-20T12:00:00+00:00"
	Version   string // of the tool
	Systems   []BenchSystem
	TimeLimit string // "3600s"
	MemLimit  string // "16000000000B"
	Cores     string // that a run was given
}

// BenchSystem is a machine on which runs were done.
type BenchSystem struct {
	Host     string
	OS       string
	CPUModel string
	CPUCores string
	RAM      string // "33546305536B"
}

// podiumGenerator is the generator that our result XML names.
const podiumGenerator = "Podium"

// WriteBenchExec writes the runs of one tool as result XML of BenchExec, which
// table-generator opens: one row for each value, so that what table-generator
// counts as correct and wrong are the right and wrong values. A row is named
// INSTANCE/VALUE, or INSTANCE where an examination asks for one value.
//
// The status is true or false for a truth value. For a number the property is that
// it equals its reference, which is expected to be true; the status is "done" where
// there is no reference, and the number itself stands in the hidden column answer.
// Score and measured figures are those of the run: they stand in the first of its
// rows, so that sums are those of the runs. The same result gives the same bytes.
func WriteBenchExec(out io.Writer, e *edition.Edition, r *scoring.Result, tool int, info BenchInfo) error {
	w := &benchWriter{out: bufio.NewWriter(out)}
	c := r.Contest
	w.print(`<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE result
  PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN'
  'https://www.sosy-lab.org/benchexec/result-3.0.dtd'>
`)
	pairs := []string{"benchmarkname", known(info.Benchmark), "name", e.ID, "date", known(info.Date), "starttime", known(info.Start),
		"tool", c.Tools[tool].Name, "toolmodule", "podium", "version", info.Version, "generator", podiumGenerator}
	for _, p := range [][2]string{{"timelimit", info.TimeLimit}, {"memlimit", info.MemLimit}, {"cpuCores", info.Cores}} {
		if p[1] != "" {
			pairs = append(pairs, p[0], p[1])
		}
	}
	w.open("result", pairs...)
	w.print("  <columns>\n")
	for _, title := range []string{"status", "cputime", "walltime", "memory", "score"} {
		w.print("  ")
		w.empty("column", "title", title)
	}
	w.print("  </columns>\n")
	w.systems(info.Systems)
	for i := range c.Sheets {
		if p := c.Run(i, tool).Participation; p != scoring.Absent && p != scoring.Void {
			w.run(e, r, i, tool)
		}
	}
	w.print("</result>\n")
	if w.err != nil {
		return w.err
	}
	return w.out.Flush()
}

// systems writes at least one system, as the document type asks for. The frequency
// of the processor is written because table-generator fails without it.
func (w *benchWriter) systems(list []BenchSystem) {
	if len(list) == 0 {
		list = []BenchSystem{{}}
	}
	for _, s := range list {
		w.print("  ")
		w.open("systeminfo", "hostname", known(s.Host))
		w.print("  ")
		w.empty("os", "name", known(s.OS))
		w.print("  ")
		w.empty("cpu", "cores", known(s.CPUCores), "frequency", known(""), "model", known(s.CPUModel))
		w.print("  ")
		w.empty("ram", "size", known(s.RAM))
		w.print("    <environment/>\n  </systeminfo>\n")
	}
}

func known(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}

type benchWriter struct {
	out *bufio.Writer
	err error
}

func (w *benchWriter) print(text string) {
	if w.err == nil {
		_, w.err = w.out.WriteString(text)
	}
}

// attributes writes name="value" pairs.
func (w *benchWriter) attributes(pairs []string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if w.err == nil && !isXMLText(pairs[i+1]) {
			w.err = diagnostic.Diagnostic{Code: "benchexec-text", Message: fmt.Sprintf("XML cannot hold the text %q", pairs[i+1]),
				Hint: "--format answers holds it"}
		}
		w.print(" " + pairs[i] + `="`)
		if w.err == nil {
			w.err = xml.EscapeText(w.out, []byte(pairs[i+1]))
		}
		w.print(`"`)
	}
}

// isXMLText reports whether a text has only characters that XML may have.
func isXMLText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
	})
}

// open writes an opening tag on a line of its own.
func (w *benchWriter) open(name string, pairs ...string) {
	w.print("<" + name)
	w.attributes(pairs)
	w.print(">\n")
}

// empty writes an element without content.
func (w *benchWriter) empty(name string, pairs ...string) {
	w.print("  <" + name)
	w.attributes(pairs)
	w.print("/>\n")
}

// run writes a row for each value of a run.
func (w *benchWriter) run(e *edition.Edition, r *scoring.Result, sheet, tool int) {
	s := r.Contest.Sheets[sheet]
	run := r.Contest.Run(sheet, tool)
	for k := range int(s.Values) {
		w.value(e, r, sheet, tool, int(s.First)+k)
		if k == 0 {
			w.column("cputime", withUnit(unscaled(run.CPU), "s"))
			w.column("walltime", withUnit(unscaled(run.Wall), "s"))
			if run.Memory != scoring.Unmeasured {
				w.column("memory", fmt.Sprintf("%dB", run.Memory))
			}
			whole, parts := run.Energies()
			if whole != 0 {
				w.column("cpuenergy", unscaled(whole)+"J")
			}
			for _, part := range []struct {
				of   string
				used int64
			}{{"core", parts.Core}, {"dram", parts.DRAM}, {"uncore", parts.Uncore}} {
				if part.used != 0 {
					w.hidden("cpuenergy-"+part.of, unscaled(part.used)+"J")
				}
			}
			if r.HasScore(sheet, tool) {
				w.column("score", r.Scheme.PointsText(r.RunPoints(sheet, tool)))
			}
			if run.Order != 0 {
				w.hidden("order", strconv.Itoa(int(run.Order)))
			}
			if run.Participation == scoring.Answered && run.Vector < s.Values {
				w.hidden("length", strconv.Itoa(int(run.Vector)))
			}
		}
		w.print("  </run>\n")
	}
}

// value opens the row of a value: which it is, what was answered, and what that is
// worth.
func (w *benchWriter) value(e *edition.Edition, r *scoring.Result, sheet, tool, value int) {
	c, s := r.Contest, r.Contest.Sheets[sheet]
	exam, item := &c.Exams[s.Exam], c.Items[value]
	name, property, isTask := strings.Cut(c.Instances[s.Instance].Name, "#") // as our reader joins them
	if !isTask {
		property = string(exam.ID)
	}
	if exam.Required > 1 {
		name += "/" + item
	}
	number := e.Kinds[exam.ID] == examinations.Nat
	pairs := []string{"name", name, "properties", property}
	mark := r.ValueMark(sheet, tool, value)
	if v, ok := r.ReferenceValue(value); ok && mark != scoring.Ignored && mark != scoring.Excluded {
		verdict := strings.ToLower(v.Text)
		if number {
			verdict = "true"
		}
		pairs = append(pairs, "expectedVerdict", verdict)
	}
	w.print("  ")
	w.open("run", pairs...)
	answer := c.Answer(value, tool)
	w.column("status", benchStatus(c.Run(sheet, tool).Participation, answer, mark, number))
	w.hidden("category", benchCategory(r, sheet, tool, value))
	w.hidden("value", item)
	if isTask {
		w.hidden("examination", string(exam.ID))
	}
	if c.Witness(value, tool) == scoring.Confirmed {
		w.hidden("witness", confirmed)
	}
	if !answer.IsZero() && (number || !isVerdict(answer)) {
		w.hidden("answer", sourceText(c, answer))
	}
}

// column writes a column of a run, unless it is empty.
func (w *benchWriter) column(title, value string) {
	if value != "" {
		w.print("  ")
		w.empty("column", "title", title, "value", value)
	}
}

// hidden writes a column that table-generator does not show by itself.
func (w *benchWriter) hidden(title, value string) {
	w.print("  ")
	w.empty("column", "hidden", "true", "title", title, "value", value)
}

func withUnit(text, unit string) string {
	if text == "" {
		return ""
	}
	return text + unit
}

// isVerdict reports whether our reader finds an answer in its status.
func isVerdict(v examinations.Value) bool {
	read, sub := verdict.Parse(v.Text)
	return !read.IsZero() && (sub == "" || strings.HasSuffix(v.Text, "("+sub+")"))
}

// benchStatus is the status of a value in the words of BenchExec.
func benchStatus(p scoring.Participation, answer examinations.Value, mark scoring.Mark, number bool) string {
	switch {
	case p == scoring.OutOfTime:
		return "TIMEOUT"
	case p != scoring.Answered:
		return "ERROR (" + p.String() + ")"
	case answer.IsZero():
		return "unknown"
	case !number && isVerdict(answer):
		return strings.ToLower(answer.Text)
	case mark == scoring.Right:
		return "true"
	case mark == scoring.Wrong:
		return "false"
	}
	return "done"
}

// benchCategory is the category of a value in the words of BenchExec. An answer of
// a run that is set aside is neither correct nor wrong.
func benchCategory(r *scoring.Result, sheet, tool, value int) string {
	mark := r.ValueMark(sheet, tool, value)
	switch {
	case r.Contest.Run(sheet, tool).Participation != scoring.Answered:
		return "error"
	case r.SetAside(sheet, tool) && mark.Given():
		return "missing"
	case mark == scoring.Right && r.Contest.Witness(value, tool) == scoring.Unconfirmed:
		return "correct-unconfirmed"
	case mark == scoring.Right:
		return "correct"
	case mark == scoring.Wrong:
		return "wrong"
	case mark.Given():
		return "missing"
	}
	return "unknown"
}
