package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"podium/edition"
	"podium/internal/ask"
	"podium/internal/benchexec"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/internal/publish"
	"podium/internal/results"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// exportFormats are the forms of results that export writes.
var exportFormats = []string{"raw", "answers", "references", "benchexec", "parquet", "json", "oracle", "benchmark", "latex", "markdown", "csv"}

// filePer says of formats of many files what each of them is of.
var filePer = map[string]string{"benchexec": "tool", "parquet": "table", "json": "table", "oracle": "instance and examination", "benchmark": "tool",
	"latex": "table", "markdown": "table", "csv": "table"}

func newExport(s *streams) *cobra.Command {
	o := source{forOthers: true}
	var format, out, text string
	var replace bool
	var question ask.Question
	cmd := &cobra.Command{
		Use:   "export SOURCE...",
		Short: "Write results in a form that others read",
		Long: `Export writes the results of a campaign, or of a file, as
  raw        raw-result-analysis.csv, as the contest publishes it
  answers    an answers CSV, one line per value
  references a CSV, one line per value: what was elected and what is proved
  benchexec  for table-generator: in --out DIR an XML per tool, a row per value
  parquet    for R, Python and DuckDB: in --out DIR tables of runs, answers,
             references, scores, totals and more; see docs/columns.md
  json       the same tables, a JSON object a line
  oracle     elected values as oracle files, as podium prove --against takes
             them: in --out DIR one per instance and examination
  benchmark  for BenchExec, to run a competition on tasks there: in --out DIR a
             benchmark definition per tool, tasks, sets; see docs/benchexec.md
  latex      tables for papers: in --out DIR rankings, tools by examination,
             unique answers, disagreements, with a README and an example
  markdown   the same tables, and so does
  csv        with exact numbers

Tables for papers may be asked under a question, in the flags of podium whatif: without a tool, of
some examinations, as if runs had been stopped earlier. docs/ask.md lists all.

--only SELECTION writes some runs of a campaign, judged among all of them.

Export refuses what a form cannot hold, and says on standard error what it leaves out;
docs/results.md lists both. Surprise models of a campaign under an embargo (podium plan --embargo)
are not named: without --without-surprise nothing is written then.

` + sourceHelp,
		Example: `  podium export --format raw --out raw-result-analysis.csv out/contest
  podium export --format benchexec --out xml/ out/contest
  podium export --format parquet --out tables/ out/contest
  podium export --format latex --out paper/tables --kind COL --at-cpu 60s out/contest
  podium export --only 'tool=lola examination=CTL*' out/contest
  podium export --format answers --edition mcc2019 raw-result-analysis-2019.csv.zip`,
		Args: someArgs("a campaign or files of results"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(exportFormats, format) {
				return usageError{fmt.Errorf("%q is no format of results%s", format, diagnostic.Instead(format, exportFormats))}
			}
			if per := filePer[format]; per != "" && out == "" {
				return usageError{fmt.Errorf("%s writes a file per %s: name a directory with --out", format, per)}
			}
			if err := addQuestion(&question, text); err != nil {
				return err
			}
			_, paper := publish.PaperFormats[format]
			if question.String() != "" && (!paper || o.only != "") {
				return usageError{errors.New("only tables for papers are asked under a question, without --only: leave it out, or choose the format latex, markdown or csv")}
			}
			args, err := judged.ResultFiles(args)
			if err != nil {
				return err
			}
			inputs := o.inputs(args)
			if filePer[format] == "" && out != "" {
				if err := judged.CheckTarget(out, inputs); err != nil {
					return err
				}
			}
			if format == "benchmark" {
				return exportBenchmark(s, &o, out, replace, args)
			}
			if out != "" && filePer[format] == "" { // known before the work
				if err := files.Free(out, replace); err != nil {
					return err
				}
			}
			j, err := o.judged(cmd.Context(), s, args...)
			if err != nil {
				return err
			}
			r, ed := j.Result, j.Edition
			switch format {
			case "raw":
				return exportTable(s, args[0], out, replace, ed, r, o.of)
			case "answers":
				if err := sayWarnings(s, append(results.Unsaid(ed, r.Contest), results.Untold(ed, r.Contest, false)...)); err != nil {
					return err
				}
				return writeTo(s, out, replace, func(w io.Writer) error { return results.WriteAnswers(w, r.Contest) })
			case "references":
				return writeTo(s, out, replace, func(w io.Writer) error { return publish.WriteReferences(w, j, o.only != "") })
			}
			var tables *publish.Paper
			if paper {
				if tables, err = o.paper(s, j, args, question); err != nil {
					return err
				}
			}
			defer s.upkeep.hold()() // files half written
			err = files.Into(out, replace, func(dir string) (err error) {
				switch format {
				case "latex", "markdown", "csv":
					err = publish.WritePaper(dir, format, tables)
				case "benchexec":
					err = exportBenchExec(s, args, dir, ed, r, &o)
				case "oracle":
					var left diagnostic.List
					left, err = judged.WriteOracle(dir, r, o.only != "")
					err = errors.Join(err, sayWarnings(s, left))
				default:
					err = publish.Export(dir, format, j, o.only != "", Version())
				}
				if err != nil {
					return err
				}
				return judged.CheckTargets(out, dir, inputs)
			})
			if err != nil || o.of == nil {
				return err
			}
			return s.unread(o.of.Unread())
		},
	}
	cmd.Flags().StringVar(&format, "format", "raw", "raw, answers, references, benchexec, parquet, json, oracle, benchmark, latex, markdown or csv")
	cmd.Flags().StringVarP(&out, "out", "o", "", "file or directory that is written (default: standard output)")
	registerReplace(cmd, &replace)
	o.register(cmd)
	registerCertified(cmd, &o.Certificate)
	registerWithoutSurprise(cmd, &o.WithoutEmbargoed)
	registerOnly(cmd, &o.only)
	registerQuestion(cmd.Flags(), &question, &text)
	return cmd
}

// paper judges under a question, and says what tables for papers are made of.
func (o *source) paper(s *streams, j *judged.Contest, args []string, question ask.Question) (*publish.Paper, error) {
	p := &publish.Paper{Title: j.Edition.Title, Asked: cmp.Or(question.String(), o.only), OnlyRuns: o.only != ""}
	if o.of != nil {
		p.Title, p.Sources, p.Remarks = o.of.Campaign.Plan.Name, o.of.Sources(), publish.Provisos(o.of)
	} else if f, is := j.Facts.(*judged.Files); is {
		if err := f.Name(args); err != nil {
			return nil, err
		}
		p.Sources = f.Sources
	}
	r, ed := j.Result, j.Edition
	if question.String() != "" {
		var err error
		if ed, err = question.Edition(ed); err != nil {
			return nil, usageError{err}
		}
		if r, err = question.Score(r, j.Edition); err != nil {
			return nil, err
		}
		if remark := untimed(r.Contest); remark != "" {
			s.say(remark)
			p.Remarks = append(p.Remarks, remark)
		}
	}
	p.Contest = &judged.OfResult(r, ed, j.Proofs).Contest
	return p, nil
}

// exportBenchmark writes what BenchExec needs to run the contest of a campaign.
func exportBenchmark(s *streams, o *source, out string, replace bool, args []string) error {
	if err := o.onlyCampaign(args); err != nil {
		return err
	}
	c, err := campaign.Open(args[0])
	if err != nil {
		return err
	}
	if !c.Plan.OfTasks() || c.Plan.Validates() || o.only != "" {
		return usageError{fmt.Errorf("benchmark is a format of whole competitions on tasks: %s is none, or --only chooses runs", args[0])}
	}
	defer s.upkeep.hold()() // files half written
	return files.Into(out, replace, func(dir string) error {
		remarks, err := benchexec.Export(dir, c)
		for _, remark := range remarks {
			fmt.Fprintln(s.err, "note:", remark)
		}
		return errors.Join(err, judged.CheckTargets(out, dir, o.inputs(args)))
	})
}

// exportBenchExec writes results in the form of BenchExec.
func exportBenchExec(s *streams, args []string, dir string, ed *edition.Edition, r *scoring.Result, o *source) error {
	if o.of == nil && judged.IsBenchExec(args) {
		if done, err := judged.KeepBenchExec(dir, r, args); done || err != nil {
			return err
		}
	}
	if err := sayWarnings(s, results.Unsaid(ed, r.Contest)); err != nil {
		return err
	}
	if err := benchExecNames(r.Contest); err != nil {
		return err
	}
	return judged.WriteBenchExec(dir, ed, r, o.of, o.only != "")
}

// exportTable writes a raw-result-analysis.csv. One that was read keeps what a
// contest does not hold, such as techniques; of is nil where the source is no
// campaign.
func exportTable(s *streams, from, out string, replace bool, ed *edition.Edition, r *scoring.Result, of *judged.Campaign) error {
	t, err := judged.PublishedTable(from)
	if err != nil {
		return err
	}
	if t != nil {
		if t, err = t.Judged(ed, r); err != nil {
			return err
		}
		return writeTo(s, out, replace, t.Write)
	}
	var details func(sheet, tool int) results.RowDetails
	if of != nil {
		details = of.RowDetails
	}
	t, found := results.TableOf(out, ed, r, details)
	if err := sayWarnings(s, append(found, append(results.Unsaid(ed, r.Contest), results.Untold(ed, r.Contest, true)...)...)); err != nil {
		return err
	}
	return writeTo(s, out, replace, t.Write)
}

// writeTo writes to a file, or to standard output when none is named.
func writeTo(s *streams, path string, replace bool, write func(io.Writer) error) error {
	if path == "" {
		return write(s.out)
	}
	return files.New(path, replace, write)
}

// benchExecNames refuses tools after which no file can be named.
func benchExecNames(c *scoring.Contest) error {
	for _, t := range c.Tools {
		if !filepath.IsLocal(t.Name) || strings.ContainsAny(t.Name, `/\`) {
			return usageError{fmt.Errorf("benchexec writes a file per tool, and %q cannot be the name of a file", t.Name)}
		}
	}
	return nil
}
