package pnml

import (
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// What is said of ids: those that are used twice, and those that nobody has.

func newPendingArc(id, source, target []byte, pos Position) pendingArc {
	return pendingArc{id: string(id), source: string(source), target: string(target), pos: pos}
}

// name is how an arc is called in a message.
func (a *pendingArc) name() string {
	if a.id == "" {
		return "an arc without id"
	}
	return "arc " + diagnostic.Excerpt(a.id)
}

// endNowhere reports an end of an arc that is no node.
func (r *reader) endNowhere(a *pendingArc, end, id string) {
	message := "the %s %s of %s is no node of the net"
	if r.others.has([]byte(id), r.nodes.hashString(id)) {
		message = "the %s %s of %s is the id of something else than a place or transition"
	}
	r.add(a.pos, diagnostic.Error, "pnml-arc-end", r.meant(id), message, end, diagnostic.Excerpt(id), a.name())
}

// isNCName reports whether an id has the form of ids of XML; all that is not ASCII is taken for
// letters.
func isNCName(id []byte) bool {
	if len(id) == 0 || !ofNames[id[0]] || id[0] <= '9' {
		return false
	}
	for _, c := range id {
		if !ofNames[c] {
			return false
		}
	}
	return true
}

// ofNames are the bytes of ids of XML. Those up to '9' cannot be the first.
var ofNames = func() (t [256]bool) {
	for c := range t {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
		t[c] = letter || c >= '0' && c <= '9' || c == '-' || c == '.'
	}
	return t
}()

func (r *reader) sameKind(kind nodeKind, a *pendingArc) {
	between := [...]string{"transition", "place"}[kind]
	r.add(a.pos, diagnostic.Error, "pnml-arc-kind", "put a "+between+" between them", "%s is between two %ss, %s and %s",
		a.name(), nodeElements[kind], diagnostic.Excerpt(a.source), diagnostic.Excerpt(a.target))
}

// leadsNowhere reports a reference node without a node at its end.
func (r *reader) leadsNowhere(id string, ref reference) {
	if ref.to == nowhere {
		r.add(ref.pos, diagnostic.Error, "pnml-reference", "let one of them name a node", "reference node %s leads back to itself", diagnostic.Excerpt(id))
		return
	}
	r.add(ref.pos, diagnostic.Error, "pnml-reference", r.meant(ref.to), "reference node %s leads to %s, which is no node of the net", diagnostic.Excerpt(id), diagnostic.Excerpt(ref.to))
}

// Bounds of the work of looking for the ids that were meant: comparisons of two bytes,
// and findings.
const (
	maxSearched = 1 << 30
	maxHinted   = 100
)

// meant returns the next step for an id that no node has: the nearest of those that some
// node has.
func (r *reader) meant(id string) string {
	if at, ok := r.strayed[id]; ok {
		return fmt.Sprintf("mend the element of line %d first: it has this id, and its name is misspelt", at.Line)
	}
	return r.meantAmong(id, "add the node or correct the id", func(yield func(string) bool) {
		for kind := range r.nodes.blocks {
			b := &r.nodes.blocks[kind]
			for i := range b.len() {
				if !yield(b.at(i)) {
					return
				}
			}
		}
	})
}

// meantAmong returns the next step for an unknown id: the nearest of some known ones, or
// else another step.
func (r *reader) meantAmong(id, otherwise string, known iter.Seq[string]) string {
	if r.hinted++; r.hinted > maxHinted {
		return otherwise
	}
	near, ok := diagnostic.Nearest(id, func(yield func(string) bool) {
		for name := range known {
			if r.searched += len(id) * len(name); r.searched > maxSearched || !yield(name) {
				return
			}
		}
	})
	if !ok {
		return otherwise
	}
	return "did you mean " + diagnostic.Excerpt(near) + "?"
}

// meantDeclared is meantAmong for names of declarations.
func meantDeclared[T any](r *reader, id string, declared map[string]T) string {
	return r.meantAmong(id, "declare it or correct the name", func(yield func(string) bool) {
		for _, name := range slices.Sorted(maps.Keys(declared)) {
			if !yield(name) {
				return
			}
		}
	})
}

// duplicate reports an id that an element before has, too.
func (r *reader) duplicate(element string, id []byte) {
	hint := anotherID
	if element == "arc" {
		hint += orConvert
	}
	r.errorf("pnml-duplicate-id", hint, "id %s of <%s> is used twice", diagnostic.Excerpt(string(id)), element)
	if last := len(r.diags) - 1; r.found[diagnostic.Error] <= maxFindings {
		r.diags[last].Subject = string(id)
	}
}

const anotherID = "give every element an id of its own"

// Locate reads a document again for what nobody notes of every element while it is read
// first: in the findings of [Read] on ids that are used twice it says where the first
// element of the id stands, and a finding without a position that is about an element, as
// those of Lint, gets that of the element. What cannot be read again stays unsaid.
func Locate(found diagnostic.List, open func(use func(io.Reader) error) error) {
	l := locator{first: map[string]Position{}, twice: map[Position]int{}, bare: map[string][]int{}, ids: map[string]bool{}}
	for i, d := range found {
		switch {
		case d.Subject == "":
		case d.Line == 0:
			l.bare[d.Subject] = append(l.bare[d.Subject], i)
			l.ids[d.Subject] = true
		case d.Code == "pnml-duplicate-id":
			l.ids[d.Subject] = true
			l.twice[position(d.Line, d.Col)] = i
		}
	}
	if len(l.ids) > 0 {
		_ = open(func(r io.Reader) error { return l.read(xmlscan.New(r, ""), found) })
	}
}

// locator finds where ids stand first.
type locator struct {
	ids   map[string]bool  // those that are looked for
	twice map[Position]int // their findings
	bare  map[string][]int // findings without a position, by id
	first map[string]Position
}

func (l *locator) read(s *xmlscan.Scanner, found diagnostic.List) error {
	for len(l.bare) > 0 || len(l.twice) > 0 {
		switch s.Next() {
		case xmlscan.EOF:
			return s.Err()
		case xmlscan.Start:
			if string(s.Name()) == "toolspecific" {
				s.Skip()
			} else if id, ok := s.Attr("id"); ok && l.ids[string(id)] {
				l.element(s, string(id), found)
			}
		}
	}
	return nil
}

func (l *locator) element(s *xmlscan.Scanner, id string, found diagnostic.List) {
	switch string(s.Name()) {
	case "net", "page", "place", "transition", "arc", "referencePlace", "referenceTransition":
	default: // declarations are not among them
		return
	}
	line, col := s.Pos()
	pos := position(line, col)
	first, seen := l.first[id]
	if !seen {
		l.first[id] = pos
		for _, i := range l.bare[id] {
			found[i].Line, found[i].Col = line, col
		}
		delete(l.bare, id)
		return
	}
	if i, ok := l.twice[pos]; ok {
		found[i].Message += ": the first stands in line " + strconv.Itoa(int(first.Line))
		delete(l.twice, pos)
	}
}
