package campaign

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

// ByExam counts runs by examination.
type ByExam map[examinations.ID]int

// WriteChanges writes what is read otherwise: a line for each answer, before and after,
// and how many runs of each examination that concerns.
func WriteChanges(out io.Writer, list []Change, read ByExam) error {
	var text strings.Builder
	changed := ByExam{}
	for i := range list {
		changed[list[i].Before.Run.Exam]++
		for _, line := range list[i].Lines() {
			fmt.Fprintf(&text, "%s: %s\n", list[i].Before.Run, diagnostic.Line(line))
		}
	}
	all := 0
	for _, exam := range slices.Sorted(maps.Keys(read)) {
		fmt.Fprintf(&text, "%-24s %d read, %d otherwise\n", exam, read[exam], changed[exam])
		all += read[exam]
	}
	fmt.Fprintf(&text, "%-24s %d read, %d otherwise\n", "all", all, len(list))
	_, err := io.WriteString(out, text.String())
	return err
}

// Lines says what differs, in the order of the answers.
func (c *Change) Lines() (list []string) {
	if before, after := c.Before.Participation, c.After.Participation; before != after {
		list = append(list, fmt.Sprintf("%s -> %s", before, after))
	}
	rest := c.After.Answers.List()
	for a := range c.Before.Answers.All() {
		i := slices.IndexFunc(rest, func(b Answer) bool { return b.Item == a.Item })
		if i < 0 {
			list = append(list, fmt.Sprintf("%s %s -> none", a.Item, diagnostic.ShortNumber(a.Text)))
			continue
		}
		if text := a.unlike(rest[i]); text != "" {
			list = append(list, text)
		}
		rest = slices.Delete(rest, i, i+1)
	}
	for _, a := range rest {
		list = append(list, fmt.Sprintf("%s none -> %s", a.Item, diagnostic.ShortNumber(a.Text)))
	}
	return list
}

// unlike says what differs between two answers for one item; empty where it is only the
// order of answers.
func (a Answer) unlike(b Answer) string {
	switch {
	case a.Text != b.Text:
		return fmt.Sprintf("%s %s -> %s", a.Item, diagnostic.ShortNumber(a.Text), diagnostic.ShortNumber(b.Text))
	case a.Techniques != b.Techniques:
		return fmt.Sprintf("%s techniques %s -> %s", a.Item, diagnostic.Cut(a.Techniques), diagnostic.Cut(b.Techniques))
	case a.Line != b.Line || a.Offset != b.Offset:
		return fmt.Sprintf("%s in line %d, byte %d -> line %d, byte %d", a.Item, a.Line, a.Offset, b.Line, b.Offset)
	}
	return ""
}
