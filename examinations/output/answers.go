package output

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"podium/examinations"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Participation says whether a run answered its examination (E-1.7).
type Participation uint8

// Silent means that no well-formed line was printed; it counts as
// CannotCompute. Answered means that at least one value was printed, whatever
// else was.
const (
	Silent Participation = iota
	Answered
	CannotCompute
	DoesNotCompete
)

// String returns the keyword of the published files, or "answered".
func (p Participation) String() string {
	switch p {
	case Answered:
		return "answered"
	case DoesNotCompete:
		return "DNC"
	}
	return "CC"
}

// Repeats says which of several different values for one item counts. The rules
// leave it open; an edition names one.
type Repeats uint8

// With FirstCounts later values are not given by Scan. With LastCounts each of
// them is given, so that storing answers by item ends with the last. With
// NoneCounts a contradiction is given as an Answer with the zero Value, which
// takes the earlier one back for good.
const (
	FirstCounts Repeats = iota
	LastCounts
	NoneCounts
)

var repeatsWords = []string{"first", "last", "none"}

// String is the word used in editions.
func (p Repeats) String() string { return repeatsWords[p] }

// ParseRepeats reads the word that String gives.
func ParseRepeats(word string) (Repeats, error) {
	for i, w := range repeatsWords {
		if w == word {
			return Repeats(i), nil
		}
	}
	return FirstCounts, fmt.Errorf("%q is no policy for repeated answers%s", word, diagnostic.Instead(word, repeatsWords[:]))
}

// Answer is one value taken from a tool's output.
type Answer struct {
	Item       string             // as in examinations.Key
	Value      examinations.Value // zero only when an earlier value is taken back, see NoneCounts
	Techniques []string
	Line, Col  int           // of the keyword, from 1, Col in bytes
	Offset     int64         // of the first byte of the line
	Length     int           // of the line in bytes, without its line feed
	At         time.Duration // since the start, when the line was complete; 0 without a Clock
}

// ReaderOptions say what is asked for and how to read. With the zero value any
// item is read, as tolerantly as the contest does.
type ReaderOptions struct {
	Instance models.ID // some tools print it before the names of global properties
	Items    []string  // what is asked for, see ID.Items; nil takes any formula id
	File     string    // name in diagnostics
	Strict   bool      // do not take what only a tolerant reader understands
	// Intervals takes answers [low, high] to UpperBounds (E-3.2).
	Intervals bool
	Repeats   Repeats              // which of several different values counts
	Clock     func() time.Duration // time since the start; asked after every Read that gave data
	Deadline  time.Duration        // lines completed later do not count; 0 for no limit
	Line      int                  // lines before the first one read, as in a log with a header
	Offset    int64                // bytes before the first one read
}

// Limits of what is read, against hostile outputs.
const (
	maxLine    = 4 << 20 // bytes of one line that are looked at
	maxItems   = 4096    // different items of one output
	maxItem    = 4096    // bytes of an item
	blockSize  = 256 << 10
	emptyReads = 100
)

// Reader reads the output of one run as a stream, in constant memory. It skips
// what is no answer. A line that looks like an answer and is none becomes a
// diagnostic, and reading goes on.
//
//	for r.Scan() {
//		answers[r.Answer().Item] = r.Answer()
//	}
//	err := r.Err()
type Reader struct {
	src      io.Reader
	o        ReaderOptions
	findings findings
	judge    judge
	answer   Answer
	err      error

	buf        []byte
	pos, end   int // unread bytes of buf
	base       int64
	eof        bool
	now        time.Duration
	line       int   // number of the current line
	lineStart  int64 // its offset
	indent     bool  // nothing but blanks was consumed of it
	odd        int   // number of the last line with a finding outside of answers
	last       byte  // the byte before pos
	escape     bool  // an escape sequence, such as a colour, was consumed of it
	mode       mode
	kept       []byte // what was kept of a line that spans several blocks
	keptCol    int
	keptLength int
	done       bool
}

// mode is what becomes of the rest of the current line.
type mode uint8

const (
	search mode = iota // look for keywords
	keep               // it begins with a keyword: wait for its end
)

// NewReader reads answers to one examination from r. It never waits for more
// bytes than one Read gives, so it can follow a tool that is running.
func NewReader(r io.Reader, exam examinations.ID, o ReaderOptions) *Reader {
	return &Reader{
		src: r, o: o, buf: make([]byte, blockSize), base: o.Offset, line: o.Line + 1, lineStart: o.Offset, indent: true,
		findings: findings{file: o.File, strict: o.Strict},
		judge:    newJudge(exam, o),
	}
}

// Scan goes to the next answer. It returns false at the end of the output or at
// the first error of the underlying reader.
func (r *Reader) Scan() bool {
	for !r.done {
		if r.advance() {
			return true
		}
		if r.eof {
			found := r.finish()
			r.done = true
			return found
		}
		r.fill()
	}
	return false
}

// Answer returns the answer that the last Scan found. The caller may keep its
// Techniques.
func (r *Reader) Answer() Answer { return r.answer }

// Participation returns the participation of the run, as far as the output was
// read.
func (r *Reader) Participation() Participation { return r.judge.participation() }

// Err is the first error of the underlying reader other than io.EOF.
func (r *Reader) Err() error { return r.err }

// Diagnostics returns what is wrong with the output. It is complete once Scan has
// returned false. At most 50 findings of a rule are kept.
func (r *Reader) Diagnostics() diagnostic.List { return r.findings.all() }

// fill reads once more. Before, unread bytes move to the front of the buffer.
func (r *Reader) fill() {
	copy(r.buf, r.buf[r.pos:r.end])
	r.base += int64(r.pos)
	r.end -= r.pos
	r.pos = 0
	for range emptyReads {
		n, err := r.src.Read(r.buf[r.end:])
		if n > 0 {
			r.end += n
			if r.base == r.o.Offset && isUTF16(r.buf[:min(r.end, 4)], r.end-n) {
				r.findings.add("answer-utf16", r.line, 1)
			}
			if r.o.Clock != nil {
				r.now = r.o.Clock()
			}
		}
		if err != nil {
			r.eof = true
			if err != io.EOF {
				r.err = err
			}
			return
		}
		if n > 0 {
			return
		}
	}
	r.eof, r.err = true, io.ErrNoProgress
}

// advance consumes what is in the buffer up to the next answer.
func (r *Reader) advance() bool {
	for r.pos < r.end {
		if r.mode == keep {
			if complete, found := r.keepOn(); found {
				return true
			} else if !complete {
				return false
			}
			continue
		}
		if !r.searchOn() {
			return false
		}
	}
	return false
}

// searchOn looks for the next keyword. It returns false when it needs more bytes.
func (r *Reader) searchOn() bool {
	unread := r.buf[r.pos:r.end]
	at := findKeyword(unread, 0)
	if at < 0 {
		r.consume(max(0, len(unread)-(window-1)))
		return false
	}
	if len(unread)-at <= longestWord && !r.eof && bytes.IndexByte(unread[at:], '\n') < 0 {
		r.consume(at)
		return false
	}
	r.consume(at)
	word, ok := keywordAt(r.buf[r.pos:r.end])
	col := int(r.base + int64(r.pos) - r.lineStart + 1)
	switch {
	case ok && word.text == wordTechniques:
		if r.odd != r.line && r.loud(word) {
			r.findings.add("answer-no-keyword", r.line, col)
		}
	case ok && word.bare:
		if rest, enough := r.after(0); !enough {
			return false
		} else if r.indent {
			r.bare(rest, col)
		}
	case ok && r.indent && r.alone(word):
		r.mode, r.kept, r.keptLength, r.keptCol = keep, r.kept[:0], 0, col
		return true
	case ok && r.loud(word):
		rest, enough := r.after(len(word.text))
		if !enough {
			return false // what stands behind the keyword says how much is lost
		}
		r.odd = r.line
		before := len(r.findings.list)
		if r.escape {
			r.findings.add("answer-not-at-head", r.line, col, word.meant, " stands behind an escape sequence, such as a colour, and is not read")
		} else {
			r.findings.add("answer-not-at-head", r.line, col, word.meant, " stands inside other text and is not read")
		}
		r.judge.note(&r.findings, before, word, rest)
	case !ok && r.indent:
		head, enough := r.after(0)
		if !enough {
			return false
		}
		r.misspelt(head, col)
	}
	r.consume(1)
	return true
}

// misspelt complains of a line that would be an answer if its first word, such as FORMULAS, were a
// keyword.
func (r *Reader) misspelt(line []byte, col int) {
	word, rest := nextWord(line)
	more, ok := strings.CutPrefix(string(word), wordFormula)
	if !ok || more == "" || more[0] < 'A' || more[0] > 'Z' {
		return
	}
	formula := keyword{text: wordFormula}
	if _, ok := r.judge.answers(formula, rest); !ok {
		return
	}
	r.odd = r.line
	before := len(r.findings.list)
	r.findings.add("answer-no-keyword", r.line, col, diagnostic.Cut(string(word)), " is no keyword; the line is not read")
	r.judge.note(&r.findings, before, formula, rest)
}

// bare complains of a line that would be an answer with FORMULA in front.
func (r *Reader) bare(line []byte, col int) {
	formula := keyword{text: wordFormula}
	if _, ok := r.judge.answers(formula, line); !ok || r.judge.exam.HasFormulas() {
		return
	}
	r.odd = r.line
	before := len(r.findings.list)
	r.findings.add("answer-bare-item", r.line, col, diagnostic.Excerpt(string(line)), " is not read without ", wordFormula, " in front of it")
	r.judge.note(&r.findings, before, formula, line)
}

// after returns what stands on the line n bytes from the position, or the beginning of it where it
// is long; false when more bytes must be read first.
func (r *Reader) after(n int) (rest []byte, enough bool) {
	rest = r.buf[r.pos+n : r.end]
	end := bytes.IndexByte(rest, '\n')
	if end >= 0 {
		return rest[:end], true
	}
	return rest, r.eof || len(rest) >= maxItem
}

// alone reports whether a keyword at pos ends at a blank or with its line.
func (r *Reader) alone(word keyword) bool {
	end := r.pos + len(word.text)
	return end == r.end || isIndent(r.buf[end]) || r.buf[end] == '\n'
}

// loud reports whether a keyword inside a line is written as tools write it,
// rather than being a common word or the end of another one. A small letter
// before it may end the escape sequence of a colour.
func (r *Reader) loud(word keyword) bool {
	at := r.buf[r.pos:r.end]
	inWord := isWordByte(r.last) && !(r.last >= 'a' && r.last <= 'z')
	return !word.misspelt && !inWord && string(at[:len(word.text)]) == word.text
}

var lineFeed = []byte{'\n'}

// consume passes over n bytes of the buffer, counting lines.
func (r *Reader) consume(n int) {
	passed := r.buf[r.pos : r.pos+n]
	if n > 0 {
		r.last = passed[n-1]
	}
	if feeds := bytes.Count(passed, lineFeed); feeds > 0 {
		last := bytes.LastIndexByte(passed, '\n')
		r.line += feeds
		r.lineStart = r.base + int64(r.pos+last+1)
		r.indent, r.escape = true, false
		passed = passed[last+1:]
	}
	r.escape = r.escape || bytes.IndexByte(passed, '\x1b') >= 0
	if r.indent && !allIndent(passed) {
		r.indent = false
	}
	r.pos += n
}

// keepOn keeps the rest of a line that begins with a keyword, as far as it is
// there, and reads it when its end is.
func (r *Reader) keepOn() (complete, found bool) {
	rest := r.buf[r.pos:r.end]
	length := bytes.IndexByte(rest, '\n')
	if length < 0 {
		r.keepBytes(rest)
		r.pos = r.end
		return false, false
	}
	text := rest[:length]
	if len(r.kept) > 0 {
		r.keepBytes(text)
		text = r.kept
	} else {
		r.keptLength = length
	}
	found = r.read(text, true)
	r.pos += length + 1
	r.line++
	r.lineStart, r.indent, r.escape, r.mode = r.base+int64(r.pos), true, false, search
	return true, found
}

func (r *Reader) keepBytes(b []byte) {
	r.keptLength += len(b)
	r.kept = append(r.kept, b[:min(len(b), maxLine-len(r.kept))]...)
}

// finish reads what stands after the last line feed.
func (r *Reader) finish() (found bool) {
	if r.mode == keep {
		found = r.read(r.kept, false)
	} else {
		r.consume(r.end - r.pos)
	}
	if r.base+int64(r.end) > r.lineStart {
		r.findings.add("answer-no-final-newline", r.line, 0)
	}
	r.judge.close(&r.findings)
	return found
}

// read judges one line that begins with a keyword; terminated reports whether its
// line feed was seen.
func (r *Reader) read(text []byte, terminated bool) bool {
	l := answerLine{text: text, number: r.line, col: r.keptCol, terminated: terminated, whole: r.keptLength == len(text)}
	l.late = r.o.Deadline > 0 && r.now > r.o.Deadline
	a, ok := r.judge.line(l, &r.findings)
	if !ok {
		return false
	}
	a.Line, a.Col, a.Offset, a.At = r.line, r.keptCol, r.lineStart, r.now
	a.Length = r.keptCol - 1 + r.keptLength
	r.answer = a
	return true
}
