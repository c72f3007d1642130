package models

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/internal/realdata"
	"podium/pnml"
	"podium/pnml/diagnostic"
)

// codes returns the codes of the findings that are ours, with the file.
func codes(found diagnostic.List) []string {
	var out []string
	for _, f := range found {
		if strings.HasPrefix(f.Code, "models-") {
			if f.Hint == "" {
				out = append(out, "no next step: "+f.Error())
			}
			out = append(out, filepath.Base(f.File)+" "+f.Code)
		}
	}
	slices.Sort(out)
	return out
}

// TestCheck: each disagreement of the files of an instance has its code (T-3, M-4).
func TestCheck(t *testing.T) {
	sound := map[string]string{ModelFile: smallNet, ColoredFile: "FALSE\n", InstanceFile: "1\n", "equiv_col": "FALSE\n", "UpperBounds.xml": "x"}
	for name, c := range map[string]struct {
		id     string
		change map[string]string // "-" removes
		want   []string
	}{
		"sound":               {"Toy-PT-1", nil, nil},
		"coloured":            {"Toy-PT-1", map[string]string{ColoredFile: "TRUE\n"}, []string{"iscolored models-iscolored"}},
		"garbled":             {"Toy-PT-1", map[string]string{ColoredFile: "no\n", "equiv_col": ""}, []string{"equiv_col models-equiv", "iscolored models-iscolored"}},
		"nothing":             {"Toy-PT-1", map[string]string{ColoredFile: "-", InstanceFile: "-", "equiv_col": "-", "UpperBounds.xml": "-"}, []string{"model.pnml models-missing"}},
		"no formulas":         {"Toy-PT-1", map[string]string{"UpperBounds.xml": "-"}, []string{"UpperBounds.xml models-formulas"}},
		"no parameter":        {"Toy-PT-1", map[string]string{InstanceFile: "-"}, []string{"instance models-parameter"}},
		"other parameter":     {"Toy-PT-1", map[string]string{InstanceFile: "01\n"}, []string{"instance models-parameter"}},
		"foreign equiv":       {"Toy-PT-1", map[string]string{"equiv_pt": "TRUE\n"}, []string{"equiv_pt models-equiv"}},
		"foreign file":        {"Toy-PT-1", map[string]string{"core": "x", "UpperBounds.txt": "x"}, []string{"core models-file"}},
		"stripped and new":    {"S_Toy-PT-1", map[string]string{NewModelFile: "\n"}, []string{"NewModel models-class", "model.pnml models-net-id"}},
		"form of another net": {"Toy-PT-1", map[string]string{FormFile: "<a>\n<verdict reference='SOURCE_PLACE' value='false'/>\n<verdict reference='SINK_PLACE' value='unknown'/></a>"}, []string{"GenericPropertiesVerdict.xml models-form"}},
		"form of the net":     {"Toy-PT-1", map[string]string{FormFile: "<a><verdict reference='SOURCE_PLACE' value='true'/></a>"}, nil},
		"symmetric net as PT": {"Toy-PT-1", map[string]string{ModelFile: smallColoured}, []string{"model.pnml models-kind", "model.pnml models-net-id"}},
		"P/T net as COL":      {"Toy-COL-1", map[string]string{ColoredFile: "TRUE\n", "equiv_col": "-", "equiv_pt": "FALSE\n"}, []string{"model.pnml models-kind", "model.pnml models-net-id"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filesOf(t, filepath.Join(t.TempDir(), c.id), sound)
			for file, content := range c.change {
				path := filepath.Join(dir, file)
				if content != "-" {
					put(t, path, []byte(content))
				} else if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			collection, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			found := Check(collection.Instances[0], CheckOptions{FormulaFiles: []string{"UpperBounds.xml"}})
			if got := codes(found); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v\n%v", got, c.want, found)
			}
		})
	}
}

// TestCheckFormulas: the caller's check sees every formula file and the net.
func TestCheckFormulas(t *testing.T) {
	dir := filesOf(t, filepath.Join(t.TempDir(), "Toy-PT-1"), map[string]string{ModelFile: smallNet, ColoredFile: "FALSE\n", InstanceFile: "1\n", "equiv_col": "FALSE\n", "UpperBounds.xml": "content"})
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := Check(c.Instances[0], CheckOptions{FormulaFiles: []string{"UpperBounds.xml"}, Formulas: func(name, file string, r io.Reader, net *pnml.Document) diagnostic.List {
		text, err := io.ReadAll(r)
		if name != "UpperBounds.xml" || string(text) != "content" || err != nil || net.Net == nil {
			t.Errorf("%s: %q %v %v", name, text, err, net)
		}
		return diagnostic.List{{File: file, Line: 3, Code: "formula-place", Message: "unknown place"}}
	}})
	if !slices.ContainsFunc(found, func(d diagnostic.Diagnostic) bool {
		return d.Code == "formula-place" && d.File == filepath.Join(dir, "UpperBounds.xml")
	}) {
		t.Errorf("%v", found)
	}
}

// TestCheckCollection: twins that do not know each other, ladders that do not sort.
func TestCheckCollection(t *testing.T) {
	dir := t.TempDir()
	for id, twin := range map[string]string{"A-PT-1": "FALSE", "A-COL-1": "TRUE", "B-PT-5": "TRUE", "C-PT-10": "FALSE", "C-PT-9": "FALSE", "C-PT-x": "FALSE", "D-PT-01": "FALSE", "D-PT-1": "FALSE", "E-PT-09": "FALSE", "E-PT-10": "FALSE"} {
		i, err := ParseID(id)
		if err != nil {
			t.Fatal(err)
		}
		filesOf(t, filepath.Join(dir, id), map[string]string{ModelFile: smallNet, EquivFile(i.Kind): twin})
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"C-PT-9 models-ladder", "D-PT-1 models-ladder", "equiv_col models-twin", "equiv_col models-twin"}
	found := c.Check()
	if got := codes(found); !slices.Equal(got, want) || found.Count(diagnostic.Error) != 1 {
		t.Errorf("got %v, want %v\n%v", got, want, found)
	}
}

// TestEmbargo: surprise models have no name before the deadline (M-6).
func TestEmbargo(t *testing.T) {
	until := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	e := Embargo{Until: until}
	instances := []Instance{{ID: ID{"Secret", PT, "1"}, Class: Surprise}, {ID: ID{"Secret", PT, "2"}, Class: Surprise}, {ID: ID{"Old", PT, "1"}}}
	err := e.Check(instances, until.Add(-time.Second))
	var early *EmbargoError
	if !errors.As(err, &early) || early.Families != 1 || strings.Contains(err.Error(), "Secret") {
		t.Errorf("%v", err)
	}
	for _, err := range []error{e.Check(instances, until), e.Check(instances[2:], time.Time{}), Embargo{}.Check(instances, until)} {
		if err != nil {
			t.Error(err)
		}
	}
}

// TestCheckReal: the files of the real instances agree, where they are.
func TestCheckReal(t *testing.T) {
	c := realInstances(t)
	for k, i := range c.Instances {
		if testing.Short() && k%10 != 0 {
			continue
		}
		wanted := []string{"UpperBounds.xml", "CTLFireability.xml"}
		if i.ID.Kind == COL {
			wanted = wanted[:realdata.Least(2, 0)] // coloured samples have no formulas
		}
		for _, f := range Check(i, CheckOptions{FormulaFiles: wanted}) {
			if strings.HasPrefix(f.Code, "models-") && f.Severity != diagnostic.Note {
				t.Errorf("%v", f)
			}
		}
	}
	if err := c.Check().Err(); err != nil {
		t.Error(err)
	}
}

// TestFamiliesOnDisk writes the first steps of every ladder as instances, reads
// and checks them, and strips them: the state space stays the same.
func TestFamiliesOnDisk(t *testing.T) {
	dir := t.TempDir()
	for _, f := range Families() {
		n, err := f.Build(f.Ladder[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteInstance(dir, f.ID(f.Ladder[0]), n, WriteOptions{Unfinite: f.Unbounded}); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open(dir)
	if err != nil || len(c.Instances) != len(Families()) {
		t.Fatal(err)
	}
	for _, i := range c.Instances {
		for _, d := range Check(i, CheckOptions{}) {
			if d.Code != "net-isolated" { // a prime without multiples, say
				t.Error(d)
			}
		}
		out := t.TempDir()
		r, err := Strip(i, out, StripOptions{Seed: "1"})
		if err != nil {
			t.Fatal(err)
		}
		if i.Facts.Unfinite {
			continue
		}
		before, found := pnml.ReadFile(filepath.Join(i.Path, ModelFile))
		after, more := pnml.ReadFile(filepath.Join(out, r.Stripped, ModelFile))
		if len(found)+len(more) != 0 {
			t.Fatalf("%v %v", found, more)
		}
		a, b := explore(t, before.Net, 200_000), explore(t, after.Net, 200_000)
		if a.states != b.states || a.edges != b.edges || a.dead != b.dead || a.live() != b.live() || a.inPlace != b.inPlace || a.total != b.total {
			t.Errorf("%s: %d states and %d edges before, %d and %d after", i.ID, a.states, a.edges, b.states, b.edges)
		}
	}
}
