package publish

import (
	"bufio"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"strconv"
	"strings"
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
	out     strings.Builder
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

// excerpt is what a page shows of a log.
type excerpt struct {
	HTML  template.HTML
	Bytes int64 // of the whole log
	gaps  int   // places where lines are left out
}

// readLog copies the log to whole and returns its excerpt. Rest is the script that has what
// the excerpt leaves out.
func readLog(log io.Reader, whole io.Writer, run, rest string, answers map[int64]string) (excerpt, error) {
	view := &logView{run: run, rest: rest, answers: answers}
	in := readers.Get().(*bufio.Reader)
	in.Reset(log)
	defer readers.Put(in)
	for {
		part, err := in.ReadSlice('\n')
		if _, failed := whole.Write(part); failed != nil {
			return excerpt{}, failed
		}
		view.add(part)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(part) > 0 && part[len(part)-1] == '\n' || err != nil {
			view.endLine()
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return excerpt{}, err
		}
	}
	view.flushTail()
	return excerpt{template.HTML(view.out.String()), view.start, view.gaps}, nil
}

func (l *logView) add(part []byte) {
	l.line = append(l.line, part[:min(len(part), max(0, logLine-len(l.line)))]...)
	l.lineLen += int64(len(part))
}

func (l *logView) endLine() {
	if l.lineLen == 0 {
		return
	}
	text := l.render()
	title, answer := l.answers[l.start]
	switch {
	case answer:
		l.flushTail()
		fmt.Fprintf(&l.out, `<mark id="%s" title="%s">%s</mark>`, logAnchor(l.run, l.start), html.EscapeString(clean(title)), text)
		l.out.WriteByte('\n')
	case l.start+l.lineLen <= logHead && l.skipped == 0 && len(l.tail) == 0:
		l.write(l.start, text)
	default:
		l.keep(tailLine{text, l.start, l.lineLen})
	}
	l.start += l.lineLen
	l.line, l.lineLen = l.line[:0], 0
}

// write writes a line with its address.
func (l *logView) write(start int64, text string) {
	var digits [20]byte
	l.out.WriteString(`<span id="`)
	l.out.WriteString(l.run)
	l.out.WriteByte('-') // as in logAnchor, of which there are many
	l.out.Write(strconv.AppendInt(digits[:0], start, 10))
	l.out.WriteString(`">`)
	l.out.WriteString(text)
	l.out.WriteString("</span>\n")
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
		fmt.Fprintf(&l.out, "<i class=\"gap\" data-rest=\"%s\" data-from=\"%d\" data-to=\"%d\">\u2026 %s not shown \u2026</i>", l.rest, l.from, l.from+l.skipped, size(l.skipped))
	}
	for _, line := range l.tail {
		l.write(line.start, line.html)
	}
	l.tail, l.tailLen, l.skipped = nil, 0, 0
}

// render makes the current line readable: noise becomes visible marks.
func (l *logView) render() string {
	text := strings.TrimRight(string(l.line), "\r\n")
	more := ""
	if l.lineLen > int64(len(l.line)) {
		more = fmt.Sprintf("<i>\u2026 %s more on this line</i>", size(l.lineLen-int64(len(l.line))))
	}
	if plain(text) {
		return text + more
	}
	return html.EscapeString(diagnostic.Printable(text)) + more
}
