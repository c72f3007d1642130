package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/examinations/output"
	"podium/internal/judged"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
)

// outputOptions are the flags of check output.
type outputOptions struct {
	findings
	instance, exam, edition, oracle, repeats string
	strict, explain                          bool
}

func newCheckOutput(s *streams) *cobra.Command {
	var o outputOptions
	cmd := &cobra.Command{
		Use:   "output FILE...",
		Short: "Check the output of a tool, and show the values that are read",
		Long: `Output reads the output of a tool, bare or as a BenchKit log ("-" is standard input),
prints the values that the contest reads in it, and every line that looks like an answer but is not.
With --instance it knows the ids that are asked; with --oracle it says right or wrong;
with --edition it reads intervals where that edition takes them.
With --json findings go to standard error.

` + checkCodes,
		Example: `  podium check output --instance AirplaneLD-PT-0010 --examination CTLFireability log.txt
  mytool | podium check output --examination StateSpace --oracle oracle/ --instance AirplaneLD-PT-0010 -
  podium check output --strict --format github logs/*.stdout`,
		Args: someArgs("files with the output of a tool"),
		RunE: func(_ *cobra.Command, args []string) error {
			var list diagnostic.List
			wrong, to, read := 0, s, outputsReply{Outputs: []checkedOutput{}}
			for _, path := range args {
				found, n, err := o.check(s, path, &read)
				if err != nil {
					return err
				}
				list = append(list, found...)
				wrong += n
			}
			if s.asJSON {
				if err := s.reply(read); err != nil {
					return err
				}
				to = s.to(s.err, s.err)
			}
			err := o.show(to, list, wording.Count(len(args), "output", "outputs"))
			if o.explain {
				explainRules(s.err, list)
			}
			if err == nil && wrong > 0 {
				err = incompleteError{wording.Count(wrong, "value is wrong", "values are wrong")}
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.instance, "instance", "i", "", "instance directory or archive that the tool was run on")
	f.StringVarP(&o.exam, "examination", "x", "", "examination that was asked (default: what the log or the ids in it say)")
	f.StringVarP(&o.edition, "edition", "e", defaultEdition, "edition that says which answers are read: an `ID` or a file of your own")
	f.StringVar(&o.oracle, "oracle", "", "known answers: an oracle file, a directory of them, or a table oracle_by_id.csv")
	f.StringVar(&o.repeats, "repeats", "first", "which of several different values for one item counts: first, last or none")
	f.BoolVar(&o.strict, "strict", false, "take only what the manual allows")
	f.BoolVar(&o.explain, "explain", false, "explain the rules that were broken")
	o.register(cmd)
	return cmd
}

// asked is what an output answers to.
type asked struct {
	id    models.ID
	exam  examinations.ID
	items []string // nil when they are not known
}

// check reads one output, adds its values to read, and prints them unless they are printed as JSON; it returns the findings and the
// number of values that the oracle refutes.
func (o *outputOptions) check(s *streams, path string, read *outputsReply) (diagnostic.List, int, error) {
	in := io.NopCloser(s.in)
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, 0, err
		}
		in = f
	}
	defer in.Close()
	log, err := output.OpenLog(in)
	if err != nil {
		return nil, 0, err
	}
	what, err := o.asked(s, log)
	if err != nil {
		return nil, 0, err
	}
	if o.oracle != "" && what.id == (models.ID{}) {
		return nil, 0, usageError{errors.New("--oracle compares the values of an instance: name it with --instance")}
	}
	source, err := oracle.Open(o.oracle)
	if err != nil {
		return nil, 0, err
	}
	known, err := source.Values(what.id, what.exam, what.items)
	if err != nil {
		return nil, 0, err
	}
	behind, err := source.Behind(what.id, what.exam, what.items)
	if err != nil {
		return nil, 0, err
	}
	repeats, err := output.ParseRepeats(o.repeats)
	if err != nil {
		return nil, 0, usageError{err}
	}
	rules, _, err := judged.LoadEdition(o.edition)
	if err != nil {
		return nil, 0, err
	}
	r := log.Answers(what.exam, output.ReaderOptions{Instance: what.id, Items: what.items, File: path, Strict: o.strict, Repeats: repeats, Intervals: rules.Intervals()})
	answers := map[string]output.Answer{}
	order := what.items
	for r.Scan() {
		a := r.Answer()
		if _, seen := answers[a.Item]; !seen && what.items == nil {
			order = append(order, a.Item)
		}
		answers[a.Item] = a
	}
	if r.Err() != nil {
		return nil, 0, r.Err()
	}
	checked := checkedOutput{File: path, Instance: what.id.String(), Exam: string(what.exam), Values: []checkedValue{}}
	wrong := 0
	var text bytes.Buffer
	w := wording.Table(&text)
	for _, item := range order {
		a, key := answers[item], examinations.Key{Instance: what.id, Exam: what.exam, Item: item}
		wrong += oracle.Refuted(a.Value, known[key])
		v := checkedValue{Item: item, Value: a.Value.Text, Known: known[key].Text, By: behind[key]}
		if a.Value.IsZero() {
			fmt.Fprintf(w, "%s\t-\t", item)
		} else {
			v.Line = a.Line
			fmt.Fprintf(w, "%s\t%s\tline %d", item, diagnostic.ShortNumber(a.Value.Text), a.Line)
		}
		if known != nil {
			verdict := oracle.Verdict(a.Value, known[key])
			v.Verdict, _, _ = strings.Cut(verdict, ":")
			fmt.Fprintf(w, "\t%s", verdict)
			if len(v.By) == 1 {
				fmt.Fprintf(w, "\tknown%s", by(v.By))
			}
		}
		fmt.Fprintln(w)
		checked.Values = append(checked.Values, v)
	}
	read.Outputs = append(read.Outputs, checked)
	if err = w.Flush(); err == nil && diagnostic.Format(o.format) == diagnostic.Text && !o.quiet && !s.asJSON {
		_, err = text.WriteTo(s.out)
	}
	return r.Diagnostics(), wrong, err
}

// asked finds out what was asked, from the flags and the header of the log.
func (o *outputOptions) asked(s *streams, log *output.Log) (a asked, err error) {
	name := o.exam
	if name == "" {
		name = log.Examination()
	}
	if name == "" {
		return a, usageError{errors.New("name the examination with --examination, such as -x UpperBounds: neither a header of BenchKit nor the ids of the answers say one")}
	}
	if a.exam, err = examinations.ParseID(name); err != nil {
		return a, usageError{err}
	}
	if o.instance == "" {
		if a.id, err = models.ParseID(log.Instance); err == nil && len(log.Formulas) > 0 {
			a.items = log.Formulas
		}
		return a, nil
	}
	i, err := s.openOne(o.instance)
	if err != nil {
		return a, err
	}
	a.id = i.ID
	var properties []formula.Property
	if a.exam.HasFormulas() {
		file := a.exam.FormulaFile()
		err = i.With(file, func(r io.Reader) error {
			var found diagnostic.List
			properties, found = formula.Read(r, i.File(file), a.exam)
			return found.Err()
		})
	}
	a.items = a.exam.Items(formula.IDs(properties))
	return a, err
}

func explainRules(out io.Writer, list diagnostic.List) {
	seen := map[string]bool{}
	for _, d := range list {
		if rule, ok := output.FindLintRule(d.Code); ok && !seen[d.Code] {
			seen[d.Code] = true
			fmt.Fprintf(out, "%s: %s; %s\n", rule.Code, rule.Explanation, rule.Hint)
		}
	}
}
