package judged

import (
	"fmt"
	"io"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring/whatif"
)

// mostReferences bounds a list of changed references.
const mostReferences = 40

// WriteComparison writes what differs between two results, a line for each change.
func WriteComparison(out io.Writer, c *whatif.Comparison) error {
	for _, line := range comparisonLines(c) {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

func comparisonLines(c *whatif.Comparison) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	moved := 0
	category := ""
	for _, m := range c.Moves {
		if m.Category != category {
			category = m.Category
			add("%s", category)
		}
		mark := " "
		if m.Podium() {
			mark, moved = "*", moved+1
		}
		add("%s %s: rank %s -> %s, points %s -> %s", mark, m.Tool, rank(m.RankBefore), rank(m.RankAfter),
			m.PointsBefore.FloatString(2), m.PointsAfter.FloatString(2))
	}
	if len(c.Moves) == 0 {
		add("no rank and no score changes")
	} else {
		add("%s on a podium (*)", wording.Count(moved, "change", "changes"))
	}
	for i, r := range c.References {
		if i == mostReferences {
			add("and %d more reference values", len(c.References)-i)
			break
		}
		add("%s %s %s: %s -> %s (%s -> %s)%s", r.Instance, r.Exam, r.Item, diagnostic.ShortNumber(r.Before), diagnostic.ShortNumber(r.After), r.ClauseBefore, r.ClauseAfter, proof(r))
	}
	return lines
}

// proof says what is proved of a changed reference.
func proof(r whatif.ReferenceChange) string {
	switch {
	case r.Refuted:
		return fmt.Sprintf("; refuted by proof: %s is proved", diagnostic.ShortNumber(r.Proved))
	case r.Proved == "":
		return ""
	case r.After == "?":
		return fmt.Sprintf("; the value is known: %s is proved", diagnostic.ShortNumber(r.Proved))
	}
	return "; proved"
}

func rank(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}
