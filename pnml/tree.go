package pnml

import (
	"bytes"
	"strings"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// A document as a tree, for Convert: what a net of people holds is small.

// item is an element, or a text where the name is empty.
type item struct {
	name     string
	attrs    []named
	children []*item
	text     string
	pos      Position
	foreign  bool // it is of another namespace than the root
	gone     bool // it is to be left out
}

type named struct{ name, value string }

// maxItems bounds the tree of a document.
const maxItems = 4 << 20

// readTree reads a document, and returns what holds its root, with the namespace of the root as its text; it is
// nil where the document cannot be read.
func readTree(s *xmlscan.Scanner) (*item, diagnostic.List) {
	top, own := &item{}, ""
	open, count := []*item{top}, 0
	for {
		event := s.Next()
		in := open[len(open)-1]
		switch event {
		case xmlscan.Start:
			if count++; count > maxItems {
				return nil, diagnostic.List{s.Diagnostic(diagnostic.Error, "pnml-limit", "the document is too large to be converted", nextSteps["pnml-limit"])}
			}
			e := &item{name: string(s.Name()), pos: position(s.Pos())}
			for k := range s.Attrs() {
				name, value := s.AttrAt(k)
				if name := string(name); name != "xmlns" && !strings.HasPrefix(name, "xmlns:") {
					e.attrs = append(e.attrs, named{name, string(value)})
				}
			}
			ns := s.Namespace()
			if in == top {
				own = ns
				top.text = ns
			}
			e.foreign = ns != own && ns != pnmlNamespace
			in.children = append(in.children, e)
			open = append(open, e)
		case xmlscan.End:
			open = open[:len(open)-1]
		case xmlscan.Text:
			if text := s.Text(); len(bytes.Trim(text, xmlSpace)) > 0 {
				in.children = append(in.children, &item{text: string(text), pos: position(s.Pos())})
			}
		default:
			if fault, ok := s.Fault(); ok {
				return nil, diagnostic.List{fault}
			}
			return top, nil
		}
	}
}

func (e *item) attr(name string) (value string, ok bool) {
	for _, a := range e.attrs {
		if a.name == name {
			return strings.Trim(a.value, xmlSpace), true
		}
	}
	return "", false
}

// set gives an attribute another value, or one that is missing a first one.
func (e *item) set(name, value string) {
	for k := range e.attrs {
		if e.attrs[k].name == name {
			e.attrs[k].value = value
			return
		}
	}
	e.attrs = append([]named{{name, value}}, e.attrs...)
}

// child returns the first element of a name, nil when there is none.
func (e *item) child(name string) *item {
	for _, c := range e.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// content is the text in an element, with that of the elements in it.
func (e *item) content() string {
	words := strings.Fields(e.text)
	for _, c := range e.children {
		words = append(words, c.content())
	}
	return strings.Trim(strings.Join(words, " "), xmlSpace)
}

// each visits an element and those in it, outermost first, but not what is in sections of tools.
func (e *item) each(visit func(*item)) {
	visit(e)
	if e.name == "toolspecific" {
		return
	}
	for _, c := range e.children {
		if c.name != "" {
			c.each(visit)
		}
	}
}

// labelled makes the element name with a text.
func labelled(name, text string, pos Position) *item {
	return &item{name: name, pos: pos, children: []*item{{name: "text", pos: pos, children: []*item{{text: text}}}}}
}

// treeWriter writes a tree with an element a line, and notes where the elements came from.
type treeWriter struct {
	*xmlWriter
	from []Position // by line
}

func (w *treeWriter) element(e *item, depth int, inText bool) {
	if e.name == "" {
		w.escaped(strings.Trim(e.text, xmlSpace))
		return
	}
	if !inText {
		w.raw("\n" + strings.Repeat(" ", min(depth, 40)))
		w.from = append(w.from, e.pos)
	}
	w.raw("<" + e.name)
	if depth == 0 {
		w.raw(" xmlns=\"" + pnmlNamespace + "\"")
	}
	for _, a := range e.attrs {
		w.raw(" " + a.name + "=\"").escaped(a.value).raw("\"")
	}
	if len(e.children) == 0 {
		w.raw("/>")
		return
	}
	w.raw(">")
	for k, c := range e.children {
		if c.name == "" && k > 0 {
			w.raw(" ")
		}
		w.element(c, depth+1, inText || e.name == "text")
	}
	w.raw("</" + e.name + ">")
}
