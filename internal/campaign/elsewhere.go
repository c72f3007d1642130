package campaign

import (
	"os"
	"path/filepath"
	"strings"

	"podium/pnml/diagnostic"
)

// mostElsewhere is how many campaigns a hint names.
const mostElsewhere = 3

// Elsewhere returns the hint where dir is no campaign: which ones there are in it,
// beside it and in the current directory, or else the hint that is given.
func Elsewhere(dir, otherwise string) string {
	if near, ok := diagnostic.NearestPath(dir); ok && Is(near) {
		return "the nearest is " + near
	}
	var found []string
	for _, parent := range []string{dir, filepath.Dir(dir), "."} {
		for _, name := range In(parent) {
			if len(found) < mostElsewhere {
				found = append(found, filepath.Join(parent, name))
			}
		}
		if filepath.Clean(parent) == "." {
			break
		}
	}
	if len(found) == 0 {
		return otherwise
	}
	return "name one of those that are here: " + strings.Join(found, ", ")
}

// In lists the names of the campaigns in a directory; of a very large one, those among its
// first 1000 entries.
func In(dir string) (names []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries[:min(len(entries), 1000)] {
		if e.IsDir() && Is(filepath.Join(dir, e.Name())) {
			names = append(names, e.Name())
		}
	}
	return names
}

// Is reports whether a directory holds the plan of a campaign.
func Is(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, planFile))
	return err == nil
}
