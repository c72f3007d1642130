package archive

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/vm"
)

// contestOf makes a campaign of two tools, whose files are elsewhere, and judges it.
func contestOf(t *testing.T) *judged.Campaign {
	t.Helper()
	dir := t.TempDir()
	ed, text, err := judged.LoadEdition("mcc2020")
	if err != nil {
		t.Fatal(err)
	}
	if err := files.Write(filepath.Join(dir, judged.EditionFile), func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		t.Fatal(err)
	}
	p := &campaign.Plan{Name: "small", Edition: ed.ID, EditionDigest: ed.Digest, Seed: 1, Examinations: []examinations.ID{examinations.OneSafe}, Tools: []campaign.PlannedTool{{Name: "one", Family: "one", Dir: "/nowhere/one"}, {Name: "two", Family: "two", Dir: "/nowhere/two"}},
		Instances: []campaign.PlannedInstance{{ID: "Net-PT-1", Family: "Net", Class: "known", Path: "/nowhere/Net-PT-1"}}}
	c, err := campaign.Create(dir, p)
	if err != nil {
		t.Fatal(err)
	}
	err = c.Import("worker", func(add func(campaign.Finished) error) error {
		for i, tool := range p.Tools {
			f := campaign.Finished{Run: campaign.Run{Tool: tool.Name, Instance: "Net-PT-1", Exam: examinations.OneSafe}, Attempt: 1, Worker: "worker", Participation: output.Answered,
				Answers: campaign.AnswersOf(campaign.Answer{Item: "OneSafe", Text: "TRUE", Techniques: "EXPLICIT"})}
			f.Outcome = vm.Outcome{Termination: vm.Exited, Started: time.Unix(1700000000, 0), CPUTime: vm.Took(time.Duration(i+1) * time.Second), WallTime: vm.Took(time.Second), MemoryPeak: 1 << 20, Measured: "cgroup2"}
			if err := add(f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	j, err := judged.Judge(t.Context(), c, judged.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestOtherTablesAreFound: an archive whose tables were written by somebody else has
// right digests, and is still found, with the line.
func TestOtherTablesAreFound(t *testing.T) {
	j, dir := contestOf(t), t.TempDir()
	path := filepath.Join(dir, "a.tar.zst")
	w, err := Write(t.Context(), path, j, Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := Verify(t.Context(), path, Check{})
	if err != nil || len(v.Deviations) > 0 || v.Root != w.Root || v.Runs != 2 || strings.Join(v.LeftOut, " ") != "tools instances" {
		t.Fatalf("%+v %v", v, err)
	}
	scratch := t.TempDir()
	layout, err := layoutOf(j.Campaign, campaignDir+"/")
	if err != nil {
		t.Fatal(err)
	}
	list, f, err := collect(t.Context(), scratch, j, layout, Options{})
	if err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(scratch, resultsDir, "csv", "totals.csv")
	text, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	lines[2] = strings.Replace(lines[2], "two", "one", 1)
	for i := range list.files {
		if e := &list.files[i]; e.from == table {
			e.from, e.text = "", []byte(strings.Join(lines, "\n"))
			e.sum, e.size = "", int64(len(e.text))
		}
	}
	var out bytes.Buffer
	if err := errors.Join(list.digest(t.Context()), write(t.Context(), &out, list, f, list.sums()), os.WriteFile(path, out.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	v, err = Verify(t.Context(), path, Check{})
	if err != nil || len(v.Deviations) != 2 || v.Root == w.Root { // the table, and its description
		t.Fatalf("%+v %v", v, err)
	}
	if got := v.Deviations[0].Error(); !strings.Contains(got, "a.tar.zst:results/csv/totals.csv:3: ") {
		t.Error(got)
	}
}

// TestChangedWhileArchived: a file that grows between the two readings is no archive.
func TestChangedWhileArchived(t *testing.T) {
	dir := sample(t)
	list := &contents{links: map[string]string{}}
	if err := errors.Join(list.add(dir, campaignDir, all), list.digest(t.Context())); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "campaign.json"), []byte(`{"name": "y and more"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	err := write(t.Context(), io.Discard, list, facts{Date: "2026-01-02"}, list.sums())
	if err == nil || !strings.Contains(err.Error(), "campaign.json was changed while it was read") {
		t.Error(err)
	}
}

// TestColumnsAreKnownByName: a table that has gained columns is still the same.
func TestColumnsAreKnownByName(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	recorded := "tool,points\nx,\"1\n2\"\ny,3\n"
	for _, c := range []struct {
		recorded, computed string
		line               int
		lacks              string
	}{
		{recorded, recorded, 0, ""},
		{recorded, "tool,energy,points\nx,,\"1\n2\"\ny,,3\n", 0, "energy"},
		{recorded, "points,tool\n\"1\n2\",x\n3,y\n", 1, ""},
		{recorded, "tool,points\nx,\"1\n2\"\ny,4\n", 4, ""},
		{recorded, "tool\nx\ny\n", 1, ""},
		{recorded, "tool,points\nx,1\ny,3\n", 2, ""},
		{recorded, "tool,points\nx,\"1\n2\"\n", 4, ""},
		{"tool,points\nx,\"1\n2\"\n", recorded, 2, ""},
		{"", recorded, 1, ""},
		{"tool,points\n\nx,\"1\n2\"\ny,3\n", recorded, 2, ""}, // an empty line is no row for some readers
		{"tool,points\r\nx,\"1\n2\"\ny,3\n", recorded, 1, ""},
		{"\ufefftool,points\nx,\"1\n2\"\ny,3\n", recorded, 1, ""},
	} {
		d, err := differing(file("recorded", c.recorded), file("computed", c.computed))
		if err != nil || d.line != c.line || c.line == 0 && strings.Join(d.lacks, " ") != c.lacks {
			t.Errorf("%q and %q: %+v, %v", c.recorded, c.computed, d, err)
		}
	}
}
