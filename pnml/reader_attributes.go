package pnml

import (
	"encoding/xml"
	"slices"
	"strings"

	"podium/pnml/diagnostic"
)

// What a net says in attributes and elements that are not read, and that its author may
// have meant.

// labelAttributes are the labels that people write as attributes, by element and attribute.
var labelAttributes = map[string]string{
	"place tokens": "initialMarking", "place marking": "initialMarking", "place initialMarking": "initialMarking", "place name": "name",
	"transition name": "name", "arc weight": "inscription", "arc inscription": "inscription",
}

// maxAttributes bounds the names of attributes that are reported.
const maxAttributes = 20

// attributes warns of attributes without a meaning, once for each name. A plain element
// has only so many.
func (r *reader) attributes(element string, plain int) {
	if r.s.Attrs() <= plain {
		return
	}
	for i := range r.s.Attrs() {
		name, value := r.s.AttrAt(i)
		r.attribute(element, string(name), value)
	}
}

func (r *reader) attribute(element, name string, value []byte) {
	key := element + " " + name
	if slices.Contains([]string{"id", "source", "target", "ref", "xmlns"}, name) || strings.Contains(name, ":") || r.oddAttributes[key] || len(r.oddAttributes) == maxAttributes {
		return
	}
	r.oddAttributes[key] = true
	hint := "remove it"
	if label := labelAttributes[key]; label != "" && (r.symmetric == nil || label == "name") {
		var text strings.Builder
		_ = xml.EscapeText(&text, []byte(diagnostic.Cut(string(value)))) // a builder takes all
		hint = "write <" + label + "><text>" + text.String() + "</text></" + label + "> into the element"
	}
	r.warnf("pnml-attribute", hint, "the attribute %s of <%s> has no meaning and is not read", diagnostic.Cut(name), element)
}

// isMisspelt tells that an element without a meaning stands for a part of the net, which
// would be lost: a node or arc, by the attributes that it has, or a long name.
func (r *reader) isMisspelt(meant string) bool {
	switch meant {
	case "place", "transition", "arc", "page", "referencePlace", "referenceTransition":
		return r.attr("id") != nil
	case "initialMarking", "inscription", "hlinitialMarking", "hlinscription", "condition", "declaration":
		return true
	}
	return false
}
