package witness

import (
	"bufio"
	"io"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

// Format is the first line of every witness, after the word format.
const Format = "podium-witness/1"

// Suffix ends the names of files with witnesses.
const Suffix = ".witness"

// Witness is a set of runs and the values that they shall prove.
type Witness struct {
	Instance string
	Exam     examinations.ID
	Claims   []Claim
	Runs     []Run
	Line     int             // of its first line, 0 when it was not read
	Faults   diagnostic.List // errors that were met while it was read: it proves nothing then
}

// Claim is one value of the examination. AtLeast says that the value, a number,
// is a lower bound only.
type Claim struct {
	Item    string
	Value   examinations.Value
	AtLeast bool
}

// String is the claim as it stands on a value line.
func (c Claim) String() string {
	return string(appendName(nil, c.Item)) + " " + c.Bound()
}

// Bound is the value alone, with >= before a lower bound.
func (c Claim) Bound() string {
	if c.AtLeast {
		return ">=" + c.Value.Text
	}
	return c.Value.Text
}

// Run is a sequence of transitions from the initial marking on. Those from Cycle
// on may be repeated for ever; a negative Cycle says that there is none. Inner are
// cycles before it: each adds tokens and takes none away, but from places that an
// earlier one has filled; repeated often enough, it fills its places for all that
// follows.
type Run struct {
	Fire  []uint32
	Cycle int
	Inner []Span
	lines []lineMark
}

// Span is a part of a run: the firings from From up to To.
type Span struct{ From, To int }

// lineMark says that the firings from step on stand on a line.
type lineMark struct{ step, line int32 }

// lineOf gives the line of a step, 0 when the run was not read.
func (r *Run) lineOf(step int) int {
	line := int32(0)
	for _, m := range r.lines {
		if int(m.step) > step {
			break
		}
		line = m.line
	}
	return int(line)
}

// Finite is a run without a cycle.
func Finite(fire []uint32) Run { return Run{Fire: fire, Cycle: -1} }

// Lasso is a stem and a cycle; an empty cycle is none.
func Lasso(stem, cycle []uint32) Run {
	if len(cycle) == 0 {
		return Finite(stem)
	}
	return Run{Fire: append(append(make([]uint32, 0, len(stem)+len(cycle)), stem...), cycle...), Cycle: len(stem)}
}

// widest is the number of bytes after which a fire line ends.
const widest = 100

// Write writes a witness of a net.
func (n *Net) Write(out io.Writer, w *Witness) error {
	b := bufio.NewWriterSize(out, 1<<16)
	line := func(words ...string) {
		for i, word := range words {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(word)
		}
		b.WriteByte('\n')
	}
	line("format", Format)
	line("instance", string(appendName(nil, w.Instance)))
	line("examination", string(w.Exam))
	for _, c := range w.Claims {
		line("value", c.String())
	}
	for i := range w.Runs {
		r := &w.Runs[i]
		line("run")
		at := 0
		for _, inner := range r.Inner {
			n.writeFirings(b, r.Fire[at:inner.From])
			line("cycle")
			n.writeFirings(b, r.Fire[inner.From:inner.To])
			line("then")
			at = inner.To
		}
		if r.Cycle < 0 {
			n.writeFirings(b, r.Fire[at:])
			continue
		}
		n.writeFirings(b, r.Fire[at:r.Cycle])
		line("cycle")
		n.writeFirings(b, r.Fire[r.Cycle:])
	}
	line("end")
	return b.Flush()
}

func (n *Net) writeFirings(b *bufio.Writer, fire []uint32) {
	var line []byte
	for i, t := range fire {
		if len(line) == 0 {
			line = append(line, "fire"...)
		}
		line = n.appendFiring(append(line, ' '), t)
		if len(line) >= widest || i == len(fire)-1 {
			b.Write(append(line, '\n'))
			line = line[:0]
		}
	}
}
