package unfold

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"podium/internal/clock/clocktest"
	"podium/pnml"
)

// TestClock: an unfolding that would take hours looks at its clock all the time,
// in every phase.
func TestClock(t *testing.T) {
	for name, guard := range map[string]string{
		"bindings": `<condition><structure><and>` + unequal("a", "b") + unequal("b", "c") + unequal("c", "d") + `</and></structure></condition>`,
		"tests":    `<condition><structure><or>` + strings.Repeat(unequal("a", "a"), 5000) + `</or></structure></condition>`,
	} {
		doc, found := pnml.Read(strings.NewReader(fmt.Sprintf(fourVariables, guard)), name)
		if found.Err() != nil {
			t.Fatal(found)
		}
		for _, looks := range []int{1, 3, 50} {
			ctx := clocktest.Looks(looks)
			_, err := Unfold(ctx, doc.Symmetric, Limits{Steps: 1 << 62})
			if !errors.Is(err, context.Canceled) || ctx.Asked() > looks+2 {
				t.Errorf("%s: %v after %d of %d looks", name, err, ctx.Asked(), looks)
			}
		}
	}
}

func unequal(x, y string) string {
	return fmt.Sprintf(`<subterm><inequality><subterm><variable refvariable="%s"/></subterm><subterm><variable refvariable="%s"/></subterm></inequality></subterm>`, x, y)
}

// fourVariables is a net with 5000^4 candidates.
var fourVariables = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<declaration><structure><declarations><namedsort id="C" name="C"><cyclicenumeration>` + constants(5000) + `</cyclicenumeration></namedsort>` +
	variable("a") + variable("b") + variable("c") + variable("d") + `</declarations></structure></declaration><page id="page">
<place id="p"><type><structure><usersort declaration="C"/></structure></type><hlinitialMarking><structure><all><usersort declaration="C"/></all></structure></hlinitialMarking></place>
<transition id="t">%s</transition>` + input("a") + input("b") + input("c") + input("d") + `</page></net></pnml>`

func constants(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<feconstant id="k%d" name="k%d"/>`, i, i)
	}
	return b.String()
}

func variable(name string) string {
	return `<variabledecl id="` + name + `" name="` + name + `"><usersort declaration="C"/></variabledecl>`
}

func input(name string) string {
	return `<arc id="arc-` + name + `" source="p" target="t"><hlinscription><structure><variable refvariable="` + name + `"/></structure></hlinscription></arc>`
}
