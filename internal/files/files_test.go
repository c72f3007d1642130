package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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

// TestNew: what holds something is written over only where that is asked for.
func TestNew(t *testing.T) {
	dir := t.TempDir()
	text := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	path, empty := filepath.Join(dir, "not", "there", "file"), filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path    string
		text    string
		replace bool
		want    string
		fails   error
	}{{path, "one", false, "one", nil}, {path, "two", false, "one", os.ErrExist}, {path, "three", true, "three", nil}, {empty, "four", false, "four", nil}, {os.DevNull, "five", false, "", nil}} {
		if err := New(c.path, c.replace, text(c.text)); !errors.Is(err, c.fails) {
			t.Errorf("%s: %v", c.text, err)
		}
		if got, err := os.ReadFile(c.path); err != nil || string(got) != c.want {
			t.Errorf("%q, %v, not %q", got, err, c.want)
		}
	}
	for _, replace := range []bool{false, true} {
		if err := New(dir, replace, text("x")); !errors.Is(err, syscall.EISDIR) {
			t.Errorf("over a directory: %v", err)
		}
	}
	if !Begins(path, "hre") || Begins(path, "four") || Begins(dir, "") {
		t.Error("the mark of a file is not the one that it has")
	}
}

// TestInto: several files and directories are written, or none and what was there stays.
func TestInto(t *testing.T) {
	above := filepath.Join(t.TempDir(), "not")
	dir := filepath.Join(above, "there")
	failed := errors.New("failed")
	fill := func(text string, fails error, names ...string) func(string) error {
		return func(fresh string) error {
			for _, name := range names {
				path := filepath.Join(fresh, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
					return err
				}
			}
			return fails
		}
	}
	if err := Into(dir, false, fill("0", failed, "a")); !errors.Is(err, failed) {
		t.Error(err)
	}
	if _, err := os.Stat(above); !errors.Is(err, os.ErrNotExist) {
		t.Error("a directory is left, with nothing in it")
	}
	for _, c := range []struct {
		text    string
		names   []string
		replace bool
		err     error
		want    string // all files with their texts
	}{
		{"1", []string{"a", "d/b"}, false, nil, "a=1 d/b=1"},
		{"2", []string{"c", "d/e"}, false, os.ErrExist, "a=1 d/b=1"}, // d is there
		{"3", []string{"c"}, false, nil, "a=1 c=3 d/b=1"},
		{"4", []string{"a", "d/e"}, true, failed, "a=1 c=3 d/b=1"},
		{"5", []string{"a", "d/e"}, true, nil, "a=5 c=3 d/e=5"},
		{"6", []string{"d", "a/b"}, true, nil, "a/b=6 c=3 d=6"}, // a file for a directory
	} {
		fails := c.err
		if errors.Is(fails, os.ErrExist) {
			fails = nil
		}
		if err := Into(dir, c.replace, fill(c.text, fails, c.names...)); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, not %v", c.text, err, c.err)
		}
		if got := strings.Join(texts(t, dir), " "); got != c.want {
			t.Errorf("%s: %s, not %s", c.text, got, c.want)
		}
	}
	// What cannot be moved lets what was moved before go back.
	if err := Into(dir, true, func(fresh string) error {
		return errors.Join(fill("7", nil, "a/x", "c")(fresh), os.Mkdir(filepath.Join(filepath.Dir(fresh), "old", "c"), 0o755))
	}); err == nil {
		t.Error("a file took the place of a directory")
	}
	if got, want := strings.Join(texts(t, dir), " "), "a/b=6 c=3 d=6"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestErrorNamesFile: an error names the file that was asked for, not the one beside it.
func TestErrorNamesFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "file")
	var at *fs.PathError
	if err := Replace(path, func(io.Writer) error { return nil }); !errors.As(err, &at) || at.Path != path || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not name %s", err, path)
	}
}

// texts lists the files below a directory with what is in them.
func texts(t *testing.T, dir string) (list []string) {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		list = append(list, name+"="+string(text))
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return list
}
