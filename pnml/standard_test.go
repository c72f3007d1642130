package pnml

import (
	"strings"
	"testing"

	"podium/pnml/diagnostic"
)

// TestLexicalForms: numbers and names are read in all forms that the standard's types have.
func TestLexicalForms(t *testing.T) {
	for text, want := range map[string]uint64{"+3": 3, " 3 ": 3, "003": 3, "-0": 0, "+0": 0, "\n\t7\n": 7, "18446744073709551615": 1<<64 - 1} {
		doc, found := sameAsEvents(t, []byte(document(`<place id="p"><initialMarking><text>`+text+`</text></initialMarking></place>`)))
		if len(found) > 0 || doc.Net.Initial[0] != want {
			t.Errorf("%q: %v", text, found)
		}
	}
	for _, text := range []string{"-1", "++3", "+-3", "3.0", "3 4", "0x3", "1e3", "1_000", "&#160;3", "+", "", "18446744073709551616", "-00000000000000000000000001"} {
		if _, found := sameAsEvents(t, []byte(document(`<place id="p"><initialMarking><text>`+text+`</text></initialMarking></place>`))); found.Err() == nil {
			t.Errorf("%q is read", text)
		}
	}
	blank := document(`<place id=" p"/><transition id="t "/><page id=" g "><referencePlace id="r" ref=" p "/></page><arc id=" a " source=" p " target="t"/><arc id="b" source="t" target="r&#32;"/>`)
	blank = strings.Replace(blank, `type="`, `type=" `, 1)
	doc, found := sameAsEvents(t, []byte(blank))
	if len(found) > 0 || text(doc.Net) != "p=0 ; t: p -> p" {
		t.Errorf("blanks: %v", found)
	}
	doc, found = Read(strings.NewReader(coloured(`<namedsort id=" R " name="R"><finiteintrange start=" 1 " end="+3"/></namedsort><variabledecl id="x" name="x"><usersort declaration=" R"/></variabledecl>`,
		`<place id="p"><type><structure><usersort declaration="R "/></structure></type><hlinitialMarking><structure><numberof><subterm><numberconstant value="+2"><positive/></numberconstant></subterm>`+
			`<subterm><finiteintrangeconstant value=" +2 "><finiteintrange start="+1" end="3"/></finiteintrangeconstant></subterm></numberof></structure></hlinitialMarking></place>`+
			`<transition id="t"><condition><structure><booleanconstant value=" 1 "/></structure></condition></transition>`+
			`<arc id="a" source="p" target="t"><hlinscription><structure><variable refvariable=" x "/></structure></hlinscription></arc>`)), "f")
	if len(found) > 0 || doc.Symmetric.Sorts[0].Size != 3 || doc.Symmetric.Initial[0].Value != 2 || doc.Symmetric.Guards[0].Op != OpTrue {
		t.Errorf("%v", found)
	}
}

// TestTermsOfTheStandard: what the contest does not use is named as such, and what has no
// sort is an error.
func TestTermsOfTheStandard(t *testing.T) {
	const declared = threeColours + `<variabledecl id="x" name="x"><usersort declaration="L"/></variabledecl><variabledecl id="y" name="y"><usersort declaration="L"/></variabledecl>`
	const x, two = `<subterm><variable refvariable="x"/></subterm>`, `<subterm><numberconstant value="2"><positive/></numberconstant></subterm>`
	net := func(declarations, guard, inscription string) string {
		return coloured(declared+declarations, `<place id="p"><type><structure><usersort declaration="L"/></structure></type></place><transition id="t"><condition><structure>`+guard+`</structure></condition></transition>`+
			`<arc id="arc" source="p" target="t"><hlinscription><structure>`+inscription+`</structure></hlinscription></arc>`)
	}
	const guard, inscription = `<booleanconstant value="true"/>`, `<variable refvariable="x"/>`
	for _, c := range []struct {
		name, doc, code, words string
		severity               diagnostic.Severity
	}{
		{"bool", net(`<namedsort id="B" name="B"><bool/></namedsort>`, guard, inscription), "sym-sort", "<bool> is a sort of the standard that the contest does not use", diagnostic.Error},
		{"natural", net(`<variabledecl id="v" name="n"><natural/></variabledecl>`, guard, inscription), "sym-sort", "<natural> is a sort of the standard", diagnostic.Error},
		{"cardinality", net("", `<equality><subterm><cardinality>`+x+`</cardinality></subterm>`+two+`</equality>`, inscription), "sym-operator", "<cardinality> is an operator of the standard that the contest does not use", diagnostic.Error},
		{"lt", net("", `<lt>`+x+x+`</lt>`, inscription), "sym-operator", "<lessthan>", diagnostic.Error},
		{"gt", net("", `<gt>`+x+x+`</gt>`, inscription), "sym-operator", "<greaterthan>", diagnostic.Error},
		{"namedoperator", net(`<namedoperator id="o" name="o"><parameter/><def>`+inscription+`</def></namedoperator>`, guard, inscription), "sym-declaration", "<namedoperator> is of the standard", diagnostic.Error},
		{"unknown operator", net("", `<equalty>`+x+x+`</equalty>`, inscription), "sym-operator", "did you mean <equality>", diagnostic.Error},
		{"subterm in subterm", net("", guard, `<add><subterm>`+x+`</subterm></add>`), "pnml-unknown-element", "element <subterm> has no meaning inside <subterm>", diagnostic.Error},
		{"term without subterm", net("", guard, `<add><variable refvariable="x"/></add>`), "pnml-unknown-element", "put it into a <subterm>", diagnostic.Error},
		{"nested numbers", net("", guard, `<numberof>`+two+`<subterm><numberof>`+two+x+`</numberof></subterm></numberof>`), "sym-type", "<numberof> counts a colour", diagnostic.Error},
		{"number behind", net("", guard, `<numberof>`+x+two+`</numberof>`), "sym-arity", "has its number behind its term", diagnostic.Error},
		{"variable of a guard", net("", `<equality>`+x+`<subterm><variable refvariable="y"/></subterm></equality>`, inscription), "sym-guard", `variable "y" stands in the guard of "t" only`, diagnostic.Warning},
		{"id of a place", net(`<namedsort id="p" name="p"><dot/></namedsort>`, guard, inscription), "pnml-duplicate-id", `id "p" of a sort is used twice`, diagnostic.Error},
		{"id of two", net(`<variabledecl id="L" name="z"><usersort declaration="L"/></variabledecl>`, guard, inscription), "pnml-duplicate-id", `id "L" of a variable is used twice`, diagnostic.Error},
	} {
		_, found := Read(strings.NewReader(c.doc), "f")
		if len(found) != 1 || found[0].Code != c.code || found[0].Severity != c.severity || !strings.Contains(found[0].Error(), c.words) {
			t.Errorf("%s: %v", c.name, found)
		}
	}
	for name, doc := range map[string]string{
		"plain":           net("", guard, inscription),
		"a number of all": net("", guard, `<numberof>`+two+`<subterm><all><usersort declaration="L"/></all></subterm></numberof>`),
		"scalar product":  net("", guard, `<scalarproduct>`+two+`<subterm><numberof>`+two+x+`</numberof></subterm></scalarproduct>`),
	} {
		if _, found := Read(strings.NewReader(doc), "f"); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}
