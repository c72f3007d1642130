package pnml_test

import (
	"fmt"
	"strings"

	"podium/pnml"
)

// A net is read, and what is wrong with it is said with a position.
func ExampleRead() {
	const net = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>2</text></initialMarking></place><transition id="t"/><arc id="a" source="p" target="t"/></page></net></pnml>`
	doc, found := pnml.Read(strings.NewReader(net), "net.pnml")
	fmt.Println(doc.Net.Places.Len(), doc.Net.Transitions.Len(), found.Err())
	_, found = pnml.Read(strings.NewReader("<pnml>"), "torn.pnml")
	fmt.Println(found.Err() != nil)
	// Output:
	// 1 1 <nil>
	// true
}
