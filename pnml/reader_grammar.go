package pnml

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// Reading by the grammar: each element is looked up in the table where it begins, and what
// it lacks is said where it ends. Readers see only what they can read.

// frame is an open element, and the slots of its children that were seen.
type frame struct {
	seen    uint32
	element uint8
}

// open is the innermost open element.
func (r *reader) open() *element {
	return &r.grammar.elements[r.frames[len(r.frames)-1].element]
}

// next goes to the next child of the innermost open element that can be read: true at its
// Start, false when the element is over.
func (r *reader) next() bool {
	for {
		switch r.s.Next() {
		case xmlscan.Start:
			if r.enter() {
				return true
			}
		case xmlscan.Text:
			if e := r.open(); !e.holdsText {
				r.stray(e.name)
			}
		case xmlscan.End:
			r.leave()
			return false
		default:
			return false
		}
	}
}

// enter looks up the element at the current Start. It reports false for one that is not to be
// read, and passed over it.
func (r *reader) enter() bool {
	if !r.ours() {
		r.foreign()
		return false
	}
	top := &r.frames[len(r.frames)-1]
	e := &r.grammar.elements[top.element]
	c := e.children[numberOf(r.s.Name())]
	if c.element == 0 {
		r.unknown(e)
		return false
	}
	slot := &e.slots[c.slot]
	bit := uint32(1) << c.slot
	switch {
	case c.standing == reported:
		r.misplaced(e)
	case top.seen&bit&e.single != 0:
		r.again(e, slot)
		return false
	case top.seen&slot.later != 0:
		r.unordered(e, slot)
	}
	top.seen |= bit
	r.enterAs(c.element)
	return true
}

// enterAs opens an element, and checks its attributes.
func (r *reader) enterAs(number uint8) {
	r.frames = append(r.frames, frame{element: number})
	r.attributes(&r.grammar.elements[number])
}

// leave closes the innermost open element, and says what it lacks.
func (r *reader) leave() {
	top := r.frames[len(r.frames)-1]
	if e := &r.grammar.elements[top.element]; e.required&^top.seen != 0 {
		r.lacking(e, top.seen)
	}
	r.close()
}

// close is leave for an element that lacks nothing.
func (r *reader) close() { r.frames = r.frames[:len(r.frames)-1] }

// skip passes over an element that was entered, by the grammar.
func (r *reader) skip() {
	for r.next() {
		r.skip()
	}
}

// text returns the text of the element that was entered.
func (r *reader) text() []byte {
	e := r.open()
	text := r.s.ElementTextWith(func() {
		if !r.ours() {
			r.foreign()
			return
		}
		r.unknown(e)
	})
	r.close()
	return text
}

// ofPictures reports whether a fault is one of pictures alone, which is a warning.
func ofPictures(name string) bool {
	switch name {
	case "graphics", "position", "offset", "dimension", "fill", "line", "font":
		return true
	}
	return false
}

// fault reports that an element is not as the grammar has it.
func (r *reader) fault(e *element, name, code, hint, format string, args ...any) {
	severity := diagnostic.Error
	if ofPictures(e.name) || ofPictures(name) || e.name == "name" && nameNumbers[name] == 0 {
		severity = diagnostic.Warning
	}
	r.add(r.pos(), severity, code, hint, format, args...)
}

// unknown passes over an element that may not stand where it stands.
func (r *reader) unknown(e *element) {
	name := string(r.s.Name())
	shown := diagnostic.Cut(name)
	switch {
	case r.symmetric == nil && (ofSymmetric[name] || name == "type" && e.name == "place"):
		r.symmetricLabel(name)
		return
	case r.spelt(ownerOf(e.name, 0), false):
		return
	case r.unknownTerm(e, shown):
	default:
		hint := "remove it"
		if e.children[nameNumbers["toolspecific"]].element != 0 {
			hint = "remove it, or put what belongs to a tool into <toolspecific>"
		}
		if near, ok := diagnostic.Nearest(name, e.names); ok && near != name {
			hint = "did you mean <" + near + ">?"
			if id := r.attr("id"); id != nil && len(r.strayed) < maxFindings {
				r.strayed[string(id)] = r.pos()
			}
		} else if holds := e.holds(); holds != "" {
			hint += "; inside <" + e.name + "> may stand " + holds
		}
		r.fault(e, name, "pnml-unknown-element", hint, "element <%s> has no meaning inside <%s>", shown, e.name)
	}
	r.pass(ownerOf(e.name, 0), false)
}

// unknownTerm reports an element that stands where a sort, a term or a declaration should.
func (r *reader) unknownTerm(e *element, name string) bool {
	for _, s := range e.slots {
		code, what, otherwise := "", "", ""
		switch s.name {
		case "sort":
			code, what, otherwise = "sym-sort", "sort", declareSort
		case "term":
			code, what, otherwise = "sym-operator", "operator", "write an operator of symmetric nets"
		case "declaration":
			code, what, otherwise = "sym-declaration", "declaration", "symmetric nets declare <namedsort>, <partition> and <variabledecl>"
		}
		if !s.choice || code == "" || nameNumbers[name] != 0 {
			continue
		}
		if near, ok := diagnostic.Nearest(name, e.names); ok {
			otherwise = "did you mean <" + near + ">?"
		}
		r.errorf(code, otherwise, "<%s> is no %s of symmetric nets", name, what)
		return true
	}
	return false
}

// misplaced reports an element that is read although it may not stand where it stands.
func (r *reader) misplaced(e *element) {
	name := string(r.s.Name())
	hint := "inside <" + e.name + "> may stand " + e.holds()
	switch {
	case name == "subterm":
		hint = "write what is in the <subterm> in its place"
	case e.children[nameNumbers["subterm"]].element != 0:
		hint = "put it into a <subterm>"
	}
	r.errorf("pnml-unknown-element", hint, "element <%s> has no meaning inside <%s>", name, e.name)
}

// again passes over an element of which there was one already.
func (r *reader) again(e *element, s *slot) {
	name := string(r.s.Name())
	if s.choice {
		r.errorf("sym-arity", "leave one of them, or join them with <add> or <and>", "<%s> is a second %s inside <%s>", name, s.name, e.name)
	} else {
		r.fault(e, name, "pnml-duplicate-label", "remove one of them", "a second <%s> inside <%s>", name, e.name)
	}
	r.pass(ownerOf(e.name, 0), false)
}

// unordered reports an element that stands behind one that it belongs before.
func (r *reader) unordered(e *element, s *slot) {
	name := string(r.s.Name())
	var later []string
	for i, other := range e.slots {
		if s.later>>i&1 != 0 {
			later = append(later, "<"+other.name+">")
		}
	}
	r.fault(e, name, "pnml-order", "move it", "<%s> belongs before %s inside <%s>", name, strings.Join(later, ", "), e.name)
}

// lacking reports what an element should hold, where it ends.
func (r *reader) lacking(e *element, seen uint32) {
	for i, s := range e.slots {
		if e.required>>i&1 == 0 || seen>>i&1 != 0 {
			continue
		}
		what := "<" + s.name + ">"
		if s.choice {
			what = s.name
		}
		r.fault(e, s.name, "pnml-missing", "write one before the element ends", "<%s> holds no %s", e.name, what)
	}
}

// missingCodes are those of attributes that are missing, where they are not pnml-missing.
var missingCodes = map[string]string{"id": "pnml-id-missing", "ref": "pnml-reference", "source": "pnml-arc-end", "target": "pnml-arc-end"}

// attributes checks the attributes of the current start tag.
func (r *reader) attributes(e *element) {
	known := uint32(0)
	for i := range r.s.Attrs() {
		name, value := r.s.AttrAt(i)
		k := i
		if k >= len(e.attributes) || e.attributes[k].name != string(name) { // mostly they come in order
			k = slices.IndexFunc(e.attributes, func(a attribute) bool { return a.name == string(name) })
		}
		if k < 0 {
			r.attribute(e, string(name), value)
			continue
		}
		known |= 1 << k
		if form := e.attributes[k].form; form != nil {
			if what, ok := form(value); !ok {
				r.fault(e, e.name, "pnml-value", "write "+what, "the attribute %s of <%s> is %s, not %s", name, e.name, diagnostic.Excerpt(string(value)), what)
			}
		}
	}
	if missing := e.needed &^ known; missing != 0 {
		r.missingAttributes(e, missing)
	}
}

func (r *reader) missingAttributes(e *element, missing uint32) {
	shown := "<" + e.name + ">"
	if id := r.attr("id"); len(id) > 0 {
		shown = e.name + " " + diagnostic.Excerpt(string(id))
	}
	for k, a := range e.attributes {
		if missing>>k&1 != 0 {
			hint := "write " + a.name + `="..."`
			switch a.name {
			case "id":
				hint = ""
			case "ref", "source", "target":
				hint += " with the id of a node"
			}
			r.fault(e, e.name, cmp.Or(missingCodes[a.name], "pnml-missing"), hint, "%s has no %s", shown, a.name)
		}
	}
}

// stray reports text where only elements belong. Some files of the contest have it in
// declarations, where it does no harm.
func (r *reader) stray(inside string) {
	text := bytes.Trim(r.s.Text(), xmlSpace)
	if len(text) == 0 {
		return
	}
	severity, hint := diagnostic.Error, ""
	switch inside {
	case "namedsort", "declarations", "variabledecl", "partition", "usersort":
		severity, hint = diagnostic.Warning, "remove it: the standard does not allow it, though some models of the contest have it"
	}
	if ofPictures(inside) || inside == "unit" || inside == nestedUnits {
		severity = diagnostic.Warning
	}
	r.add(r.pos(), severity, "pnml-stray-text", hint, "text %s inside <%s>", diagnostic.Excerpt(string(text)), inside)
}

// ours reports whether an element is of the namespace of PNML, or of the one that the
// document takes for it.
func (r *reader) ours() bool {
	ns := r.s.Namespace()
	return ns == r.namespace || ns == pnmlNamespace
}

// foreign passes over an element of another namespace.
func (r *reader) foreign() {
	name, e := string(r.s.Name()), r.open()
	if r.spelt(ownerOf(e.name, 0), false) {
		return
	}
	severity := diagnostic.Error
	if name == "name" || name == "text" && e.name == "name" || ofPictures(name) {
		severity = diagnostic.Warning
	}
	hint := "remove it, or put what belongs to a tool into <toolspecific>"
	if nameNumbers[name] != 0 {
		hint = "write <" + name + "> in the namespace of the elements around it, " + pnmlNamespace
	}
	r.add(r.pos(), severity, "pnml-namespace", hint, "<%s> inside <%s> is of the namespace %s, and is not read", diagnostic.Cut(name), e.name, diagnostic.Excerpt(r.s.Namespace()))
	r.pass(ownerOf(name, ownerOf(e.name, 0)), false)
}

// section passes over <toolspecific>, which may hold elements of every name, and looks for
// spellings in it if it is of an editor.
func (r *reader) section(inside string) {
	of := ownerOf(inside, 0)
	if !isEditor(string(r.attr("tool"))) {
		of = 0
	}
	for r.nextOfAny("toolspecific") {
		switch {
		case of == 0:
			r.s.Skip()
		case !r.spelt(of, true):
			r.pass(ownerOf(string(r.s.Name()), of), true)
		}
	}
	r.close()
}

// nextOfAny goes to the next child of an element that may hold elements of every name.
func (r *reader) nextOfAny(inside string) bool {
	for {
		switch r.s.Next() {
		case xmlscan.Start:
			return true
		case xmlscan.Text:
			r.stray(inside)
		default:
			return false
		}
	}
}
