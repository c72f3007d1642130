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

// wanted returns the annotated findings as "line:col code", sorted.
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
				if d.Hint == "" {
					t.Errorf("no next step: %v", d)
				}
			}
			slices.Sort(got)
			if w := wanted(model); len(w) == 0 || !slices.Equal(got, w) {
				t.Errorf("got %q, want %q\n%v", got, w, diags)
			}
		})
	}
}

// TestRules: the table lists exactly the codes that this package and the scanner use, and each
// has a broken model unless it cannot stand in a small file that is read.
func TestRules(t *testing.T) {
	elsewhere := []string{"net-dead", "net-empty", "net-isolated", "sym-reading", "sym-subtract", "sym-unused", // of Lint
		"pnml-limit", "pnml-too-many", "xml-limit", "xml-read"}
	code := regexp.MustCompile(`"((?:xml|pnml|sym|nupn|net)-[a-z-]+)"`)
	used, annotated := map[string]bool{}, map[string]bool{}
	sources, _ := filepath.Glob("*.go")
	scanner, _ := filepath.Glob("xmlscan/*.go")
	for _, path := range append(sources, scanner...) {
		if path == "rules.go" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllSubmatch(text, -1) {
			used[string(m[1])] = true
		}
	}
	models, _ := filepath.Glob("testdata/broken/*.pnml")
	for _, path := range models {
		model, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range want.FindAllSubmatch(model, -1) {
			annotated[string(m[1])] = true
		}
	}
	for i, r := range LintRules {
		if i > 0 && LintRules[i-1].Code >= r.Code {
			t.Errorf("%s is not in order", r.Code)
		}
		if !used[r.Code] {
			t.Errorf("%s is not used", r.Code)
		}
		if !annotated[r.Code] && !slices.Contains(elsewhere, r.Code) {
			t.Errorf("%s has no broken model", r.Code)
		}
		delete(used, r.Code)
	}
	for c := range used {
		t.Errorf("%s is not in the table", c)
	}
}
