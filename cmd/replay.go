package cmd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/witness"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/pnml/unfold"
)

// replayOptions are the flags of replay.
type replayOptions struct {
	model, formulas string
	json, quiet     bool
}

func newReplay(s *streams) *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay WITNESS... --model INSTANCE",
		Short: "Replay witnesses on the net, and say what they prove",
		Long: `Replay fires the runs of witnesses step by step and compares what they show with the values
that they claim: confirmed, refuted, or unconfirmed with what is missing. It takes files of
witnesses, and the output of a tool with witnesses in it ("-" is standard input).
docs/witnesses.md describes the format and what runs can prove.

Exit codes: 0 all values are confirmed, 2 usage, 3 some are refuted or unconfirmed, 4 invalid
input, 130 interrupted.`,
		Example: `  podium replay deadlock.witness --model DiningPhilosophers-PT-002
  podium replay results/*.witness --model AirplaneLD-COL-0010.tgz
  mytool | podium replay - --model AirplaneLD-PT-0010 --formulas CTLFireability.xml`,
		Args: someArgs("files with witnesses"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.replay(cmd.Context(), s, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.model, "model", "m", "", "instance directory or archive that the witnesses are about")
	f.StringVarP(&o.formulas, "formulas", "f", "", "file of formulas (default: those of the instance)")
	f.BoolVar(&o.json, "json", false, "one JSON object a line")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only what is not confirmed")
	return cmd
}

func (o *replayOptions) replay(ctx context.Context, s *streams, args []string) error {
	if o.model == "" {
		return usageError{errors.New("replay needs --model INSTANCE, the net that the witnesses are about")}
	}
	r, err := o.open()
	if err != nil {
		return err
	}
	var faults diagnostic.List
	total, confirmed := 0, 0
	for _, path := range args {
		in := io.NopCloser(s.in)
		if path != "-" {
			if in, err = os.Open(path); err != nil {
				return err
			}
		}
		found, err := r.file(ctx, in, path, func(w *witness.Witness, result witness.Result) error {
			total++
			if result.State == witness.Confirmed {
				confirmed++
				if o.quiet {
					return nil
				}
			}
			return o.print(s.out, path, w, result)
		})
		in.Close()
		faults = append(faults, found...)
		if err != nil {
			return err
		}
	}
	switch {
	case faults.Err() != nil:
		return faults
	case ctx.Err() != nil:
		return ctx.Err()
	case confirmed < total:
		return incompleteError{fmt.Sprintf("%d of %d values are not confirmed", total-confirmed, total)}
	}
	return nil
}

func (o *replayOptions) print(out io.Writer, path string, w *witness.Witness, r witness.Result) error {
	if !o.json {
		what := r.Claim.String()
		if r.Claim.Item != string(w.Exam) {
			what = string(w.Exam) + " " + what
		}
		_, err := fmt.Fprintf(out, "%s:%d: %s %s: %s\n", path, w.Line, r.State, what, r.Detail)
		return err
	}
	proved := ""
	if !r.Proved.Value.IsZero() {
		proved = r.Proved.Bound()
	}
	return json.NewEncoder(out).Encode(struct {
		File        string          `json:"file"`
		Line        int             `json:"line"`
		Examination examinations.ID `json:"examination"`
		Item        string          `json:"item"`
		Value       string          `json:"value"`
		State       witness.State   `json:"state"`
		Proved      string          `json:"proved,omitempty"`
		Detail      string          `json:"detail"`
	}{path, w.Line, w.Exam, r.Claim.Item, r.Claim.Bound(), r.State, proved, r.Detail})
}

// replayer is the instance that witnesses are about.
type replayer struct {
	instance models.Instance
	net      *witness.Net
	formulas func(examinations.ID) (map[string]formula.Formula, error)
}

func (o *replayOptions) open() (*replayer, error) {
	opened, err := models.Open(o.model)
	if len(opened.Instances) != 1 {
		if err == nil {
			err = usageError{fmt.Errorf("%s holds %d instances: name one", o.model, len(opened.Instances))}
		}
		return nil, err
	}
	r := &replayer{instance: opened.Instances[0]}
	var doc *pnml.Document
	if err := r.instance.With(models.ModelFile, func(in io.Reader) error {
		var found diagnostic.List
		doc, found = pnml.Read(in, filepath.Join(r.instance.Path, models.ModelFile))
		return found.Err()
	}); err != nil {
		return nil, err
	}
	view, err := unfold.Of(doc, unfold.Limits{})
	if err != nil {
		return nil, diagnostic.List{{File: o.model, Code: "witness-net", Message: err.Error()}}
	}
	r.net = witness.NewNet(view)
	r.formulas = o.reader(r.instance, formula.NamesIn(doc))
	return r, nil
}

// reader reads the formulas of an examination, once.
func (o *replayOptions) reader(i models.Instance, names *formula.NetNames) func(examinations.ID) (map[string]formula.Formula, error) {
	known := map[examinations.ID]map[string]formula.Formula{}
	return func(exam examinations.ID) (map[string]formula.Formula, error) {
		if formulas, ok := known[exam]; ok {
			return formulas, nil
		}
		file := exam.FormulaFile()
		var text []byte
		err := error(nil)
		if o.formulas != "" {
			file = o.formulas
			text, err = os.ReadFile(file)
		} else {
			err = i.With(file, func(in io.Reader) (err error) {
				text, err = io.ReadAll(in)
				return err
			})
			file = filepath.Join(i.Path, file)
		}
		if errors.Is(err, os.ErrNotExist) {
			return nil, diagnostic.List{{File: file, Code: "formula-file-missing", Message: "there are no formulas for " + string(exam),
				Hint: "--formulas FILE names a file of them"}}
		} else if err != nil {
			return nil, err
		}
		properties, found := formula.ReadOf(bytes.NewReader(text), file, exam, names)
		if err := found.Err(); err != nil {
			return nil, err
		}
		known[exam] = map[string]formula.Formula{}
		for _, p := range properties {
			known[exam][p.ID] = p.Formula
		}
		return known[exam], nil
	}
}

// file replays the witnesses of one file and gives the faults of those that
// cannot be read.
func (r *replayer) file(ctx context.Context, in io.Reader, path string, tell func(*witness.Witness, witness.Result) error) (diagnostic.List, error) {
	text := bufio.NewReaderSize(in, 1<<16)
	begin, _ := text.Peek(len("format "))
	reader := witness.NewReader(text, r.net, witness.Options{File: path, Instance: r.instance.ID.String(),
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
		var formulas map[string]formula.Formula
		if w.Exam.HasFormulas() {
			var err error
			if formulas, err = r.formulas(w.Exam); err != nil {
				return faults, err
			}
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
