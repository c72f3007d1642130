package pnml_test

import (
	"fmt"
	"strings"

	"podium/pnml"
)

// net has a place with two tokens, which its transition takes one by one.
const net = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>2</text></initialMarking></place><transition id="t"/><arc id="a" source="p" target="t"/></page></net></pnml>`

// A net is read, and what is wrong with it is said with a position.
func ExampleRead() {
	doc, found := pnml.Read(strings.NewReader(net), "net.pnml")
	fmt.Println(doc.Net.Places.Len(), doc.Net.Transitions.Len(), found.Err())
	_, found = pnml.Read(strings.NewReader("<pnml>"), "torn.pnml")
	fmt.Println(found.Err() != nil)
	// Output:
	// 1 1 <nil>
	// true
}

// The structural part of the model form, of which the properties that hold are
// printed.
func ExampleNet_Properties() {
	doc, found := pnml.Read(strings.NewReader(net), "net.pnml")
	if found.Err() != nil {
		fmt.Println(found)
		return
	}
	for _, p := range doc.Net.Properties() {
		if p.Holds {
			fmt.Println(p.Name)
		}
	}
	// Output:
	// ORDINARY
	// SIMPLE_FREE_CHOICE
	// EXTENDED_FREE_CHOICE
	// CONNECTED
	// SOURCE_PLACE
	// SINK_TRANSITION
	// LOOP_FREE
	// SUBCONSERVATIVE
}
