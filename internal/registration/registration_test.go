package registration

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const good = `format: podium-model/1
model: Philosophers
title: philosophers around a table
authors: Edsger Dijkstra
licence: CC0-1.0
source: https://example.org/EWD310
description: |
  They think and eat.
consent: true
`

// TestRecords: what is wrong with a record is found at its line, with the next step.
func TestRecords(t *testing.T) {
	if r, found := parse("r.yaml", []byte(good)); len(found) > 0 || r.Model != "Philosophers" {
		t.Errorf("%+v %v", r, found)
	}
	for _, c := range []struct{ old, fresh, want string }{
		{"podium-model/1", "podium-model/9", `r.yaml:1:1: format is "podium-model/9" [record-format]; write format: podium-model/1`},
		{"Philosophers\n", "../x\n", `r.yaml:2:1: "../x" is no name of a model`},
		{"Philosophers\n", "A-PT-5\n", `r.yaml:2:1: "A-PT-5" is no name of a model`},
		{"authors: Edsger Dijkstra\n", "", "the record has no authors [record-authors]"},
		{"licence: CC0-1.0", "licence: proprietary", `r.yaml:5:1: warning: "proprietary" is not known to be the public domain`},
		{"consent: true", "consent: false", "r.yaml:9:1: the record has no consent: true"},
		{"title: philosophers around a table", "title: " + strings.Repeat("x", 600), "r.yaml:3:1: title is longer than a line"},
		{"They think and eat.", strings.Repeat("They think. ", 1000), "r.yaml:7:1: the description has"},
		{"consent: true", "consent: perhaps", "r.yaml:9:"},
		{"consent: true", "consents: true", "r.yaml:9:1"},
		{good, "", "the record is empty"},
		{good, "- a\n- b\n", "r.yaml:1:"},
	} {
		text := strings.Replace(good, c.old, c.fresh, 1)
		if _, found := parse("r.yaml", []byte(text)); !strings.Contains(found.Error(), c.want) {
			t.Errorf("%q: %s", c.fresh, found.Error())
		}
	}
}

// TestKeptRecords: a campaign gives back what it keeps.
func TestKeptRecords(t *testing.T) {
	dir := t.TempDir()
	if kept, err := Kept(dir); err != nil || len(kept) > 0 {
		t.Fatal(kept, err)
	}
	r, _ := parse("r.yaml", []byte(good))
	if err := r.Keep(dir); err != nil {
		t.Fatal(err)
	}
	if kept, err := Kept(dir); err != nil || kept["Philosophers"].Authors != "Edsger Dijkstra" {
		t.Fatal(kept, err)
	}
	if err := os.WriteFile(filepath.Join(dir, dirName, "Bad.yaml"), []byte("format: x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Kept(dir); err == nil || !strings.Contains(err.Error(), "Bad.yaml:1:1") {
		t.Error(err)
	}
}

// FuzzRecord: any text is read or refused, and findings have a line of it.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("model: [a, b]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, found := parse("r.yaml", text)
		for _, d := range found {
			if d.Line < 0 || d.Line > strings.Count(string(text), "\n")+strings.Count(string(text), "\r")+1 {
				t.Errorf("line %d: %v", d.Line, d)
			}
		}
	})
}
