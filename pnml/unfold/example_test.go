package unfold_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"podium/pnml"
	"podium/pnml/unfold"
)

// A token that is at station 1 moves on from station to station, of which there
// are three.
func Example() {
	const ring = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<declaration><structure><declarations>
<namedsort id="Station" name="Station"><cyclicenumeration><feconstant id="s1" name="1"/><feconstant id="s2" name="2"/><feconstant id="s3" name="3"/></cyclicenumeration></namedsort>
<variabledecl id="x" name="x"><usersort declaration="Station"/></variabledecl>
</declarations></structure></declaration><page id="page">
<place id="at"><type><structure><usersort declaration="Station"/></structure></type><hlinitialMarking><structure><useroperator declaration="s1"/></structure></hlinitialMarking></place>
<transition id="move"/>
<arc id="a1" source="at" target="move"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a2" source="move" target="at"><hlinscription><structure><successor><subterm><variable refvariable="x"/></subterm></successor></structure></hlinscription></arc>
</page></net></pnml>`
	doc, found := pnml.Read(strings.NewReader(ring), "ring.pnml")
	if found.Err() != nil {
		log.Fatal(found)
	}
	unfolding, err := unfold.Unfold(context.Background(), doc.Symmetric, unfold.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	for p := range unfolding.Net.Places.Len() {
		fmt.Println(unfolding.Net.Places.At(p), unfolding.Net.Initial[p])
	}
	for t := range unfolding.Net.Transitions.Len() {
		fmt.Println(unfolding.Net.Transitions.At(t))
	}
	// Output:
	// at_1 1
	// at_2 0
	// at_3 0
	// move_1
	// move_2
	// move_3
}
