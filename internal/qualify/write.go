package qualify

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"podium/internal/files"
	"podium/internal/publish"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

//go:embed report.html
var source string

// SummaryFile is the report on all tools, for programs.
const SummaryFile = "qualify.json"

// Write writes the reports into a directory: NAME.html and NAME.txt for each tool, and
// the summary.
func (r *Report) Write(dir string) error {
	page, err := publish.ReportPage(source, nil)
	if err != nil {
		return err
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		err := errors.Join(
			files.Write(filepath.Join(dir, t.Name+".html"), func(out io.Writer) error {
				return page.Execute(out, struct {
					*Tool
					Edition string
				}{t, r.Edition})
			}),
			files.Write(filepath.Join(dir, t.Name+".txt"), func(out io.Writer) error { return t.WriteText(out) }))
		if err != nil {
			return err
		}
	}
	return files.Write(filepath.Join(dir, SummaryFile), func(out io.Writer) error {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	})
}

// WriteText writes the report on a tool as a text, such as for a mail.
func (t *Tool) WriteText(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", t.Name, t.Verdict())
	if t.Runs > 0 {
		fmt.Fprintf(&b, "%s.\n", t.Counts())
	}
	for _, c := range t.Conditions {
		word := "  passed  "
		switch {
		case !c.Passed && c.Waived:
			word = "  waived  "
		case !c.Passed:
			word = "  FAILED  "
		}
		fmt.Fprintf(&b, "%s%s\n", word, c.ID.Asks())
		for _, f := range c.FailedRuns() {
			if where := f.Where(); where != "" {
				fmt.Fprintf(&b, "    %s\n", where)
			}
			for _, text := range f.Texts {
				fmt.Fprintf(&b, "      %s\n", text)
			}
			for _, line := range f.Stderr {
				fmt.Fprintf(&b, "      stderr: %s\n", diagnostic.Clean(line))
			}
			if f.Repeat != "" {
				fmt.Fprintf(&b, "      repeat it: %s\n", f.Repeat)
			}
		}
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "  note    %s\n", note)
	}
	_, err := io.WriteString(diagnostic.NewTerminal(out), b.String())
	return err
}

// Verdict says in a few words whether the tool is fit.
func (t *Tool) Verdict() string {
	if t.Qualified {
		return "qualified"
	}
	failed := 0
	for _, c := range t.Conditions {
		if !c.Passed && !c.Waived {
			failed++
		}
	}
	return "not qualified, " + wording.Part(failed, len(t.Conditions), "conditions is", "conditions are") + " not met"
}

// Counts says what the runs gave.
func (t *Tool) Counts() string {
	return fmt.Sprintf("%s: %d answered, %d declined; %s compared with known ones", wording.Count(t.Runs, "run", "runs"), t.Answered, t.Declined,
		wording.Count(t.Checked, "value was", "values were"))
}

// WriteText writes a line for each tool.
func (r *Report) WriteText(out io.Writer) error {
	w := wording.Table(out)
	fmt.Fprintln(w, "tool\tresult\truns\tanswered\tdeclined\tvalues checked\tnot met")
	for _, t := range r.Tools {
		word, missed := "qualified", []string{}
		for _, c := range t.Conditions {
			if !c.Passed && !c.Waived {
				word, missed = "not qualified", append(missed, string(c.ID))
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%s\n", t.Name, word, t.Runs, t.Answered, t.Declined, t.Checked, strings.Join(missed, ", "))
	}
	return w.Flush()
}
