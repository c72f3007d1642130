package diagnostic

import (
	"fmt"
	"strings"
	"testing"
)

// Findings alike are shown once per place and once per file, with how many there are.
func TestWriteGrouped(t *testing.T) {
	var list List
	for file := range 6 {
		for line := range 5 {
			list.Add(Diagnostic{File: fmt.Sprint("f", file), Line: line + 1, Severity: Warning, Code: "isolated", Message: fmt.Sprint("p", line)})
		}
	}
	list.Add(Diagnostic{File: "f0", Line: 2, Severity: Warning, Code: "dead", Message: "m"})
	for line := range 12 {
		list.Add(Diagnostic{File: "f1", Line: line + 1, Code: "arc", Message: "wrong"})
	}
	list.Sort()
	list.ErrorsFirst()
	var out strings.Builder
	if err := list.WriteGrouped(&out, "--all"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	want := map[int]string{
		0:  "f1:1: wrong [arc]",
		9:  "f1:10: wrong [arc] (2 more like this; --all shows them)",
		10: "f0:1: warning: p0 [isolated]",
		11: "f0:2: warning: m [dead]",
		13: "f0:3: warning: p2 [isolated] (2 more like this; --all shows them)",
		19: "f2:3: warning: p2 [isolated] (2 more like this here, and 15 in 3 other files; --all shows them)",
	}
	if len(lines) != 20 {
		t.Errorf("%d lines", len(lines))
	}
	for i, line := range want {
		if i < len(lines) && lines[i] != line {
			t.Errorf("line %d: got %q, want %q", i, lines[i], line)
		}
	}
}
