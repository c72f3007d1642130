package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// ends lists the runs that are chosen and have an end, in order.
func (l *Log) ends(chosen func(Run) bool) []Run {
	list := slices.SortedFunc(maps.Keys(l.Finished), Run.Compare)
	return slices.DeleteFunc(list, func(run Run) bool { return !chosen(run) })
}

// PrintOutputs writes what the chosen runs printed, for a terminal: under a line for
// each run its output, two columns to the right, with what cannot be printed replaced, and a hint
// about a run that did not start.
// It returns the number of runs.
func (l *Log) PrintOutputs(ctx context.Context, out io.Writer, chosen func(Run) bool) (n int, err error) {
	for _, run := range l.ends(chosen) {
		f := l.Finished[run]
		if _, err := fmt.Fprintf(out, "=== %s: %s, %s\n", run, f.Outcome.Termination, f.Participation); err != nil {
			return n, err
		}
		shifted := &shift{to: out}
		if err := l.campaign.printLog(ctx, diagnostic.NewTerminal(shifted), f); err != nil {
			return n, fmt.Errorf("%s: %w", run, err)
		}
		if err := shifted.end(); err != nil {
			return n, err
		}
		if asked, _ := l.campaign.Plan.Instance(run.Instance); f.Outcome.NotStarted() {
			if _, err := fmt.Fprintln(out, "hint:", l.campaign.hint(f, asked)); err != nil {
				return n, err
			}
		}
		n++
	}
	return n, nil
}

// EachOutput returns what each of the chosen runs printed, with what is no UTF-8
// replaced, and the number of runs.
func (l *Log) EachOutput(ctx context.Context, chosen func(Run) bool, do func(f *Finished, output string) error) (n int, err error) {
	for _, run := range l.ends(chosen) {
		var text strings.Builder
		if err := l.campaign.printLog(ctx, &text, l.Finished[run]); err != nil {
			return n, fmt.Errorf("%s: %w", run, err)
		}
		if err := do(l.Finished[run], strings.ToValidUTF8(text.String(), "\uFFFD")); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (c *Campaign) printLog(ctx context.Context, out io.Writer, f *Finished) error {
	log, err := c.Log(f)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, until{ctx, log})
	return errors.Join(err, log.Close())
}

// until reads until a context ends.
type until struct {
	ctx context.Context
	io.Reader
}

func (u until) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(b)
}

// shift moves lines two columns to the right, so that none of them looks like a line
// of ours.
type shift struct {
	to   io.Writer
	line bool // has begun
}

func (s *shift) Write(b []byte) (int, error) {
	var out []byte
	for part := range bytes.Lines(b) {
		if !s.line {
			out = append(out, "  "...)
		}
		out = append(out, part...)
		s.line = part[len(part)-1] != '\n'
	}
	if _, err := s.to.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// end ends the last line, where its end is missing.
func (s *shift) end() (err error) {
	if s.line {
		_, err = s.to.Write([]byte("\n"))
	}
	return err
}

// ExtractOutputs writes what the chosen runs printed and left into a directory, byte by
// byte: as TOOL/INSTANCE.EXAMINATION.out, .err and .witnesses, with .2 before it for the
// second time that a run was made, without those that are empty; each whole or not at all.
// A file that is there already is [fs.ErrExist] unless it may be replaced. It returns the
// number of runs.
func (l *Log) ExtractOutputs(ctx context.Context, dir string, replace bool, chosen func(Run) bool) (n int, err error) {
	for _, run := range l.ends(chosen) {
		f := l.Finished[run]
		below := filepath.Join(dir, run.Tool)
		if filepath.Base(run.Tool) != run.Tool || !filepath.IsLocal(run.Tool) {
			return n, fmt.Errorf("tool %s: this name cannot be that of a directory", diagnostic.Excerpt(run.Tool))
		}
		if err := os.MkdirAll(filepath.Join(below, filepath.Dir(run.Instance)), 0o755); err != nil { // names of tasks have directories
			return n, err
		}
		name := run.Instance + "." + string(run.Exam)
		if run.Repetition > 0 {
			name += "." + strconv.Itoa(run.Repetition)
		}
		for _, part := range []struct {
			suffix string
			ref    PackRef
		}{{"out", f.Stdout}, {"err", f.Stderr}, {"witnesses", f.Left}} {
			if err := l.campaign.extract(ctx, filepath.Join(below, name+"."+part.suffix), replace, part.ref); err != nil {
				return n, fmt.Errorf("%s: %w", run, err)
			}
		}
		n++
	}
	return n, nil
}

func (c *Campaign) extract(ctx context.Context, path string, replace bool, ref PackRef) error {
	if ref.Size == 0 {
		return nil
	}
	in, err := c.Output(ref)
	if err != nil {
		return err
	}
	defer in.Close()
	return files.Make(path, replace, func(file string) error {
		out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, until{ctx, in})
		return errors.Join(err, out.Close())
	})
}

// WithoutOutputs counts the runs with an end whose outputs are not in this copy of the
// campaign, or not all of them.
func (l *Log) WithoutOutputs() (n int) {
	sizes := map[string]int64{}
	for _, f := range l.Finished {
		for _, ref := range f.outputs() {
			length, known := sizes[ref.Pack]
			if !known && ref.Size > 0 {
				length = size(filepath.Join(l.campaign.Dir, "packs", filepath.Base(ref.Pack)))
				sizes[ref.Pack] = length
			}
			if ref.Size > 0 && ref.Offset+ref.Length > length {
				n++
				break
			}
		}
	}
	return n
}
