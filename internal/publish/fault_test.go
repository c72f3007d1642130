package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/internal/fault"
)

// TestPagesThatFail: a page, a part of the pages or a table that fails inside podium takes no
// other down. Each is made to fail alone.
func TestPagesThatFail(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	write := func(bad string) (map[string]int64, error) {
		plant := func(about string) {
			if about == bad {
				panic("planted in " + about)
			}
		}
		fault.Plant.Store(&plant)
		defer fault.Plant.Store(nil)
		dir := filepath.Join(t.TempDir(), "site")
		err := Write(t.Context(), dir, fixture(7, 3, 4))
		sizes := map[string]int64{}
		if walkErr := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			name, _ := filepath.Rel(dir, path)
			sizes[filepath.ToSlash(name)] = info.Size()
			return err
		}); walkErr != nil {
			t.Fatal(walkErr)
		}
		return sizes, err
	}
	all, err := write("")
	if err != nil {
		t.Fatal(err)
	}
	for bad, lost := range map[string]int{"tools.html": 0, "index.html": 0, "csv/scores.csv": 1, "tools, 2 of 3": 1} {
		left, err := write(bad)
		var failure *fault.Error
		if !errors.As(err, &failure) || !strings.Contains(err.Error(), bad+": a failure of podium itself (planted in "+bad+")") || failure.File == "" {
			t.Errorf("%s: %v", bad, err)
		}
		missing := 0
		var others []string
		for name, size := range all {
			switch now, there := left[name]; {
			case !there:
				missing++
			case name == bad:
				if now != int64(len(unmade)) {
					t.Errorf("%s has %d bytes", name, now)
				}
			case now != size && name != provenanceFile:
				others = append(others, name)
			}
		}
		if missing != lost || len(others) > 0 {
			t.Errorf("%s: %d files are missing, not %d, and others are %q", bad, missing, lost, others)
		}
	}
}
