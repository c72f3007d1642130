package pnml

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A broken model tells what is wrong with it in comments: <!-- want: code -->
// stands directly before the place of the finding, or names it, where no comment
// can stand, as <!-- want: code line:col -->; 0:0 is the whole file.
var want = regexp.MustCompile(`<!-- want: ([a-z0-9-]+)(?: (\d+:\d+))? -->`)

// wanted gives the annotated findings as "line:col code", sorted.
func wanted(model []byte) []string {
	var list []string
	for _, m := range want.FindAllSubmatchIndex(model, -1) {
		code := string(model[m[2]:m[3]])
		if m[4] >= 0 {
			list = append(list, string(model[m[4]:m[5]])+" "+code)
			continue
		}
		before := model[:m[1]]
		line := 1 + bytes.Count(before, []byte("\n"))
		col := len(before) - bytes.LastIndexByte(before, '\n')
		list = append(list, fmt.Sprintf("%d:%d %s", line, col, code))
	}
	slices.Sort(list)
	return list
}

// TestBrokenModels reports exactly the annotated findings.
func TestBrokenModels(t *testing.T) {
	files, err := filepath.Glob("testdata/broken/*.pnml")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d broken models, %v", len(files), err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".pnml"), func(t *testing.T) {
			model, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, diags := Read(bytes.NewReader(model), path)
			var got []string
			for _, d := range diags {
				got = append(got, fmt.Sprintf("%d:%d %s", d.Line, d.Col, d.Code))
			}
			slices.Sort(got)
			if w := wanted(model); len(w) == 0 || !slices.Equal(got, w) {
				t.Errorf("got %q, want %q\n%v", got, w, diags)
			}
		})
	}
}
