package publish

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/witness"
)

// TestTeamsSeeNoOthers: no file of the package of a team holds a name of another tool,
// or what only another tool printed, answered or was told.
func TestTeamsSeeNoOthers(t *testing.T) {
	m := newMaker(3, 4, 6)
	secret := map[string]string{"explicit": "Zyzzyva", "symbolic": "Quokka", "walk": "Wombat"}
	rename := func(name *string) {
		for from, to := range secret {
			*name = strings.ReplaceAll(*name, from, to)
		}
	}
	for i := range m.tools {
		tool := &m.tools[i]
		tool.About, tool.Version = "marker-about", "marker-version"
		rename(&tool.Name)
		rename(&tool.Family)
	}
	marked := 0
	said := map[string]int{} // by other tools than Wombat
	for _, r := range m.runs {
		for _, a := range r.said {
			if r.tool == "explicit" || r.tool == "symbolic" {
				said[r.instance.String()+a.Item+string(r.exam)]++
			}
		}
	}
	for _, r := range m.runs {
		own := r.tool == "explicit"
		rename(&r.tool)
		if own {
			r.Warnings = append(r.Warnings, "a core was also used by Wombat")
			for k := range r.said {
				r.said[k].Witness = campaign.Witnessed{Item: r.said[k].Item, State: witness.Refuted, Detail: "Quokka shows another value", Proved: "marker-proved"}
			}
			continue
		}
		marked++
		r.By, r.CPUTime = &campaign.Opened{Host: "marker-machine"}, 4242_424242
		for k := range r.said {
			if r.said[k].Techniques = "MARKER_TECHNIQUE"; r.tool == "Wombat" && r.exam.Kind() == examinations.Nat && said[r.instance.String()+r.said[k].Item+string(r.exam)] == 2 {
				r.said[k].Value = examinations.Value{Kind: examinations.Nat, Text: "987654321987"}
			}
		}
	}
	m = refereed(m)
	m.decided = &decisions.Record{Decisions: []decisions.Decision{{Number: 1, Kind: decisions.OutOfCompetition, Tool: "Wombat", Author: "Ada", Reason: "It came late."},
		{Number: 2, Kind: decisions.Exclude, Instance: "X-PT-1", Author: "Ada", Reason: "as Quokka asked", Effect: []string{"Wombat: rank 2 -> 1"}}}}
	c := m.contest()
	c.optedOut, c.Warnings = 7171717, append(c.Warnings, "Wombat was late")
	c.Facts = append(c.Facts, Named{Name: "note", Text: "as Wombat asked"})
	if marked == 0 {
		t.Fatal("the fixture has no runs of others")
	}
	if doubts := fmt.Sprint(c.doubts); !strings.Contains(doubts, "Quokka") && !strings.Contains(doubts, "Wombat") {
		t.Fatal("no doubt names another tool")
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
		for _, word := range []string{"Quokka", "Wombat", "wombat", "sym&lt;b", "sym<b", "marker-machine", "marker-proved", "MARKER_TECHNIQUE", "4242.42", "987654321987", "7171717", "7 171 717", "7,171,717"} {
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
	v := &team{others: []string{"ITS-Tools", "a+b"}}
	for text, want := range map[string]bool{"as ITS-Tools says": true, "its-tools": true, "(ITS-Tools)": true, "ITS-Tools2": false, "xITS-Tools": false, "a+b": true, "aab": false, "": false} {
		if v.names(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
