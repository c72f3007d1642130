package pnml

import (
	"fmt"
	"strings"
	"testing"

	"podium/pnml/xmlscan"
)

// chain is a document of n reference places, each of which leads to the one before
// it, the first one to the given place; an arc leads to each of them.
func chain(n int, to string) string {
	var b strings.Builder
	b.WriteString(`<pnml xmlns="` + pnmlNamespace + `"><net id="n" type="` + ptNetType + `"><page id="g"><place id="p"/><transition id="t"/>`)
	for i := range n {
		fmt.Fprintf(&b, `<referencePlace id="r%06d" ref="%s"/><arc id="a%d" source="t" target="r%06d"/>`, i, to, i, i)
		to = fmt.Sprintf("r%06d", i)
	}
	b.WriteString(`</page></net></pnml>`)
	return b.String()
}

// backwards lets the chain begin with the largest id, so that ids in order begin at
// its far end.
func backwards(n int, text string) string {
	for i := range n {
		text = strings.ReplaceAll(text, fmt.Sprintf("r%06d", i), fmt.Sprintf("R%06d", n-1-i))
	}
	return text
}

// TestReferenceChains: a chain of reference nodes takes steps in proportion to its
// length, in whatever order its nodes are asked for, also when it leads nowhere or
// back to itself.
func TestReferenceChains(t *testing.T) {
	const long, short = 20_000, 400
	for name, c := range map[string]struct {
		text string
		n    int
		fine bool
	}{
		"forth":      {chain(long, "p"), long, true},
		"back":       {backwards(short, chain(short, "p")), short, true},
		"to no node": {chain(long, "q"), long, false},
		"in a ring":  {chain(long, fmt.Sprintf("r%06d", long-1)), long, false},
	} {
		r := newReader(xmlscan.New(strings.NewReader(c.text), name))
		doc := r.document()
		if r.followed == 0 || r.followed > 3*c.n {
			t.Errorf("%s: %d steps for %d nodes", name, r.followed, c.n)
		}
		wrong := r.diags.Err() != nil
		if wrong == c.fine {
			t.Errorf("%s: %v", name, r.diags)
		}
		if c.fine && doc.Net.Post.WeightAt(0) != uint64(c.n) {
			t.Errorf("%s: the arcs weigh %d together", name, doc.Net.Post.WeightAt(0))
		}
	}
}
