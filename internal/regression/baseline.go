package regression

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"podium/examinations"
	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// state is what is known of a value, or of a run.
type state string

const (
	right  state = "right"
	wrong  state = "wrong"  // the developers know that the value is wrong
	failed state = "failed" // they know that the run does not start, crashes or is killed
)

// place names a value of a run. The item is empty where the run as a whole is meant.
type place struct {
	instance string
	exam     examinations.ID
	item     string
}

// Baseline says what was right before, and which faults are known.
type Baseline struct{ states map[place]state }

// has reports whether something is remembered of an examination.
func (b *Baseline) has(instance string, exam examinations.ID) bool {
	for p := range b.states {
		if p.instance == instance && p.exam == exam {
			return true
		}
	}
	return false
}

const (
	baselineHead = "podium-baseline/1"
	maxLine      = 64 << 10 // bytes
	maxLines     = 20e6     // a line for each value of some 80 contests
)

// ReadBaseline reads a baseline. A file that does not exist gives an empty one; other
// errors are findings with a line, or those of the file.
func ReadBaseline(file string) (*Baseline, error) {
	b := &Baseline{map[place]state{}}
	f, err := files.OpenNamed(file)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	return b, b.read(f, file)
}

func (b *Baseline) read(r io.Reader, file string) error {
	in, line := bufio.NewScanner(r), 0
	in.Buffer(nil, maxLine)
	bad := func(message, hint string) error {
		return diagnostic.Diagnostic{File: file, Line: line, Col: 1, Code: "baseline-line", Message: message, Hint: hint}
	}
	const again = "mend the line, or move the file away: the next test writes a new one"
	for in.Scan() {
		line++
		if line == 1 {
			if in.Text() != baselineHead {
				return bad(fmt.Sprintf("the first line is not %q", baselineHead), "is this a file that `podium test` wrote? Merge conflicts are solved by hand")
			}
			continue
		}
		cells := strings.Split(in.Text(), "\t")
		if len(cells) != 4 || line > maxLines {
			return bad("a line has four cells with tabs between: instance, examination, item, and right, wrong or failed", again)
		}
		exam, err := examinations.ParseID(cells[1])
		if err != nil {
			return bad(err.Error(), again)
		}
		s := state(cells[3])
		if s != right && s != wrong && s != failed || (s == failed) != (cells[2] == "") {
			return bad("a value is right or wrong; a run, which has no item, is failed", again)
		}
		b.states[place{cells[0], exam, cells[2]}] = s
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		line++
		return bad(fmt.Sprintf("the line has more than %d bytes", maxLine), again)
	}
	return in.Err()
}

// Write writes the baseline, sorted, so that versions of it can be compared.
func (b *Baseline) Write(file string) error {
	lines := make([]string, 0, len(b.states))
	for p, s := range b.states {
		lines = append(lines, fmt.Sprintf("%s\t%s\t%s\t%s\n", p.instance, p.exam, p.item, s))
	}
	slices.Sort(lines)
	return files.Replace(file, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprintln(out, baselineHead)
		for _, line := range lines {
			out.WriteString(line)
		}
		return out.Flush()
	})
}

// Learn returns the baseline after a test: what is right now is added, and nothing is
// lost. With accept the states of everything that was tested are those of today.
func (b *Baseline) Learn(r *Report, accept bool) *Baseline {
	next := maps.Clone(b.states)
	for _, c := range r.Cases {
		for p, s := range c.states {
			switch {
			case s == right || s != "" && (accept || next[p] == s):
				next[p] = s
			case accept || p.item == "" || next[p] == wrong:
				delete(next, p) // a fault that is gone is a fault when it comes again
			}
		}
	}
	return &Baseline{next}
}
