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

// TestWrite: directories are made, an earlier file gives way only to a whole one, a link
// stays a link, and what is no file is written to.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "not", "there", "file")
	text := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, writeErr := io.WriteString(w, text)
			return errors.Join(writeErr, err)
		}
	}
	failed := errors.New("failed")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, text string
		err        error
		want       string
	}{{path, "one", nil, "one"}, {path, "two", failed, "one"}, {link, "three", nil, "three"}} {
		if err := Write(c.path, text(c.text, c.err)); !errors.Is(err, c.err) {
			t.Errorf("%s: %v", c.text, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != c.want {
			t.Errorf("%q, %v, not %q", got, err, c.want)
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
			t.Errorf("%d files, not 1", len(left))
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link: %v, %v", info, err)
	}
	if err := Write(os.DevNull, text("x", nil)); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s: %v, %v", os.DevNull, info, err)
	}
	if err := Write(dir, text("x", nil)); err == nil {
		t.Error("a directory was written to")
	}
}

// TestMake: a file is made once, and replaced by a whole one where that is asked for.
func TestMake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "not", "there", "file")
	text := func(text string, err error) func(string) error {
		return func(file string) error { return errors.Join(os.WriteFile(file, []byte(text), 0o600), err) }
	}
	failed := errors.New("failed")
	for _, c := range []struct {
		text    string
		replace bool
		err     error
		want    string
		fails   error
	}{{"one", false, nil, "one", nil}, {"two", false, nil, "one", os.ErrExist}, {"three", true, failed, "one", failed}, {"four", true, nil, "four", nil}} {
		if err := Make(path, c.replace, text(c.text, c.err)); !errors.Is(err, c.fails) {
			t.Errorf("%s: %v", c.text, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != c.want {
			t.Errorf("%q, %v, not %q", got, err, c.want)
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
			t.Errorf("%d files, not 1", len(left))
		}
	}
}
