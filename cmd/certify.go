package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/internal/diagnostic"
	"podium/internal/explorer"
	"podium/models"
	"podium/pnml/unfold"
)

// certifyOptions are the flags of certify.
type certifyOptions struct {
	out, against string
	exams        []string
	budget       time.Duration
	memory       byteSize
}

func newCertify(s *streams) *cobra.Command {
	o := certifyOptions{budget: time.Minute, memory: 8e9}
	cmd := &cobra.Command{
		Use:   "certify PATH...",
		Short: "Decide what enumeration can decide, and compare known answers",
		Long: `Certify decides the examinations of instances exactly, each within the budget: P/T nets as they
are, coloured nets by their unfolding. What it cannot decide it leaves open; it never guesses.
--out writes oracle files with provenance.json; --against compares with other answers.

Exit codes: 0 nothing is contradicted, 2 usage, 3 some answers are contradicted, 4 invalid
input, 130 interrupted.`,
		Example: `  podium certify INPUTS/ --budget 10s --out certified
  podium certify AirplaneLD-PT-0010.tgz --against oracle/`,
		Args: someArgs("instance directories or archives"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.certify(cmd.Context(), s, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.out, "out", "o", "", "directory for oracle files")
	f.StringVar(&o.against, "against", "", "known answers: a directory of oracle files, or a table oracle_by_id.csv")
	f.StringSliceVarP(&o.exams, "examination", "x", nil, "only these examinations, separated by commas")
	f.DurationVar(&o.budget, "budget", o.budget, "time for each examination of each instance")
	f.Var(&o.memory, "memory", "memory for the markings")
	return cmd
}

// tally counts the values of one examination.
type tally struct{ agree, contradict, decided, undecided int }

// certificate is provenance.json beside oracle files.
type certificate struct {
	Format    string            `json:"format"`
	Version   string            `json:"version"`
	Method    string            `json:"method"`
	Budget    int64             `json:"budget_us"`
	Memory    int64             `json:"memory"`
	Instances map[string]string `json:"instances_sha256"`
}

func (o *certifyOptions) certify(ctx context.Context, s *streams, args []string) error {
	opened, err := models.Open(args...)
	if err != nil {
		return err
	}
	var exams []examinations.ID
	for _, exam := range examinations.All {
		if exam != examinations.GlobalProperties {
			exams = append(exams, exam)
		}
	}
	if len(o.exams) > 0 {
		exams = nil
		for _, name := range o.exams {
			exam, err := examinations.Parse(name)
			if err != nil {
				return usageError{err}
			}
			exams = append(exams, exam)
		}
	}
	if o.out != "" {
		if err := os.MkdirAll(o.out, 0o755); err != nil {
			return err
		}
	}
	counts := map[examinations.ID]*tally{}
	for _, exam := range exams {
		counts[exam] = &tally{}
	}
	written := certificate{Format: "podium-certificate/1", Version: Version(), Method: "enumeration of the reachable markings",
		Budget: o.budget.Microseconds(), Memory: int64(o.memory), Instances: map[string]string{}}
	for _, i := range opened.Instances {
		fmt.Fprintln(s.err, i.ID)
		if written.Instances[i.ID.String()], err = i.Digest(); err != nil {
			return err
		}
		if err := o.instance(ctx, s, i, exams, counts); err != nil {
			return err
		}
	}
	if o.out != "" {
		if err := writeFile(filepath.Join(o.out, "provenance.json"), func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetIndent("", "  ")
			return enc.Encode(written)
		}); err != nil {
			return err
		}
	}
	return o.report(s, exams, counts)
}

// instance decides the examinations of one instance.
func (o *certifyOptions) instance(ctx context.Context, s *streams, i models.Instance, exams []examinations.ID, counts map[examinations.ID]*tally) error {
	files, err := openFiles(i, exams)
	if err == nil {
		err = files.found.Err()
	}
	if err != nil {
		return err
	}
	view := explorer.View{}
	switch {
	case files.doc.Net != nil:
		view = explorer.Plain(files.doc.Net)
	default:
		unfolded, err := unfold.Unfold(files.doc.Symmetric, unfold.Limits{Arcs: uint64(o.memory) / 256})
		if large := (*unfold.TooLarge)(nil); errors.As(err, &large) {
			fmt.Fprintf(s.err, "  left open: %v\n", large)
		} else if err != nil {
			return err
		} else {
			view = explorer.Coloured(unfolded)
		}
	}
	for _, exam := range exams {
		var properties []examinations.Property
		if exam.HasFormulas() {
			text, ok := files.formulas[exam.FormulaFile()]
			if !ok {
				continue
			}
			var found diagnostic.List
			if properties, found = examinations.ReadFormulas(bytes.NewReader(text), filepath.Join(i.Path, exam.FormulaFile()), exam); found.Err() != nil {
				return found
			}
		}
		if err := o.examination(ctx, s, i.ID, view, exam, properties, counts[exam]); err != nil {
			return err
		}
	}
	return nil
}

// examination decides one examination, writes it and compares it.
func (o *certifyOptions) examination(ctx context.Context, s *streams, id models.ID, view explorer.View, exam examinations.ID, properties []examinations.Property, count *tally) error {
	values := map[examinations.Key]examinations.Value{}
	if view.Net != nil {
		limited, stop := context.WithTimeout(ctx, o.budget)
		_, err := explorer.Decide(limited, view, exam, properties, explorer.Options{Memory: int64(o.memory), SearchTime: o.budget * 7 / 8}, func(a explorer.Answer) {
			values[examinations.Key{Instance: id, Exam: exam, Item: a.Item}] = a.Value
		})
		stop()
		if err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	items := exam.Items(properties)
	known, err := (&outputOptions{oracle: o.against}).readOracle(asked{id, exam, items})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, item := range items {
		key := examinations.Key{Instance: id, Exam: exam, Item: item}
		got, decided := values[key]
		want := known[key]
		switch {
		case !decided:
			count.undecided++
		case want.IsZero():
			count.decided++
		case got == want:
			count.agree++
		default:
			count.contradict++
			fmt.Fprintf(s.out, "contradicted: %s %s %s: %s is given, %s is proved\n", id, exam, item, short(want.Text), short(got.Text))
		}
	}
	if o.out == "" || len(values) == 0 {
		return nil
	}
	return writeFile(filepath.Join(o.out, examinations.OracleFile(id, exam)), func(w io.Writer) error {
		return examinations.WriteOracle(w, id, exam, items, values, "PODIUM")
	})
}

// report prints the table; a contradiction is the command's outcome.
func (o *certifyOptions) report(s *streams, exams []examinations.ID, counts map[examinations.ID]*tally) error {
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "examination\tagree\tcontradict\tnot known\tundecided\t")
	contradictions := 0
	for _, exam := range exams {
		c := counts[exam]
		contradictions += c.contradict
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", exam, c.agree, c.contradict, c.decided, c.undecided)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if contradictions > 0 {
		return incompleteError{fmt.Sprintf("%d answers are contradicted", contradictions)}
	}
	return nil
}
