package symbolic_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/realdata"
	"podium/internal/tools/engine"
	"podium/internal/tools/symbolic"
	"podium/internal/tools/walk"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// What TestOracle does; for more than the quick default:
// go test -run Oracle -v ./internal/tools/symbolic -args -limit 10s -engine walk
var (
	limit  = flag.Duration("limit", 10*time.Millisecond, "time of one run of TestOracle")
	only   = flag.String("engine", "", "the only engine of TestOracle")
	about  = flag.String("exam", "", "the only examination of TestOracle")
	within = flag.String("within", "", "TestOracle takes instances whose name contains this")
)

// TestOracle runs both engines on the real instances, each run for a short
// time: no answer may contradict the oracle.
func TestOracle(t *testing.T) {
	data := realdata.Dir(t)
	archives, _ := filepath.Glob(filepath.Join(data, "instances", "*.tgz"))
	text := members(t, filepath.Join(data, "oracle.tgz"))["oracle_by_id.csv"]
	oracle, found := oracle.ReadCSV(bytes.NewReader(text), "oracle_by_id.csv")
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	engines := map[string]engine.Engine{"symbolic": symbolic.Engine{}, "walk": walk.Engine{}}
	tally := map[string]map[examinations.ID][2]int{"symbolic": {}, "walk": {}}
	for _, path := range archives {
		if !strings.Contains(path, *within) {
			continue
		}
		id, err := models.ParseID(strings.TrimSuffix(filepath.Base(path), ".tgz"))
		if err != nil {
			t.Fatal(err)
		}
		files := members(t, path)
		doc, found := pnml.Read(bytes.NewReader(files["model.pnml"]), id.String())
		if err := found.Err(); err != nil {
			t.Fatal(err)
		}
		for _, exam := range examinations.All() {
			if exam == examinations.GlobalProperties || *about != "" && string(exam) != *about {
				continue
			}
			var properties []formula.Property
			if exam.HasFormulas() {
				if files[exam.FormulaFile()] == nil {
					continue // coloured samples have no formulas
				}
				properties, found = formula.Read(bytes.NewReader(files[exam.FormulaFile()]), exam.FormulaFile(), exam)
				if err := found.Err(); err != nil {
					t.Fatal(err)
				}
			}
			for name, engine := range engines {
				if *only != "" && *only != name {
					continue
				}
				began := time.Now()
				answers := askWithin(t, engine, exam, doc, properties)
				count := tally[name][exam]
				for item, v := range answers {
					if want := oracle[examinations.Key{Instance: id, Exam: exam, Item: item}]; !want.IsZero() && want.Text != v {
						t.Errorf("%s %s %s: %s says %s, the oracle %s", id, exam, item, name, v, want)
					}
				}
				count[0] += len(answers)
				count[1] += max(1, len(properties))
				if exam == examinations.StateSpace {
					count[1] += 3
				}
				tally[name][exam] = count
				if *limit >= time.Second {
					t.Logf("%-8s %s %s: %d values, %.1f s", name, id, exam, len(answers), time.Since(began).Seconds())
				}
			}
		}
	}
	for name, counts := range tally {
		for _, exam := range examinations.All() {
			if c := counts[exam]; c[1] > 0 {
				t.Logf("%-8s %-24s %4d of %4d", name, exam, c[0], c[1])
			}
		}
	}
}

// askWithin runs an engine for the limit.
func askWithin(t *testing.T, e engine.Engine, exam examinations.ID, doc *pnml.Document, properties []formula.Property) map[string]string {
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	var out strings.Builder
	task := engine.Task{Exam: exam, Properties: properties, Cores: 1, Budget: 4 * *limit, Memory: 6 << 30}
	printer := engine.NewPrinter(&out, exam)
	var large *unfold.TooLarge
	var err error
	if task.View, err = task.Unfold(t.Context(), doc); err == nil {
		err = e.Answer(ctx, task, printer)
	}
	if err != nil && !errors.As(err, &large) {
		t.Fatalf("%s: %v", exam, err)
	}
	return answersIn(t, out.String())
}

// members reads the files of an archive, by their base names.
func members(t *testing.T, path string) map[string][]byte {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", path, err))
	}
	files := map[string][]byte{}
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", path, err))
		}
		b, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(h.Name)] = b
	}
}
