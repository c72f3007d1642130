package publish

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"strconv"
	"sync"

	"podium/pnml/diagnostic"
)

// A page shows the first and the last bytes of a log and every answer line; the
// whole log is in a file beside the page, and a script shows what is between on demand
// (assets/logs.js). A shown line is cut at logLine bytes. Each line has an address, which
// says at which byte of the log it begins.
const (
	logHead = 12 << 10
	logTail = 6 << 10
	logLine = 1000
)

// logView makes the excerpt of a log that a page shows. It is given the whole
// log as a stream and keeps no more than it shows.
type logView struct {
	run     string           // the anchor of the run
	rest    string           // the script that has what is left out
	answers map[int64]string // offset of a line -> title
	out     markup
	line    []byte // the first logLine bytes of the current line
	lineLen int64
	start   int64 // offset of the current line
	tail    []tailLine
	tailLen int
	skipped int64 // bytes neither shown nor in tail
	from    int64 // offset of the first of them
	gaps    int   // places where bytes are left out
}

type tailLine struct {
	html       string
	start, raw int64
}

// readers are the buffers of readLog.
var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 32<<10) }}

// excerpt is what a page shows of a log, in memory that the next one uses again.
type excerpt struct {
	html  []byte
	bytes int64 // of the whole log
	gaps  int   // places where lines are left out
}

// readLog copies the log to whole and returns its excerpt. The view knows whose log it is
// and where its answers are; it may have read another before.
func (l *logView) readLog(log io.Reader, whole io.Writer) (excerpt, error) {
	*l = logView{run: l.run, rest: l.rest, answers: l.answers, out: markup{l.out.b[:0]}, line: l.line[:0]}
	in := readers.Get().(*bufio.Reader)
	in.Reset(log)
	defer readers.Put(in)
	for {
		part, err := in.ReadSlice('\n')
		if _, failed := whole.Write(part); failed != nil {
			return excerpt{}, failed
		}
		l.add(part)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(part) > 0 && part[len(part)-1] == '\n' || err != nil {
			l.endLine()
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return excerpt{}, err
		}
	}
	l.flushTail()
	return excerpt{l.out.b, l.start, l.gaps}, nil
}

func (l *logView) add(part []byte) {
	l.line = append(l.line, part[:min(len(part), max(0, logLine-len(l.line)))]...)
	l.lineLen += int64(len(part))
}

func (l *logView) endLine() {
	if l.lineLen == 0 {
		return
	}
	title, answer := l.answers[l.start]
	switch {
	case answer:
		l.flushTail()
		l.open("mark", l.start)
		l.out.raw(`" title="`)
		l.out.text(title)
		l.out.raw(`">`)
		l.render()
		l.out.raw("</mark>\n")
	case l.start+l.lineLen <= logHead && l.skipped == 0 && len(l.tail) == 0:
		l.open("span", l.start)
		l.out.raw(`">`)
		l.render()
		l.out.raw("</span>\n")
	default:
		shown := len(l.out.b)
		l.render()
		l.keep(tailLine{string(l.out.b[shown:]), l.start, l.lineLen})
		l.out.b = l.out.b[:shown]
	}
	l.start += l.lineLen
	l.line, l.lineLen = l.line[:0], 0
}

// open begins the element of a line, with its address.
func (l *logView) open(element string, start int64) {
	l.out.raw("<", element, ` id="`, l.run, "-") // as in logAnchor, of which there are many
	l.out.b = strconv.AppendInt(l.out.b, start, 10)
}

// keep holds the line for the end of the excerpt and drops the oldest lines.
func (l *logView) keep(line tailLine) {
	l.tail = append(l.tail, line)
	l.tailLen += len(line.html)
	for l.tailLen > logTail && len(l.tail) > 1 {
		if l.skipped == 0 {
			l.from = l.tail[0].start
		}
		l.skipped += l.tail[0].raw
		l.tailLen -= len(l.tail[0].html)
		l.tail = l.tail[1:]
	}
}

// flushTail writes what was held, after a note on what was left out.
func (l *logView) flushTail() {
	if l.skipped > 0 {
		l.gaps++
		l.out.b = fmt.Appendf(l.out.b, "<i class=\"gap\" data-rest=\"%s\" data-from=\"%d\" data-to=\"%d\">\u2026 %s not shown \u2026</i>", l.rest, l.from, l.from+l.skipped, size(l.skipped))
	}
	for _, line := range l.tail {
		l.open("span", line.start)
		l.out.raw(`">`, line.html, "</span>\n")
	}
	l.tail, l.tailLen, l.skipped = nil, 0, 0
}

// render writes the current line so that it is readable: noise becomes visible marks.
func (l *logView) render() {
	text := bytes.TrimRight(l.line, "\r\n")
	if plain(text) {
		l.out.b = append(l.out.b, text...)
	} else {
		l.out.raw(html.EscapeString(diagnostic.Printable(string(text))))
	}
	if l.lineLen > int64(len(l.line)) {
		l.out.raw("<i>\u2026 ", size(l.lineLen-int64(len(l.line))), " more on this line</i>")
	}
}
