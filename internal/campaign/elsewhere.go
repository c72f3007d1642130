package campaign

import (
	"os"
	"path/filepath"
	"strings"

	"podium/pnml/diagnostic"
)

// mostElsewhere is how many campaigns a hint names.
const mostElsewhere = 3

// Elsewhere gives the hint where dir is no campaign: which ones there are in it,
// beside it and in the current directory, or else the hint that is given.
func Elsewhere(dir, otherwise string) string {
	if near, ok := diagnostic.NearestPath(dir); ok && Is(near) {
		return "the nearest is " + near
	}
	var found []string
	for _, parent := range []string{dir, filepath.Dir(dir), "."} {
		entries, _ := os.ReadDir(parent)
		for _, e := range entries[:min(len(entries), 1000)] {
			if at := filepath.Join(parent, e.Name()); e.IsDir() && Is(at) && len(found) < mostElsewhere {
				found = append(found, at)
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

// Is tells whether a directory holds the plan of a campaign.
func Is(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, planFile))
	return err == nil
}
