package models_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"podium/internal/explorer"
	"podium/models"
	"podium/pnml"
)

// TestStripKeepsStateSpace explores the small real P/T nets before and after.
func TestStripKeepsStateSpace(t *testing.T) {
	data := os.Getenv("PODIUM_DATA")
	if data == "" {
		data = "../../shared/data"
	}
	c, err := models.Open(filepath.Join(data, "instances"))
	if err != nil {
		t.Skipf("no real instances in %s (set PODIUM_DATA)", data)
	}
	compared := 0
	for _, i := range c.Instances {
		if i.ID.Kind != models.PT || i.Bytes() > 4<<20 {
			continue
		}
		before := explore(t, i)
		if !before.Complete() {
			before.Close()
			continue
		}
		out := t.TempDir()
		if _, err := models.Strip(i, out, models.StripOptions{Seed: "1"}); err != nil {
			t.Fatal(err)
		}
		stripped, err := models.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		after := explore(t, stripped.Instances[0])
		if before.States() != after.States() || before.Edges() != after.Edges() || before.MaxInPlace() != after.MaxInPlace() || before.MaxPerMarking() != after.MaxPerMarking() {
			t.Errorf("%s: %d states and %d edges before, %d and %d after", i.ID, before.States(), before.Edges(), after.States(), after.Edges())
		}
		before.Close()
		after.Close()
		compared++
	}
	if compared == 0 {
		t.Error("no net is small enough")
	}
}

// explore enumerates at most a few thousand markings of an instance.
func explore(t *testing.T, i models.Instance) *explorer.Space {
	t.Helper()
	var net *pnml.Net
	err := i.With(models.ModelFile, func(r io.Reader) error {
		doc, found := pnml.Read(r, i.Path)
		net = doc.Net
		return found.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	s := explorer.Explore(t.Context(), net, explorer.Options{MaxStates: 5000})
	return s
}
