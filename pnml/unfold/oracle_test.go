package unfold_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/explorer"
	"podium/internal/realdata"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// budget is what one net may take to be explored.
const (
	budgetTime   = 2 * time.Minute
	budgetMemory = 1 << 30
)

// TestStateSpaces unfolds and explores every real symmetric net that has agreed
// answers or a P/T twin, and compares the four values of StateSpace. None is too
// large for the budget.
func TestStateSpaces(t *testing.T) {
	data := realdata.Dir(t)
	collection, err := models.Open(filepath.Join(data, "instances"))
	if err != nil {
		t.Fatal(err)
	}
	oracles := readOracles(t, filepath.Join(data, "oracle.tgz"))
	compared := 0
	for _, i := range collection.Instances {
		if i.ID.Kind != models.COL {
			continue
		}
		want := map[string]string{}
		for _, item := range examinations.StateSpace.Items(nil) {
			if v, ok := oracles[examinations.Key{Instance: i.ID, Exam: examinations.StateSpace, Item: item}]; ok {
				want[item] = v.Text
			}
		}
		twin, hasTwin := collection.Find(models.ID{Family: i.ID.Family, Kind: models.PT, Param: i.ID.Param})
		if len(want) == 0 && hasTwin {
			want = stateSpace(t, twin)
		}
		if len(want) == 0 {
			continue
		}
		compared++
		if got := stateSpace(t, i); !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", i.ID, got, want)
		}
	}
	t.Logf("%d nets compared", compared)
	if compared == 0 {
		t.Error("no net has an answer to compare with")
	}
}

// stateSpace explores a net, unfolded if it is coloured, and returns the values by
// item.
func stateSpace(t *testing.T, i models.Instance) map[string]string {
	t.Helper()
	var view unfold.View
	if err := i.With(models.ModelFile, func(r io.Reader) error {
		doc, found := pnml.Read(r, i.Path)
		if err := found.Err(); err != nil {
			return err
		}
		var err error
		view, err = unfold.Of(t.Context(), doc, unfold.Limits{})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), budgetTime)
	defer stop()
	values := map[string]string{}
	report, err := explorer.Decide(ctx, view, examinations.StateSpace, nil, explorer.Options{Memory: budgetMemory, Unreduced: true}, func(a explorer.Answer) { values[a.Item] = a.Value.Text })
	if err != nil || len(report.Undecided) > 0 {
		t.Errorf("%s: %v undecided after %d markings: %s, %v", i.ID, report.Undecided, report.States, report.Stop, err)
	}
	return values
}

// readOracles returns the agreed answers.
func readOracles(t *testing.T, path string) map[examinations.Key]examinations.Value {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(h.Name) != "oracle_by_id.csv" {
			continue
		}
		text, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		oracles, found := oracle.ReadCSV(bytes.NewReader(text), h.Name)
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
		return oracles
	}
}
