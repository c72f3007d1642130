package campaign

import (
	"os"
	"path/filepath"
	"testing"
)

func TestElsewhere(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"last-year", "years/a", "years/b", "empty"} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if dir != "empty" {
			if err := os.WriteFile(filepath.Join(dir, planFile), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for dir, want := range map[string]string{
		"last-yaer":       "the nearest is last-year",
		"years":           "name one of those that are here: years/a, years/b, last-year",
		"years/contest":   "name one of those that are here: years/a, years/b, last-year",
		"out/contest":     "name one of those that are here: last-year",
		"empty/out/there": "name one of those that are here: last-year",
	} {
		if got := Elsewhere(dir, "none"); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
	if err := os.RemoveAll("last-year"); err != nil {
		t.Fatal(err)
	}
	if got := Elsewhere("out/contest", "none"); got != "none" {
		t.Errorf("nothing here: %q", got)
	}
}
