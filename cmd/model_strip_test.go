package cmd

import (
	"bytes"
	"context"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer"
	"podium/internal/modelfiles"
	"podium/internal/realdata"
	"podium/models"
	"podium/pnml/unfold"
)

var stripAll = flag.Bool("strip-all", false, "compare all answers before and after stripping of the real instances with up to two million markings, not only of the small ones: some twenty minutes")

// stripBudget is what one examination of one instance may take: with few
// markings, all else is plenty.
type stripBudget struct {
	markings uint64
	memory   int64
	time     time.Duration
}

// TestStripKeepsAnswers strips instances and asks everything again: what is
// decided before and after must be equal, and no old id may be left (E-4.4).
func TestStripKeepsAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs beside anything here")
	}
	t.Parallel()
	t.Run("built-in", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		var list []modelfiles.Choice
		for _, name := range []string{"DiningPhilosophers", "UnboundedChannels", "AlternatingBit"} {
			f, ok := models.FindFamily(name)
			if !ok {
				t.Fatalf("no family %s", name)
			}
			list = append(list, modelfiles.Choice{Family: f, Param: f.Ladder[0]})
		}
		if err := modelfiles.Write(t.Context(), dir, list, 1, false); err != nil {
			t.Fatal(err)
		}
		if n := compareStripped(t, dir, stripBudget{2000, 64 << 20, time.Minute}); n < 200 {
			t.Errorf("only %d answers were compared", n)
		}
	})
	t.Run("real", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(realdata.Dir(t), "instances")
		budget := stripBudget{500, 64 << 20, time.Minute}
		if *stripAll {
			budget = stripBudget{2_000_000, 2 << 30, time.Minute}
		}
		if n := compareStripped(t, dir, budget); n < 1000 {
			t.Errorf("only %d answers were compared", n)
		}
	})
}

// compareStripped returns the number of answers that were compared.
func compareStripped(t *testing.T, dir string, budget stripBudget) int {
	opened, err := models.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	compared, decided := 0, 0
	for _, before := range opened.Instances {
		out := t.TempDir()
		renaming, err := models.Strip(before, out, models.StripOptions{Seed: "secret", Formulas: func(r *models.Renaming) (map[string]func(io.Writer) error, error) {
			return modelfiles.Stripped(before, r)
		}})
		if err != nil {
			t.Errorf("%s: %v", before.ID, err)
			continue
		}
		stripped, err := models.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		after := stripped.Instances[0]
		checkNoOldID(t, after, sealed(t, renaming))
		began := time.Now()
		n := compareAnswers(t, before, after, renaming, budget)
		if compared += n; n > 0 {
			decided++
		}
		if *stripAll {
			t.Logf("%s: %d answers were compared in %v", before.ID, n, time.Since(began).Round(time.Second))
		}
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d answers of %d of %d instances compared", compared, decided, len(opened.Instances))
	return compared
}

// sealed returns a renaming as it is read from its file.
func sealed(t *testing.T, r *models.Renaming) *models.Renaming {
	var file bytes.Buffer
	if err := r.Write(&file); err != nil {
		t.Fatal(err)
	}
	again, err := models.ReadRenaming(&file)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// checkNoOldID looks at every attribute and text of every file.
func checkNoOldID(t *testing.T, after models.Instance, r *models.Renaming) {
	for _, file := range after.Files {
		if !strings.HasSuffix(file.Name, ".xml") && file.Name != models.ModelFile {
			continue // one-word files; the text form of formulas is compared with the other
		}
		text, err := after.ReadFile(file.Name, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		var element string
		for d := xml.NewDecoder(bytes.NewReader(text)); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", file.Name, err)
			}
			var words []string
			switch e := token.(type) {
			case xml.StartElement:
				element = e.Name.Local
				for _, a := range e.Attr {
					if !slices.Contains([]string{"xmlns", "type", "value", "start", "end"}, a.Name.Local) {
						words = append(words, a.Value)
					}
				}
			case xml.CharData:
				if element != "text" && element != "integer-constant" { // numbers
					words = append(words, strings.TrimSpace(string(e)))
				}
			case xml.Comment:
				words = strings.Fields(string(e))
			}
			for _, word := range words {
				if fresh, ok := r.New(word); ok {
					t.Fatalf("%s %s: old id %q (now %q) in <%s>", after.ID, file.Name, word, fresh, element)
				}
			}
		}
	}
}

// partial is the budget for instances with more markings than are looked at: the
// order of a search decides how far it comes, and only what is decided both before
// and after is compared.
func (b stripBudget) partial() stripBudget {
	return stripBudget{min(b.markings, 20_000), min(b.memory, 64<<20), min(b.time, 5*time.Second)}
}

// compareAnswers asks all examinations of an instance.
func compareAnswers(t *testing.T, before, after models.Instance, r *models.Renaming, budget stripBudget) int {
	a, b := viewOf(t, before), viewOf(t, after)
	same := func(item string) string { return item }
	space, _ := budget.answers(t, a, before, examinations.StateSpace, same)
	all := len(space) == len(examinations.StateSpaceItems) && space["STATES"] != "+inf"
	if !all {
		budget = budget.partial()
	}
	compared := 0
	for _, exam := range examinations.All() {
		x, xInTime := budget.answers(t, a, before, exam, same)
		y, yInTime := budget.answers(t, b, after, exam, func(item string) string {
			if old, ok := r.OldFormula(item); ok {
				return old
			}
			return item
		})
		whole := all && xInTime && yInTime
		for item, value := range x {
			got, ok := y[item]
			if ok && got != value || !ok && whole {
				t.Errorf("%s %s %s: %q before, %q after", before.ID, exam, item, value, got)
			}
			if ok {
				compared++
			}
		}
		if whole && len(x) != len(y) {
			t.Errorf("%s %s: %d answers before, %d after", before.ID, exam, len(x), len(y))
		}
	}
	return compared
}

func viewOf(t *testing.T, i models.Instance) unfold.View {
	doc, err := i.Document()
	if err != nil {
		t.Fatal(err)
	}
	view, err := unfold.Of(t.Context(), doc, unfold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// answers decides an examination and returns the values by item; inTime reports whether
// the clock had no part in what was decided.
func (b stripBudget) answers(t *testing.T, v unfold.View, i models.Instance, exam examinations.ID, name func(string) string) (values map[string]string, inTime bool) {
	ctx, stop := context.WithTimeout(t.Context(), b.time)
	defer stop()
	var props []formula.Property
	if exam.HasFormulas() {
		if !i.Has(exam.FormulaFile()) {
			return nil, true
		}
		props = formulasOf(t, i, exam)
	}
	values = map[string]string{}
	_, err := explorer.Decide(ctx, v, exam, props, explorer.Options{MaxStates: b.markings, Memory: b.memory, Unreduced: true}, func(a explorer.Answer) { values[name(a.Item)] = a.Value.Text })
	if err != nil {
		t.Errorf("%s %s: %v", i.ID, exam, err)
	}
	return values, ctx.Err() == nil
}

// formulasOf reads a formula file, and checks that its text form says the same
// when the instance is stripped.
func formulasOf(t *testing.T, i models.Instance, exam examinations.ID) []formula.Property {
	text, err := i.ReadFile(exam.FormulaFile(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	props, found := formula.Read(bytes.NewReader(text), exam.FormulaFile(), exam)
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	if i.Class != models.Stripped {
		return props
	}
	if text, err = i.ReadFile(string(exam)+".txt", 1<<30); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := formula.WriteText(&again, props); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, again.Bytes()) {
		t.Errorf("%s %s: the text form differs", i.ID, exam)
	}
	return props
}
