package formula

import (
	"strings"
	"testing"

	"podium/pnml/diagnostic"
)

// TestForeignFormulas: elements of another namespace, and elements inside of a text, are not
// read as if they were of the formula.
func TestForeignFormulas(t *testing.T) {
	for _, formula := range []string{
		`<y:deadlock xmlns:y="urn:y"/>`,
		`<deadlock xmlns="urn:y"/>`,
		`<negation><y:deadlock xmlns:y="urn:y"/></negation>`,
		`<is-fireable><y:transition xmlns:y="urn:y">t0</y:transition></is-fireable>`,
		`<is-fireable><transition>t0</transition><transition xmlns="">t1</transition></is-fireable>`,
		`<is-fireable><transition>t0<y>1</y></transition></is-fireable>`,
		`<integer-le><integer-constant>1<y:b xmlns:y="urn:y">2</y:b></integer-constant><integer-constant>2</integer-constant></integer-le>`,
	} {
		properties, found := Read(strings.NewReader(set(formula)), "f", "")
		if len(properties) > 0 || found.Err() == nil || found[0].Code != "formula-element" {
			t.Errorf("%s: %v", formula, found)
		}
	}
	if properties, found := Read(strings.NewReader(set(`<deadlock xmlns="http://mcc.lip6.fr/"/>`)), "f", ""); len(properties) != 1 || len(found) > 0 {
		t.Error(found)
	}
	bare := strings.Replace(set("<deadlock/>"), ` xmlns="http://mcc.lip6.fr/"`, "", 1)
	if properties, found := Read(strings.NewReader(bare), "f", ""); len(properties) != 1 || len(found) > 0 {
		t.Error(found)
	}
}

// TestNamedTwice: a place that a sum names twice is counted twice, which is said.
func TestNamedTwice(t *testing.T) {
	for formula, warnings := range map[string]int{
		`<place-bound><place>p</place><place>q</place><place>p</place></place-bound>`:                                                         1,
		`<place-bound><place>p</place><place>q</place></place-bound>`:                                                                         0,
		`<integer-le><integer-constant>1</integer-constant><tokens-count><place>p</place><place>p</place></tokens-count></integer-le>`:        1,
		`<is-fireable><transition>t</transition><transition>t</transition></is-fireable>`:                                                     0,
		`<integer-le><tokens-count><place>p</place></tokens-count><tokens-count><place>p</place><place>q</place></tokens-count></integer-le>`: 0,
	} {
		properties, found := Read(strings.NewReader(set(formula)), "f", "")
		if len(properties) != 1 || len(found) != warnings || found.Count(diagnostic.Warning) != warnings || warnings > 0 && found[0].Code != "formula-twice" {
			t.Errorf("%s: %v", formula, found)
		}
	}
}
