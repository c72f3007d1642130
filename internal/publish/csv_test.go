package publish

import (
	"bufio"
	"encoding/csv"
	"strings"
	"testing"

	"podium/pnml/diagnostic"
)

// TestRowsAreThoseOfEncodingCSV writes cells that need quotes, and that look as if they did.
func TestRowsAreThoseOfEncodingCSV(t *testing.T) {
	cells := []string{"", "plain", "two words", "a,b", `"`, `say "no"`, "line\nline", "cr\rcr", " blank before", "blank behind ", "\ttab", "\u00a0no-break", `\.`, `\.x`,
		"\u2212 1", "=1+1", "-20.48", "\xff", ","}
	var got, want strings.Builder
	w := bufio.NewWriter(&got)
	table, reference := csvTable{to: w}, csv.NewWriter(&want)
	for i := range cells {
		row := append(append([]string{}, cells[i:]...), cells[:i]...)
		table.row(row...)
		for k := range row {
			row[k] = inert(diagnostic.Clean(row[k]))
		}
		reference.Write(row)
	}
	w.Flush()
	reference.Flush()
	if got.String() != want.String() || want.Len() == 0 {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want.String())
	}
}
