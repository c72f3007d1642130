package pnml

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// What a net says in attributes, elements and sections that are not read.

// statement is what an editor's spelling says.
type statement struct {
	says    *effect
	name    string // as it is shown
	value   string
	pos     Position
	code    string // of the finding where the effect has none
	section bool   // it stands in a section of the editor, where it may
}

// state judges a statement, or keeps it until it is known what it would change.
func (r *reader) state(s statement) {
	switch {
	case s.says.number:
		r.claims = append(r.claims, s)
		r.noted++
	case s.says.together:
		r.priorities.add(s)
		r.noted++
	default:
		r.judge(s, s.says.changesNothing(s.value))
	}
}

// judge reports a statement.
func (r *reader) judge(s statement, neutral bool) {
	switch {
	case s.section && (neutral || s.says.severity == diagnostic.Warning):
	case neutral:
		r.add(s.pos, diagnostic.Warning, s.code, "remove it", "%s has no meaning and is not read, which changes nothing", s.name)
	default:
		value := s.value
		if s.says == arcKind && slices.Contains([]string{"", "true", "1", "yes"}, plainly(value)) {
			value = s.name
		}
		r.add(s.pos, s.says.severity, cmp.Or(s.says.code, s.code), r.instead(s), "%s", fmt.Sprintf(s.says.message, s.name, diagnostic.Excerpt(value)))
	}
}

// instead returns the next step.
func (r *reader) instead(s statement) string {
	if s.says == arcKind {
		return fmt.Sprintf(s.says.hint, s.says.word(s.name+s.value))
	}
	if !s.says.number {
		return s.says.hint
	}
	if r.symmetric != nil {
		return "a symmetric net has <hlinscription> and <hlinitialMarking> with a <structure>"
	}
	var text strings.Builder
	_ = xml.EscapeText(&text, []byte(diagnostic.Cut(s.value))) // a builder takes all
	return fmt.Sprintf(s.says.hint, &text) + orConvert
}

// judgeClaims judges what was said of the place or arc that was read, which holds a number.
func (r *reader) judgeClaims(number uint64) {
	claims := r.claims
	r.claims = r.claims[:0]
	for _, s := range claims {
		value := strings.TrimPrefix(plainly(s.value), "default,") // PIPE names the class of the tokens
		n, err := strconv.ParseUint(strings.TrimSuffix(value, ".0"), 10, 64)
		r.judge(s, err == nil && n == number)
	}
}

// priorities are what the transitions of a net say: where all say the same, it changes nothing.
type priorities struct {
	list []statement // the first of them
	n    int
	vary bool
}

func (p *priorities) add(s statement) {
	p.n++
	p.vary = p.vary || len(p.list) > 0 && plainly(p.list[0].value) != plainly(s.value)
	if len(p.list) <= maxFindings {
		p.list = append(p.list, s)
	}
}

// judgePriorities judges what the transitions say; those that say nothing have the priority 0.
func (r *reader) judgePriorities() {
	p := &r.priorities
	for _, s := range p.list {
		r.judge(s, !p.vary && (plainly(s.value) == "0" || p.n == r.nodes.blocks[transitionNode].len()))
	}
	p.list = nil
}

// spelt reads the element at the current Start if it is a spelling of an editor.
func (r *reader) spelt(of owner, section bool) bool {
	name := string(r.s.Name())
	if key := r.attr("key"); name == "property" && key != nil {
		name = string(key)
	}
	says := effectOf(of, name)
	if says == nil || strings.EqualFold(name, "initialMarking") || name == "inscription" {
		return false
	}
	shown := "<" + diagnostic.Cut(string(r.s.Name())) + ">"
	if name != string(r.s.Name()) {
		shown = "the property " + diagnostic.Cut(name)
	}
	s := statement{says: says, name: shown, pos: r.pos(), code: "pnml-unknown-element", section: section}
	s.value = r.content()
	r.state(s)
	return true
}

// content passes over an element and returns its value: that of the attribute value or, for want of it,
// id, or else its texts.
func (r *reader) content() string {
	for _, name := range []string{"value", "id"} {
		if v := r.attr(name); v != nil {
			value := diagnostic.Cut(string(v))
			r.s.Skip()
			return value
		}
	}
	var texts []byte
	for depth := 1; depth > 0; {
		switch r.s.Next() {
		case xmlscan.Start:
			depth++
		case xmlscan.End:
			depth--
		case xmlscan.Text:
			if len(texts) < maxValue {
				texts = append(append(texts, ' '), r.s.Text()[:min(len(r.s.Text()), maxValue)]...)
			}
		default:
			depth = 0
		}
	}
	return diagnostic.Cut(strings.Join(strings.Fields(string(texts)), " "))
}

// maxValue bounds the value of a spelling, in bytes.
const maxValue = 200

// speltAttribute judges an attribute if it is a spelling of an editor.
func (r *reader) speltAttribute(of owner, name string, value []byte, section bool) bool {
	prefix, local, found := strings.Cut(name, ":")
	if !found {
		prefix, local = "", name
	}
	says := effectOf(of, local)
	if prefix == "xmlns" || says == nil {
		return false
	}
	if says == otherWeight && local == "inscription" && strings.ContainsAny(string(value), "[]()") {
		says = otherTime // TAPAAL's
	}
	r.state(statement{says: says, name: "the attribute " + diagnostic.Cut(name), value: diagnostic.Cut(string(value)), pos: r.pos(), code: "pnml-attribute", section: section})
	return true
}

// attribute judges an attribute that is none of the grammar.
func (r *reader) attribute(e *element, name string, value []byte) {
	if name == "xmlns" || strings.HasPrefix(name, "xmlns:") || r.speltAttribute(ownerOf(e.name, 0), name, value, false) {
		return
	}
	hint := "remove it"
	if e.children[nameNumbers[name]].element != 0 && name != "type" {
		var text strings.Builder
		_ = xml.EscapeText(&text, []byte(diagnostic.Cut(string(value)))) // a builder takes all
		hint = "write <" + name + "><text>" + text.String() + "</text></" + name + "> into the element"
	}
	severity := diagnostic.Error
	if name == "name" || ofPictures(e.name) {
		severity = diagnostic.Warning
	}
	r.add(r.pos(), severity, "pnml-attribute", hint, "the attribute %s of <%s> has no meaning and is not read", diagnostic.Cut(name), e.name)
}

// pass passes over an element that is not read, and looks for spellings in it.
func (r *reader) pass(of owner, section bool) {
	for i := range r.s.Attrs() {
		name, value := r.s.AttrAt(i)
		r.speltAttribute(of, string(name), value, section)
	}
	for {
		switch r.s.Next() {
		case xmlscan.Start:
			if !r.spelt(of, section) {
				r.pass(ownerOf(string(r.s.Name()), of), section)
			}
		case xmlscan.Text:
		default:
			return
		}
	}
}
