package trial

import "testing"

// TestQuoted: the commands of a report can be pasted into a shell.
func TestQuoted(t *testing.T) {
	for arg, want := range map[string]string{"tools/a-1": "tools/a-1", "a b": "'a b'", "it's": `'it'\''s'`, "": "''", "$(x)": "'$(x)'"} {
		if got := quoted(arg); got != want {
			t.Errorf("%q: %s", arg, got)
		}
	}
}
