package diagnostic

import (
	"strings"
	"testing"
)

const hostile = "a\x1b[31mred\x1b]0;title\a\rover\x7f \u202ereversed \x9b2J\xff \u0085 caf\u00e9 \U0001F600\tend\n"

const harmless = "a\u241b[31mred\u241b]0;title\u2407\u240dover\u2421 \ufffdreversed \ufffd2J\ufffd \ufffd caf\u00e9 \U0001F600\tend\n"

// What a tool prints never reaches a terminal as anything but text, however it is
// cut into pieces.
func TestHostileTextBecomesHarmless(t *testing.T) {
	if got := Printable(hostile); got != harmless {
		t.Errorf("got %q", got)
	}
	for size := 1; size < len(hostile); size++ {
		var out strings.Builder
		w := NewTerminal(&out)
		for rest := hostile; rest != ""; {
			n := min(size, len(rest))
			if wrote, err := w.Write([]byte(rest[:n])); wrote != n || err != nil {
				t.Fatalf("%d of %d, %v", wrote, n, err)
			}
			rest = rest[n:]
		}
		if out.String() != harmless {
			t.Errorf("in pieces of %d: %q", size, out.String())
		}
	}
}

// Names of files and words of files stand in diagnostics.
func TestDiagnosticsArePrintable(t *testing.T) {
	d := Diagnostic{File: "a\x1b[2J.yaml", Line: 1, Message: "there is no key \"\x1b]0;x\a\"", Hint: "\u202ename"}
	if got := d.Error(); strings.ContainsAny(got, "\x1b\a\u202e") || !strings.Contains(got, "a\u241b[2J.yaml:1: ") {
		t.Errorf("got %q", got)
	}
}
