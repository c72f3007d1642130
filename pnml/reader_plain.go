package pnml

import (
	"bytes"

	"podium/pnml/xmlscan"
)

// Shortcuts past the events, for what makes up nearly all of a large file. Each
// does exactly what the events would do, or nothing.

// plainChildren reads the arcs and nodes that come next, as far as they are
// written plainly.
func (r *reader) plainChildren() {
	if r.s.DefaultNamespace() != r.namespace {
		return
	}
	for {
		if id, source, target, ok := r.plainArc(); ok {
			r.frames = append(r.frames, frame{element: plainArc})
			r.arc(id, source, target)
		} else if id, ok := r.plainNode("<transition id=\""); ok {
			r.frames = append(r.frames, frame{element: plainTransition})
			r.transition(id)
		} else if id, ok := r.plainNode("<place id=\""); ok {
			r.frames = append(r.frames, frame{element: plainPlace})
			r.place(id)
		} else {
			return
		}
	}
}

// The elements that are read plainly have all their attributes.
const (
	plainPlace uint8 = iota + 4
	plainTransition
	plainArc
)

// plainArc reads <arc id="..." source="..." target="..."> where the next event
// belongs, written just so and without references in the values.
func (r *reader) plainArc() (id, source, target []byte, ok bool) {
	buf, at, end, ok := r.s.Ahead()
	i := at + len(`<arc id="`)
	if !ok || i > end || string(buf[at:i]) != `<arc id="` {
		return nil, nil, nil, false
	}
	j := xmlscan.ValueEnd(buf, i)
	id = buf[i:j]
	i = j + len(`" source="`)
	if i > end || string(buf[j:i]) != `" source="` {
		return nil, nil, nil, false
	}
	j = xmlscan.ValueEnd(buf, i)
	source = buf[i:j]
	i = j + len(`" target="`)
	if i > end || string(buf[j:i]) != `" target="` {
		return nil, nil, nil, false
	}
	j = xmlscan.ValueEnd(buf, i)
	target = buf[i:j]
	return id, source, target, r.s.OpenPlain(at, j, "arc")
}

// plainNode reads <element id="..."> in the same way.
func (r *reader) plainNode(element string) (id []byte, ok bool) {
	buf, at, end, ok := r.s.Ahead()
	if !ok || !bytes.HasPrefix(buf[at:end], []byte(element)) {
		return nil, false
	}
	i := at + len(element)
	j := xmlscan.ValueEnd(buf, i)
	return buf[i:j], r.s.OpenPlain(at, j, element[1:len(element)-len(` id="`)])
}
