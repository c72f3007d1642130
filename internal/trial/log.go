package trial

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
)

// StandardError is what a run printed there: all of it in a file, the last lines at
// hand.
type StandardError struct {
	File  string   `json:"file,omitempty"` // "" when nothing was printed
	Lines int      `json:"lines,omitempty"`
	Last  []string `json:"last,omitempty"`

	Hints []string `json:"hints,omitempty"` // about what lines say
}

// hints are words of systems and tools that mean a mistake, and the next step.
var hints = []struct {
	begins bool // the words are the beginning of a line
	words  string
	hint   string
}{
	{false, "Read-only file system", "the tool's own directory is read-only: write to $TMPDIR, or to $BK_RESULT_DIR what is to be kept"},
	{false, "Address family not supported", "a run has no network: what the tool needs has to be in its directory, or in an image (system: in tool.yaml)"},
	{true, "FORMULA ", "answers count on standard output, not on standard error"},
	{true, "STATE_SPACE ", "answers count on standard output, not on standard error"},
}

// What is kept of standard error beside the file.
const (
	lastLines  = 5
	longestTip = 500 // bytes of a line
)

// errorLog writes standard error to a file, and remembers its last lines.
type errorLog struct {
	file *os.File
	end  StandardError
	line []byte // the unfinished one, cut
	open bool   // an unfinished line was begun
}

func newErrorLog(path string) (*errorLog, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	return &errorLog{file: f}, err
}

// Write takes what the tool prints.
func (l *errorLog) Write(text []byte) (int, error) {
	n, err := l.file.Write(text)
	for rest := text[:n]; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		l.open = true
		l.line = append(l.line, line[:min(len(line), longestTip-len(l.line))]...)
		if ended {
			l.endLine()
		}
		rest = after
	}
	return n, err
}

func (l *errorLog) endLine() {
	l.end.Lines++
	for _, h := range hints {
		if at := bytes.Index(l.line, []byte(h.words)); (at == 0 || at > 0 && !h.begins) && !slices.Contains(l.end.Hints, h.hint) {
			l.end.Hints = append(l.end.Hints, h.hint)
		}
	}
	l.end.Last = append(l.end.Last, string(l.line))
	if len(l.end.Last) > lastLines {
		l.end.Last = slices.Delete(l.end.Last, 0, 1)
	}
	l.line, l.open = l.line[:0], false
}

// close ends the file, which is removed when it is empty.
func (l *errorLog) close() (StandardError, error) {
	if l.open {
		l.endLine()
	}
	err := l.file.Close()
	if l.end.Lines == 0 {
		return l.end, os.Remove(l.file.Name())
	}
	l.end.File = l.file.Name()
	return l.end, err
}
