package cmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"podium/pnml/diagnostic"
)

// TestFolding: whole lines are broken at blanks, long words stay whole, and what is no whole line
// passes as it is; a file is no terminal.
func TestFolding(t *testing.T) {
	var out bytes.Buffer
	f := &folding{to: diagnostic.NewTerminal(&out), columns: func() int { return 24 }}
	fmt.Fprintln(f, "note: this remark is wider than that")
	fmt.Fprint(f, "a prompt that is much wider than that ")
	fmt.Fprint(f, "and its end\nshort\n")
	fmt.Fprintln(f, "see /a/very/long/path/that/has/no/blanks there")
	want := "note: this remark is\n    wider than that\na prompt that is much wider than that and its end\nshort\nsee\n    /a/very/long/path/that/has/no/blanks\n    there\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	if diagnostic.Raw(f) != io.Writer(&out) {
		t.Error("what draws does not find the terminal itself")
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "remarks"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if foldedTerminal(file) != io.Writer(file) {
		t.Error("lines in a file are folded")
	}
}
