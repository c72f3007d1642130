package formula

import (
	"slices"
	"strings"
	"testing"
)

// TestSuggestionsCouldStandThere: a suggestion names only what could stand in that place, and of
// a word of the schema in a wrong place the right one is said.
func TestSuggestionsCouldStandThere(t *testing.T) {
	net := NamesOf(ring(t, 3, 1, false))
	atom := `<is-fireable><transition>t0</transition></is-fireable>`
	for _, c := range []struct{ formula, said string }{
		{"<exists-path><finally><tokens-count><place>p0</place></tokens-count></finally></exists-path>",
			"<tokens-count> where a formula is expected [formula-unsupported]; it stands in <integer-le>, <integer-sum> and <integer-difference>"},
		{"<exists-path><finally><integer-le>" + atom + "<integer-constant>1</integer-constant></integer-le></finally></exists-path>",
			"<is-fireable> where a number is expected [formula-unsupported]; it stands in <formula> and in operators of formulas"},
		{"<exists-path><finally><token-count/></finally></exists-path>", "<token-count> is no operator of the schema [formula-unsupported]; write operators of the contest's schema"},
		{"<exists-path><finally><integer-le><token-count/><integer-constant>1</integer-constant></integer-le></finally></exists-path>", "did you mean <tokens-count>?"},
		{"<exists-path><finally><is-firable/></finally></exists-path>", "did you mean <is-fireable>?"},
		{"<exists-path><finally><is-fireable><place>p0</place></is-fireable></finally></exists-path>",
			"<place> where <is-fireable> holds <transition> [formula-element]; it stands in <tokens-count> and <place-bound>"},
		{"<exists-path><finally><is-fireable><transitions>t0</transitions></is-fireable></finally></exists-path>", "did you mean <transition>?"},
		{"<exists-path><finally><before>" + atom + "</before></finally></exists-path>", "<before> where a formula is expected [formula-unsupported]; it stands in <until>"},
		{"<exists-path><until><reach>" + atom + "</reach><befor>" + atom + "</befor></until></exists-path>", "did you mean <before>?"},
		{"<exists-path><until><reach>" + atom + "</reach>" + atom + "</until></exists-path>", "[formula-element]; it stands in <formula> and in operators of formulas"},
		{"<exists-path><finally><formula>" + atom + "</formula></finally></exists-path>", "<formula> where a formula is expected [formula-unsupported]; it stands in <property>"},
		{"<exists-path><finally><place>p0</place></finally></exists-path>", "<place> where a formula is expected [formula-unsupported]; it stands in <tokens-count> and <place-bound>"},
		{"<exists-path><finally><is-fireable><transition>p1</transition></is-fireable></finally></exists-path>",
			`the net has no transition "p1" [formula-unknown-transition]; it is a place: ask for it in <tokens-count> or <place-bound>`},
		{"<exists-path><finally><integer-le><tokens-count><place>t1</place></tokens-count><integer-constant>1</integer-constant></integer-le></finally></exists-path>",
			`the net has no place "t1" [formula-unknown-place]; it is a transition: ask for it in <is-fireable>`},
		{"<exists-path><finally><is-fireable><transition>t00</transition></is-fireable></finally></exists-path>", `did you mean "t0"?`},
	} {
		_, list := ReadOf(strings.NewReader(set(c.formula)), "f.xml", "", net)
		if len(list) != 1 || !strings.Contains(list[0].Error(), c.said) {
			t.Errorf("%s: %v, want %s", c.formula, list, c.said)
		}
	}
	_, list := ReadOf(strings.NewReader("<property-set><property><id>a</id><formla/><formula>"+atom+"</formula></property><formula/><propety/></property-set>"), "f.xml", "", net)
	for _, want := range []string{"did you mean <formula>?", "it stands in <property>", "did you mean <property>?"} {
		if !strings.Contains(list.Error(), want) {
			t.Errorf("%v: does not say %s", list, want)
		}
	}
}

// TestEveryWordHasItsPlace: every element of the schema stands in some place, and no word that
// stands there is said to stand elsewhere, or is suggested for itself.
func TestEveryWordHasItsPlace(t *testing.T) {
	for name := range elements {
		if name != "property" && standsElsewhere(name) == "" {
			t.Errorf("where does <%s> stand?", name)
		}
	}
	for place, list := range mayStand {
		for _, name := range list {
			if elements[name] == "" {
				t.Errorf("<%s> is no element", name)
			}
		}
		for name := range elements {
			hint := meantElement(name, place)
			if strings.Contains(hint, "did you mean") && !slices.Contains(list, name) || strings.Contains(hint, "<"+name+">?") {
				t.Errorf("<%s> in %s: %s", name, place, hint)
			}
		}
	}
}
