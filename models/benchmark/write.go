package benchmark

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"podium/models/task"
	"podium/pnml/diagnostic"
)

// Write writes the definition in the form that [Read] reads and BenchExec runs. Sets of
// tasks stand in their run definitions, with all options.
func (d *Definition) Write(out io.Writer) error {
	w := writer{out: bufio.NewWriter(out)}
	w.print(`<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 3.30//EN" "https://www.sosy-lab.org/benchexec/benchmark-3.30.dtd">
`)
	w.print("<benchmark")
	w.attribute("tool", d.Tool)
	w.attribute("displayName", d.Title)
	if d.CPU > 0 {
		w.attribute("timelimit", timeText(d.CPU))
	}
	if d.Wall > 0 {
		w.attribute("walltimelimit", timeText(d.Wall))
	}
	if d.Memory > 0 {
		w.attribute("memlimit", memoryText(d.Memory))
	}
	if d.Cores > 0 {
		w.attribute("cpuCores", fmt.Sprint(d.Cores))
	}
	w.print(">\n")
	for _, run := range d.Runs {
		w.print("  <rundefinition")
		w.attribute("name", run.Name)
		w.print(">\n")
		for _, s := range run.Sets {
			w.set(s)
		}
		w.print("  </rundefinition>\n")
	}
	w.print("</benchmark>\n")
	if w.err != nil {
		return w.err
	}
	return w.out.Flush()
}

type writer struct {
	out *bufio.Writer
	err error
}

func (w *writer) print(text string) {
	if w.err == nil {
		_, w.err = w.out.WriteString(text)
	}
}

func (w *writer) escaped(text string) {
	switch {
	case w.err != nil:
	case !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0xFFFE || r == 0xFFFF }):
		w.err = diagnostic.Diagnostic{Code: "benchmark-text", Message: fmt.Sprintf("a benchmark definition cannot hold the text %.80q", text)}
	default:
		w.err = xml.EscapeText(w.out, []byte(text))
	}
}

// attribute writes an attribute, unless it is empty.
func (w *writer) attribute(name, value string) {
	if value != "" {
		w.print(" " + name + `="`)
		w.escaped(value)
		w.print(`"`)
	}
}

func (w *writer) set(s Set) {
	w.print("    <tasks")
	w.attribute("name", s.Name)
	w.print(">\n")
	for _, list := range []struct {
		element  string
		patterns []task.Pattern
	}{{"include", s.Include}, {"includesfile", s.IncludeSets}, {"exclude", s.Exclude}, {"excludesfile", s.ExcludeSets}, {"requiredfiles", s.Required}} {
		for _, p := range list.patterns {
			w.print("      <" + list.element + ">")
			w.escaped(p.Text)
			w.print("</" + list.element + ">\n")
		}
	}
	if s.Property.Text != "" {
		w.print("      <propertyfile")
		w.attribute("expectedverdict", s.Expected)
		w.print(">")
		w.escaped(s.Property.Text)
		w.print("</propertyfile>\n")
	}
	variables := strings.NewReplacer("{task_name}", "${taskdef_name}", "{task_dir}", "${taskdef_path}", "{witness}", "${witness}")
	for _, option := range s.Options {
		w.print("      <option")
		w.attribute("name", variables.Replace(option))
		w.print("/>\n")
	}
	w.print("    </tasks>\n")
}
