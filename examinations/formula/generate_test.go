package formula

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"podium/examinations"
	"podium/models"
	"podium/pnml"
)

// ring is a net of n places in a cycle with some tokens in the first, and a
// source of tokens when asked for.
func ring(t testing.TB, n int, tokens uint64, source bool) *pnml.Net {
	t.Helper()
	b := pnml.Builder{ID: "ring"}
	for i := range n {
		b.Place(fmt.Sprintf("p%d", i), tokens)
		tokens = 0
	}
	for i := range n {
		k := b.Transition(fmt.Sprintf("t%d", i))
		b.In(i, k, 1)
		b.Out(k, (i+1)%n, 1)
	}
	if source {
		b.Out(b.Transition("source"), 0, 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

var formulaExams = []examinations.ID{examinations.UpperBounds, examinations.ReachabilityCardinality, examinations.ReachabilityFireability, examinations.CTLCardinality, examinations.CTLFireability, examinations.LTLCardinality, examinations.LTLFireability}

func TestGenerate(t *testing.T) {
	m := instance(t, "Ring-PT-1")
	for _, size := range []int{1, 2, 3, 8, 200} {
		net := ring(t, size, 3, size > 4)
		for _, exam := range formulaExams {
			for seed := range uint64(5) {
				properties, err := Generate(net, m, exam, GenerateOptions{Seed: seed, Year: 2026})
				if err != nil {
					t.Fatal(err)
				}
				if list := Check("generated", properties, exam, NamesOf(net)); len(list) > 0 {
					t.Fatalf("%s, seed %d: %v", exam, seed, list)
				}
				again, err := Generate(net, m, exam, GenerateOptions{Seed: seed, Year: 2026})
				if err != nil || !reflect.DeepEqual(properties, again) {
					t.Fatalf("%s, seed %d: other formulas the second time", exam, seed)
				}
				if size == 200 {
					checkVariety(t, exam, properties)
				}
			}
		}
	}
}

// checkVariety expects of a net with many nodes what small nets cannot give.
func checkVariety(t *testing.T, exam examinations.ID, properties []Property) {
	t.Helper()
	texts := map[string]bool{}
	exists := 0
	for _, p := range properties {
		texts[Print(p.Formula)] = true
		if _, ok := p.Formula.(*ExistsPath); ok {
			exists++
		}
		Walk(p.Formula, func(f Formula) {
			fs := Operands(f)
			for i := range fs {
				for _, other := range fs[i+1:] {
					if reflect.DeepEqual(strip(fs[i]), strip(other)) && IsState(f) {
						t.Errorf("%s joins equal operands", p)
					}
				}
			}
			if inner, ok := f.(*Not); ok {
				if _, double := inner.F.(*Not); double {
					t.Errorf("%s has a double negation", p)
				}
			}
			if c, ok := f.(*LessEqual); ok {
				if n, ok := c.Left.(*Number); ok && n.N == 0 {
					t.Errorf("%s holds 0 <= x", p)
				}
			}
		})
	}
	if len(texts) != len(properties) {
		t.Errorf("%s: %d different formulas of %d", exam, len(texts), len(properties))
	}
	if exam == examinations.ReachabilityCardinality || exam == examinations.ReachabilityFireability {
		if exists != examinations.FormulasPerFile/2 {
			t.Errorf("%s: %d of the roots are EF", exam, exists)
		}
	}
}

func strip(f Formula) Formula {
	if n, ok := f.(*Not); ok {
		return n.F
	}
	return f
}

// TestGenerateIsStable pins the formulas of one seed: they must be the same on
// every machine and in every version, or campaigns cannot be repeated.
func TestGenerateIsStable(t *testing.T) {
	digest := fnv.New64a()
	for _, exam := range formulaExams {
		properties, err := Generate(ring(t, 8, 3, true), instance(t, "Ring-PT-1"), exam, GenerateOptions{Seed: 1, Year: 2026})
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(digest, properties); err != nil {
			t.Fatal(err)
		}
	}
	const want = "ef7484441ff14d2b"
	if got := fmt.Sprintf("%x", digest.Sum64()); got != want {
		t.Errorf("the formulas of seed 1 have the digest %s, not %s", got, want)
	}
}

func TestGenerateIDs(t *testing.T) {
	net, m := ring(t, 4, 1, false), instance(t, "Ring-PT-1")
	for exam, want := range map[examinations.ID]string{
		examinations.UpperBounds:             "Ring-PT-1-UpperBounds-01",
		examinations.LTLFireability:          "Ring-PT-1-LTLFireability-01",
		examinations.CTLCardinality:          "Ring-PT-1-CTLCardinality-2026-01",
		examinations.ReachabilityFireability: "Ring-PT-1-ReachabilityFireability-2026-01",
	} {
		properties, err := Generate(net, m, exam, GenerateOptions{Count: 2, Year: 2026})
		if err != nil || len(properties) != 2 || properties[1].ID != want {
			t.Errorf("%v, %v, want %s", properties, err, want)
		}
	}
	if _, err := Generate(net, m, examinations.OneSafe, GenerateOptions{}); err == nil {
		t.Error("formulas for OneSafe")
	}
	if _, err := Generate(ring(t, 0, 0, false), m, examinations.UpperBounds, GenerateOptions{}); err == nil {
		t.Error("bounds of a net without places")
	}
}

// TestGenerateFilter throws decided formulas away as long as there are tries.
func TestGenerateFilter(t *testing.T) {
	calls := 0
	decided := func(Formula) bool { calls++; return calls%3 != 0 }
	properties, err := Generate(ring(t, 50, 1, false), instance(t, "Ring-PT-1"), examinations.CTLFireability, GenerateOptions{Decided: decided})
	if err != nil || len(properties) != examinations.FormulasPerFile || calls != 3*examinations.FormulasPerFile {
		t.Errorf("%d formulas after %d calls, %v", len(properties), calls, err)
	}
	calls = 0
	all := func(Formula) bool { calls++; return true }
	if _, err := Generate(ring(t, 50, 1, false), instance(t, "Ring-PT-1"), examinations.UpperBounds, GenerateOptions{Decided: all, Count: 2, Tries: 7}); err != nil || calls != 14 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestWriteExamination(t *testing.T) {
	properties, err := Generate(ring(t, 8, 2, false), instance(t, "Ring-PT-1"), examinations.CTLCardinality, GenerateOptions{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	var xml, text bytes.Buffer
	file := filepath.Join(t.TempDir(), "CTLCardinality.xml")
	if err := errors.Join(Write(&xml, properties), WriteText(&text, properties), os.WriteFile(file, xml.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	again, list := ReadFile(file, examinations.CTLCardinality)
	if len(list) > 0 || !reflect.DeepEqual(unplaced(again), properties) {
		t.Errorf("the file holds other formulas: %v", list)
	}
	if bytes.Count(text.Bytes(), []byte("Property ")) != examinations.FormulasPerFile {
		t.Errorf("the text form is %s", text.String())
	}
}

func instance(t testing.TB, name string) models.ID {
	t.Helper()
	id, err := models.ParseID(name)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestGeneratedFormulasStay pins the formulas of small and odd nets, where candidates
// run out, nothing is enabled, or places hold many tokens: see TestGenerateIsStable.
func TestGeneratedFormulasStay(t *testing.T) {
	build := func(make func(b *pnml.Builder)) *pnml.Net {
		b := &pnml.Builder{ID: "net"}
		make(b)
		net, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return net
	}
	safe := ring(t, 4, 1, false)
	safe.NUPN = &pnml.NUPN{Safe: true}
	nets := []*pnml.Net{
		ring(t, 1, 0, false), ring(t, 2, 1, true), ring(t, 5, 7, true), ring(t, 3, 5000, false), safe,
		build(func(b *pnml.Builder) { // only sources
			p := b.Place("p", 2)
			for i := range 4 {
				b.Out(b.Transition(fmt.Sprint("t", i)), p, 1)
			}
		}),
		build(func(b *pnml.Builder) { // weights, some met exactly
			for i := range 6 {
				p := b.Place(fmt.Sprint("p", i), uint64(i))
				b.In(p, b.Transition(fmt.Sprint("t", i)), 3)
			}
		}),
	}
	digest := fnv.New64a()
	for i, net := range nets {
		for _, exam := range formulaExams {
			for k, o := range []GenerateOptions{{Seed: 1}, {Seed: 2, Year: 1, Depth: 1, Count: 1}, {Seed: 3, Depth: 2, Year: 2026}, {Seed: 4, Tries: 1}} {
				properties, err := Generate(net, instance(t, "Net-PT-1"), exam, o)
				if err != nil || o.Count > 0 && len(properties) != o.Count {
					t.Fatalf("net %d, %s, %+v: %d formulas, %v", i, exam, o, len(properties), err)
				}
				fmt.Fprintln(digest, i, exam, k)
				if err := Write(digest, properties); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	const want = "df5dff12aa261039"
	if got := fmt.Sprintf("%x", digest.Sum64()); got != want {
		t.Errorf("the formulas have the digest %s, not %s", got, want)
	}
}

// TestInitialTokens adds up the initial tokens of places without overflow.
func TestInitialTokens(t *testing.T) {
	b := pnml.Builder{ID: "net"}
	b.Place("few", 3)
	b.Place("more", 5)
	b.Place("all", math.MaxUint64)
	b.Place("one", 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	g := &generator{net: groundOf(net)}
	for _, c := range []struct {
		i    Integer
		want uint64
	}{
		{&TokensCount{[]string{"few", "more"}}, 8}, {&TokensCount{[]string{"all", "one"}}, math.MaxUint64}, {&TokensCount{[]string{"one", "all"}}, math.MaxUint64},
		{&Number{7}, 7}, {&Sum{}, 0},
	} {
		if got := g.tokens(c.i); got != c.want {
			t.Errorf("%+v: %d, not %d", c.i, got, c.want)
		}
	}
}
