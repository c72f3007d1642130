package modelfiles

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer"
	"podium/internal/realdata"
	"podium/models"
	"podium/pnml/unfold"
)

// mostMarkings bounds the searches of this test.
const mostMarkings = 5000

// TestUnfoldedInstances writes the twins of the coloured instances that are small, reads them
// back and compares: the numbers of the state space, and the values of all formulas.
func TestUnfoldedInstances(t *testing.T) {
	opened, err := models.Open(filepath.Join(realdata.Dir(t), "instances"))
	if err != nil {
		t.Fatal(err)
	}
	spaces, values := 0, 0
	for _, i := range opened.Instances {
		if i.ID.Kind != models.COL {
			continue
		}
		for _, exact := range []bool{false, true} {
			if exact && i.ID.Family == "BART" {
				continue // too large, and it takes seconds to see that
			}
			dir := t.TempDir()
			names := filepath.Join(dir, "maps", "names.map")
			u, err := Unfold(t.Context(), i, models.ID{}, exact)
			if err != nil {
				t.Fatal(i.ID, err)
			}
			if _, transitions, _ := u.Size(); transitions > 500 {
				continue
			}
			if err := u.Write(dir, names, false); err != nil {
				t.Fatal(i.ID, err)
			}
			back, err := models.Open(filepath.Join(dir, u.ID.String()))
			if err != nil {
				t.Fatal(i.ID, err)
			}
			twin := back.Instances[0]
			if found := models.Check(twin, models.CheckOptions{}); found.Err() != nil {
				t.Error(found)
			}
			checkMap(t, u, names)
			exams := []examinations.ID{examinations.StateSpace, examinations.UpperBounds, examinations.ReachabilityCardinality, examinations.ReachabilityFireability, examinations.CTLFireability, examinations.LTLCardinality}
			for _, exam := range exams {
				if exam.HasFormulas() && !i.Has(exam.FormulaFile()) {
					continue
				}
				of := decided(t, i, exam)
				if len(of) == 0 && exam == examinations.StateSpace {
					break // not small
				}
				got := decided(t, twin, exam)
				for item, value := range of {
					item = strings.Replace(item, i.ID.String(), twin.ID.String(), 1)
					if got[item] != value {
						t.Errorf("%s %s, exact %t: %s, the twin %s", item, exam, exact, value, got[item])
					}
				}
				if exam == examinations.StateSpace && len(of) > 0 {
					spaces++
				}
				values += len(of)
			}
		}
	}
	t.Logf("%d state spaces, %d values", spaces, values)
	if spaces < realdata.Least(6, 4) || values < realdata.Least(300, 12) {
		t.Errorf("only %d state spaces and %d values were compared", spaces, values)
	}
}

// decided returns the values of an examination that are found among few markings.
func decided(t *testing.T, i models.Instance, exam examinations.ID) map[string]string {
	t.Helper()
	doc, err := i.Document()
	if err != nil {
		t.Fatal(err)
	}
	view, err := unfold.Of(t.Context(), doc, unfold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var properties []formula.Property
	if exam.HasFormulas() {
		text, err := i.ReadFile(exam.FormulaFile(), 64<<20)
		if err != nil {
			t.Fatal(err)
		}
		properties, _ = formula.Read(bytes.NewReader(text), exam.FormulaFile(), exam)
	}
	values := map[string]string{}
	if _, err := explorer.Decide(t.Context(), view, exam, properties, explorer.Options{MaxStates: mostMarkings, Memory: 256 << 20, Unreduced: true}, func(a explorer.Answer) {
		values[a.Item] = a.Value.Text
	}); err != nil {
		t.Fatal(i.ID, exam, err)
	}
	return values
}

// checkMap reads the map back: a line for each node, with its coloured node.
func checkMap(t *testing.T, u *Unfolding, names string) {
	t.Helper()
	f, err := os.Open(names)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	places, transitions := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var line struct{ Format, Place, Transition, Of string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		switch {
		case line.Format != "":
		case line.Place != "":
			at, ok := u.net.Net.Places.Find(line.Place)
			of, _ := u.net.PlaceOf(at)
			if !ok || u.net.Source.Places.At(of) != line.Of {
				t.Errorf("%+v", line)
			}
			places++
		default:
			at, ok := u.net.Net.Transitions.Find(line.Transition)
			of, _ := u.net.TransitionOf(at)
			if !ok || u.net.Source.Transitions.At(of) != line.Of {
				t.Errorf("%+v", line)
			}
			transitions++
		}
	}
	if p, n, _ := u.Size(); p != places || n != transitions {
		t.Errorf("%s: the map has %d places and %d transitions, the net %d and %d", u.ID, places, transitions, p, n)
	}
}
