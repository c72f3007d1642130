package symbolic_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/internal/tools/engine"
	"podium/internal/tools/explicit"
	"podium/internal/tools/symbolic"
	"podium/internal/tools/walk"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml"
	"podium/pnml/unfold"
)

// colouredNet synchronises state machines over a cyclic sort of three colours:
// most of their unfoldings are one-safe. Some transitions turn colours or ask a
// guard, and some places are never marked.
func colouredNet(t *testing.T, r *rand.Rand) *pnml.Symmetric {
	t.Helper()
	var page strings.Builder
	element := func(format string, args ...any) { fmt.Fprintf(&page, format, args...) }
	machines := make([][]string, 1+r.IntN(2))
	for m := range machines {
		for i := range 1 + r.IntN(3) {
			id, initial := fmt.Sprintf("p%d_%d", m, i), ""
			if i == 0 {
				initial = "<hlinitialMarking><structure>" + []string{`<all><usersort declaration="L"/></all>`, `<useroperator declaration="b"/>`}[r.IntN(2)] + "</structure></hlinitialMarking>"
			}
			element(`<place id="%s"><type><structure><usersort declaration="L"/></structure></type>%s</place>`, id, initial)
			machines[m] = append(machines[m], id)
		}
	}
	for k := range 1 + r.IntN(4) {
		id, guard := fmt.Sprintf("t%d", k), ""
		if r.IntN(3) == 0 {
			guard = `<condition><structure><inequality><subterm><variable refvariable="x"/></subterm><subterm>` +
				[]string{`<useroperator declaration="a"/>`, `<variable refvariable="y"/>`}[r.IntN(2)] + `</subterm></inequality></structure></condition>`
		}
		element(`<transition id="%s">%s</transition>`, id, guard)
		for _, m := range r.Perm(len(machines))[:1+r.IntN(len(machines))] {
			v := `<variable refvariable="` + []string{"x", "y"}[m] + `"/>`
			into := v
			if r.IntN(6) == 0 {
				into = "<successor><subterm>" + v + "</subterm></successor>"
			}
			from, to := machines[m][r.IntN(len(machines[m]))], machines[m][r.IntN(len(machines[m]))]
			element(`<arc id="i%s%d" source="%s" target="%s"><hlinscription><structure>%s</structure></hlinscription></arc>`, id, m, from, id, v)
			element(`<arc id="o%s%d" source="%s" target="%s"><hlinscription><structure>%s</structure></hlinscription></arc>`, id, m, id, to, into)
		}
	}
	doc, found := pnml.Read(strings.NewReader(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">`+
		`<declaration><structure><declarations><namedsort id="L" name="L"><cyclicenumeration><feconstant id="a" name="a"/><feconstant id="b" name="b"/><feconstant id="c" name="c"/></cyclicenumeration></namedsort>`+
		`<variabledecl id="x" name="x"><usersort declaration="L"/></variabledecl><variabledecl id="y" name="y"><usersort declaration="L"/></variabledecl></declarations></structure></declaration>`+
		`<page id="page">`+page.String()+`</page></net></pnml>`), "drawn")
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return doc.Symmetric
}

// TestColouredAgreement asks the three engines everything of random coloured nets.
// What is asked of coloured places and transitions is also spelled out for the
// unfolding and judged by enumeration.
func TestColouredAgreement(t *testing.T) {
	nets := 150
	if os.Getenv("PODIUM_SOAK") != "" {
		nets = 400
	}
	r := rand.New(rand.NewPCG(7, 8))
	answered := map[string]int{}
	for i := range nets {
		net := colouredNet(t, r)
		u, err := unfold.Unfold(t.Context(), net, unfold.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		g := nettest.Explore(u.Net, 200)
		if g == nil || u.Net.Transitions.Len() == 0 {
			continue
		}
		for _, exam := range everything {
			properties := drawn(r, &pnml.Net{Places: net.Places, Transitions: net.Transitions}, exam, 3)
			task := engine.Task{Exam: exam, View: u.View(), Properties: properties, Cores: 1, Budget: endless}
			explicitly := askColoured(t, explicit.Engine{}, task)
			for _, p := range properties {
				if want := g.Value(exam, p.ID, spell(u, p.Formula)); explicitly[p.ID] != want {
					t.Errorf("net %d, %s %s: explicit says %q, not %s", i, exam, p.ID, explicitly[p.ID], want)
				}
			}
			for name, e := range map[string]engine.Engine{"symbolic": symbolic.Engine{}, "walk": walk.Engine{}} {
				if i%4 == 0 {
					task.Witnesses = &engine.Witnesses{Dir: t.TempDir(), Instance: "X-COL-1", Exam: exam}
				}
				got := askColoured(t, e, task)
				answered[name+" witnesses"] += replayed(t, task)
				for item, v := range got {
					answered[name+" "+string(exam)]++
					if explicitly[item] != v {
						t.Errorf("net %d, %s %s: %s says %s, explicit %q", i, exam, item, name, v, explicitly[item])
					}
				}
			}
		}
		if t.Failed() {
			t.Fatal(describe(u.Net))
		}
	}
	t.Log(answered)
	if answered["walk witnesses"] < nets/4 {
		t.Errorf("only %d witnesses were replayed", answered["walk witnesses"])
	}
	for _, exam := range everything {
		if answered["symbolic "+string(exam)] == 0 || answered["walk "+string(exam)] == 0 && exam != examinations.StateSpace && exam != examinations.UpperBounds {
			t.Errorf("%s: nothing was compared", exam)
		}
	}
}

// replayed demands that every witness that was left proves its values, and counts
// them.
func replayed(t *testing.T, task engine.Task) (n int) {
	t.Helper()
	if task.Witnesses == nil {
		return 0
	}
	if err := task.Witnesses.Err(); err != nil {
		t.Fatal(err)
	}
	formula := func(item string) (formula.Formula, bool) {
		k := slices.IndexFunc(task.Properties, func(p formula.Property) bool { return p.ID == item })
		if k < 0 {
			return nil, false
		}
		return task.Properties[k].Formula, true
	}
	files, err := filepath.Glob(filepath.Join(task.Witnesses.Dir, "*"+witness.Suffix))
	if err != nil {
		t.Fatal(err)
	}
	net := replay.NewNet(task.View)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for r := replay.NewReader(bytes.NewReader(text), net, replay.Options{File: file, Instance: "X-COL-1", Exam: task.Exam}); r.Scan(); n++ {
			for _, result := range net.Check(t.Context(), r.Witness(), formula) {
				if result.State != witness.Confirmed {
					t.Errorf("%s %s is %s: %s\n%s", task.Exam, result.Claim, result.State, result.Detail, text)
				}
			}
		}
	}
	return n
}

func askColoured(t *testing.T, e engine.Engine, task engine.Task) map[string]string {
	t.Helper()
	ctx := t.Context()
	if _, walks := e.(walk.Engine); walks {
		ctx = fewLooks()
	}
	var out strings.Builder
	if err := e.Answer(ctx, task, engine.NewPrinter(&out, task.Exam)); err != nil {
		t.Fatalf("%s: %v", task.Exam, err)
	}
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "TECHNIQUES") && !strings.Contains(line, "UNFOLDING_TO_PT") {
			t.Errorf("%s: %q does not say that the net was unfolded", task.Exam, line)
		}
	}
	return answersIn(t, out.String())
}

// spell writes a formula over coloured ids as one over the ids of the unfolding.
func spell(u *unfold.Unfolding, f formula.Formula) formula.Formula {
	switch f := f.(type) {
	case *formula.Bound:
		return &formula.Bound{Places: spellPlaces(u, f.Places)}
	case *formula.Fireable:
		list := &formula.Fireable{}
		for _, id := range f.Transitions {
			k, _ := u.Source.Transitions.Find(id)
			for from, to := u.TransitionsOf(k); from < to; from++ {
				list.Transitions = append(list.Transitions, u.Net.Transitions.At(from))
			}
		}
		return list
	case *formula.LessEqual:
		return &formula.LessEqual{Left: spellInteger(u, f.Left), Right: spellInteger(u, f.Right)}
	}
	return formula.Over(f, func(f formula.Formula) formula.Formula { return spell(u, f) })
}

func spellPlaces(u *unfold.Unfolding, ids []string) (list []string) {
	for _, id := range ids {
		k, _ := u.Source.Places.Find(id)
		for from, to := u.PlacesOf(k); from < to; from++ {
			list = append(list, u.Net.Places.At(from))
		}
	}
	return list
}

func spellInteger(u *unfold.Unfolding, e formula.Integer) formula.Integer {
	switch e := e.(type) {
	case *formula.TokensCount:
		return &formula.TokensCount{Places: spellPlaces(u, e.Places)}
	case *formula.Sum:
		list := &formula.Sum{}
		for _, x := range e.Terms {
			list.Terms = append(list.Terms, spellInteger(u, x))
		}
		return list
	case *formula.Difference:
		list := &formula.Difference{}
		for _, x := range e.Terms {
			list.Terms = append(list.Terms, spellInteger(u, x))
		}
		return list
	}
	return e
}
