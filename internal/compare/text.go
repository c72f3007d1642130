package compare

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// textWidth is the number of columns of reports as text.
const textWidth = 80

// mostChanges bounds lists of changed values in text; JSON and pages have all.
const mostChanges = 40

// WriteText writes a report for people, in 80 columns.
func (r *Report) WriteText(out io.Writer) error {
	w := &textWriter{bufio.NewWriter(out), r.say}
	w.wrap("before  ", r.Before.String())
	w.wrap("after   ", r.After.String())
	w.wrap("both    ", r.Common())
	for _, sentence := range r.LeftOut {
		w.wrap("note    ", sentence)
	}
	for i := range r.Tools {
		w.tool(&r.Tools[i])
	}
	w.line("")
	w.wrap("", r.Explanation())
	w.line("")
	w.wrap("", r.Verdict())
	return w.Flush()
}

// String names a side with its edition.
func (s Side) String() string { return fmt.Sprintf("%s, edition %s", s.Name, s.Edition) }

// Common says how much both sides have.
func (r *Report) Common() string {
	return r.say(wording.Count(r.Instances, "instance", "instances") + " and " + wording.Count(r.Examinations, "examination", "examinations"))
}

// Explanation says what the figures are.
func (r *Report) Explanation() string {
	return r.say(fmt.Sprintf("Ratios are after/before, with intervals of Wilcoxon's signed-rank test over models. If both sides were the same, this whole report would make a claim with a probability of at most %g %%.", FamilyError*100))
}

// Verdict is the last sentence of a report.
func (r *Report) Verdict() string {
	if r.Worse {
		return "Something is worse than before."
	}
	return "Nothing is worse than before, as far as can be told."
}

// Title names a pair of tools.
func (p Pair) Title() string {
	if p.Before == p.After {
		return p.Before
	}
	return p.Before + " -> " + p.After
}

// Remarks are sentences on the runs of a tool.
func (t *Tool) Remarks() []string {
	list := []string{wording.Count(t.Runs, "run is", "runs are") + " on both sides"}
	if t.OneSided > 0 {
		list = append(list, wording.Count(t.OneSided, "run is", "runs are")+" on one side only, or void on one: left out")
	}
	if c := t.All.Values; c.LostAtLimit > 0 {
		s := fmt.Sprintf("%d of %s in runs that a limit ended", c.LostAtLimit, wording.Count(c.Lost, "lost value was", "lost values were"))
		if t.LimitsWorse {
			list = append(list, s+": significantly more models lost some than gained some")
		} else {
			list = append(list, s+": that may be noise")
		}
	}
	return list
}

// String says what a ratio shows, and of noise how large it is.
func (r Ratio) String() string {
	switch r.Claim {
	case TooFew:
		if r.Models == 0 {
			return "no runs to compare"
		}
		return fmt.Sprintf("%s; at least %d are needed", wording.Count(r.Models, "model", "models"), r.Needed)
	case Unclear:
		return fmt.Sprintf("~ noise %+.1f to %+.1f %%", (r.Low-1)*100, (r.High-1)*100)
	}
	return fmt.Sprintf("%+.1f %% (%+.1f to %+.1f)", (r.Ratio-1)*100, (r.Low-1)*100, (r.High-1)*100)
}

// word is one of two words for a claim, or empty where there is no claim.
func (r Ratio) word(more, less string) string {
	return map[Claim]string{More: more, Less: less}[r.Claim]
}

// textWriter says what it writes of its own in the words of what is compared.
type textWriter struct {
	*bufio.Writer
	say func(string) string
}

func (w *textWriter) line(format string, args ...any) {
	text := []rune(strings.TrimRight(diagnostic.Clean(fmt.Sprintf(format, args...)), " "))
	if len(text) > textWidth {
		text = append(text[:textWidth-1], '…')
	}
	w.WriteString(string(text) + "\n")
}

// wrap writes a paragraph whose first line begins with a label.
func (w *textWriter) wrap(label, text string) {
	line, indent := label, strings.Repeat(" ", len(label))
	empty := true
	for _, word := range strings.Fields(diagnostic.Clean(text)) {
		if !empty && len([]rune(line))+1+len([]rune(word)) > textWidth {
			w.line("%s", line)
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	w.line("%s", line)
}

// rows returns the row of all examinations and, where there are several, one for each.
func (t *Tool) rows() []namedRow {
	list := []namedRow{{"all", t.All}}
	if len(t.Examinations) > 1 {
		for _, e := range t.Examinations {
			list = append(list, namedRow{string(e.ID), e.Row})
		}
	}
	return list
}

type namedRow struct {
	Name string
	Row
}

func (w *textWriter) tool(t *Tool) {
	w.line("")
	w.line("%s", t.Title())
	for _, remark := range t.Remarks() {
		w.wrap("  ", w.say(remark))
	}
	w.line("")
	w.line("  %-24s%8s%8s%8s%8s%8s%8s", "values", "same", "gained", "lost", "changed", "wrong", "mended")
	for _, row := range t.rows() {
		v := row.Values
		w.line("  %-24s%8d%8d%8d%8d%8d%8d", row.Name, v.Same, v.Gained, v.Lost, v.Changed, v.Wrong, v.Mended)
	}
	w.ratios("CPU time", "slower", "faster", t, func(r *namedRow) Ratio { return r.Time })
	w.ratios("memory", "more", "less", t, func(r *namedRow) Ratio { return r.Memory })
	w.repetitions(t)
	w.changes(t)
}

func (w *textWriter) ratios(what, more, less string, t *Tool, of func(*namedRow) Ratio) {
	w.line("")
	w.line("  %-24s%6s%8s  %s", what, "runs", w.say("models"), "change")
	for _, row := range t.rows() {
		r := of(&row)
		w.line("  %-24s%6d%8d  %s %s", row.Name, r.Runs, r.Models, w.say(r.String()), r.word(more, less))
	}
}

func (w *textWriter) changes(t *Tool) {
	if len(t.Changes) == 0 {
		return
	}
	w.line("")
	for i, c := range t.Changes {
		if i == mostChanges {
			w.line("  and %d more; --json and --html have them all", len(t.Changes)-i)
			break
		}
		w.wrap("  ", fmt.Sprintf("%s: %s", c.Kind, c.what()))
	}
}

// what says which value changed, and how.
func (c Change) what() string {
	limit := ""
	if c.AtLimit {
		limit = ", at a limit"
	}
	return fmt.Sprintf("%s %s %s: %s -> %s%s", c.Instance, c.Examination, c.Value, orNone(c.Before), orNone(c.After), limit)
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return diagnostic.ShortNumber(value)
}
