package formula

import (
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/internal/realdata"
	"podium/models"
)

// TestOpenFiles reads the net and those formula files of an instance that are asked
// for, each through the limit.
func TestOpenFiles(t *testing.T) {
	archive := realdata.InstanceArchives(t)[0]
	opened, err := models.Open(archive)
	if err != nil || len(opened.Instances) != 1 {
		t.Fatal(err)
	}
	limited := 0
	limit := func(r io.Reader) io.Reader { limited++; return r }
	f, err := Open(opened.Instances[0], []examinations.ID{examinations.OneSafe, examinations.CTLCardinality, examinations.UpperBounds}, limit)
	if err != nil || f.Found.Err() != nil || f.Document.Net == nil {
		t.Fatalf("%s: %v, %v", filepath.Base(archive), err, f.Found)
	}
	if got := slices.Sorted(maps.Keys(f.Texts)); !slices.Equal(got, []string{"CTLCardinality.xml", "UpperBounds.xml"}) {
		t.Errorf("%q", got)
	}
	for name, text := range f.Texts {
		if !strings.Contains(string(text), "property-set") {
			t.Errorf("%s: %.40q", name, text)
		}
	}
	if limited < 3 {
		t.Errorf("%d files were read through the limit", limited)
	}
	if f, err := Open(opened.Instances[0], nil, nil); err != nil || len(f.Texts) > 0 || f.Document.Net == nil {
		t.Errorf("nothing is asked for: %v, %d texts", err, len(f.Texts))
	}
	small := func(r io.Reader) io.Reader { return io.LimitReader(r, 100) }
	if f, err := Open(opened.Instances[0], nil, small); err != nil || f.Found.Err() == nil {
		t.Errorf("a net of 100 bytes was read: %v", err)
	}
}
