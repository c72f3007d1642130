package walk

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock/clocktest"
	"podium/internal/realdata"
	"podium/internal/tools/engine"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/pnml/unfold"
)

// TestRealWitnesses walks a little, counted and not timed, through every real P/T instance that is not too
// large for that: whatever a walk is said to have found is confirmed by its witness.
// CTL is left out: most of its answers come from a prefix of the graph.
func TestRealWitnesses(t *testing.T) {
	if testing.Short() {
		t.Skip("the test is to be short")
	}
	dir := realdata.Dir(t)
	opened, err := models.Open(filepath.Join(dir, "instances"))
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, i := range opened.Instances {
		if i.ID.Kind != models.PT {
			continue
		}
		var doc *pnml.Document
		props := map[examinations.ID][]formula.Property{}
		if err := i.Each(func(name string, content io.Reader) error {
			var found diagnostic.List
			if exam, err := examinations.ParseID(strings.TrimSuffix(name, ".xml")); err == nil && exam.HasFormulas() {
				props[exam], found = formula.Read(content, name, exam)
			} else if name == models.ModelFile {
				doc, found = pnml.Read(content, name)
			}
			return found.Err()
		}); err != nil {
			t.Fatal(err)
		}
		if doc.Net.Transitions.Len() > 300 {
			continue
		}
		for _, exam := range examinations.All() {
			if exam == examinations.CTLCardinality || exam == examinations.CTLFireability {
				continue
			}
			task := engine.Task{Exam: exam, View: unfold.Plain(doc.Net), Properties: props[exam], Budget: 1000 * time.Hour,
				Witnesses: &engine.Witnesses{Dir: t.TempDir(), Instance: "X-PT-1", Exam: exam}}
			var out strings.Builder
			if err := (Engine{}).Answer(clocktest.Looks(100), task, engine.NewPrinter(&out, exam)); err != nil {
				t.Fatal(err)
			}
			confirm(t, task, out.String())
			left, _ := filepath.Glob(filepath.Join(task.Witnesses.Dir, "*"))
			files += len(left)
		}
	}
	t.Logf("%d witnesses are confirmed", files)
	if files < realdata.Least(1000, 100) {
		t.Errorf("only %d witnesses were left", files)
	}
}
