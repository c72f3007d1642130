package referee

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/files"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/pnml/unfold"
)

// Replayer replays runs of one instance.
type Replayer struct {
	instance models.Instance
	file     string // of formulas; empty: those of the instance
	net      *replay.Net
	names    *formula.NetNames
	formulas map[examinations.ID]map[string]formula.Formula // by id, those that were read
}

// Open reads the net of an instance. Formulas are read when a witness names
// one: from the file formulas or, when that is empty, from the instance.
func Open(i models.Instance, formulas string) (*Replayer, error) {
	doc, err := i.Document()
	if err != nil {
		return nil, err
	}
	return &Replayer{instance: i, file: formulas, net: replay.Open(doc, unfold.Limits{}), names: formula.NamesIn(doc),
		formulas: map[examinations.ID]map[string]formula.Formula{}}, nil
}

// formulasOf reads the formulas of an examination, once.
func (r *Replayer) formulasOf(exam examinations.ID) (map[string]formula.Formula, error) {
	known, ok := r.formulas[exam]
	if ok || !exam.HasFormulas() {
		return known, nil
	}
	file, text, err := r.text(exam)
	if errors.Is(err, os.ErrNotExist) {
		return nil, diagnostic.List{{File: file, Code: "formula-file-missing", Message: "there are no formulas for " + string(exam),
			Hint: "--formulas FILE names a file of them"}}
	} else if err != nil {
		return nil, err
	}
	properties, found := formula.ReadOf(bytes.NewReader(text), file, exam, r.names)
	if err := found.Err(); err != nil {
		return nil, err
	}
	known = map[string]formula.Formula{}
	for _, p := range properties {
		known[p.ID] = p.Formula
	}
	r.formulas[exam] = known
	return known, nil
}

// maxFormulas bounds a file of formulas, in bytes.
const maxFormulas = 1 << 30

// text returns the file of formulas of an examination, and what is in it.
func (r *Replayer) text(exam examinations.ID) (file string, text []byte, err error) {
	if r.file != "" {
		text, err = files.ReadNamed(r.file, maxFormulas)
		return r.file, text, err
	}
	file = exam.FormulaFile()
	err = r.instance.With(file, func(in io.Reader) (err error) {
		text, err = io.ReadAll(in)
		return err
	})
	return r.instance.File(file), text, err
}

// Replay replays the witnesses of one file; path is its name in the findings.
// It passes the result of each value to tell, and returns the findings about
// witnesses that cannot be read.
func (r *Replayer) Replay(ctx context.Context, in io.Reader, path string, tell func(*witness.Witness, witness.Result) error) (diagnostic.List, error) {
	text := bufio.NewReaderSize(in, 1<<16)
	begin, _ := text.Peek(len("format "))
	reader := replay.NewReader(text, r.net, replay.Options{File: path, Instance: r.instance.ID.String(),
		Embedded: string(begin) != "format " && !strings.HasSuffix(path, witness.Suffix)})
	var faults diagnostic.List
	some := false
	for reader.Scan() {
		some = true
		w := reader.Witness()
		if len(w.Faults) > 0 {
			faults = append(faults, w.Faults...)
			continue
		}
		formulas, err := r.formulasOf(w.Exam)
		if err != nil {
			return faults, err
		}
		for _, result := range r.net.Check(ctx, w, func(item string) (formula.Formula, bool) {
			f, ok := formulas[item]
			return f, ok
		}) {
			if err := tell(w, result); err != nil {
				return faults, err
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	faults = append(faults, reader.Found()...)
	if !some && faults == nil {
		faults.Add(diagnostic.Diagnostic{File: path, Code: "witness-none", Message: "there is no witness here",
			Hint: "a witness begins with the line: format " + witness.Format})
	}
	return faults, reader.Err()
}
