package wording

import "testing"

// TestShell: the commands of a report can be pasted into a shell.
func TestShell(t *testing.T) {
	for arg, want := range map[string]string{"tools/a-1": "tools/a-1", "a b": "'a b'", "it's": `'it'\''s'`, "": "''", "$(x)": "'$(x)'"} {
		if got := Shell(arg); got != want {
			t.Errorf("%q: %s", arg, got)
		}
	}
}
