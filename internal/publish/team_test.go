package publish

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/examinations"
)

// TestTeamsSeeNoOthers: no file of the package of a team holds a name of another tool,
// or what only another tool printed, answered or was told.
func TestTeamsSeeNoOthers(t *testing.T) {
	c := fixture(3, 4, 6)
	secret := map[string]string{"explicit": "Zyzzyva", "symbolic": "Quokka", "walk": "Wombat"}
	rename := func(name *string) {
		for from, to := range secret {
			*name = strings.ReplaceAll(*name, from, to)
		}
	}
	for i := range c.Tools {
		tool := &c.Tools[i]
		tool.About, tool.Variant, tool.Version = "marker-about", "marker-variant", "marker-version"
		rename(&tool.Name)
		rename(&tool.Family)
	}
	marked := 0
	for i := range c.Runs {
		r := &c.Runs[i]
		own := r.Tool == "explicit"
		rename(&r.Tool)
		if own {
			r.Warnings = append(r.Warnings, "a core was also used by Wombat")
			continue
		}
		marked++
		r.Machine, r.CPU = "marker-machine", 4242*time.Second+424242*time.Microsecond
		for k := range r.Answers {
			r.Answers[k].Techniques = "MARKER_TECHNIQUE"
		}
	}
	for i := range c.References {
		ref := &c.References[i]
		for k := range ref.Votes {
			rename(&ref.Votes[k].Tool)
			if ref.Votes[k].Tool != "Zyzzyva" {
				ref.Votes[k].Value = examinations.Value{Kind: ref.Votes[k].Value.Kind, Text: "987654321987"}
			}
		}
		ref.Silent = append(ref.Silent, Silent{Tool: "Quokka", Value: ref.Value, Why: "marker-why"})
		ref.Clause += ", as Quokka says"
		ref.Doubts = append(ref.Doubts, "elected by wombat alone")
		ref.Ruling = &Ruling{Against: []string{"Wombat"}, Evidence: "the witness of Quokka, which a replay confirmed", Certainty: Proved}
	}
	last := &c.Examinations[len(c.Examinations)-1]
	last.Task = true // so that there are tables of tasks
	for _, tool := range []string{"Zyzzyva", "Quokka"} {
		c.Efforts = append(c.Efforts, Effort{Tool: tool, Answer: "TRUE", Right: 1})
		c.Categories[0].Efforts = append(c.Categories[0].Efforts, Effort{Tool: tool, Answer: "TRUE", Right: 1})
	}
	for i := range c.Confidences {
		rename(&c.Confidences[i].Tool)
	}
	for i := range c.Categories {
		for k := range c.Categories[i].Standings {
			s := &c.Categories[i].Standings[k]
			rename(&s.Tool)
			s.Note = "sibling of Quokka"
		}
	}
	c.Refereed, c.OptedOut = true, 7171717
	c.Warnings = append(c.Warnings, "Wombat was late")
	c.Decisions = append(c.Decisions, Decision{Number: 1, Text: "tool Wombat is disqualified", Author: "Ada"},
		Decision{Number: 2, Text: "excluded instance X", Author: "Ada", Reason: "as Quokka asked", Effect: []string{"Wombat: rank 2 -> 1"}})
	if marked == 0 {
		t.Fatal("the fixture has no runs of others")
	}
	dir := filepath.Join(t.TempDir(), "package")
	if err := Write(t.Context(), dir, c.ForTeam("Zyzzyva", []string{"Zyzzyva"})); err != nil {
		t.Fatal(err)
	}
	files, own := 0, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files++
		if bytes.Contains(text, []byte("Zyzzyva")) {
			own++
		}
		name, _ := filepath.Rel(dir, path)
		for _, word := range []string{"Quokka", "Wombat", "wombat", "sym&lt;b", "sym<b", "marker-machine", "MARKER_TECHNIQUE", "4242.42", "987654321987", "marker-why", "7171717", "7 171 717", "7,171,717"} {
			if bytes.Contains(text, []byte(word)) || strings.Contains(name, word) {
				t.Errorf("%s holds %q", name, word)
			}
		}
		return err
	})
	if err != nil || own < 20 || files < 50 {
		t.Fatalf("%v: %d of %d files name the tool", err, own, files)
	}
	if page, err := os.ReadFile(filepath.Join(dir, "index.html")); err != nil || !bytes.Contains(page, []byte("For Zyzzyva only, before publication.")) {
		t.Error("the overview does not say for whom it is")
	}
}

// TestNamesAreWords: a name hides a sentence where it stands as a word of its own.
func TestNamesAreWords(t *testing.T) {
	v := &teamView{others: []string{"ITS-Tools", "a+b"}}
	for text, want := range map[string]bool{"as ITS-Tools says": true, "its-tools": true, "(ITS-Tools)": true, "ITS-Tools2": false, "xITS-Tools": false, "a+b": true, "aab": false, "": false} {
		if v.names(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
