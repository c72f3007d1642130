package stripped

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"podium/examinations"
	"podium/internal/compare"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Format is the value of the format key of a report.
const Format = "podium-stripped/1"

// Report says of each tool whether names matter to it.
type Report struct {
	Format    string `json:"format"`
	Instances int    `json:"instances"`
	Copies    int    `json:"copies_of_each"`
	Tools     []Tool `json:"tools"`
}

// Tool is what one tool did on instances and on their copies.
type Tool struct {
	Name string `json:"name"`
	// Suspicious: it does something else where names are others, beyond noise. Reasons
	// say what.
	Suspicious bool     `json:"suspicious"`
	Reasons    []string `json:"reasons"`

	// Counts of values, over all copies: the same on both, different, and given on one
	// side only.
	Same         int `json:"same"`
	Different    int `json:"different"`
	OnlyOriginal int `json:"only_on_original"`
	OnlyCopy     int `json:"only_on_copy"`
	// Runs in which the original had more values than the copy, and fewer.
	More  int `json:"runs_with_more_on_original"`
	Fewer int `json:"runs_with_fewer_on_original"`

	// Time and Memory are copy/original, over runs with the same values.
	Time   compare.Ratio `json:"time"`
	Memory compare.Ratio `json:"memory"`

	// Techniques that were named on originals only.
	Techniques []string `json:"techniques_only_on_original"`
	Changes    []Change `json:"changes"`
}

// Change is a value that differs.
type Change struct {
	Instance    string          `json:"instance"`
	Copy        string          `json:"copy"`
	Examination examinations.ID `json:"examination"`
	Item        string          `json:"item"`
	Original    string          `json:"on_original"`
	OnCopy      string          `json:"on_copy"`
}

// Suspects counts the suspicious tools.
func (r *Report) Suspects() (n int) {
	for _, t := range r.Tools {
		if t.Suspicious {
			n++
		}
	}
	return n
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(out io.Writer) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// WriteText writes the report for people.
func (r *Report) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "%s, each with %s\n", wording.Count(r.Instances, "instance", "instances"), wording.Count(r.Copies, "stripped copy", "stripped copies"))
	w := wording.Table(out)
	fmt.Fprintln(w, "tool\tsame values\tdifferent\tonly on original\tonly on copy\ttime copy/original\tresult")
	for _, t := range r.Tools {
		word := "names do not matter"
		if t.Suspicious {
			word = "NAMES MATTER"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\t%s\n", t.Name, t.Same, t.Different, t.OnlyOriginal, t.OnlyCopy, t.Time, word)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, t := range r.Tools {
		for _, reason := range t.Reasons {
			fmt.Fprintf(out, "%s: %s\n", t.Name, reason)
		}
		if len(t.Techniques) > 0 {
			fmt.Fprintf(out, "%s: techniques named on originals only: %s\n", t.Name, strings.Join(t.Techniques, " "))
		}
		for _, c := range t.Changes {
			fmt.Fprintf(out, "  %s %s %s: %s, and on the copy %s: %s\n", c.Instance, c.Examination, c.Item, diagnostic.ShortNumber(c.Original), c.Copy, diagnostic.ShortNumber(c.OnCopy))
		}
	}
	return nil
}
