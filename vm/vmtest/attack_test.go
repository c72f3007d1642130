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

// TestTableOfAttacks holds the page against the cases: each attack is in the
// row of its driver and its end.
func TestTableOfAttacks(t *testing.T) {
	page, err := os.ReadFile("../../docs/lab/machines.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := rowsBelow(string(page), "| refused, or how it is recorded | driver | attacks |")
	if want := tableOfAttacks(); !slices.Equal(rows, want) {
		t.Errorf("the table of attacks in docs/lab/machines.md has to be:\n%s", strings.Join(want, "\n"))
	}
	seen := map[string]bool{}
	for _, a := range attacks() {
		if seen[a.name] || strings.ContainsAny(a.name, ";|\n") || strings.Contains(a.name, ": ") {
			t.Errorf("the name %q is not usable, or twice there", a.name)
		}
		seen[a.name] = true
	}
}

// tableOfAttacks returns the rows of docs/lab/machines.md: how attacks end, their
// driver, and all attacks that end so, in the order of the suite.
func tableOfAttacks() []string {
	var rows []string
	number := map[string]int{} // of the row that begins with a text
	for _, a := range attacks() {
		begin := fmt.Sprintf("| %s | %s | ", a.ends, a.driver)
		i, known := number[begin]
		if !known {
			i = len(rows)
			number[begin] = i
			rows = append(rows, begin+a.name+" |")
			continue
		}
		rows[i] = strings.TrimSuffix(rows[i], " |") + "; " + a.name + " |"
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
