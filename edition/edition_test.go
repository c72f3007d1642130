package edition

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/models"
)

func TestEmbeddedEditionsLoad(t *testing.T) {
	if len(Names()) == 0 {
		t.Fatal("no edition is embedded")
	}
	for _, id := range Names() {
		e, err := Named(id)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		if e.ID != id || e.Title == "" || len(e.Sources) == 0 || len(e.Scheme.Rules) == 0 {
			t.Errorf("%s: incomplete: %+v", id, e)
		}
	}
	if _, err := Named("mcc1999"); err == nil || !strings.Contains(err.Error(), "mcc2016") {
		t.Errorf("an unknown edition must list the known ones: %v", err)
	}
}

func TestE44Classes(t *testing.T) {
	c := Classes{Surprise: []string{"NoC3x3"}, StrippedPrefix: "S_"}
	for name, want := range map[string]models.Class{
		"NoC3x3-PT-1A":      models.Surprise,
		"NoC3x3b-PT-1":      models.Known,
		"S_Philosophers-PT": models.Stripped,
		"Kanban-PT-00005":   models.Known,
	} {
		if got := c.Class(name); got != want {
			t.Errorf("E-4.4 %s: %s, want %s", name, got, want)
		}
	}
}

// TestBadEditions reads files whose lines end in "# ERROR line:col code" notes:
// exactly these must be found.
func TestBadEditions(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no bad editions", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, line := range strings.Split(string(data), "\n") {
			if _, note, ok := strings.Cut(line, "# ERROR "); ok {
				want = append(want, file+":"+note)
			}
		}
		e, found := Load(file, data)
		if e != nil {
			t.Errorf("%s: was accepted", file)
		}
		var got []string
		for _, d := range found {
			got = append(got, d.Position()+" "+d.Code)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s\nin full\n%v", file, strings.Join(got, "\n"), strings.Join(want, "\n"), found)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, id := range Names() {
		data, err := Source(id)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("format: podium-edition/1\nid: x\nexaminations: [{id: A, values: 3, points: 16}]\n"))
	f.Add([]byte("a: &x [*x]\n"))
	f.Add([]byte("{[{[{[: ]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, found := Load("fuzz.yaml", data)
		if (e == nil) != (found.Err() != nil) {
			t.Errorf("edition %v with findings %v", e, found)
		}
	})
}

// TestMCC2026: what is not known of 2026 is that of 2025, and the edition says so.
func TestMCC2026(t *testing.T) {
	text := func(id string) string {
		t.Helper()
		data, err := Source(id)
		if err != nil {
			t.Fatal(err)
		}
		_, rules, _ := strings.Cut(string(data), "unit: ")
		return rules
	}
	want := strings.NewReplacer("2024-gold", "2025-gold", "[Champagne, CopsAndRobbers, ErlangenMainframeV0, MedleyB, ZombiesAndSurvivors]", "[]").Replace(text("mcc2025"))
	if got := text("mcc2026"); got != want {
		t.Errorf("the rules of 2026 differ from those of 2025 in more than is known:\n%s", got)
	}
	e, err := Named("mcc2026")
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Known) == 0 || len(e.Unknown) == 0 {
		t.Errorf("known %q, unknown %q", e.Known, e.Unknown)
	}
	for _, rule := range []string{"E-1", "E-2.2", "E-3.1", "E-4.1", "E-4.3", "E-4.4", "E-4.5", "E-5"} {
		if !strings.Contains(strings.Join(e.Inferred, "\n"), rule) {
			t.Errorf("the edition does not say where %s is from", rule)
		}
	}
}

// TestFormatsOfWitnesses is the table of today's rules, and that of 2019.
func TestFormatsOfWitnesses(t *testing.T) {
	for _, tc := range []struct{ edition, kind, property, part, category, want string }{
		{"svcomp2026", "violation", "unreach-call", "", "ReachSafety-Loops", "1.0 2.0 2.1"},
		{"svcomp2026", "violation", "unreach-call", "", "ConcurrencySafety-Main", "1.0"},
		{"svcomp2026", "correctness", "unreach-call", "", "ReachSafety-Loops", "2.0 2.1"},
		{"svcomp2026", "correctness", "unreach-call", "", "ReachSafety-Heap", ""},
		{"svcomp2026", "correctness", "no-overflow", "", "NoOverflows-Main", "2.0 2.1"},
		{"svcomp2026", "correctness", "no-overflow", "", "ConcurrencySafety-NoOverflows", "2.1"},
		{"svcomp2026", "violation", "valid-memsafety", "valid-deref", "MemSafety-Heap", "1.0 2.0 2.1"},
		{"svcomp2026", "violation", "valid-memsafety", "valid-memtrack", "MemSafety-Heap", "1.0"},
		{"svcomp2026", "correctness", "valid-memsafety", "", "MemSafety-Heap", ""},
		{"svcomp2026", "violation", "termination", "", "Termination-Main", "1.0 2.1"},
		{"svcomp2026", "correctness", "termination", "", "Termination-Main", "2.1"},
		{"svcomp2026", "violation", "no-data-race", "", "Races", "1.0"},
		{"svcomp2019", "correctness", "unreach-call", "", "ReachSafety-Heap", "1.0"},
		{"svcomp2012", "violation", "unreach-call", "", "SystemC", "not said"},
	} {
		e, err := Named(tc.edition)
		if err != nil {
			t.Fatal(err)
		}
		formats, said := e.FormatsOf(tc.kind, tc.property, tc.part, tc.category)
		got := strings.Join(formats, " ")
		if !said {
			got = "not said"
		}
		if got != tc.want {
			t.Errorf("%+v: %s", tc, got)
		}
	}
}
