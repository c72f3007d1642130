package results

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"podium/examinations"
	"podium/internal/edition"
	"podium/scoring"
)

// BenchInfo is what a result XML states besides the runs. Empty fields are
// written as "unknown".
type BenchInfo struct {
	Benchmark string // name of the campaign
	Date      string // "2026-11-20 12:00:00 UTC"
	Start     string // "2026-11-20T12:00:00+00:00"
	Version   string // of the tool
	Host      string
	OS        string
	CPUModel  string
	CPUCores  string
	RAM       string // "33546305536B"
}

// WriteBenchExec writes the runs of one tool as result XML of BenchExec, which
// table-generator opens: one run for each instance and examination. The status is
// true or false for a single truth value, and done for vectors; the category is
// correct, wrong, unknown or error; score, mask and results are columns of their
// own. The same result gives the same bytes.
func WriteBenchExec(out io.Writer, e *edition.Edition, r *scoring.Result, tool int, info BenchInfo) error {
	w := &benchWriter{out: bufio.NewWriter(out)}
	c := r.Contest
	w.print(`<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE result
  PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN'
  'https://www.sosy-lab.org/benchexec/result-3.0.dtd'>
`)
	w.open("result", "benchmarkname", known(info.Benchmark), "name", e.ID, "date", known(info.Date), "starttime", known(info.Start),
		"tool", c.Tools[tool].Name, "toolmodule", "podium", "version", info.Version, "generator", "Podium")
	w.print("  <columns>\n")
	for _, title := range []string{"status", "cputime", "walltime", "memory", "score", "mask", "results"} {
		w.print("  ")
		w.empty("column", "title", title)
	}
	w.print("  </columns>\n  ")
	w.open("systeminfo", "hostname", known(info.Host))
	w.print("  ")
	w.empty("os", "name", known(info.OS))
	w.print("  ")
	w.empty("cpu", "cores", known(info.CPUCores), "model", known(info.CPUModel))
	w.print("  ")
	w.empty("ram", "size", known(info.RAM))
	w.print("    <environment/>\n  </systeminfo>\n")
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
		w.print(" " + pairs[i] + `="`)
		if w.err == nil {
			w.err = xml.EscapeText(w.out, []byte(pairs[i+1]))
		}
		w.print(`"`)
	}
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

func (w *benchWriter) run(e *edition.Edition, r *scoring.Result, sheet, tool int) {
	c, s := r.Contest, r.Contest.Sheets[sheet]
	run := c.Run(sheet, tool)
	pairs := []string{"name", c.Instances[s.Instance].Name, "properties", string(c.Exams[s.Exam].ID)}
	single := s.Values == 1 && e.Kinds[c.Exams[s.Exam].ID] == examinations.Bool
	if v, ok := r.ReferenceValue(int(s.First)); single && ok {
		pairs = append(pairs, "expectedVerdict", strings.ToLower(v.Text))
	}
	w.print("  ")
	w.open("run", pairs...)
	column := func(title, value string) {
		if value != "" {
			w.print("  ")
			w.empty("column", "title", title, "value", value)
		}
	}
	column("status", benchStatus(r, sheet, tool, single))
	column("cputime", withUnit(unscaled(run.CPU), "s"))
	column("walltime", withUnit(unscaled(run.Wall), "s"))
	if run.Memory != scoring.Unmeasured {
		column("memory", fmt.Sprintf("%dB", run.Memory))
	}
	if r.HasScore(sheet, tool) {
		column("score", r.Scheme.PointsText(r.RunPoints(sheet, tool)))
	}
	column("mask", r.Mask(sheet, tool))
	column("results", Vector(e, c, sheet, tool))
	w.print("  ")
	w.empty("column", "hidden", "true", "title", "category", "value", benchCategory(r, sheet, tool))
	w.print("  </run>\n")
}

func withUnit(text, unit string) string {
	if text == "" {
		return ""
	}
	return text + unit
}

func benchStatus(r *scoring.Result, sheet, tool int, single bool) string {
	c := r.Contest
	switch p := c.Run(sheet, tool).Participation; {
	case p == scoring.OutOfTime:
		return "TIMEOUT"
	case p != scoring.Answered:
		return "ERROR (" + p.String() + ")"
	}
	answer := c.Answer(int(c.Sheets[sheet].First), tool)
	switch {
	case !single:
		return "done"
	case answer.IsZero():
		return "unknown"
	}
	return strings.ToLower(answer.Text)
}

// benchCategory is correct when no value is wrong and one is right.
func benchCategory(r *scoring.Result, sheet, tool int) string {
	if r.Contest.Run(sheet, tool).Participation != scoring.Answered {
		return "error"
	}
	category := "unknown"
	for _, m := range r.RunMarks(sheet, tool) {
		switch m {
		case scoring.Wrong:
			return "wrong"
		case scoring.Right:
			category = "correct"
		}
	}
	return category
}

// Vector is the results column of published files: T, F and ? without blanks for
// truth values, texts separated by blanks for numbers, or the word of a run
// without answers.
func Vector(e *edition.Edition, c *scoring.Contest, sheet, tool int) string {
	run := c.Run(sheet, tool)
	if run.Participation != scoring.Answered {
		return run.Participation.String()
	}
	s := c.Sheets[sheet]
	separator := ""
	if e.Kinds[c.Exams[s.Exam].ID] == examinations.Nat {
		separator = " "
	}
	texts := make([]string, run.Vector)
	for i := range texts {
		texts[i] = displayedText(c, c.Ballots.Row(int(s.First) + i)[tool])
	}
	return strings.Join(texts, separator)
}
