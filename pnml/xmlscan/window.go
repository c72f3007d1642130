package xmlscan

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf8"

	"podium/pnml/diagnostic"
)

// windowSize bounds a tag with all its attributes, and so what one token may
// cost in memory. Small documents, of which there are many, have a smaller one.
const (
	windowSize = 256 << 10
	smallSize  = 16 << 10
)

// window is the part of a document that is in memory, always valid UTF-8
// without control characters and with line ends as XML wants them. buf[end] is
// 0, which cannot occur in the document: the scanner stops there without
// comparing indexes.
type window struct {
	r        io.Reader
	buf      []byte
	size     int // of the window: len(buf) less the 0 and what a word at it takes
	most     int // that the size grows to, in a document that does not fit into less
	pos, end int
	dropped  int // bytes of the document before buf, after decoding
	encoding encoding
	raw      []byte  // bytes before decoding, Latin-1 only
	tail     [4]byte // an incomplete character at the end of what was read
	tails    int
	skipLF   bool
	eof      bool
	fault    *xmlFault // what stands at end, found while decoding

	mark, lineStart int // offset whose line is known, and where that line starts
	line            int
	pin             int // offset whose position may be asked for later
	pinLine, pinCol int // its position once the mark is past it, else 0
	columnShift     int // continuation bytes before lineStart+column, Latin-1 only

	tags  []tag // of the open elements
	known int   // of them, how many have their line
}

// tag is where an open element begins: an offset until the mark is past it, then
// line and column.
type tag struct{ off, line, col int }

type encoding uint8

const (
	encUTF8 encoding = iota
	encLatin1
	encASCII
)

// xmlFault is what is wrong at some offset.
type xmlFault struct{ code, message, hint string }

func makeWindow(most int) window {
	size := min(most, smallSize)
	return window{buf: make([]byte, size+8), size: size, most: most, line: 1}
}

// widen gives the window more room.
func (w *window) widen() {
	w.size = min(w.most, 4*w.size)
	w.buf, w.raw = append(make([]byte, 0, w.size+8), w.buf...)[:w.size+8], nil
}

// position returns line and column (in bytes of the document) of an offset at or
// after the mark.
func (w *window) position(off int) (line, col int) {
	gap := w.buf[w.mark:off]
	line, start := w.line, w.lineStart
	if k := bytes.LastIndexByte(gap, '\n'); k >= 0 {
		line += bytes.Count(gap[:k+1], newline)
		start = w.mark + k + 1
	}
	col = off - start + 1
	if w.encoding == encLatin1 {
		col -= w.continuations(max(start, 0), off)
		if start == w.lineStart {
			col -= w.columnShift
		}
	}
	return line, col
}

var newline = []byte{'\n'}

func (w *window) continuations(from, to int) int {
	n := 0
	for _, c := range w.buf[from:to] {
		if c&0xC0 == 0x80 {
			n++
		}
	}
	return n
}

// advance moves the mark forward to off.
func (w *window) advance(off int) {
	if w.pin < off && w.pinLine == 0 && w.pin >= w.mark {
		w.pinLine, w.pinCol = w.position(w.pin)
	}
	for w.known < len(w.tags) && w.tags[w.known].off < off {
		t := &w.tags[w.known]
		w.step(t.off)
		t.line, t.col = w.position(t.off)
		w.known++
	}
	w.step(off)
}

// step moves the mark forward to off, past no tag whose line is not known.
func (w *window) step(off int) {
	gap := w.buf[w.mark:off]
	if k := bytes.LastIndexByte(gap, '\n'); k >= 0 {
		w.line += bytes.Count(gap[:k+1], newline)
		w.lineStart = w.mark + k + 1
		w.columnShift = 0
	}
	w.mark = off
}

// enter notes where an element begins, leave forgets the innermost one.
func (w *window) enter(off int) { w.tags = append(w.tags, tag{off: off}) }

func (w *window) leave() {
	w.tags = w.tags[:len(w.tags)-1]
	w.known = min(w.known, len(w.tags))
}

// opened returns line and column of the i-th open element.
func (w *window) opened(i int) (line, col int) {
	if t := w.tags[i]; i < w.known {
		return t.line, t.col
	}
	return w.position(w.tags[i].off)
}

// more drops what stands before keep, moves the rest to the front and reads on.
// Offsets fall by the given shift. It reports false when nothing was added: at
// the end of the document, at a fault, or when the window is full.
func (w *window) more(keep int) (shift int, ok bool) {
	if w.fault != nil || w.eof {
		return 0, false
	}
	w.advance(max(keep, w.mark))
	if w.encoding == encLatin1 && w.lineStart < keep {
		w.columnShift += w.continuations(max(w.lineStart, 0), keep)
	}
	copy(w.buf, w.buf[keep:w.end])
	w.end -= keep
	w.dropped += keep
	w.mark -= keep
	w.pin -= keep
	for i := w.known; i < len(w.tags); i++ {
		w.tags[i].off -= keep
	}
	w.lineStart -= keep
	w.pos = max(w.pos-keep, 0)
	if w.size < w.most && w.dropped+w.end+8 >= w.size {
		w.widen() // the document does not fit
	}
	before := w.end
	// At least an eighth, or a reader of single bytes would make the scanner look
	// at a long tag again for each of them.
	for w.end-before <= w.size/8 && w.fault == nil && !w.eof && w.end+8 < w.size {
		w.fill()
	}
	w.buf[w.end] = 0
	return keep, w.end > before
}

// fill reads once and decodes what came behind end.
func (w *window) fill() {
	free := w.buf[w.end:w.size]
	if w.encoding == encLatin1 {
		if w.raw == nil {
			w.raw = make([]byte, w.size/2)
		}
		w.read(w.raw[:len(free)/2], func(n int) { w.accept(free[:latin1(free, w.raw[:n])]) })
		return
	}
	copy(free, w.tail[:w.tails])
	w.read(free[w.tails:], func(n int) { w.accept(free[:w.tails+n]) })
}

func (w *window) read(into []byte, decode func(n int)) {
	n, err := w.r.Read(into)
	if n > 0 || err == io.EOF {
		from := w.end
		w.eof = err == io.EOF
		decode(n)
		w.normalise(from)
	}
	if err != nil && err != io.EOF && w.fault == nil {
		w.fault = &xmlFault{"xml-read", "reading failed: " + err.Error(), ""}
	}
}

// accept takes the valid start of b, which stands at end, and keeps an
// incomplete last character back.
func (w *window) accept(b []byte) {
	if w.encoding == encASCII {
		if i := bytes.IndexFunc(b, func(r rune) bool { return r >= utf8.RuneSelf }); i >= 0 {
			w.fault = &xmlFault{"xml-encoding", "a byte outside US-ASCII in a document declared as US-ASCII", "declare the encoding the file has"}
			b = b[:i]
		}
	}
	n := validXML(b)
	w.end += n
	rest := b[n:]
	w.tails = 0
	switch {
	case len(rest) == 0:
	case utf8.FullRune(rest) && validRune(rest):
		w.fault = &xmlFault{"xml-char", "a character that XML forbids", "remove the control character"}
	case utf8.FullRune(rest) || w.eof:
		w.fault = &xmlFault{"xml-encoding", "bytes that are not valid UTF-8", "declare the encoding the file has, e.g. ISO-8859-1"}
	default:
		w.tails = copy(w.tail[:], rest)
	}
}

func validRune(b []byte) bool {
	r, n := utf8.DecodeRune(b)
	return r != utf8.RuneError || n > 1
}

// normalise turns every line end from offset from on into one line feed.
func (w *window) normalise(from int) {
	b := w.buf[from:w.end]
	if w.skipLF && len(b) > 0 {
		w.skipLF = false
		if b[0] == '\n' {
			copy(b, b[1:])
			b = b[:len(b)-1]
			w.end--
		}
	}
	k := bytes.IndexByte(b, '\r')
	if k < 0 {
		return
	}
	out := k
	for i := k; i < len(b); i++ {
		c := b[i]
		if c == '\r' {
			c = '\n'
			if i+1 == len(b) {
				w.skipLF = true
			} else if b[i+1] == '\n' {
				i++
			}
		}
		b[out] = c
		out++
	}
	w.end = from + out
}

// latin1 decodes src as UTF-8 into dst, which has room, and returns its length.
func latin1(dst, src []byte) int {
	n := 0
	for _, c := range src {
		if c < utf8.RuneSelf {
			dst[n] = c
			n++
			continue
		}
		dst[n], dst[n+1] = 0xC0|c>>6, 0x80|c&0x3F
		n += 2
	}
	return n
}

// validXML returns the length of the longest start of b that is UTF-8 and holds
// only characters that XML allows.
func validXML(b []byte) int {
	i := 0
	for i < len(b) {
		for i+32 <= len(b) {
			x, y := binary.LittleEndian.Uint64(b[i:]), binary.LittleEndian.Uint64(b[i+8:])
			z, u := binary.LittleEndian.Uint64(b[i+16:]), binary.LittleEndian.Uint64(b[i+24:])
			if (x|y|z|u|forbidden(x)|forbidden(y)|forbidden(z)|forbidden(u))&highs != 0 {
				break
			}
			i += 32
		}
		stop := min(i+32, len(b))
		for i < stop {
			c := b[i]
			if c < utf8.RuneSelf {
				if class[c]&isForbidden != 0 {
					return i
				}
				i++
				continue
			}
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 || r == 0xFFFE || r == 0xFFFF {
				return i
			}
			i += n
		}
	}
	return i
}

// forbidden marks, in the highest bits, the control characters other than tab,
// line feed and carriage return among eight ASCII bytes.
func forbidden(x uint64) uint64 {
	below9 := (x - 9*lows) & ^x
	above10 := (140*lows - x) & (x + 117*lows) // 11 and 12
	above13 := (159*lows - x) & (x + 114*lows) // 14 to 31
	return below9 | above10 | above13
}

// declaration reads the XML declaration at the start of a document, if there is
// one, and returns the encoding it names.
func declaration(head []byte) (encoding, *xmlFault) {
	switch {
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}), bytes.HasPrefix(head, []byte{0xFF, 0xFE}),
		len(head) >= 2 && (head[0] == 0) != (head[1] == 0):
		return 0, &xmlFault{"xml-encoding", "the document is in UTF-16 or UTF-32", "convert it to UTF-8"}
	case !bytes.HasPrefix(head, []byte("<?xml")) || len(head) < 6 || class[head[5]]&isSpace == 0:
		return encUTF8, nil
	}
	wrong := &xmlFault{"xml-declaration", "the XML declaration is malformed", `write <?xml version="1.0" encoding="UTF-8"?>`}
	end := bytes.Index(head, []byte("?>"))
	if end < 0 {
		return 0, wrong
	}
	pairs, ok := pseudoAttributes(string(head[5:end]))
	if !ok || len(pairs) == 0 || pairs[0][0] != "version" || !strings.HasPrefix(pairs[0][1], "1.") {
		return 0, wrong
	}
	pairs = pairs[1:]
	enc := encUTF8
	if len(pairs) > 0 && pairs[0][0] == "encoding" {
		switch name := strings.ToUpper(pairs[0][1]); name {
		case "UTF-8", "UTF8":
		case "ISO-8859-1", "LATIN1", "ISO8859-1", "ISO_8859-1":
			enc = encLatin1
		case "US-ASCII", "ASCII":
			enc = encASCII
		default:
			return 0, &xmlFault{"xml-encoding", "encoding " + diagnostic.Excerpt(pairs[0][1]) + " is not supported", `convert the file to UTF-8, and write encoding="UTF-8"`}
		}
		pairs = pairs[1:]
	}
	if len(pairs) > 0 && pairs[0][0] == "standalone" && (pairs[0][1] == "yes" || pairs[0][1] == "no") {
		pairs = pairs[1:]
	}
	if len(pairs) > 0 {
		return 0, wrong
	}
	return enc, nil
}

// pseudoAttributes splits ` a="b" c='d' `.
func pseudoAttributes(s string) (pairs [][2]string, ok bool) {
	for {
		trimmed := strings.TrimLeft(s, " \t\r\n")
		if trimmed == "" {
			return pairs, true
		}
		name, rest, found := strings.Cut(trimmed, "=")
		rest = strings.TrimLeft(rest, " \t\r\n")
		if !found || len(trimmed) == len(s) || rest == "" || rest[0] != '"' && rest[0] != '\'' {
			return nil, false
		}
		value, after, closed := strings.Cut(rest[1:], rest[:1])
		if !closed {
			return nil, false
		}
		pairs = append(pairs, [2]string{strings.TrimRight(name, " \t\r\n"), value})
		s = after
	}
}
