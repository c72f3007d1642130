package pnml

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"podium/pnml/diagnostic"
)

// coloured wraps declarations and the inside of a page.
func coloured(declarations, page string) string {
	return `<pnml xmlns="` + pnmlNamespace + `"><net id="n" type="` + symmetricType + `"><page id="page">` + page + `</page>` +
		`<declaration><structure><declarations>` + declarations + `</declarations></structure></declaration></net></pnml>`
}

const threeColours = `<namedsort id="L" name="l"><finiteenumeration><feconstant id="a" name="A"/><feconstant id="b" name="B"/><feconstant id="c" name="C"/></finiteenumeration></namedsort>`

func TestSortsThatAreEqual(t *testing.T) {
	doc, diags := Read(strings.NewReader(coloured(threeColours+
		`<namedsort id="M" name="m"><usersort declaration="L"/></namedsort>`+
		`<namedsort id="R" name="r"><finiteintrange start="1" end="3"/></namedsort><namedsort id="S" name="s"><finiteintrange start="1" end="3"/></namedsort>`+
		`<namedsort id="RS" name="rs"><productsort><usersort declaration="R"/><usersort declaration="S"/></productsort></namedsort>`+
		`<namedsort id="SR" name="sr"><productsort><usersort declaration="S"/><usersort declaration="R"/></productsort></namedsort>`+
		`<namedsort id="N" name="n"><finiteenumeration><feconstant id="d" name="D"/><feconstant id="e" name="E"/><feconstant id="f" name="F"/></finiteenumeration></namedsort>`, "")), "f")
	if diags.Err() != nil {
		t.Fatal(diags)
	}
	var got []string
	for _, s := range doc.Symmetric.Sorts {
		got = append(got, fmt.Sprint(s.ID, "=", doc.Symmetric.Sorts[s.Canonical].ID, ":", s.Size))
	}
	if want := []string{"L=L:3", "M=L:3", "R=R:3", "S=R:3", "RS=RS:9", "SR=RS:9", "N=N:3"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSymmetricLintAndStatistics(t *testing.T) {
	doc, diags := Read(strings.NewReader(coloured(threeColours+`<namedsort id="X" name="x"><dot/></namedsort>`+
		`<variabledecl id="v" name="v"><usersort declaration="L"/></variabledecl><variabledecl id="w" name="w"><usersort declaration="L"/></variabledecl>`,
		`<place id="p"><type><structure><usersort declaration="L"/></structure></type></place><place id="q"><type><structure><usersort declaration="L"/></structure></type></place>`+
			`<transition id="t"/><transition id="u"/><arc id="x" source="p" target="t"><hlinscription><structure><variable refvariable="v"/></structure></hlinscription></arc>`)), "f")
	if diags.Err() != nil {
		t.Fatal(diags)
	}
	var got []string
	for _, d := range doc.Symmetric.Lint("f") {
		got = append(got, d.Code+" "+d.Message)
	}
	want := []string{`sym-unused sort "X" is not used`, `sym-unused variable "w" is not used`, "net-isolated transition u has no arcs", "net-isolated place q has no arcs"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := fmt.Sprint(doc.Symmetric.Statistics()), "{2 2 1 2 2 0 3 6 0}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDepthLimits: what nests without end is refused, and quickly.
func TestDepthLimits(t *testing.T) {
	const many = 4 * maxTermDepth
	nested := func(open, inner, end string) string {
		return strings.Repeat(open, many) + inner + strings.Repeat(end, many)
	}
	place := `<place id="p"><type><structure><usersort declaration="L"/></structure></type><hlinitialMarking><structure>`
	var chain strings.Builder
	for i := range many {
		fmt.Fprintf(&chain, `<namedsort id="s%d" name=""><usersort declaration="s%d"/></namedsort>`, i, i+1)
	}
	for name, doc := range map[string]string{
		"terms":    coloured(threeColours, place+nested("<add><subterm>", `<useroperator declaration="a"/>`, "</subterm></add>")+`</structure></hlinitialMarking></place>`),
		"sorts":    coloured(`<namedsort id="s" name="s">`+nested("<productsort>", "<dot/>", "</productsort>")+`</namedsort>`, ""),
		"chain":    coloured(chain.String()+fmt.Sprintf(`<namedsort id="s%d" name=""><dot/></namedsort>`, many), ""),
		"elements": document(strings.Repeat(`<page id="">`, 20_000)),
	} {
		_, diags := Read(strings.NewReader(doc), "f")
		if !slices.ContainsFunc(diags, func(d diagnostic.Diagnostic) bool { return strings.HasSuffix(d.Code, "-limit") }) {
			t.Errorf("%s: no limit found: %.300s", name, diags)
		}
	}
}

// FuzzNUPN puts anything into the structure of a nested-unit section: what is
// accepted must be a tree of units that holds every place once.
func FuzzNUPN(f *testing.F) {
	f.Add(`<unit id="u0"><places>p</places><subunits>u1</subunits></unit><unit id="u1"><places>q r</places><subunits/></unit>`, "u0")
	f.Add(`<unit id="u0"><places>p q r</places><subunits>u0</subunits></unit>`, "u0")
	f.Add(`<unit id="a"><places>p q r</places></unit><unit id="b"><subunits>a</subunits></unit>`, "b")
	f.Fuzz(func(t *testing.T, units, root string) {
		if strings.ContainsAny(root, "<&\"") {
			return
		}
		doc, _ := Read(strings.NewReader(document(`<place id="p"/><place id="q"/><place id="r"/>`+
			`<toolspecific tool="nupn" version="1.1"><structure units="0" root="`+root+`" safe="true">`+units+`</structure></toolspecific>`)), "f")
		if doc.Net == nil || doc.Net.NUPN == nil {
			return
		}
		n := doc.Net.NUPN
		reached, places := map[int]bool{}, map[uint32]bool{}
		for stack := []int{n.Root}; len(stack) > 0; {
			u := stack[len(stack)-1]
			if reached[u] {
				t.Fatalf("unit %s is reached twice", n.Units[u].ID)
			}
			reached[u] = true
			stack = append(stack[:len(stack)-1], n.Units[u].Subunits...)
			for _, p := range n.Units[u].Places {
				if places[p] {
					t.Fatalf("place %d is in two units", p)
				}
				places[p] = true
			}
		}
		if len(reached) != len(n.Units) || len(places) != doc.Net.Places.Len() {
			t.Errorf("%d of %d units, %d of %d places", len(reached), len(n.Units), len(places), doc.Net.Places.Len())
		}
	})
}
