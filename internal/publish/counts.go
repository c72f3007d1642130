package publish

import (
	"net/url"
	"slices"
	"strings"
)

// countColumn is a column of counts of what tools did. Each count leads to its runs.
type countColumn struct {
	Title, About string // About is a word of the glossary
	asks         string // what the table of runs asks for: pairs of runsPath
	of           func(t *tally) int
	always       bool // also where nothing is counted
}

// countColumns are all columns of counts, in their order.
var countColumns = []countColumn{
	{"Right", "right", "right >0", func(t *tally) int { return t.right }, true},
	{"Wrong", "wrong", "wrong >0", func(t *tally) int { return t.wrong }, true},
	{"False alarms", "false alarm", "", func(t *tally) int { return t.falseAlarms }, false},
	{"Wrong proofs", "wrong proof", "", func(t *tally) int { return t.wrongProofs }, false},
	{"Not judged", "not judged", "unjudged >0 show unjudged", func(t *tally) int { return t.unjudged }, false},
	{"Set aside", "set aside", "aside >0 show aside", func(t *tally) int { return t.aside }, false},
	{"No answer", "no answer", "missing >0 show missing", func(t *tally) int { return t.missed }, true},
	{"Timeouts", "timeout", "timeout >0 show timeout", func(t *tally) int { return t.timeouts }, false},
	{"Memory-outs", "memory-out", "memout >0 show memout", func(t *tally) int { return t.memouts }, false},
	{"Stopped", "stopped", "stopped >0 show stopped", func(t *tally) int { return t.stopped }, false},
	{"Void", "void", "outcome void", func(t *tally) int { return t.void }, false},
}

// countsOf are the columns of some lines: those in which nothing is counted are left out, and
// so are those of the titles.
func countsOf(lines []tally, without ...string) (columns []countColumn) {
	for _, c := range countColumns {
		counted := c.always || slices.ContainsFunc(lines, func(t tally) bool { return c.of(&t) > 0 })
		if counted && !slices.Contains(without, c.Title) {
			columns = append(columns, c)
		}
	}
	return columns
}

// countCell is a count, and where its runs are; Path may be empty.
type countCell struct {
	N          int
	Word, Path string
}

// countCells are the cells of a line. Where are pairs that its runs fit, as of runsPath.
func countCells(columns []countColumn, t tally, where ...string) (cells []countCell) {
	for _, c := range columns {
		cell := countCell{N: c.of(&t), Word: strings.ToLower(c.Title)}
		if c.asks != "" {
			cell = cell.of(append(slices.Clone(where), strings.Fields(c.asks)...)...)
		}
		cells = append(cells, cell)
	}
	return cells
}

// of leads to the runs of the count, where there are any.
func (c countCell) of(pairs ...string) countCell {
	if c.N > 0 {
		c.Path = runsPath(pairs...)
	}
	return c
}

// runsPath leads to the runs in the table of all runs that fit pairs: a part of its address, and
// what that asks for.
func runsPath(pairs ...string) string {
	path, before := "table.html", "#"
	for i := 0; i+1 < len(pairs); i += 2 {
		path += before + pairs[i] + "=" + url.QueryEscape(clean(pairs[i+1]))
		before = "&"
	}
	return path
}

// categoriesOf are the pairs of the runs of a category, or of all its parts.
func (s *site) categoriesOf(category string) (pairs []string) {
	for _, e := range s.examsOf(category) {
		if of := s.c.Examinations[e].Category; !slices.Contains(pairs, of) {
			pairs = append(pairs, "category", of)
		}
	}
	return pairs
}
