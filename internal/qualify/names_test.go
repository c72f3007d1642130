package qualify

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/models"
)

// TestNames: lines of scripts that name models, instances or the form are noted with their
// places, other files are not, and a report stays short.
func TestNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tool")
	for name, text := range map[string]string{
		"tool.yaml":        "format: podium-tool/1\nname: tool\n",
		"BenchKit_head.sh": "case $BK_INPUT in\nAirplaneLD-PT-4000) echo DO_NOT_COMPETE;;\nesac\nmine --verdictfile=GenericPropertiesVerdict.xml\nBART_like=1; echo BARTs\n",
		"lib/table.py":     "known = {'BART': True}\x1b[31m\n",
		"lib/run":          "#!/usr/bin/perl\nprint 'x-BART-COL-005';\n",
		"README":           "solves BART\n",
		"data.bin":         "\x00BART\n",
		"many.sh":          strings.Repeat("BART\n", 40),
		"long.sh":          strings.Repeat("x", 2*mostScript) + " BART",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Submissions(t.Context(), []string{dir})
	if err != nil || !list[0].opens() {
		t.Fatal(err, list)
	}
	s := list[0]
	s.Found = nil
	var instances []models.Instance
	for _, name := range []string{"AirplaneLD-PT-0010", "BART-COL-002", "C++-PT-1"} {
		instances = append(instances, models.Instance{ID: models.ParseAnyID(name)})
	}
	if err := s.noteNames(instances); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range s.Found {
		rel, _ := filepath.Rel(dir, d.File)
		word, _, _ := strings.Cut(strings.TrimPrefix(d.Message, "names "), ",")
		if !strings.HasPrefix(rel, "many") {
			got = append(got, fmt.Sprintf("%s:%d:%d %s", rel, d.Line, d.Col, word))
		}
		if strings.Contains(d.Error(), "\x1b") {
			t.Errorf("%q", d.Error())
		}
	}
	const want = "BenchKit_head.sh:2:1 AirplaneLD BenchKit_head.sh:4:20 GenericPropertiesVerdict lib/run:2:10 BART lib/table.py:1:11 BART . more"
	if text := strings.Replace(strings.Join(got, " "), ".:0:0 more lines of its scripts name models", ". more", 1); text != want || len(s.Found) != mostNaming+1 {
		t.Errorf("%d findings\n%s\n%s", len(s.Found), text, want)
	}
}
