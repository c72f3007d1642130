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

// graphics reads the picture of an element, whose tag has no prefix. Positions differ, and
// what stands behind them is mostly the same as before.
func (r *reader) graphics() {
	r.plainPosition()
	now := r.frames[len(r.frames)-1]
	seen := r.pictures[now]
	if seen == nil {
		seen = &xmlscan.Rests{}
		r.pictures[now] = seen
	}
	if _, _, ok := r.s.PassRest(seen); ok {
		r.close()
		return
	}
	mark := r.markRest()
	r.skip()
	r.keepRest(seen, &mark, 0)
}

// plainPosition reads <position x="..." y="..."/> where it comes first in a picture, written
// just so.
func (r *reader) plainPosition() {
	buf, at, end, ok := r.s.Ahead()
	i := at + len(`<position x="`)
	if !ok || i > end || string(buf[at:i]) != `<position x="` {
		return
	}
	j := xmlscan.ValueEnd(buf, i)
	x := buf[i:j]
	i = j + len(`" y="`)
	if i > end || string(buf[j:i]) != `" y="` {
		return
	}
	j = xmlscan.ValueEnd(buf, i)
	y := buf[i:j]
	top := &r.frames[len(r.frames)-1]
	c := r.open().children[numberOf([]byte("position"))]
	if _, _, _, ok := decimal(x); !ok || c.element == 0 || c.standing != allowed || j+3 > end || string(buf[j:j+3]) != `"/>` {
		return
	}
	if _, _, _, ok := decimal(y); ok && r.s.OpenPlain(at, j, "position") {
		r.s.LeaveEmpty()
		top.seen |= 1 << c.slot
	}
}
