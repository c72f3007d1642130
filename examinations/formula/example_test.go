package formula_test

import (
	"fmt"
	"strings"

	"podium/examinations"
	"podium/examinations/formula"
)

// Formulas are read from their XML form and printed as text.
func ExampleRead() {
	const file = `<property-set xmlns="http://mcc.lip6.fr/"><property><id>M-PT-1-CTLFireability-00</id><description>t can always fire again</description>
<formula><all-paths><globally><exists-path><finally><is-fireable><transition>t</transition></is-fireable></finally></exists-path></globally></all-paths></formula></property></property-set>`
	properties, found := formula.Read(strings.NewReader(file), "CTLFireability.xml", examinations.CTLFireability)
	for _, p := range properties {
		fmt.Println(p.ID, formula.Print(p.Formula), found.Err())
	}
	// Output: M-PT-1-CTLFireability-00 A (G (E (F (is-fireable("t"))))) <nil>
}
