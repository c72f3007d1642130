package pnml

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// Change is what Convert changed or left out, how often, and where first.
type Change struct {
	What  string `json:"change"`
	Line  int    `json:"line"`
	Count int    `json:"count"`
}

// Droppable are the words for what Convert leaves out only where it is told to: a net that obeys it is
// another net.
var Droppable = []string{"capacities", "colours", "data", "final", "inhibitor", "priorities", "read", "reset", "special-arcs", "time", "tokens", "transport", "weights"}

// Convert reads a net in the dialect of an editor, and gives it as the grammar and the contest have it:
// in the namespace of PNML with a type of the contest, its nodes in a page, ids that are ids, numbers in
// texts. What an editor adds that changes nothing is left out; what would change the net is an error, unless
// drop has its word of [Droppable]. The findings are those of [Read] on the result, at the places of the
// source; with an error among them there is no result.
func Convert(r io.Reader, file string, drop []string) (net []byte, changes []Change, found diagnostic.List) {
	top, found := readTree(xmlscan.New(r, file))
	if top == nil {
		return nil, nil, found
	}
	root := top.children[0]
	c := &converter{file: file, drop: drop, at: map[string]int{}, grammar: grammars()[0]}
	if top.text != pnmlNamespace {
		c.change(root.pos, "the namespace, %s, is replaced by that of PNML", diagnostic.Excerpt(top.text))
	}
	c.document(root)
	slices.SortStableFunc(c.changes, func(a, b Change) int { return a.Line - b.Line })
	var b bytes.Buffer
	w := treeWriter{xmlWriter: &xmlWriter{w: &b}, from: []Position{{}}}
	w.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
	w.element(root, 0, false)
	w.raw("\n").flush()
	_, read := Read(bytes.NewReader(b.Bytes()), file)
	for _, d := range read {
		if d.Line > 0 && d.Line <= len(w.from) {
			d.Line, d.Col = int(w.from[d.Line-1].Line), int(w.from[d.Line-1].Col)
		}
		c.found.Add(d)
	}
	c.found.Sort()
	if c.found.Err() != nil {
		return nil, c.changes, c.found
	}
	return b.Bytes(), c.changes, c.found
}

type converter struct {
	file    string
	drop    []string
	grammar *grammar
	changes []Change
	at      map[string]int // their indexes
	found   diagnostic.List

	transitions int
	priorities  []statement
	vary        bool
}

func (c *converter) change(pos Position, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	k, there := c.at[what]
	if !there {
		if len(c.changes) == maxFindings {
			return
		}
		k = len(c.changes)
		c.at[what] = k
		c.changes = append(c.changes, Change{What: what, Line: int(pos.Line)})
	}
	c.changes[k].Count++
}

func (c *converter) document(root *item) {
	if root.name != "pnml" {
		return // the reader says so
	}
	for _, net := range root.children {
		if net.name == "net" {
			c.net(net)
			break
		}
	}
	c.fit(root, &c.grammar.elements[elementNumbers["pnml"]], ofNet)
	c.ids(root)
	for _, s := range c.priorities {
		c.judge(s, !c.vary && (plainly(s.value) == "0" || len(c.priorities) == c.transitions))
	}
}

// net gives a net a type of the contest, and a page.
func (c *converter) net(net *item) {
	kind, _ := net.attr("type")
	coloured := false
	net.each(func(e *item) { coloured = coloured || ofSymmetric[e.name] && e.child("structure") != nil })
	if coloured && kind != symmetricType && c.plain(net) {
		coloured = false
	}
	want := ptNetType
	if kind == symmetricType || kind != ptNetType && coloured {
		want = symmetricType
		c.grammar = grammars()[1]
	}
	if kind != want {
		c.change(net.pos, "the type of the net, %s, is replaced by %s", diagnostic.Excerpt(kind), want)
		net.set("type", want)
	}
	page := &item{name: "page", pos: net.pos}
	net.children = slices.DeleteFunc(net.children, func(e *item) bool {
		inPage := slices.Contains(nodes, e.name) || effectOf(ofNet, e.name) == otherArc
		if inPage {
			page.children = append(page.children, e)
		}
		return inPage
	})
	if len(page.children) > 0 || net.child("page") == nil {
		c.change(net.pos, "nodes and arcs stand in a <page>")
		net.children = append(net.children, page)
	}
}

var nodes = []string{"place", "transition", "arc", "referencePlace", "referenceTransition"}

// fit makes an element one of the grammar; what the reader judges better stays.
func (c *converter) fit(e *item, g *element, of owner) {
	of = ownerOf(e.name, of)
	if e.name == "transition" {
		c.transitions++
	}
	numbers := map[*effect]statement{}
	e.attrs = slices.DeleteFunc(e.attrs, func(a named) bool {
		known := slices.ContainsFunc(g.attributes, func(x attribute) bool { return x.name == a.name })
		return !known && c.attribute(e, g, a, of, numbers)
	})
	e.children = slices.DeleteFunc(e.children, func(k *item) bool { return k.name != "" && c.misfit(e, k, g, of, numbers) })
	for says, s := range numbers {
		c.number(e, says, s)
	}
	if e.name == "initialMarking" || e.name == "inscription" {
		c.numberText(e)
	}
}

// misfit reports whether a child has to go; one that may stay is fitted.
func (c *converter) misfit(e, k *item, g *element, of owner, numbers map[*effect]statement) bool {
	in := g.children[numberOf([]byte(k.name))]
	switch {
	case k.foreign:
		return c.other(k, g, of, numbers)
	case k.name == "toolspecific":
		return c.section(k, of, numbers)
	case in.element != 0:
		switch k.name {
		case "structure", "declaration": // terms are for the reader
			return false
		}
		sub := &c.grammar.elements[in.element]
		c.fit(k, sub, of)
		if ofPictures(k.name) && !c.picture(k, sub) {
			c.change(k.pos, "<%s> is no picture of the standard: left out", k.name)
			return true
		}
		if (k.name == "initialMarking" || k.name == "inscription") && k.content() == "" {
			c.change(k.pos, "<%s> holds nothing: left out", k.name)
			return true
		}
		return k.gone
	case k.name == "value" && g.children[nameNumbers["text"]].element != 0 && e.child("text") == nil:
		k.name = "text"
		c.change(k.pos, "<value> of <%s> is <text>", e.name)
		return false
	}
	return c.spelt(e, k, of, false, numbers) || c.stranger(k, g, of, numbers)
}

// other leaves out an element of another namespace, and refuses one that may be meant as part of the net.
func (c *converter) other(k *item, g *element, of owner, numbers map[*effect]statement) bool {
	if nameNumbers[k.name] != 0 && !ofPictures(k.name) && k.name != "name" && k.name != "text" {
		c.found.Add(diagnostic.Diagnostic{File: c.file, Line: int(k.pos.Line), Col: int(k.pos.Col), Severity: diagnostic.Error, Code: "pnml-namespace",
			Message: fmt.Sprintf("<%s> inside <%s> is of another namespace than the net", k.name, g.name), Hint: "write it in the namespace of the elements around it, or remove it"})
		return true
	}
	c.change(k.pos, "<%s> in <%s> is of another namespace: left out", diagnostic.Cut(k.name), g.name)
	c.within(k, of, false, numbers)
	return true
}

// stranger leaves out an element that means nothing, and judges what stands in it. One whose name may be misspelt
// stays, for the reader to ask.
func (c *converter) stranger(k *item, g *element, of owner, numbers map[*effect]statement) bool {
	if _, near := diagnostic.Nearest(k.name, g.names); near || nameNumbers[k.name] != 0 && !ofPictures(k.name) && k.name != "name" {
		return false
	}
	c.change(k.pos, "<%s> in <%s> has no meaning: left out", diagnostic.Cut(k.name), g.name)
	c.within(k, of, false, numbers)
	return true
}

// within judges what stands in an element that is left out.
func (c *converter) within(k *item, of owner, section bool, numbers map[*effect]statement) {
	for _, a := range k.attrs {
		if says := effectOf(of, a.name); says != nil {
			c.state(statement{says: says, name: "the attribute " + diagnostic.Cut(a.name), value: a.value, pos: k.pos, section: section}, numbers)
		}
	}
	for _, inner := range k.children {
		if inner.name != "" && !c.spelt(k, inner, of, section, numbers) {
			c.within(inner, ownerOf(inner.name, of), section, numbers)
		}
	}
}

// section leaves out what a tool says of its own, except nested units, and judges it if the tool is an editor.
func (c *converter) section(k *item, of owner, numbers map[*effect]statement) bool {
	tool, _ := k.attr("tool")
	if tool == "nupn" {
		return false
	}
	c.change(k.pos, "sections of the tool %s are left out", diagnostic.Excerpt(tool))
	if isEditor(tool) {
		c.within(k, of, true, numbers)
	}
	return true
}

// attribute reports whether an attribute has to go.
func (c *converter) attribute(e *item, g *element, a named, of owner, numbers map[*effect]statement) bool {
	says := effectOf(of, a.name)
	switch {
	case g.name != e.name:
	case says != nil:
		if says == otherWeight && a.name == "inscription" && strings.ContainsAny(a.value, "[]()") {
			says = otherTime
		}
		c.state(statement{says: says, name: "the attribute " + a.name, value: strings.Trim(a.value, xmlSpace), pos: e.pos}, numbers)
		e.gone = e.gone || says == arcKind && !says.changesNothing(a.value)
		return true
	case a.name == "name" && e.child("name") == nil && g.children[nameNumbers["name"]].element != 0 && a.value != "":
		e.children = append([]*item{labelled("name", a.value, e.pos)}, e.children...)
		c.change(e.pos, "the attribute name of <%s> is an element", e.name)
		return true
	}
	c.change(e.pos, "the attribute %s of <%s> has no meaning: left out", diagnostic.Cut(a.name), e.name)
	return true
}

// spelt judges a child if it is a spelling of an editor.
func (c *converter) spelt(e, k *item, of owner, section bool, numbers map[*effect]statement) bool {
	name, shown := k.name, "<"+diagnostic.Cut(k.name)+">"
	if key, ok := k.attr("key"); ok && name == "property" {
		name, shown = key, "the property "+diagnostic.Cut(key)
	}
	says := effectOf(of, name)
	if says == nil {
		return false
	}
	value, ok := k.attr("value")
	if id, is := k.attr("id"); !ok && is {
		value, ok = id, true
	}
	if !ok {
		value = k.content()
	}
	c.state(statement{says: says, name: shown, value: value, pos: k.pos, section: section}, numbers)
	e.gone = e.gone || says == arcKind && !says.changesNothing(value)
	return true
}

// state judges a statement, or keeps it until it is known what it would change.
func (c *converter) state(s statement, numbers map[*effect]statement) {
	switch {
	case s.says.number:
		if before, twice := numbers[s.says]; twice && numberOfClasses(before.value) != numberOfClasses(s.value) {
			c.judge(before, false)
		}
		numbers[s.says] = s
	case s.says.together:
		c.vary = c.vary || len(c.priorities) > 0 && plainly(c.priorities[0].value) != plainly(s.value)
		c.priorities = append(c.priorities, s)
	default:
		c.judge(s, s.says.changesNothing(s.value))
	}
}

// judge leaves out what a statement says, or refuses it.
func (c *converter) judge(s statement, neutral bool) {
	value := diagnostic.Excerpt(s.value)
	if s.says == arcKind && slices.Contains([]string{"true", "1", "yes"}, plainly(s.value)) {
		value = diagnostic.Excerpt(strings.TrimPrefix(s.name, "the attribute "))
	}
	word := s.says.word(s.name + value)
	switch {
	case neutral:
		c.change(s.pos, "%s, %s, changes nothing: left out", s.name, value)
	case s.says.severity == diagnostic.Warning:
		c.change(s.pos, "%s, %s, is no part of the contest: left out", s.name, value)
	case slices.Contains(c.drop, word):
		c.change(s.pos, "%s, %s: dropped (%s)", s.name, value, word)
	default:
		c.found.Add(diagnostic.Diagnostic{File: c.file, Line: int(s.pos.Line), Col: int(s.pos.Col), Severity: diagnostic.Error, Code: s.says.code,
			Message: fmt.Sprintf(s.says.message, s.name, value), Hint: "the contest has no such thing: --drop " + word + " writes the net without it"})
	}
}

// word is the word of Droppable for what an effect says.
func (e *effect) word(said string) string {
	switch e {
	case arcKind, otherArc:
		said = plainly(said)
		for _, w := range []struct{ part, word string }{{"inhibit", "inhibitor"}, {"reset", "reset"}, {"flush", "reset"}, {"clear", "reset"}, {"empty", "reset"}, {"transport", "transport"}, {"read", "read"}, {"test", "read"}} {
			if strings.Contains(said, w.part) {
				return w.word
			}
		}
		return "special-arcs"
	case otherWeight:
		return "weights"
	case otherTokens:
		return "tokens"
	case capacity:
		return "capacities"
	case priority:
		return "priorities"
	case otherTime:
		return "time"
	case otherColour:
		return "colours"
	case data:
		return "data"
	}
	return "final"
}

// labels are where the numbers of places and arcs belong.
var labels = map[*effect]string{otherTokens: "initialMarking", otherWeight: "inscription"}

// number writes the number that an editor has in a spelling of its own into its label, unless there is one.
func (c *converter) number(e *item, says *effect, s statement) {
	label := e.child(labels[says])
	value, missing := numberOfClasses(s.value), map[*effect]string{otherTokens: "0", otherWeight: "1"}[says]
	_, err := strconv.ParseUint(value, 10, 64)
	switch {
	case value == "" || label != nil && value == label.content() || label == nil && value == missing:
		c.judge(s, true)
	case label == nil && err == nil && c.grammar == grammars()[0]:
		c.change(s.pos, "%s is <%s>", s.name, labels[says])
		e.children = append(e.children, labelled(labels[says], value, s.pos))
	default:
		c.judge(s, false)
	}
}

// numberOfClasses returns the number of PIPE's tokens, which name their class: Default,1.
func numberOfClasses(value string) string {
	words := strings.Split(strings.ReplaceAll(value, " ", ""), ",")
	if len(words) < 2 {
		return strings.TrimSuffix(value, ".0")
	}
	number := ""
	for k := 0; k+1 < len(words); k += 2 {
		switch class, n := words[k], words[k+1]; {
		case n == "0":
		case strings.EqualFold(class, "default") && number == "":
			number = n
		default:
			return value
		}
	}
	if len(words)%2 != 0 {
		return value
	}
	if number == "" {
		return "0"
	}
	return number
}

// numberText writes the number of a label plainly.
func (c *converter) numberText(e *item) {
	text := e.child("text")
	if text == nil {
		return
	}
	value := text.content()
	if plain := numberOfClasses(value); plain != value {
		c.change(e.pos, "%s in <%s> is %s", diagnostic.Excerpt(value), e.name, plain)
		text.children = []*item{{text: plain}}
	}
}

// picture reports whether a part of a picture is as the grammar has it.
func (c *converter) picture(e *item, g *element) bool {
	e.attrs = slices.DeleteFunc(e.attrs, func(a named) bool {
		return !slices.ContainsFunc(g.attributes, func(x attribute) bool {
			if x.name != a.name || x.form == nil {
				return x.name == a.name
			}
			_, ok := x.form([]byte(a.value))
			return ok
		})
	})
	for k, a := range g.attributes {
		if _, ok := e.attr(a.name); g.needed>>k&1 != 0 && !ok {
			return false
		}
	}
	seen := uint32(0)
	for _, k := range e.children {
		if k.name == "" {
			return false
		}
		in := g.children[numberOf([]byte(k.name))]
		bit := uint32(1) << in.slot
		if in.element == 0 || seen&bit&g.single != 0 {
			return false
		}
		seen |= bit
	}
	slices.SortStableFunc(e.children, func(a, b *item) int {
		return int(g.children[numberOf([]byte(a.name))].slot) - int(g.children[numberOf([]byte(b.name))].slot)
	})
	return g.required&^seen == 0
}

// plain writes a layer of colours that are all dots as numbers, and reports whether it could.
func (c *converter) plain(net *item) bool {
	dots, numbers := true, map[*item]uint64{}
	net.each(func(e *item) {
		switch e.name {
		case "namedsort", "type":
			e.each(func(s *item) {
				dots = dots && slices.Contains([]string{"namedsort", "type", "structure", "text", "dot", "usersort", "graphics", "offset"}, s.name)
			})
		case "variabledecl", "partition", "condition":
			dots = false
		case "hlinitialMarking", "hlinscription":
			if structure := e.child("structure"); structure != nil && len(structure.children) == 1 {
				n, ok := count(structure.children[0])
				numbers[e] = n
				dots = dots && ok
			} else {
				dots = dots && structure == nil && e.content() == ""
			}
		}
	})
	net.each(func(e *item) {
		for _, k := range e.children {
			if other := e.child(strings.TrimPrefix(k.name, "hl")); dots && k.name[:min(2, len(k.name))] == "hl" && other != nil && k.child("structure") != nil {
				dots = numberOfClasses(other.content()) == strconv.FormatUint(numbers[k], 10)
			}
		}
	})
	if !dots {
		return false
	}
	net.each(func(e *item) {
		var made []*item
		e.children = slices.DeleteFunc(e.children, func(k *item) bool {
			label, coloured := strings.CutPrefix(k.name, "hl")
			if coloured && ofSymmetric[k.name] && k.child("structure") != nil && e.child(label) == nil {
				made = append(made, labelled(label, strconv.FormatUint(numbers[k], 10), k.pos))
			}
			return ofSymmetric[k.name] || k.name == "type" && e.name == "place"
		})
		e.children = append(e.children, made...)
	})
	c.change(net.pos, "all colours are dots: markings and inscriptions are numbers")
	return true
}

// count returns how many dots a term is.
func count(t *item) (n uint64, ok bool) {
	var args []uint64
	for _, sub := range t.children {
		if sub.name == "subterm" && len(sub.children) == 1 && (t.name == "add" || t.name == "numberof" || t.name == "scalarproduct") {
			n, ok := count(sub.children[0])
			if !ok {
				return 0, false
			}
			args = append(args, n)
		}
	}
	switch {
	case t.name == "dotconstant" || t.name == "all":
		return 1, true
	case t.name == "numberconstant":
		value, _ := t.attr("value")
		n, err := parseNatural([]byte(value))
		return n, err == nil && n <= 1<<32
	case t.name == "empty":
		return 0, true
	case t.name == "add" && len(args) == len(t.children) && len(args) > 0:
		for _, a := range args {
			n += a
		}
		return n, n <= 1<<32
	case (t.name == "numberof" || t.name == "scalarproduct") && len(args) == 2 && len(t.children) == 2:
		return args[0] * args[1], args[0] <= 1<<16 && args[1] <= 1<<16 || args[1] == 1
	}
	return 0, false
}

// ids gives every element that needs one an id of XML of its own. Nodes with one id stay: nobody knows which of them
// an arc means.
func (c *converter) ids(root *item) {
	taken, fresh := map[string]bool{}, map[string]string{}
	root.each(func(e *item) {
		if id, ok := e.attr("id"); ok {
			taken[id] = true
		}
	})
	free := func(id string) string {
		for taken[id] {
			id += "_"
		}
		taken[id] = true
		return id
	}
	seen := map[string]bool{}
	root.each(func(e *item) { // ids that others name
		id, ok := e.attr("id")
		if ok && e.name != "arc" && e.name != "page" && e.name != "net" {
			seen[id] = true
			if AsID(id) != id && id != "" && fresh[id] == "" {
				fresh[id] = free(AsID(id))
				c.change(e.pos, "the id %s is %s", diagnostic.Excerpt(id), fresh[id])
			}
		}
	})
	number := 0
	root.each(func(e *item) {
		switch e.name {
		case "net", "page", "arc", "place", "transition":
			id, _ := e.attr("id")
			own := e.name == "place" || e.name == "transition"
			switch {
			case id == "" || !own && (seen[id] || AsID(id) != id):
				old := id
				for id = e.name + strconv.Itoa(number); taken[id]; id = e.name + strconv.Itoa(number) {
					number++
				}
				taken[id] = true
				if old == "" {
					c.change(e.pos, "<%s> without id: it gets one of its own", e.name)
				} else {
					c.change(e.pos, "<%s> with the id of another element, or one that is no id of XML: it gets one of its own", e.name)
				}
				e.set("id", id)
			case !own:
				seen[id] = true
			}
		case "toolspecific":
			c.units(e, fresh)
		}
		for k, a := range e.attrs {
			switch a.name {
			case "id", "source", "target", "ref", "declaration", "refvariable", "refpartition":
				if id := fresh[strings.Trim(a.value, xmlSpace)]; id != "" {
					e.attrs[k].value = id
				}
			}
		}
	})
}

// units names places in nested units again.
func (c *converter) units(section *item, fresh map[string]string) {
	if len(fresh) == 0 {
		return
	}
	for _, inner := range section.children {
		inner.each(func(e *item) {
			if e.name != "places" {
				return
			}
			words := strings.Fields(e.content())
			for k, id := range words {
				if fresh[id] != "" {
					words[k] = fresh[id]
				}
			}
			e.children = []*item{{text: strings.Join(words, " ")}}
		})
	}
}
