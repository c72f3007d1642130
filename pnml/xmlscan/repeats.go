package xmlscan

import "bytes"

// rest is the text from a start tag up to the end of the element, with at most
// one gap, such as the name of a node. Large files repeat few of them, and what is the
// same byte by byte, at the same depth, has the same meaning.
type rest struct {
	before, after []byte // the gap is between them
	gap           bool
	holder        int // offset of the element around the gap in before
	depth         int
	number        uint64 // what the element says: tokens or a weight
}

// Rests holds the rests of one kind of element that were seen last.
type Rests struct {
	list []rest
	debt int // misses less hits: too many, and looking does not pay
}

const (
	maxRests = 4
	maxRest  = 1024 // bytes
	maxDebt  = 100
)

// PassRest passes over the rest of an element, with its End, if it is one that
// was seen before; the end of an element with a prefix is another one, and within a tag that declares a
// namespace the same text means something else. It returns what the element said and the text in the gap; the
// position of the scanner is that of the element around the gap.
func (s *Scanner) PassRest(seen *Rests) (number uint64, text []byte, ok bool) {
	if s.empty || s.eventsOnly || s.colon || seen.debt > maxDebt {
		return 0, nil, false
	}
	for i := range seen.list {
		r := &seen.list[i]
		text, end, same := s.sameRest(r)
		if !same {
			continue
		}
		number = r.number
		s.token = s.w.pos + r.holder
		s.w.pos = end
		s.leave()
		if i > 0 {
			seen.list[0], seen.list[i] = seen.list[i], seen.list[0]
		}
		seen.debt = max(seen.debt-1, 0)
		return number, text, true
	}
	seen.debt++
	return 0, nil, false
}

func (s *Scanner) sameRest(r *rest) (text []byte, end int, ok bool) {
	at := s.w.pos
	end = at + len(r.before)
	if end > s.w.end || r.depth != len(s.ends) || string(s.w.buf[at:end]) != string(r.before) {
		return nil, 0, false
	}
	if !r.gap {
		return nil, end, true
	}
	from := end
	to := textEnd(s.w.buf, from)
	end = to + len(r.after)
	if end > s.w.end || string(s.w.buf[to:end]) != string(r.after) {
		return nil, 0, false
	}
	return s.w.buf[from:to], end, true
}

// RestMark notes where a rest begins and where its gap is, as offsets in the
// document.
type RestMark struct {
	from, depth         int
	holders             int // children around a gap
	holder, gap, gapEnd int // of the last of them; gapEnd is 0 when its text is not plain
}

// MarkRest begins to note what the rest of an element looks like, behind its Start.
func (s *Scanner) MarkRest() RestMark {
	if s.empty {
		return RestMark{from: -1}
	}
	return RestMark{from: s.here(), depth: len(s.ends)}
}

// MarkHolder notes that the element whose Start was the last event is around the gap.
func (s *Scanner) MarkHolder(m *RestMark) {
	m.holders++
	m.holder, m.gapEnd = s.w.dropped+s.token, 0
}

// MarkGap notes the text that ElementText gave as the gap, if it is plain.
func (s *Scanner) MarkGap(m *RestMark) {
	from, to := s.token-len(s.collected), s.token
	if s.pieces == 1 && s.err == nil && from > 0 && s.w.buf[from-1] == '>' && textEnd(s.w.buf, from) == to {
		m.gap, m.gapEnd = from+s.w.dropped, to+s.w.dropped
	}
}

// here is the offset in the document of what comes next.
func (s *Scanner) here() int { return s.w.dropped + s.w.pos }

// KeepRest remembers the rest of an element that was just read to its end,
// unless it is long, or holds prefixes, which may mean something else elsewhere.
func (s *Scanner) KeepRest(seen *Rests, m *RestMark, number uint64) {
	to := s.here()
	if seen.debt > maxDebt || m.from < s.w.dropped || to-m.from > maxRest || m.holders > 1 || m.holders == 1 && m.gapEnd == 0 {
		return
	}
	gap, gapEnd := to, to
	if m.holders == 1 {
		gap, gapEnd = m.gap, m.gapEnd
	}
	before, after := s.w.buf[m.from-s.w.dropped:gap-s.w.dropped], s.w.buf[gapEnd-s.w.dropped:to-s.w.dropped]
	if bytes.IndexByte(before, ':') >= 0 || bytes.IndexByte(after, ':') >= 0 {
		return
	}
	if len(seen.list) < maxRests {
		seen.list = append(seen.list, rest{})
	}
	last := &seen.list[len(seen.list)-1]
	*last = rest{
		before: append(last.before[:0], before...), after: append(last.after[:0], after...),
		gap: m.holders == 1, holder: max(m.holder-m.from, 0), depth: m.depth, number: number,
	}
	seen.list[0], *last = *last, seen.list[0]
}
