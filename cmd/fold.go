package cmd

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// folding is a terminal on which remarks are written: lines that are wider are broken at blanks.
// What does not come as whole lines, such as a prompt, passes as it is and at once.
type folding struct {
	mutex   sync.Mutex
	to      io.Writer
	columns func() int // of the terminal
	within  bool       // a line that has begun has not ended yet
}

// foldedTerminal returns a writer of lines that fit, for a terminal; what is none stays itself.
func foldedTerminal(to io.Writer) io.Writer {
	if width(to) == 0 {
		return to
	}
	return &folding{to: to, columns: func() int { return width(to) }}
}

// Raw is the terminal itself, see [diagnostic.Raw].
func (f *folding) Raw() io.Writer { return diagnostic.Raw(f.to) }

func (f *folding) Write(p []byte) (int, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var text strings.Builder
	columns := f.columns()
	for line := range bytes.Lines(p) {
		whole, ends := bytes.CutSuffix(line, []byte("\n"))
		if f.within || !ends {
			text.Write(line)
		} else {
			text.WriteString(wording.Fold(string(whole), columns) + "\n")
		}
		f.within = !ends
	}
	if _, err := io.WriteString(f.to, text.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// folded lets lines be written, and on a terminal breaks those that are wider at blanks.
func folded(out io.Writer, write func(io.Writer) error) error {
	columns := width(out)
	if columns == 0 {
		return write(out)
	}
	var text strings.Builder
	if err := write(&text); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(out, wording.Fold(strings.TrimSuffix(line, "\n"), columns)); err != nil {
			return err
		}
	}
	return nil
}
