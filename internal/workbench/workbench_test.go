package workbench

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/explorer/simplify"
	"podium/internal/realdata"
	"podium/internal/referee"
	"podium/models"
	"podium/pnml"
)

var options = referee.Options{Budget: 1 << 40, Memory: 1e9, Version: "test"}

// TestSameAsTheCommands looks at public instances without a disk and with it: findings,
// forms and formulas are the same. A test of the commands compares the page with them.
func TestSameAsTheCommands(t *testing.T) {
	const most = 40 << 10 // bytes of a model
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
	doc, found := pnml.Check(bytes.NewReader(model), "model.pnml")
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
		want := simplify.CheckFile(strings.NewReader(string(text)), exam.FormulaFile(), formula.NamesIn(doc), i.ID.String())
		if !reflect.DeepEqual(r.Findings, report("", "", want).Findings) || len(r.Rows) != examinations.FormulasPerFile {
			t.Errorf("%s of %s: findings %v, of a file %v, %d formulas", exam, i.ID, r.Findings, want, len(r.Rows))
		}
	}
	if len(model) > 6<<10 {
		return // minutes for the state spaces
	}
	sameValues(t, bench, i)
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

// sameValues decides the state space from memory and from the disk.
func sameValues(t *testing.T, bench *Bench, i models.Instance) {
	t.Helper()
	want, o := map[string]string{}, options
	o.Say = func(string) {}
	o.Proved = func(p oracle.Proof) {
		for _, v := range p.Values {
			want[v.Item] = v.Text
		}
	}
	judge, err := referee.New(o)
	if err == nil {
		err = errors.Join(judge.Instance(t.Context(), i, []examinations.ID{examinations.StateSpace}), judge.Close())
	}
	if err != nil || len(want) == 0 {
		t.Fatalf("%s: %d values, %v", i.ID, len(want), err)
	}
	r, err := bench.Decide(t.Context(), "StateSpace", options)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Rows {
		if got := row[1]; got != want[row[0]] && want[row[0]] != "" {
			t.Errorf("%s: %s is %s, of a file %s", i.ID, row[0], got, want[row[0]])
		}
	}
}

const twoPlaces = `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g"><name><text>x</text></name>
<place id="p"><name><text>p</text></name><initialMarking><text>2</text></initialMarking></place><place id="q"><name><text>q</text></name></place>
<transition id="t"><name><text>t</text></name></transition>
<arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"/></page><name><text>Two-PT-02</text></name></net></pnml>
`

func TestWithin(t *testing.T) {
	for seconds, fine := range map[int]bool{-1: false, 0: false, 1: true, MostSeconds: true, MostSeconds + 1: false} {
		o, err := Within(seconds)
		if (err == nil) != fine || fine && (o.Budget != time.Duration(seconds)*time.Second || o.Memory != Memory) {
			t.Errorf("%d seconds: %+v, %v", seconds, o, err)
		}
	}
}

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
	for name, want := range map[string]string{"Pair-PT-07/net.xml": "Pair-PT-07", "net.xml": "My_net-PT-none", "Own-PT-3.xml": "Own-PT-3"} {
		text := strings.Replace(twoPlaces, "Two-PT-02", "My net", 1)
		if r, err := new(Bench).Add(t.Context(), File{name, text}, ""); err != nil || r.Kind != "model" || r.Facts[0][1] != want {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	named := strings.NewReplacer("<text>q</text>", "<graphics/><text> full </text>", "<text>t</text>", "<text>move &lt;it&gt;</text>").Replace(twoPlaces)
	if other, err := new(Bench).Add(t.Context(), File{"model.pnml", named}, ""); err != nil || other.Net.Places[0].Name != "p" || other.Net.Places[1].Name != "full (q)" ||
		other.Net.Transitions[0].Name != "move <it> (t)" || !strings.Contains(other.Net.Picture, "<title>move &lt;it&gt; (t)</title>") {
		t.Errorf("a net with names: %+v, %v", other.Net, err)
	}
	form, err := bench.Form(t.Context(), options)
	if err != nil || len(form.Rows) != 21 {
		t.Fatalf("a form of %d lines, %v", len(form.Rows), err)
	}
	out, err := add("log.txt", "FORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\nFORMULA ReachabilityDeadlock MAYBE\n", "ReachabilityDeadlock")
	if err != nil || len(out.Rows) != 1 || out.Rows[0][1] != "TRUE" || len(out.Findings) == 0 {
		t.Errorf("output: %+v, %v", out, err)
	}
	for _, taken := range []bool{false, true} {
		bench.Intervals = taken
		out, err := add("log.txt", "FORMULA f [3, 7] TECHNIQUES BMC\n", "UpperBounds")
		if err != nil || (len(out.Rows) == 1 && out.Rows[0][1] == "[3,7]") != taken {
			t.Errorf("an interval, taken %t: %+v, %v", taken, out, err)
		}
	}
	if _, err := add("log.txt", "nothing", ""); err == nil || !strings.Contains(err.Error(), "log.txt is read as the output of a tool, and does not say what was asked: choose the examination") {
		t.Errorf("an output of no examination: %v", err)
	}
	unnamed := &Bench{}
	for _, f := range []File{{"model.pnml", strings.Replace(twoPlaces, "Two-PT-02", "", 1)}, {"log.txt", "FORMULA Two-PT-02-UpperBounds-00 2 TECHNIQUES EXPLICIT\n"}} {
		if r, err = unnamed.Add(t.Context(), f, ""); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(r.Facts) != "[[instance Two-PT-02]]" || r.Rows[0][1] != "2" {
		t.Errorf("an output that says of what it is, and of which examination: %+v", r)
	}
	w, err := add("x.witness", "format podium-witness/1\ninstance Two-PT-02\nexamination ReachabilityDeadlock\nvalue ReachabilityDeadlock TRUE\nrun\nfire t t\nend\n", "")
	if err != nil || len(w.Findings) > 0 || len(w.Rows) != 1 || w.Rows[0][2] != "confirmed" {
		t.Errorf("a witness: %+v, %v", w, err)
	}
	decides(t, bench)
	empty, err := add("model.pnml", `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g"/></net></pnml>`, "")
	if err != nil || empty.Net == nil || empty.Net.Picture != "" {
		t.Errorf("an empty net: %+v, %v", empty, err)
	}
	if again, err := add("model.pnml", twoPlaces, ""); err != nil || !strings.HasPrefix(again.Net.Picture, "<svg ") {
		t.Errorf("a net without a picture: %+v, %v", again, err)
	}
	bad, err := add("model.pnml", strings.Replace(twoPlaces, `source="p"`, `source="pp"`, 1), "")
	if err != nil || len(bad.Findings) == 0 || bad.Findings[0].Severity != "error" {
		t.Errorf("a broken model: %+v, %v", bad, err)
	}
	if _, err := bench.Form(t.Context(), options); err == nil {
		t.Error("the model before is still there after a broken one")
	}
}

// decides decides what is asked of the net of two places, and compares outputs with it.
func decides(t *testing.T, bench *Bench) {
	t.Helper()
	output := File{"log.txt", "STATE_SPACE STATES 3 TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS 7 TECHNIQUES EXPLICIT\n"}
	before, err := bench.Add(t.Context(), output, "StateSpace")
	if err != nil || len(before.Heads) != 4 || fmt.Sprint(before.Decides) != "[StateSpace]" {
		t.Errorf("before it is decided: %+v, %v", before, err)
	}
	r, err := bench.Decide(t.Context(), "StateSpace", options)
	if err != nil || len(r.Rows) != 4 || r.Rows[0][1] != "3" || r.Rows[1][1] != "2" || r.Rows[0][2] != "enumeration" || r.Rows[0][3] != "all 3 reachable markings were enumerated" {
		t.Errorf("the state space: %+v, %v", r, err)
	}
	after, err := bench.Add(t.Context(), output, "StateSpace")
	if err != nil || after.Rows[0][4] != "the same" || after.Rows[1][4] != "refuted: it is 2" {
		t.Errorf("an output compared: %+v, %v", after, err)
	}
	if r, err := bench.Decide(t.Context(), "ReachabilityDeadlock", options); err != nil || r.Rows[0][1] != "TRUE" || r.Rows[0][2] != "run" {
		t.Errorf("a deadlock: %+v, %v", r, err)
	}
	if _, err := bench.Decide(t.Context(), "UpperBounds", options); err == nil || !strings.Contains(err.Error(), "drop the file UpperBounds.xml first") {
		t.Errorf("bounds without formulas: %v", err)
	}
	given, err := bench.Add(t.Context(), File{"UpperBounds.xml", `<property-set xmlns="http://mcc.lip6.fr/"><property><id>Two-PT-02-UpperBounds-00</id><description>d</description><formula><place-bound><place>p</place></place-bound></formula></property></property-set>`}, "")
	if err != nil || fmt.Sprint(given.Decides) != "[UpperBounds]" {
		t.Fatalf("formulas: %+v, %v", given, err)
	}
	if r, err := bench.Decide(t.Context(), "UpperBounds", options); err != nil || len(r.Rows) != 1 || r.Rows[0][1] != "2" || r.Rows[0][2] != "proof" {
		t.Errorf("bounds: %+v, %v", r, err)
	}
}

// TestUnpack gives the public archives to the bench as the page does.
func TestUnpack(t *testing.T) {
	for _, archive := range realdata.InstanceArchives(t) {
		packed, err := os.ReadFile(archive)
		if err != nil || len(packed) > 50_000 {
			continue
		}
		files, err := Unpack(packed)
		if err != nil || len(files) < 2 {
			t.Fatalf("%s: %d files, %v", archive, len(files), err)
		}
		bench := &Bench{}
		slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(path.Ext(a.Name), path.Ext(b.Name)) }) // the model first, as the page does
		for _, f := range files {
			r, err := bench.Add(t.Context(), f, "")
			if err != nil || len(r.Findings) > 0 && r.Findings[0].Severity == "error" {
				t.Errorf("%s of %s: %+v, %v", f.Name, archive, r, err)
			}
		}
	}
	if _, err := Unpack([]byte("x")); err == nil || !strings.Contains(err.Error(), "the archive is no gzip archive") {
		t.Errorf("no archive: %v", err)
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
