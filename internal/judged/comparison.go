package judged

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring/whatif"
)

// mostReferences bounds a list of changed references, unless all are asked for.
const mostReferences = 40

// WriteComparison writes what differs between two results, a line for each change: of many changed
// references the first, or all.
func WriteComparison(out io.Writer, c *whatif.Comparison, all bool) error {
	most := mostReferences
	if all {
		most = len(c.References)
	}
	lines := comparisonLines(c, most)
	if most < len(c.References) {
		lines[len(lines)-1] += "; --all shows them"
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

func comparisonLines(c *whatif.Comparison, most int) (lines []string) {
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
	if len(c.References) > 1 {
		add("%d reference values change: %s", len(c.References), referencesByExamination(c.References))
	}
	for i, r := range c.References {
		if i == most {
			add("and %d more reference values", len(c.References)-i)
			break
		}
		add("%s %s %s: %s -> %s (%s -> %s)%s", r.Instance, r.Exam, r.Item, diagnostic.ShortNumber(r.Before), diagnostic.ShortNumber(r.After), r.ClauseBefore, r.ClauseAfter, proof(r))
	}
	return lines
}

// referencesByExamination counts changed references.
func referencesByExamination(changes []whatif.ReferenceChange) string {
	counts := map[string]int{}
	for _, r := range changes {
		counts[r.Exam]++
	}
	var parts []string
	for _, exam := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d of %s", counts[exam], exam))
	}
	return strings.Join(parts, ", ")
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
