//go:build linux

package vmtest

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTableOfAttacks holds the page against the cases: each attack is a row.
func TestTableOfAttacks(t *testing.T) {
	page, err := os.ReadFile("../../docs/machines.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := rowsBelow(string(page), "| attack | driver | refused, or how it is recorded |")
	if want := tableOfAttacks(); !slices.Equal(rows, want) {
		t.Errorf("the table of attacks in docs/machines.md has to be:\n%s", strings.Join(want, "\n"))
	}
	seen := map[string]bool{}
	for _, a := range attacks() {
		if seen[a.name] || strings.ContainsAny(a.name, "|\n") || strings.Contains(a.name, ": ") {
			t.Errorf("the name %q is not usable, or twice there", a.name)
		}
		seen[a.name] = true
	}
}

// tableOfAttacks returns the rows of docs/machines.md: attack, driver, and how it
// ends.
func tableOfAttacks() []string {
	var rows []string
	for _, a := range attacks() {
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |", a.name, a.driver, a.ends))
	}
	return rows
}

// rowsBelow reads the rows of a Markdown table below its header.
func rowsBelow(text, header string) []string {
	var rows []string
	scanner := bufio.NewScanner(strings.NewReader(text))
	for inside := false; scanner.Scan(); {
		switch line := scanner.Text(); {
		case line == header:
			inside = true
		case inside && !strings.HasPrefix(line, "|"):
			return rows
		case inside && !strings.HasPrefix(line, "|---"):
			rows = append(rows, line)
		}
	}
	return rows
}
