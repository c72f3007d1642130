package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestPlaces wants everything of a contest hidden from its runs: the campaign, and
// what tools and instances were copied from.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"few/A-PT-1", "many/B-PT-1"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p := Plan{Tools: []PlannedTool{{Dir: dir + "/tools/one"}, {Dir: "tools/explicit"}},
		Instances: []PlannedInstance{{Path: dir + "/few/A-PT-1"}, {Path: dir + "/archives/C-PT-1.tgz"}, {Path: "instances/D-PT-1"}}}
	for i := range manyInstances {
		p.Instances = append(p.Instances, PlannedInstance{Path: fmt.Sprintf("%s/many/B-PT-%d", dir, i)})
	}
	want := []string{dir + "/archives", dir + "/few/A-PT-1", dir + "/many", dir + "/tools/one"}
	if got := p.origins(); !slices.Equal(got, want) {
		t.Errorf("origins %q, not %q", got, want)
	}
	copied := Plan{Origins: p.origins(), Tools: []PlannedTool{{Dir: "inputs/5d/one"}}}
	for _, c := range []*Campaign{{Dir: dir + "/campaign", Plan: copied}, {Dir: dir + "/campaign", Plan: p}} {
		places := c.Places()
		for _, place := range append(want, dir+"/campaign") {
			if !slices.Contains(places, place) {
				t.Errorf("%s is not among %q", place, places)
			}
		}
	}
}
