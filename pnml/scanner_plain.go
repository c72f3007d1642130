package pnml

import "bytes"

// Shortcuts past the events, for what makes up nearly all of a large file. Each
// does exactly what the events would do, or nothing.

// atPlain tells whether what comes next is markup, after a tag.
func (s *Scanner) atPlain() bool {
	return !s.inText && !s.empty && !s.cdata && s.err == nil && !s.eventsOnly
}

// plainArc reads <arc id="..." source="..." target="..."> where the next event
// belongs, written just so and without references in the values. It leaves the
// scanner as after the Start, but without its name and attributes.
func (s *Scanner) plainArc() (id, source, target []byte, ok bool) {
	buf := s.w.buf
	token := spaceEnd(buf, s.w.pos)
	i := token + len(`<arc id="`)
	if !s.atPlain() || i > s.w.end || string(buf[token:i]) != `<arc id="` {
		return nil, nil, nil, false
	}
	j := valueEnd(buf, i)
	id = buf[i:j]
	i = j + len(`" source="`)
	if i > s.w.end || string(buf[j:i]) != `" source="` {
		return nil, nil, nil, false
	}
	j = valueEnd(buf, i)
	source = buf[i:j]
	i = j + len(`" target="`)
	if i > s.w.end || string(buf[j:i]) != `" target="` {
		return nil, nil, nil, false
	}
	j = valueEnd(buf, i)
	target = buf[i:j]
	return id, source, target, s.plainOpened(token, j, "arc")
}

// plainNode reads <element id="..."> in the same way.
func (s *Scanner) plainNode(element string) (id []byte, ok bool) {
	buf := s.w.buf
	token := spaceEnd(buf, s.w.pos)
	if !s.atPlain() || !bytes.HasPrefix(buf[token:s.w.end], []byte(element)) {
		return nil, false
	}
	i := token + len(element)
	j := valueEnd(buf, i)
	return buf[i:j], s.plainOpened(token, j, element[1:len(element)-len(` id="`)])
}

// plainOpened ends a start tag whose last value ends at offset i.
func (s *Scanner) plainOpened(token, i int, name string) bool {
	buf := s.w.buf
	switch {
	case len(s.ends) == maxDepth || i+2 >= s.w.end || buf[i] != '"':
		return false
	case buf[i+1] == '>':
		s.open = append(s.open, name...)
		s.ends = append(s.ends, len(s.open))
		s.w.pos = i + 2
	case buf[i+1] == '/' && buf[i+2] == '>':
		s.empty = true
		s.w.pos = i + 3
	default:
		return false
	}
	s.token = token
	return true
}
