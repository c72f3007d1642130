package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestParseCommand: what a person runs on one model becomes the command of a head.
func TestParseCommand(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"build/mytool", "other/mytool", "lib/my tool.jar", "models/A-PT-1/model.pnml", "$x"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("lib/ownprogram", nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, empty := range []string{"build/tmp", "other/tmp"} {
		if err := os.Mkdir(empty, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("shims", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("shims/true", []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(dir, "shims")+":"+os.Getenv("PATH")+":"+filepath.Join(dir, "lib"))
	for _, c := range []struct{ line, want, remark, err string }{
		{"build/mytool --net models/A-PT-1/model.pnml -v", `"$BIN_DIR/mytool" --net model.pnml -v`, "build/mytool was copied to bin/mytool", ""},
		{"./build/mytool 'models/A-PT-1/model.pnml' CTLFireability", `"$BIN_DIR/mytool" model.pnml "$BK_EXAMINATION"`, "CTLFireability became", ""},
		{"sh -c 'cat x | tr a b' ../m/UpperBounds.xml", `sh -c 'cat x | tr a b' "$BK_EXAMINATION.xml"`, "sh is a program of this computer", ""},
		{`sh 'lib/my tool.jar' | grep -v "a  b" > $TMPDIR/x`, `sh "$BIN_DIR/my tool.jar" | grep -v "a  b" > $TMPDIR/x`, "", ""},
		{"build/mytool --time $BK_TIME_CONFINEMENT missing/file", `"$BIN_DIR/mytool" --time $BK_TIME_CONFINEMENT missing/file`, "", ""},
		{"build/mytool lib", `"$BIN_DIR/mytool" lib`, "", ""},
		{"build/mytool ./lib", `"$BIN_DIR/mytool" ./lib`, "./lib is a directory, which was not copied", ""},
		{"build/mytool --scratch build/tmp/", `"$BIN_DIR/mytool" --scratch "$BIN_DIR/tmp"`, "build/tmp/ is empty: runs may write to bin/tmp", ""},
		{"build/mytool build/tmp other/tmp", "", "", "would both become bin/tmp"},
		{"build/mytool -d models/A-PT-1/", `"$BIN_DIR/mytool" -d .`, "models/A-PT-1/ became . (the directory of the instance)", ""},
		{"build/mytool /usr/bin/env", `"$BIN_DIR/mytool" /usr/bin/env`, "/usr/bin/env is a file of this computer", ""},
		{"/bin/sh build/mytool", `/bin/sh "$BIN_DIR/mytool"`, "/bin/sh is a file of this computer", ""},
		{"build/mytool -o ../out.txt", `"$BIN_DIR/mytool" -o ../out.txt`, "note: there is no file ../out.txt, and a run does not see such a place of this computer: it writes to $TMPDIR", ""},
		{"ownprogram -v", "ownprogram -v", "which a run does not see: write that path into the command", ""},
		{"true -v", "true -v", "bin/true: an image", ""},
		{"mytool model.pnml", "", "", "there is no program mytool"},
		{"bulid/mytool model.pnml", "", "", "there is no program bulid/mytool"},
		{"./build model.pnml", "", "", "is a directory: name the program"},
		{"build/mytool other/mytool", "", "", "would both become bin/mytool"},
		{"build/mytool 'x", "", "", "not closed"},
		{" \t", "", "", "is empty"},
		{"a\nb", "", "", "one line"},
		{strings.Repeat("a", maxCommand+1), "", "", "one line"},
	} {
		got, err := ParseCommand(c.line)
		switch {
		case err != nil:
			if c.err == "" || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%.100q: %v", c.line, err)
			}
		case c.err != "" || got.Line != c.want || !strings.Contains(strings.Join(got.Remarks, "\n"), c.remark):
			t.Errorf("%.100q: %q, %q, %s", c.line, got.Line, got.Remarks, c.err)
		}
	}
}
