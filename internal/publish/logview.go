package publish

import (
	"bufio"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"strings"
	"sync"

	"podium/pnml/diagnostic"
)

// A page shows the first and the last bytes of a log and every answer line; the
// whole log is in a file beside the page. A shown line is cut at logLine bytes.
const (
	logHead = 12 << 10
	logTail = 6 << 10
	logLine = 1000
)

// logView makes the excerpt of a log that a page shows. It is given the whole
// log as a stream and keeps no more than it shows.
type logView struct {
	run     string           // the anchor of the run
	answers map[int64]string // offset of a line -> title
	out     strings.Builder
	line    []byte // the first logLine bytes of the current line
	lineLen int64
	start   int64 // offset of the current line
	tail    []tailLine
	tailLen int
	skipped int64 // bytes neither shown nor in tail
	found   int   // answer lines seen
}

type tailLine struct {
	html string
	raw  int64
}

// readers are the buffers of readLog.
var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 32<<10) }}

// readLog copies the log to whole and returns its excerpt and its length.
func readLog(log io.Reader, whole io.Writer, run string, answers map[int64]string) (template.HTML, int64, error) {
	view := &logView{run: run, answers: answers}
	in := readers.Get().(*bufio.Reader)
	in.Reset(log)
	defer readers.Put(in)
	for {
		part, err := in.ReadSlice('\n')
		if _, failed := whole.Write(part); failed != nil {
			return "", 0, failed
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
			return "", 0, err
		}
	}
	view.flushTail()
	return template.HTML(view.out.String()), view.start, nil
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
		l.found++
		fmt.Fprintf(&l.out, `<mark id="%s" title="%s">%s</mark>`, logAnchor(l.run, l.start), html.EscapeString(clean(title)), text)
		l.out.WriteByte('\n')
	case l.start+l.lineLen <= logHead && l.skipped == 0 && len(l.tail) == 0:
		l.out.WriteString(text)
		l.out.WriteByte('\n')
	default:
		l.keep(tailLine{text, l.lineLen})
	}
	l.start += l.lineLen
	l.line, l.lineLen = l.line[:0], 0
}

// keep holds the line for the end of the excerpt and drops the oldest lines.
func (l *logView) keep(line tailLine) {
	l.tail = append(l.tail, line)
	l.tailLen += len(line.html)
	for l.tailLen > logTail && len(l.tail) > 1 {
		l.skipped += l.tail[0].raw
		l.tailLen -= len(l.tail[0].html)
		l.tail = l.tail[1:]
	}
}

// flushTail writes what was held, after a note on what was left out.
func (l *logView) flushTail() {
	if l.skipped > 0 {
		fmt.Fprintf(&l.out, "<i>\u2026 %s not shown \u2026</i>\n", size(l.skipped))
	}
	for _, line := range l.tail {
		l.out.WriteString(line.html)
		l.out.WriteByte('\n')
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
	return html.EscapeString(diagnostic.Printable(text)) + more
}
