package stripped

import (
	"fmt"
	"io"
	"strings"

	"podium/examinations"
	"podium/internal/compare"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Format is the value of the format key of a report.
const Format = "podium-stripped/2"

// Report says of each tool whether names matter to it.
type Report struct {
	Format    string    `json:"format"`
	Instances int       `json:"instances"`
	Copies    int       `json:"copies_of_each_kind"`
	LeftOut   []LeftOut `json:"left_out,omitempty"`
	Tools     []Tool    `json:"tools"`
}

// LeftOut is an instance of which no copy can be made.
type LeftOut struct {
	Instance string `json:"instance"`
	Reason   string `json:"reason"`
}

// Kind is how a copy differs from its original.
type Kind string

// The kinds of copies.
const (
	Renamed   Kind = "names"           // other names and ids, in the same order, with the units of NUPN
	Reordered Kind = "names and order" // also another order, and no units
)

var kinds = []Kind{Renamed, Reordered}

// Result is what is said of a tool.
type Result string

// The results.
const (
	Honest       Result = "names do not matter"
	FormMatters  Result = "FORM MATTERS"  // it answers on originals alone what the files beside the net state
	NamesMatter  Result = "NAMES MATTER"  // beyond chance; for a tool that computes they do not
	OrderMatters Result = "ORDER MATTERS" // and names do not; may be honest
	ValuesDiffer Result = "VALUES DIFFER" // some are wrong; chance may explain which
	NoAnswers    Result = "no answers"    // nothing could be compared
)

// Tool is what one tool did on instances and on their copies.
type Tool struct {
	Name   string `json:"name"`
	Result Result `json:"result"`
	Sides  []Side `json:"copies"`

	NoPart []string `json:"takes_no_part,omitempty"` // instances that it is not run on
}

// Side compares originals with copies of one kind.
type Side struct {
	Kind Kind `json:"other"`
	// Reasons say what differs, and why that is no chance.
	Reasons []string `json:"reasons"`

	// Counts of values, over all copies: the same on both, different, and given on one
	// side only.
	Same         int `json:"same"`
	Different    int `json:"different"`
	OnlyOriginal int `json:"only_on_original"`
	OnlyCopy     int `json:"only_on_copy"`
	// Missing counts runs without an end, such as void ones. Nothing is compared with
	// them.
	Missing int `json:"runs_missing"`

	// Time and Memory are copy/original, over runs with the same values.
	Time   compare.Ratio `json:"time"`
	Memory compare.Ratio `json:"memory"`

	// Techniques that were named on originals only.
	Techniques []string `json:"techniques_only_on_original"`
	Changes    []Change `json:"changes"` // the first twenty

	Told int `json:"only_on_original_told"` // of OnlyOriginal: values that what runs are given states

	matters bool
}

// told reports whether all that the tool answers on originals alone is stated by what runs are given.
func (s *Side) told() bool { return s.Told > 0 && s.Told == s.OnlyOriginal && s.Different == 0 }

// Change is a value that differs.
type Change struct {
	Instance    string          `json:"instance"`
	Copy        string          `json:"copy"`
	Examination examinations.ID `json:"examination"`
	Item        string          `json:"item"`
	Original    string          `json:"on_original"`
	OnCopy      string          `json:"on_copy"`
}

// conclude draws the result from both kinds of copies.
func (t *Tool) conclude() {
	different, values := 0, 0
	for _, s := range t.Sides {
		different += s.Different
		values += s.Same + s.Different + s.OnlyOriginal + s.OnlyCopy
	}
	switch {
	case values == 0:
		t.Result = NoAnswers
	case t.Sides[0].matters && t.Sides[0].told():
		t.Result = FormMatters
	case t.Sides[0].matters:
		t.Result = NamesMatter
	case t.Sides[1].matters:
		t.Result = OrderMatters
	case different > 0:
		t.Result = ValuesDiffer
	default:
		t.Result = Honest
	}
}

// Doubtful counts the tools that a person must look at.
func (r *Report) Doubtful() (n int) {
	for _, t := range r.Tools {
		if t.Result != Honest && t.Result != NoAnswers {
			n++
		}
	}
	return n
}

// WriteText writes the report for people.
func (r *Report) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "%s, each with %s\n", wording.Count(r.Instances, "instance", "instances"), wording.Count(r.Copies, "copy of each kind", "copies of each kind"))
	for _, l := range r.LeftOut {
		fmt.Fprintf(out, "left out: %s: %s\n", l.Instance, l.Reason)
	}
	w := wording.Table(out)
	fmt.Fprintln(w, "tool\tother\tsame values\tdifferent\tonly on original\tonly on copy\ttime copy/original\tmemory\tresult")
	for _, t := range r.Tools {
		result := t.Result
		for _, s := range t.Sides {
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\n", t.Name, s.Kind, s.Same, s.Different, s.OnlyOriginal, s.OnlyCopy, s.Time, s.Memory, result)
			result = ""
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, t := range r.Tools {
		for _, instance := range t.NoPart {
			fmt.Fprintf(out, "%s: %s left out: the tool takes no part\n", t.Name, instance)
		}
		for _, s := range t.Sides {
			s.write(out, fmt.Sprintf("%s, other %s: ", t.Name, s.Kind))
		}
	}
	return nil
}

// write says what lies behind the numbers.
func (s *Side) write(out io.Writer, label string) {
	for _, reason := range s.Reasons {
		fmt.Fprintln(out, label+reason)
	}
	if len(s.Techniques) > 0 {
		fmt.Fprintf(out, "%stechniques named on originals only: %s\n", label, strings.Join(s.Techniques, " "))
	}
	if s.Missing > 0 {
		fmt.Fprintf(out, "%s%s, and what they would be compared with is left out\n", label, wording.Count(s.Missing, "run has no end", "runs have no end"))
	}
	for _, c := range s.Changes {
		fmt.Fprintf(out, "  %s %s %s: %s, and on the copy %s: %s\n", c.Instance, c.Examination, c.Item, diagnostic.ShortNumber(c.Original), c.Copy, diagnostic.ShortNumber(c.OnCopy))
	}
}
