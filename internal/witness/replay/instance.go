package replay

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/witness"
	"podium/internal/witness/enumeration"
	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/pnml/unfold"
)

// Instance is the instance directory that the witnesses of one examination are
// about. Net and formulas are read when they are needed first.
type Instance struct {
	Dir, Name string
	Exam      examinations.ID

	net      *Net
	formulas map[string]formula.Formula
	failure  error
}

// Formula returns a formula of the examination.
func (i *Instance) Formula(item string) (formula.Formula, bool) {
	if i.formulas == nil {
		i.formulas = map[string]formula.Formula{}
		if i.Exam.HasFormulas() {
			properties, _ := formula.ReadFile(filepath.Join(i.Dir, i.Exam.FormulaFile()), i.Exam)
			for _, p := range properties {
				i.formulas[p.ID] = p.Formula
			}
		}
	}
	f, ok := i.formulas[item]
	return f, ok
}

// Net returns the net, or why witnesses on it cannot be checked.
func (i *Instance) Net() (*Net, error) {
	if i.net == nil && i.failure == nil {
		i.net, i.failure = readNet(filepath.Join(i.Dir, "model.pnml"))
	}
	return i.net, i.failure
}

func readNet(path string) (*Net, error) {
	doc, found := pnml.ReadFile(path)
	if err := found.Err(); err != nil {
		return nil, err
	}
	net := Open(doc, unfold.Limits{Arcs: maxArcs})
	net.small = enumeration.Beside
	return net, nil
}

// Limits of what is checked of one run of a tool.
const (
	maxArcs       = 1 << 26 // of an unfolding
	maxRunFirings = 1 << 24
	maxWitnesses  = 10_000
)

// Judge replays the witnesses of a run, those that it left in files and those among
// its output, and says what they make of each of its answers. An error is one of
// reading the texts.
func (i *Instance) Judge(ctx context.Context, left, output io.Reader, answers []witness.Claim) ([]witness.Result, error) {
	var shown []witness.Result
	for _, text := range []struct {
		in   io.Reader
		name string
	}{{left, "witnesses"}, {output, "output"}} {
		list, err := i.Check(ctx, text.in, text.name)
		var unchecked *ErrUnchecked
		if errors.As(err, &unchecked) {
			list = []witness.Result{{State: witness.Unconfirmed, Detail: err.Error()}}
		} else if err != nil {
			return nil, err
		}
		shown = append(shown, list...)
	}
	results := make([]witness.Result, len(answers))
	for k, a := range answers {
		f, _ := i.Formula(a.Item)
		results[k] = witness.Judge(a, Provable(i.Exam, f, a.Value), shown)
	}
	return results, nil
}

// Check replays all witnesses that a text holds, among other lines or alone, and
// gives what they say about each of their claims. Faults of the text are in the
// details; an error is one of reading it.
func (i *Instance) Check(ctx context.Context, text io.Reader, file string) ([]witness.Result, error) {
	in := bufio.NewReaderSize(text, 1<<16)
	begin, err := skipTo(in)
	if begin == nil || err != nil {
		return nil, err
	}
	net, err := i.Net()
	if err != nil {
		return nil, i.unreadable(err)
	}
	var results []witness.Result
	r := NewReader(io.MultiReader(bytes.NewReader(begin), in), net, Options{File: file, Embedded: true, Instance: i.Name, Exam: i.Exam, Firings: maxRunFirings})
	for n := 0; n < maxWitnesses && ctx.Err() == nil && r.Scan(); n++ {
		w := r.Witness()
		if len(w.Claims) == 0 && len(w.Faults) > 0 {
			results = append(results, witness.Result{State: witness.Unconfirmed, Detail: w.Faults.Error()})
		}
		results = append(results, net.Check(ctx, w, i.Formula)...)
	}
	return results, r.Err()
}

// ErrUnchecked says that witnesses could not be checked for a reason outside
// them.
type ErrUnchecked struct{ Err error }

func (e *ErrUnchecked) Error() string { return "the witnesses cannot be checked: " + e.Err.Error() }
func (e *ErrUnchecked) Unwrap() error { return e.Err }

func (i *Instance) unreadable(err error) error {
	var list diagnostic.List
	if errors.As(err, &list) && len(list) > 0 {
		err = list[0]
	}
	return &ErrUnchecked{err}
}

// skipTo passes over what stands before the first witness and returns the line that
// begins it, nil when there is none.
func skipTo(in *bufio.Reader) ([]byte, error) {
	mark := []byte("format podium-witness/")
	for start := true; ; {
		line, err := in.ReadSlice('\n')
		if start && bytes.HasPrefix(line, mark) {
			return bytes.Clone(line), nil
		}
		start = !errors.Is(err, bufio.ErrBufferFull)
		if err != nil && start {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return nil, err
		}
	}
}
