package models

import (
	"bytes"
	"fmt"
	"strings"
)

// units copies the units of NUPN, with new names of places and units, where the order
// is kept; other tool-specific sections are passed over. The text waits for the end of
// the page. Source: Garavel, Nested-Unit Petri Nets (2019).
func (x *netStripper) units() {
	tool, _ := x.s.Attr("tool")
	if !x.net.keepOrder || string(tool) != "nupn" {
		x.s.Skip()
		return
	}
	names := map[string]string{}
	x.nupn(&x.pending, "toolspecific", func(old string) string {
		if names[old] == "" {
			names[old] = fmt.Sprintf("u%d", len(names)+1)
		}
		return names[old]
	})
}

// nupn copies one element of the section. Lists of names are the text of places and
// subunits.
func (x *netStripper) nupn(b *bytes.Buffer, name string, unit func(string) string) {
	fmt.Fprintf(b, "<%s", name)
	for k := range x.s.Attrs() {
		attribute, value := x.s.AttrAt(k)
		text := escape(value)
		switch a := string(attribute); a {
		case "id", "root":
			text = unit(string(value))
			fallthrough
		case "tool", "version", "places", "transitions", "arcs", "units", "safe":
			fmt.Fprintf(b, " %s=\"%s\"", a, text)
		default:
			x.refuse("models-strip-attribute", "attribute %s of <%s> is not known to be harmless", a, name)
		}
	}
	b.WriteString(">")
	switch name {
	case "places", "subunits":
		for _, old := range strings.Fields(string(x.s.ElementText())) {
			fresh := unit
			if name == "places" {
				fresh = x.place
			}
			b.WriteString(fresh(old) + " ")
		}
	case "toolspecific", "structure", "unit", "size":
		x.children(func(inner string) { x.nupn(b, inner, unit) })
	default:
		x.unknown(name, "toolspecific")
	}
	fmt.Fprintf(b, "</%s>", name)
}

// place returns the new id of a place of a unit.
func (x *netStripper) place(old string) string {
	fresh, ok := x.net.renaming.New(old)
	if !ok {
		x.refuse("models-strip-reference", "%q in <places> names nothing in this net", shorten(old))
	}
	return fresh
}
