package pnml

import (
	"strings"
	"testing"
)

// TestReadings: nets that a tool reads otherwise get a note, those beside them none; a difference below zero is
// a warning.
func TestReadings(t *testing.T) {
	const one = `<useroperator declaration="a"/>`
	number := func(n, term string) string {
		return `<numberof><subterm><numberconstant value="` + n + `"><natural/></numberconstant></subterm><subterm>` + term + `</subterm></numberof>`
	}
	op := func(name string, args ...string) string {
		return "<" + name + "><subterm>" + strings.Join(args, "</subterm><subterm>") + "</subterm></" + name + ">"
	}
	net := func(initial, in, back, more string) string {
		arc := func(id, from, to, term string) string {
			return `<arc id="` + id + `" source="` + from + `" target="` + to + `"><hlinscription><structure>` + term + `</structure></hlinscription></arc>`
		}
		page := `<place id="p"><type><structure><usersort declaration="L"/></structure></type><hlinitialMarking><structure>` + initial + `</structure></hlinitialMarking></place>` +
			`<transition id="t"/>` + more + arc("i", "p", "t", in)
		if back != "" {
			page += arc("o", "t", "p", back)
		}
		return coloured(threeColours, page)
	}
	for _, c := range []struct{ name, doc, says string }{
		{"plain", net(one, one, "", ""), ""},
		{"added twice", net(op("add", number("1", one), number("2", one)), one, "", ""), "not their sum"},
		{"added once", net(op("add", one, number("2", `<useroperator declaration="b"/>`)), one, "", ""), ""},
		{"read twice", net(one, number("2", one), number("2", one), ""), "needs several tokens"},
		{"read once", net(one, one, one, ""), ""},
		{"taken and given less", net(one, number("2", one), one, ""), ""},
		{"zero", net(one, one, number("0", one), ""), "weight 0"},
		{"reference place", net(one, one, "", `<referencePlace id="r" ref="p"/>`), "first page alone"},
		{"second page", net(one, one, "", `<page id="page2"/>`), "first page alone"},
		{"below zero", net(op("subtract", number("1", one), number("2", one)), one, "", ""), "the rest is taken as 0"},
		{"twice below zero", net(op("subtract", number("2", one), one, number("2", one)), one, "", ""), "the rest is taken as 0"},
		{"not below zero", net(op("subtract", number("3", one), one, one), one, "", ""), ""},
		{"of all", net(op("subtract", `<all><usersort declaration="L"/></all>`, one), one, "", ""), ""},
	} {
		doc, found := Read(strings.NewReader(c.doc), "f")
		if len(found) > 0 {
			t.Errorf("%s: %v", c.name, found)
			continue
		}
		found = doc.Lint("f")
		if (c.says == "") != (len(found) == 0) || c.says != "" && (len(found) != 1 || !strings.Contains(found[0].Message, c.says) || found[0].Line == 0) {
			t.Errorf("%s: %v", c.name, found)
		}
	}
}
