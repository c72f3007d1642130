package models

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"podium/pnml"
	"podium/pnml/xmlscan"
)

// pnmlNamespace is that of ISO/IEC 15909-2.
const pnmlNamespace = "http://www.pnml.org/version-2009/grammar/pnml"

// children calls each for every element inside the one whose Start was the last
// event. each reads its element to the End. Decoration is passed over.
func (x *netStripper) children(each func(name string)) {
	for {
		switch x.s.Next() {
		case xmlscan.EOF, xmlscan.End:
			return
		case xmlscan.Start:
			switch name := string(x.s.Name()); name {
			case "name", "graphics":
				x.s.Skip()
			case "toolspecific":
				x.units()
			default:
				each(name)
			}
		}
	}
}

// unknown refuses an element that may mean something.
func (x *netStripper) unknown(name, inside string) {
	x.refuse("models-strip-element", "<%s> in <%s> is not known to be harmless", name, inside)
	x.s.Skip()
}

// document writes the whole document. Only the nodes of one page at a time are
// in memory.
func (x *netStripper) document(w *bufio.Writer) {
	if x.s.Next() != xmlscan.Start {
		return
	}
	fmt.Fprintf(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pnml xmlns=%q>\n", pnmlNamespace)
	x.children(func(name string) {
		if name != "net" {
			x.unknown(name, "pnml")
			return
		}
		kind, _ := x.s.Attr("type")
		fmt.Fprintf(w, "<net id=\"%s\" type=\"%s\">\n", pnml.AsID(x.net.renaming.Stripped), escape(kind))
		x.children(func(name string) {
			switch name {
			case "page":
				x.page(w)
			case "declaration":
				var b bytes.Buffer
				x.structured(&b, name)
				w.Write(b.Bytes())
			default:
				x.unknown(name, "net")
			}
		})
		x.pending.WriteTo(w)
		w.WriteString("</net>\n")
	})
	w.WriteString("</pnml>\n")
}

func escape(text []byte) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, text); err != nil {
		return ""
	}
	return b.String()
}

// span is where one node of a page lies in the text of all of them.
type span struct{ from, to int }

// page writes a page: its own nodes in random order, unless it is kept, then the pages
// in it. The numbers of arcs come last, so that they do not tell the old order.
func (x *netStripper) page(w *bufio.Writer) {
	x.pages++
	fmt.Fprintf(w, "<page id=\"%s%d\">\n", x.net.prefixes["g"], x.pages)
	var declarations, text, inner bytes.Buffer
	var places, transitions, arcs []span
	x.children(func(name string) {
		from := text.Len()
		switch name {
		case "place", "referencePlace":
			x.node(&text, name)
			places = append(places, span{from, text.Len()})
		case "transition", "referenceTransition":
			x.node(&text, name)
			transitions = append(transitions, span{from, text.Len()})
		case "arc":
			x.arc(&text)
			arcs = append(arcs, span{from, text.Len()})
		case "declaration":
			x.structured(&declarations, name)
		case "page":
			deeper := bufio.NewWriter(&inner)
			x.page(deeper)
			deeper.Flush()
		default:
			x.unknown(name, "page")
		}
	})
	w.Write(declarations.Bytes())
	for _, nodes := range [][]span{places, transitions} {
		x.shuffle(nodes)
		for _, n := range nodes {
			w.Write(text.Bytes()[n.from:n.to])
		}
	}
	x.shuffle(arcs)
	for _, n := range arcs {
		x.arcs++
		w.WriteString("<arc id=\"")
		w.WriteString(x.net.prefixes["a"])
		w.Write(strconv.AppendInt(w.AvailableBuffer(), int64(x.arcs), 10))
		w.Write(text.Bytes()[n.from:n.to])
	}
	w.Write(inner.Bytes())
	x.pending.WriteTo(w)
	w.WriteString("</page>\n")
}

func (x *netStripper) shuffle(nodes []span) {
	if x.net.keepOrder {
		return
	}
	x.net.random.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
}

// reference returns the new id of the attribute's value.
func (x *netStripper) reference(attribute string) string {
	value, ok := x.s.Attr(attribute)
	if !ok {
		x.refuse("models-strip-reference", "<%s> has no attribute %s", x.s.Name(), attribute)
		return ""
	}
	fresh, ok := x.net.renaming.New(strings.Trim(string(value), xmlSpace))
	if !ok {
		x.refuse("models-strip-reference", "%s=%q names nothing in this net", attribute, value)
	}
	return fresh
}

// attribute writes an attribute whose value is an id.
func (x *netStripper) attribute(b *bytes.Buffer, name string) {
	b.WriteByte(' ')
	b.WriteString(name)
	b.WriteString("=\"")
	b.WriteString(x.reference(name)) // p12 and the like: nothing to escape
	b.WriteByte('"')
}

// node strips a place, a transition or a reference to one.
func (x *netStripper) node(b *bytes.Buffer, name string) {
	b.WriteByte('<')
	b.WriteString(name)
	x.attribute(b, "id")
	if strings.HasPrefix(name, "reference") {
		x.attribute(b, "ref")
	}
	x.labels(b, name)
}

// arc strips an arc but for the beginning, up to its number.
func (x *netStripper) arc(b *bytes.Buffer) {
	b.WriteByte('"')
	x.attribute(b, "source")
	x.attribute(b, "target")
	x.labels(b, "arc")
}

// labels writes the labels of a node and its end tag; the start tag is open.
func (x *netStripper) labels(b *bytes.Buffer, parent string) {
	empty := true
	x.children(func(name string) {
		if empty {
			b.WriteString(">")
			empty = false
		}
		switch name {
		case "initialMarking", "inscription":
			x.number(b, name)
		case "type", "hlinitialMarking", "hlinscription", "condition":
			x.structured(b, name)
		default:
			x.unknown(name, parent)
		}
	})
	if empty {
		b.WriteString("/>\n")
		return
	}
	fmt.Fprintf(b, "</%s>\n", parent)
}

// bare refuses attributes: on a label they would mean something, such as an
// arc of another kind.
func (x *netStripper) bare() {
	for k := range x.s.Attrs() {
		if name, _ := x.s.AttrAt(k); !strings.HasPrefix(string(name), "xmlns") {
			x.refuse("models-strip-attribute", "attribute %s of <%s> is not known to be harmless", name, x.s.Name())
		}
	}
}

// number strips a label that holds a number in <text>.
func (x *netStripper) number(b *bytes.Buffer, label string) {
	x.bare()
	var text string
	x.children(func(name string) {
		if name != "text" {
			x.unknown(name, label)
			return
		}
		if text = strings.Trim(string(x.s.ElementText()), xmlSpace); !isNumber(text) {
			x.refuse("models-strip-number", "%q is no number", shorten(text))
		}
	})
	fmt.Fprintf(b, "<%s><text>%s</text></%s>", label, escape([]byte(text)), label)
}

const xmlSpace = " \t\r\n"

// isNumber reports whether a text is digits, behind a sign or none: whether the number fits, reading the net says.
func isNumber(text string) bool {
	digits := strings.TrimLeft(text[:min(1, len(text))], "+-") + text[min(1, len(text)):]
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// structured strips a label whose meaning is in <structure>; its <text> is for
// people and goes.
func (x *netStripper) structured(b *bytes.Buffer, label string) {
	x.bare()
	fmt.Fprintf(b, "<%s>", label)
	x.children(func(name string) {
		switch name {
		case "text":
			x.s.Skip()
		case "structure":
			x.term(b, "structure")
		default:
			x.unknown(name, label)
		}
	})
	fmt.Fprintf(b, "</%s>", label)
}

// term copies a term or declaration with new ids. Every operator and sort is an
// element, so no element needs to be known here; every attribute does.
func (x *netStripper) term(b *bytes.Buffer, name string) {
	fmt.Fprintf(b, "<%s", name)
	for k := range x.s.Attrs() {
		attribute, value := x.s.AttrAt(k)
		switch a := string(attribute); a {
		case "id", "declaration", "refvariable", "refpartition", "ref":
			x.attribute(b, a)
		case "name":
			fmt.Fprintf(b, " name=\"%s\"", x.reference("id"))
		case "value", "start", "end":
			text := strings.Trim(string(value), xmlSpace)
			if !isNumber(text) && text != "true" && text != "false" {
				x.refuse("models-strip-number", "%s=%q is no number", a, value)
			}
			fmt.Fprintf(b, " %s=\"%s\"", a, escape(value))
		default:
			if !strings.HasPrefix(a, "xmlns") {
				x.refuse("models-strip-attribute", "attribute %s of <%s> is not known to be harmless", a, name)
			}
		}
	}
	b.WriteString(">")
	x.children(func(inner string) { x.term(b, inner) })
	fmt.Fprintf(b, "</%s>", name)
}
