package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestReplace: the new text is there whole, or the old one stays and nothing is left.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	say := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			if old, readErr := os.ReadFile(path); readErr == nil && string(old) == text {
				t.Error("the file has its new text before it is whole")
			}
			_, writeErr := io.WriteString(w, text)
			return errors.Join(err, writeErr)
		}
	}
	failed := errors.New("failed")
	for _, c := range []struct {
		text string
		err  error
		want string
	}{{"one", nil, "one"}, {"two", failed, "one"}, {"three", nil, "three"}} {
		if err := Replace(path, say(c.text, c.err)); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", c.text, err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != c.want {
			t.Errorf("%q, %v, not %q", text, err, c.want)
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%d files, not 1", len(left))
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info, err)
	}
	if err := Replace(filepath.Join(dir, "none", "file"), say("x", nil)); err == nil {
		t.Error("a file was written into no directory")
	}
}
