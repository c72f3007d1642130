// Package engine is the part that the built-in tools share. They have the same
// interface as every other tool: their BenchKit_head.sh calls `podium tool run
// NAME`, and [Head] reads model and formulas and gives a [Task] to an [Engine].
package engine

import (
	"bufio"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// Task is one run as an engine sees it.
type Task struct {
	Instance   string // its name
	Exam       examinations.ID
	View       unfold.View        // the net, unfolded if it is coloured
	Properties []formula.Property // empty for examinations without formula file
	Memory     int64              // bytes that the whole process may use, 0 when unknown
	Cores      int                // at least 1
	Budget     time.Duration      // what the contest grants, 0 when unknown
	Witnesses  *Witnesses         // nil when nobody asks for them
}

// Formula returns the formula of an item, where there is one.
func (t Task) Formula(item string) (formula.Formula, bool) {
	k := slices.IndexFunc(t.Properties, func(p formula.Property) bool { return p.ID == item })
	if k < 0 {
		return nil, false
	}
	return t.Properties[k].Formula, true
}

// Engine is the method of one built-in tool.
type Engine interface {
	// Answer prints what the method can prove, each value as soon as it is
	// known, and never a guess. It returns when nothing more can be found; an
	// error is a fault of the engine or of its input, not of the method.
	Answer(ctx context.Context, task Task, out *Printer) error
}

// Printer writes answers in the form of the contest, one flushed line each.
// When the engine returns and no line was printed, Head prints CANNOT_COMPUTE.
// Only one goroutine at a time may use it.
type Printer struct {
	w     *bufio.Writer
	exam  examinations.ID
	twist func(item string, v examinations.Value) examinations.Value // nil for honest tools
	lines int
	err   error
}

// NewPrinter prints the answers to one examination.
func NewPrinter(w io.Writer, exam examinations.ID) *Printer {
	return &Printer{w: bufio.NewWriter(w), exam: exam}
}

// Value prints one value: item is a formula id, one of
// examinations.StateSpaceItems, or the examination's name for global properties.
func (p *Printer) Value(item string, v examinations.Value, techniques ...string) {
	word := "FORMULA "
	if p.exam == examinations.StateSpace {
		word = "STATE_SPACE "
	}
	if p.twist != nil {
		v = p.twist(item, v)
	}
	p.line(word + item + " " + v.Text + " TECHNIQUES " + strings.Join(techniques, " "))
}

// Twist makes the printer pass every value through a function before it is
// printed. The tool liar uses it.
func (p *Printer) Twist(f func(item string, v examinations.Value) examinations.Value) { p.twist = f }

// CannotCompute says that a formula (or, with "", the whole examination) could
// not be decided.
func (p *Printer) CannotCompute(item string) {
	if item == "" {
		p.line("CANNOT_COMPUTE")
		return
	}
	p.line("FORMULA " + item + " CANNOT_COMPUTE")
}

// Witness prints a witness between answers.
func (p *Printer) Witness(net *replay.Net, w *witness.Witness) {
	if err := errors.Join(net.Write(p.w, w), p.w.Flush()); err != nil && p.err == nil {
		p.err = err
	}
}

// DoNotCompete says that the tool takes no part in the examination.
func (p *Printer) DoNotCompete() { p.line("DO_NOT_COMPETE") }

// Lines is the number of lines printed so far.
func (p *Printer) Lines() int { return p.lines }

// Err is the first error of the writer.
func (p *Printer) Err() error { return p.err }

func (p *Printer) line(s string) {
	p.lines++
	p.w.WriteString(s + "\n")
	if err := p.w.Flush(); err != nil && p.err == nil {
		p.err = err
	}
}
