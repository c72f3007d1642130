package unfold

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"podium/pnml"
)

// checkUnfolding compares the exact unfolding with that of the naive unfolder,
// where this ends soon, and the pruned one with the exact one without what never
// happens. Nets that are too large are let pass.
func checkUnfolding(t *testing.T, s *pnml.Symmetric) {
	limits := Limits{Exact: true, Places: 500, Transitions: 500, Arcs: 5000, Steps: 100_000}
	exact, err := Unfold(t.Context(), s, limits)
	if err != nil {
		return
	}
	if n := (&naive{s, map[uint64]uint64{}}); n.bindings() <= 20_000 {
		if got, want := unfoldedLines(exact), n.lines(); !slices.Equal(got, want) {
			t.Errorf("exact: got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	limits.Exact = false
	pruned, err := Unfold(t.Context(), s, limits)
	if err != nil {
		t.Fatalf("the exact unfolding is small, the pruned one: %v", err)
	}
	if got, want := lines(pruned.Net), slowPruned(exact.Net); !slices.Equal(got, want) {
		t.Errorf("pruned: got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// FuzzUnfold unfolds whatever the reader accepts.
func FuzzUnfold(f *testing.F) {
	head := `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="the-net" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><declaration><structure><declarations>` + abc + `</declarations></structure></declaration><page id="page">`
	for _, page := range []string{
		place("p", "L", all) + transition("t", op("lessthan", x, y)) + arc("p", "t", op("add", x, op("successor", y))),
		place("p", "LL", op("tuple", a, all)) + transition("t", "") + arc("p", "t", op("subtract", op("tuple", x, all), op("tuple", x, y))) + arc("t", "p", op("tuple", y, x)),
		place("p", "L", times(3, a)) + transition("t", op("or", op("equality", x, a), op("equality", op("successor", x), b), op("equality", a, x))) + arc("p", "t", x),
	} {
		f.Add(head + page + `</page></net></pnml>`)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		d, diags := pnml.Read(strings.NewReader(doc), "fuzz")
		if d.Symmetric != nil && diags.Err() == nil {
			checkUnfolding(t, d.Symmetric)
		}
	})
}

// FuzzUnfoldDrawn unfolds nets that are drawn: all are valid, so that the terms
// are tried and not the reader.
func FuzzUnfoldDrawn(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		d := &drawing{rand.New(rand.NewPCG(seed, 0))}
		page := d.page()
		defer func() {
			if t.Failed() {
				t.Log(page)
			}
		}()
		checkUnfolding(t, symmetric(t, drawnSorts, page))
	})
}

// drawnSorts has one sort of each kind, with variables.
const drawnSorts = abc + `<namedsort id="F" name="F"><finiteenumeration><feconstant id="f" name="f"/><feconstant id="g" name="g"/><feconstant id="h" name="h"/></finiteenumeration></namedsort>` +
	`<namedsort id="R" name="R"><finiteintrange start="-1" end="0"/></namedsort>` +
	`<namedsort id="D" name="D"><dot/></namedsort>` +
	`<namedsort id="LR" name="LR"><productsort><usersort declaration="L"/><usersort declaration="R"/></productsort></namedsort>` +
	`<partition id="P" name="P"><usersort declaration="F"/><partitionelement id="low" name="low"><useroperator declaration="f"/><useroperator declaration="g"/></partitionelement>` +
	`<partitionelement id="high" name="high"><useroperator declaration="h"/></partitionelement></partition>` +
	`<variabledecl id="v" name="v"><usersort declaration="F"/></variabledecl><variabledecl id="w" name="w"><usersort declaration="R"/></variabledecl>` +
	`<variabledecl id="u" name="u"><usersort declaration="LR"/></variabledecl>`

// drawing makes terms from random numbers.
type drawing struct{ *rand.Rand }

func (d *drawing) of(list ...string) string { return list[d.IntN(len(list))] }

// colour draws a term for one colour; ground ones have no variables.
func (d *drawing) colour(sort string, ground bool) string {
	if !ground && d.IntN(3) > 0 {
		switch sort {
		case "L":
			return d.of(x, y)
		case "F":
			return `<variable refvariable="v"/>`
		case "R":
			return `<variable refvariable="w"/>`
		case "LR":
			if d.IntN(2) == 0 {
				return `<variable refvariable="u"/>`
			}
		}
	}
	switch sort {
	case "L", "F", "R":
		if d.IntN(3) == 0 {
			return op(d.of("successor", "predecessor"), d.colour(sort, ground))
		}
	}
	switch sort {
	case "L":
		return d.of(a, b)
	case "F":
		return `<useroperator declaration="` + d.of("f", "g", "h") + `"/>`
	case "R":
		return `<finiteintrangeconstant value="` + d.of("-1", "0") + `"><finiteintrange start="-1" end="0"/></finiteintrangeconstant>`
	case "LL":
		return op("tuple", d.colour("L", ground), d.colour("L", ground))
	case "LR":
		return op("tuple", d.colour("L", ground), d.colour("R", ground))
	}
	return `<dotconstant/>`
}

// multiset draws a term for several colours.
func (d *drawing) multiset(sort string, ground bool, depth int) string {
	if depth == 0 {
		return d.colour(sort, ground)
	}
	switch d.IntN(7) {
	case 0:
		return `<all><usersort declaration="` + sort + `"/></all>`
	case 1:
		return op("add", d.multiset(sort, ground, depth-1), d.multiset(sort, ground, depth-1))
	case 2:
		return op("subtract", d.multiset(sort, ground, depth-1), d.multiset(sort, ground, depth-1))
	case 3:
		return times(d.IntN(4), d.multiset(sort, ground, depth-1))
	case 4:
		if sort == "LL" || sort == "LR" {
			return op("tuple", d.of(`<all><usersort declaration="L"/></all>`, d.colour("L", ground)), d.of(`<all><usersort declaration="`+sort[1:]+`"/></all>`, d.colour(sort[1:], ground)))
		}
		if sort == "F" {
			return `<useroperator declaration="` + d.of("low", "high") + `"/>`
		}
	}
	return d.colour(sort, ground)
}

func (d *drawing) guard(depth int) string {
	if depth > 0 {
		switch d.IntN(6) {
		case 0:
			return op("and", d.guard(depth-1), d.guard(depth-1))
		case 1:
			return op("or", d.guard(depth-1), d.guard(depth-1), d.guard(depth-1))
		case 2:
			return op("not", d.guard(depth-1))
		case 3:
			return op("imply", d.guard(depth-1), d.guard(depth-1))
		}
	}
	if d.IntN(6) == 0 {
		return op(d.of("gtp", "ltp", "equality"), `<partitionelementof refpartition="P"><subterm>`+d.colour("F", false)+`</subterm></partitionelementof>`, `<useroperator declaration="`+d.of("low", "high")+`"/>`)
	}
	sort := d.of("L", "L", "F", "R", "LL", "LR")
	compare := d.of("equality", "equality", "inequality")
	if len(sort) == 1 {
		compare = d.of(compare, "lessthan", "lessthanorequal", "greaterthan", "greaterthanorequal")
	}
	return op(compare, d.colour(sort, false), d.colour(sort, false))
}

func (d *drawing) page() string {
	var page strings.Builder
	var sorts []string
	for p := range 1 + d.IntN(4) {
		sorts = append(sorts, d.of("L", "F", "R", "D", "LL", "LR"))
		initial := ""
		if d.IntN(3) > 0 {
			initial = d.multiset(sorts[p], true, d.IntN(3))
		}
		page.WriteString(place(fmt.Sprintf("p%d", p), sorts[p], initial))
	}
	for k := range 1 + d.IntN(3) {
		t, guard := fmt.Sprintf("t%d", k), ""
		if d.IntN(2) == 0 {
			guard = d.guard(d.IntN(3))
		}
		page.WriteString(transition(t, guard))
		for p, sort := range sorts {
			id := fmt.Sprintf("p%d", p)
			if d.IntN(2) == 0 {
				page.WriteString(arc(id, t, d.multiset(sort, false, d.IntN(3))))
			}
			if d.IntN(2) == 0 {
				page.WriteString(arc(t, id, d.multiset(sort, false, d.IntN(3))))
			}
		}
	}
	return page.String()
}
