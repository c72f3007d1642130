package xmlscan

// Shortcuts past the events, for what makes up nearly all of a large file. Each
// does exactly what the events would do, or nothing.

// Ahead returns the window and the offset in it at which the next event begins, where
// that is markup behind a tag; end is where the window ends. A reader that finds there
// the start tag that a large file writes again and again can take it whole: it finds
// the ends of values by [ValueEnd] and then calls [Scanner.OpenPlain].
func (s *Scanner) Ahead() (buf []byte, at, end int, ok bool) {
	if s.inText || s.empty || s.cdata || s.err != nil || s.eventsOnly {
		return nil, 0, 0, false
	}
	return s.w.buf, spaceEnd(s.w.buf, s.w.pos), s.w.end, true
}

// OpenPlain takes the start tag of an element with a name that begins at offset at, as
// Ahead gave it, and whose last value ends at offset i. It leaves the scanner as after
// the Start, but without its name and attributes. It reports false, and changes nothing,
// where the tag does not end behind that value.
func (s *Scanner) OpenPlain(at, i int, name string) bool {
	buf := s.w.buf
	switch {
	case len(s.ends) == maxDepth || i+2 >= s.w.end || buf[i] != '"':
		return false
	case buf[i+1] == '>':
		s.open = append(s.open, name...)
		s.ends = append(s.ends, len(s.open))
		s.w.enter(at)
		s.w.pos = i + 2
	case buf[i+1] == '/' && buf[i+2] == '>':
		s.empty = true
		s.w.pos = i + 3
	default:
		return false
	}
	s.token = at
	return true
}
