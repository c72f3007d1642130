package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"podium/internal/referee"
	"podium/internal/witness"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// witnessOptions are the flags of check witness.
type witnessOptions struct {
	model, formulas string
	quiet           bool
}

func newCheckWitness(s *streams) *cobra.Command {
	var o witnessOptions
	cmd := &cobra.Command{
		Use:   "witness WITNESS... --model INSTANCE",
		Short: "Replay witnesses on the net, and say what they prove",
		Long: `Check witness fires the runs of witnesses step by step and compares what they show with the values
that they claim: confirmed, refuted, or unconfirmed with what is missing. It takes files of
witnesses, and the output of a tool with witnesses in it ("-" is standard input).
docs/witnesses.md describes the format and what runs can prove.

Exit codes: 0 all values are confirmed, 2 usage, 3 some are refuted or unconfirmed, 4 invalid
input, 130 interrupted.`,
		Example: `  podium check witness deadlock.witness --model DiningPhilosophers-PT-002
  podium check witness results/*.witness --model AirplaneLD-COL-0010.tgz
  mytool | podium check witness - --model AirplaneLD-PT-0010 --formulas CTLFireability.xml`,
		Args: someArgs("files with witnesses"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.replay(cmd.Context(), s, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.model, "model", "m", "", "instance directory or archive that the witnesses are about")
	f.StringVarP(&o.formulas, "formulas", "f", "", "file of formulas (default: those of the instance)")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print only what is not confirmed")
	return cmd
}

func (o *witnessOptions) replay(ctx context.Context, s *streams, args []string) error {
	if o.model == "" {
		return usageError{errors.New("check witness needs --model INSTANCE, the net that the witnesses are about")}
	}
	i, err := s.openOne(o.model)
	if err != nil {
		return err
	}
	r, err := referee.Open(i, o.formulas)
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
		found, err := r.Replay(ctx, in, path, func(w *witness.Witness, result witness.Result) error {
			total++
			if result.State == witness.Confirmed {
				confirmed++
				if o.quiet {
					return nil
				}
			}
			return o.print(s, path, w, result)
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
		return incompleteError{wording.Part(total-confirmed, total, "values is not confirmed", "values are not confirmed")}
	}
	return nil
}

func (o *witnessOptions) print(s *streams, path string, w *witness.Witness, r witness.Result) error {
	if !s.asJSON {
		what := r.Claim.String()
		if r.Claim.Item != string(w.Exam) {
			what = string(w.Exam) + " " + what
		}
		_, err := fmt.Fprintf(s.out, "%s:%d: %s %s: %s\n", path, w.Line, r.State, what, r.Detail)
		return err
	}
	proved := ""
	if !r.Proved.Value.IsZero() {
		proved = r.Proved.Bound()
	}
	return s.reply(checkedWitnessReply{path, w.Line, string(w.Exam), r.Claim.Item, r.Claim.Bound(), string(r.State), proved, r.Detail})
}
