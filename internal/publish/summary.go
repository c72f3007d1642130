package publish

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"podium/internal/wording"
)

// Summary prints the podium of every category and the confidence of every tool
// as plain text. Lines are cut to width columns (at least 40), or not at all
// when width is 0. There are no colours and no cursor movements.
func Summary(w io.Writer, c *Contest, width int) error {
	v := newView(c)
	s := &summary{out: bufio.NewWriter(w), width: max(width, 40), whole: width == 0}
	if s.whole {
		s.width = fileWidth
	}
	s.head(v)
	for i := range c.Categories {
		s.podium(c, &c.Categories[i])
	}
	s.reports(v)
	s.effort(v)
	s.confidences(v)
	s.tail(v)
	return s.out.Flush()
}

type summary struct {
	out   *bufio.Writer
	width int
	whole bool // nothing is cut
}

// fileWidth is the width to which text for files is laid out.
const fileWidth = 80

// line prints a line, cut to the width of a terminal.
func (s *summary) line(format string, args ...any) {
	text := strings.TrimRight(clean(fmt.Sprintf(format, args...)), " ")
	if !s.whole {
		text = wording.CutEnd(text, s.width)
	}
	s.out.WriteString(text + "\n")
}

// wrap prints a paragraph.
func (s *summary) wrap(text string) {
	for _, line := range wording.Wrap("", "", strings.Fields(clean(text)), s.width) {
		s.line("%s", line)
	}
}

func (s *summary) head(v *view) {
	n := v.counts()
	s.line("%s", v.c.Title)
	record := "for the record"
	if v.c.FromFiles {
		record = "from files of results"
	} else if !v.c.ForRecord {
		record = "a rehearsal"
	}
	if v.c.emulated() {
		record += " on emulated machines"
	}
	hidden := ""
	switch v.c.optedOut {
	case 0:
	case 1:
		hidden = " 1 more run is in a category that its tool opts out of, and is not shown."
	default:
		hidden = " " + spaced(count(v.c.optedOut)) + " more runs are in categories that their tools opt out of, and are not shown."
	}
	s.wrap(fmt.Sprintf("%s, %s: %s on %s, %s, %s.", v.c.Edition.ID, record,
		things(n.Tools, "tool"), things(n.Instances, v.say("instance")), things(n.Runs, "run"), things(n.Disagreements, "disagreement")) + hidden)
	if strings.HasPrefix(v.c.Edition.Basis, "inferred") {
		s.wrap("Rules " + v.c.Edition.Basis + ".")
	}
	if n.Disagreements > 0 && !v.c.Refereed() && !v.c.FromFiles && v.hasNets() {
		s.wrap("`podium prove DIR`, with the directory of the campaign, proves who is right where tools disagree.")
	}
	for _, d := range v.c.InForce() {
		s.wrap(fmt.Sprintf("Decision %d: %s.", d.Number, d.Text()))
	}
}

// things is a number of things, with the plural's s.
func things(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return spaced(count(n)) + " " + name + "s"
}

// unitOf is what follows a number of points.
func unitOf(points string) string {
	if points == "1" {
		return " point"
	}
	return " points"
}

// spaced replaces narrow spaces, which terminals draw badly.
func spaced(text string) string { return strings.ReplaceAll(text, "\u202f", " ") }

// podium prints a category: its places, then the others in one line for each
// reason why they have none.
func (s *summary) podium(c *Contest, cat *Category) {
	standings := c.standings(cat)
	s.line("")
	s.line("%s", cat.Name)
	on := places(standings)
	if len(on) == 0 && !cat.Demo {
		s.line("  nobody is on this podium")
	}
	for _, p := range on {
		points := spaced(decimal(p.Points))
		name := s.fit(p.Tool, s.width-8-utf8.RuneCountInString(points))
		dots := strings.Repeat(".", max(0, s.width-8-utf8.RuneCountInString(name)-utf8.RuneCountInString(points)))
		s.line("  %d. %s %s %s", p.Place, name, dots, points)
	}
	var why []string
	others := map[string][]string{}
	for _, st := range standings {
		if st.Place >= 1 && st.Place <= 3 {
			continue
		}
		label := "then"
		if st.Rank == 0 && st.Note != "" {
			label = st.Note + ":"
		}
		if others[label] == nil {
			why = append(why, label)
		}
		points := spaced(decimal(st.Points))
		if st.Dash {
			points = "-"
		}
		others[label] = append(others[label], st.Tool+" "+points)
	}
	for _, label := range why {
		s.line("     %s %s", label, strings.Join(others[label], ", "))
	}
	for _, r := range c.rankingViews(cat) {
		var list []string
		for _, line := range r.Rows {
			list = append(list, fmt.Sprintf("%d. %s %s", line.Rank, line.Of.Tool, spaced(decimal(line.Measure))))
		}
		if len(list) == 0 {
			list = []string{"nobody"}
		}
		s.line("     %s (%s): %s", r.Name, r.Unit, strings.Join(list, ", "))
	}
}

// fit cuts a name to a number of columns of a terminal.
func (s *summary) fit(name string, columns int) string {
	if s.whole {
		return clean(name)
	}
	return wording.CutEnd(clean(name), max(columns, 1))
}

func (s *summary) confidences(v *view) {
	if !v.votes() {
		return
	}
	s.line("")
	s.line("Confidence (share of the consistent values that a tool answered)")
	longest := 0
	for _, t := range v.tools {
		longest = max(longest, utf8.RuneCountInString(clean(t.Name)))
	}
	if !s.whole {
		longest = min(longest, s.width-26)
	}
	for i, t := range v.tools {
		conf := v.trust[i]
		name := s.fit(t.Name, longest)
		name += strings.Repeat(" ", max(0, longest-utf8.RuneCountInString(name)))
		if conf.Answered == 0 {
			s.line("  %s  none", name)
			continue
		}
		s.line("  %s  %-8s %s of %s", name, weight(ratioOf(conf)), spaced(count(conf.Agree)), spaced(count(conf.Answered)))
	}
}

func (s *summary) tail(v *view) {
	if n := v.counts().VoidRuns; n > 0 {
		s.line("")
		s.wrap(things(n, "run") + " could not be done and count for nobody.")
	}
	for _, warning := range v.c.Warnings {
		s.line("")
		s.wrap("Warning: " + warning)
	}
}
