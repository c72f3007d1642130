package workbench

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/realdata"
	"podium/internal/referee"
	"podium/models"
	"podium/pnml"
)

var options = referee.Options{Budget: 1 << 40, Memory: 1e9, Version: "test"}

// TestSameAsTheCommands looks at public instances without a disk and with it: findings,
// forms and formulas are the same.
func TestSameAsTheCommands(t *testing.T) {
	most := int64(40 << 10) // bytes of a model
	if os.Getenv("PODIUM_SOAK") != "" {
		most = 2 << 20
	}
	seen := 0
	for _, path := range realdata.InstanceArchives(t) {
		opened, err := models.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range opened.Instances {
			model, err := i.ReadFile(models.ModelFile, most)
			if err != nil {
				continue // too large here
			}
			seen++
			sameModel(t, i, model)
		}
	}
	if seen < realdata.Least(6, 2) {
		t.Errorf("only %d instances were small enough", seen)
	}
	t.Logf("%d instances", seen)
}

func sameModel(t *testing.T, i models.Instance, model []byte) {
	t.Helper()
	bench := &Bench{}
	r, err := bench.Add(t.Context(), File{i.ID.String() + ".pnml", string(model)}, "")
	if err != nil {
		t.Fatalf("%s: %v", i.ID, err)
	}
	file := t.TempDir() + "/model.pnml"
	if err := os.WriteFile(file, model, 0o644); err != nil {
		t.Fatal(err)
	}
	doc, found := pnml.ReadFile(file)
	if found.Err() == nil {
		found = append(found, doc.Lint(file)...)
	}
	if want := report("model", r.Name, found); !reflect.DeepEqual(r.Findings, want.Findings) || r.More != want.More {
		t.Errorf("%s: findings %v, of a file %v", i.ID, r.Findings, want.Findings)
	}
	for _, exam := range []examinations.ID{examinations.CTLCardinality, examinations.LTLFireability} {
		text, err := i.ReadFile(exam.FormulaFile(), 1<<24)
		if err != nil {
			continue
		}
		r, err := bench.Add(t.Context(), File{exam.FormulaFile(), string(text)}, "")
		if err != nil {
			t.Fatal(err)
		}
		want := formula.CheckFile(strings.NewReader(string(text)), exam.FormulaFile(), formula.NamesIn(doc), i.ID.String())
		if !reflect.DeepEqual(r.Findings, report("", "", want).Findings) || len(r.Rows) != examinations.FormulasPerFile {
			t.Errorf("%s of %s: findings %v, of a file %v, %d formulas", exam, i.ID, r.Findings, want, len(r.Rows))
		}
	}
	if len(model) > 6<<10 && os.Getenv("PODIUM_SOAK") == "" {
		return // minutes for the state spaces
	}
	form, err := bench.Form(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	want, err := referee.Form(t.Context(), i, options)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range want.Verdicts {
		if got := form.Rows[k]; got[0] != v.Property || got[1] != v.Value.String() || got[2] != v.Why {
			t.Errorf("%s: %v, of a file %v", i.ID, got, v)
		}
	}
}

const twoPlaces = `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g"><name><text>x</text></name>
<place id="p"><name><text>p</text></name><initialMarking><text>2</text></initialMarking></place><place id="q"><name><text>q</text></name></place>
<transition id="t"><name><text>t</text></name></transition>
<arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"/></page><name><text>Two-PT-02</text></name></net></pnml>
`

func TestBench(t *testing.T) {
	bench := &Bench{}
	add := func(name, text, exam string) (*Report, error) { return bench.Add(t.Context(), File{name, text}, exam) }
	if _, err := bench.Form(t.Context(), options); err == nil || !strings.Contains(err.Error(), ".pnml first") {
		t.Errorf("a form without a model: %v", err)
	}
	r, err := add("model.pnml", twoPlaces, "")
	if err != nil || r.Net == nil || r.Net.Places[0].Tokens != 2 || fmt.Sprint(r.Net.Transitions) != "[{t [[0 1]] [[1 1]]}]" || r.Facts[0][1] != "Two-PT-02" {
		t.Fatalf("got %+v, %v", r, err)
	}
	form, err := bench.Form(t.Context(), options)
	if err != nil || len(form.Rows) != 21 {
		t.Fatalf("a form of %d lines, %v", len(form.Rows), err)
	}
	out, err := add("log.txt", "FORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\nFORMULA ReachabilityDeadlock MAYBE\n", "ReachabilityDeadlock")
	if err != nil || len(out.Rows) != 1 || out.Rows[0][1] != "TRUE" || len(out.Findings) == 0 {
		t.Errorf("output: %+v, %v", out, err)
	}
	if _, err := add("log.txt", "nothing", ""); err == nil || !strings.Contains(err.Error(), "choose the examination") {
		t.Errorf("an output of no examination: %v", err)
	}
	w, err := add("x.witness", "format podium-witness/1\ninstance Two-PT-02\nexamination ReachabilityDeadlock\nvalue ReachabilityDeadlock TRUE\nrun\nfire t t\nend\n", "")
	if err != nil || len(w.Findings) > 0 || len(w.Rows) != 1 || w.Rows[0][2] != "confirmed" {
		t.Errorf("a witness: %+v, %v", w, err)
	}
	bad, err := add("model.pnml", strings.Replace(twoPlaces, `source="p"`, `source="pp"`, 1), "")
	if err != nil || len(bad.Findings) == 0 || bad.Findings[0].Severity != "error" {
		t.Errorf("a broken model: %+v, %v", bad, err)
	}
	if _, err := bench.Form(t.Context(), options); err == nil {
		t.Error("the model before is still there after a broken one")
	}
}

func FuzzAdd(f *testing.F) {
	f.Add("model.pnml", twoPlaces, "")
	f.Add("CTLFireability.xml", "<property-set/>", "")
	f.Add("x.witness", "format podium-witness/1\n", "")
	f.Add("log", "FORMULA x TRUE TECHNIQUES Y\n", "CTLFireability")
	f.Fuzz(func(t *testing.T, name, text, exam string) {
		bench := &Bench{}
		if _, err := bench.Add(t.Context(), File{"model.pnml", twoPlaces}, ""); err != nil {
			t.Fatal(err)
		}
		r, err := bench.Add(t.Context(), File{name, text}, exam)
		if (r == nil) == (err == nil) {
			t.Errorf("a report %v and the error %v", r, err)
		}
	})
}
