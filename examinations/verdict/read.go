package verdict

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// Limits of what is read of a run. Of a longer line the beginning is looked at, of a
// longer output the first part.
const (
	MaxLine   = 64 << 10
	MaxOutput = 64 << 20
	maxPart   = 64 // bytes of the name of a part
)

// Output is what a run printed, and how it ended.
type Output struct {
	Stdout, Stderr io.Reader
	Exited         bool // by itself, with the exit code; not by a signal
	ExitCode       int
}

// Answer is what a run says of its task.
type Answer struct {
	Text   string // TRUE, FALSE, FALSE(part); empty for UNKNOWN and ERROR
	Failed bool   // ERROR
	// Line and Offset say where in the standard output the answer stands; 0 where it does
	// not stand there.
	Line   int
	Offset int64
	// Findings are remarks on what was not taken, one sentence each.
	Findings []string
}

// Read returns the answer of a run on a task of a property with these parts. An error is
// one of the readers, or of rules that [Rule.Check] refuses.
func (list Rules) Read(property string, parts []string, o Output) (Answer, error) {
	rules, err := list.compile(property)
	if err != nil {
		return Answer{}, err
	}
	var a Answer
	stdout, err := a.match("standard output", o.Stdout, rules, func(c *compiled) *regexp.Regexp { return c.stdout })
	if err != nil {
		return a, err
	}
	stderr, err := a.match("standard error", o.Stderr, rules, func(c *compiled) *regexp.Regexp { return c.stderr })
	if err != nil {
		return a, err
	}
	for i, r := range rules {
		out, errs := stdout[i], stderr[i]
		if r.stdout != nil && out == nil || r.stderr != nil && errs == nil || r.exit != nil && (!o.Exited || *r.exit != o.ExitCode) {
			continue
		}
		if out != nil {
			a.Line, a.Offset = out.line, out.offset
		}
		a.take(r, out, errs, property, parts)
		return a, nil
	}
	return a, nil
}

// take sets the text of the answer that a rule gives.
func (a *Answer) take(r compiled, out, errs *hit, property string, parts []string) {
	text := r.answer
	if r.group != "" {
		part := out.group(r.stdout, r.group)
		if part == "" {
			part = errs.group(r.stderr, r.group)
		}
		if len(part) > maxPart || !partName.MatchString(part) {
			a.Findings = append(a.Findings, fmt.Sprintf("%.80q names no part of a property, so that FALSE is no answer", part))
			return
		}
		text = "FALSE(" + part + ")"
	}
	switch text {
	case Unknown:
		return
	case Error:
		a.Failed = true
		return
	}
	if _, part := Parse(text); !concerns(part, property, parts) {
		a.Findings = append(a.Findings, text+" is about a property that was not asked: the edition says what it counts as")
	}
	a.Text = text
}

// hit is the first line that a rule matches.
type hit struct {
	text   []byte
	line   int
	offset int64
}

// group returns what a group of the expression matches in the line.
func (h *hit) group(re *regexp.Regexp, name string) string {
	if h == nil || re == nil || re.SubexpIndex(name) < 0 {
		return ""
	}
	found := re.FindSubmatch(h.text)
	if found == nil {
		return ""
	}
	return string(found[re.SubexpIndex(name)])
}

// match finds the first line of an output that each rule matches.
func (a *Answer) match(what string, in io.Reader, rules []compiled, pattern func(*compiled) *regexp.Regexp) ([]*hit, error) {
	hits := make([]*hit, len(rules))
	open := 0
	for i := range rules {
		if pattern(&rules[i]) != nil {
			open++
		}
	}
	if in == nil || open == 0 {
		return hits, nil
	}
	lines := bufio.NewReaderSize(in, MaxLine)
	var offset int64
	for number := 1; open > 0; number++ {
		text, size, err := nextLine(lines)
		if size == 0 && err != nil {
			return hits, unlessEnd(err)
		}
		if offset+int64(size) > MaxOutput {
			a.Findings = append(a.Findings, fmt.Sprintf("the %s was read up to line %d: it is longer than %d MB", what, number-1, MaxOutput>>20))
			return hits, nil
		}
		for i := range rules {
			if re := pattern(&rules[i]); re != nil && hits[i] == nil && re.Match(text) {
				hits[i] = &hit{bytes.Clone(text), number, offset}
				open--
			}
		}
		offset += int64(size)
		if err != nil {
			return hits, unlessEnd(err)
		}
	}
	return hits, nil
}

// nextLine returns the beginning of a line without its end, and the size of all of it.
func nextLine(in *bufio.Reader) (text []byte, size int, err error) {
	part, err := in.ReadSlice('\n')
	size = len(part)
	text = bytes.TrimRight(part, "\r\n")
	if !errors.Is(err, bufio.ErrBufferFull) {
		return text, size, err
	}
	text = bytes.Clone(text)
	for errors.Is(err, bufio.ErrBufferFull) && size <= MaxOutput {
		part, err = in.ReadSlice('\n')
		size += len(part)
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		err = nil
	}
	return text, size, err
}

func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
