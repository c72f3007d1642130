package cmd

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"podium/edition"
	"podium/examinations"
	"podium/internal/columns"
	"podium/internal/contest"
	"podium/internal/files"
	"podium/internal/results"
	"podium/scoring"
)

func newExport(s *streams) *cobra.Command {
	o := source{forOthers: true}
	var format, out string
	cmd := &cobra.Command{
		Use:   "export SOURCE...",
		Short: "Write results in a form that others read",
		Long: `Export writes the results of a campaign, or of a file, as
  raw        raw-result-analysis.csv, as the contest publishes it
  answers    an answers CSV, one line per value
  references a CSV, one line per value: what was elected and what is proved
  benchexec  for table-generator: in --out DIR an XML per tool, a row per value
  parquet    for R, Python and DuckDB: in --out DIR tables of runs, answers,
             points, references, rankings, tools; see docs/columns.md
  json       the same tables, a JSON object a line
  oracle     elected values as oracle files, as podium certify --against takes
             them: in --out DIR one per instance and examination

--only SELECTION writes some runs of a campaign, judged among all of them.

Export refuses what a form cannot hold, and says on standard error what it leaves out;
docs/results.md lists both. Surprise models of a campaign under an embargo (podium plan --embargo)
are not named: without --without-surprise nothing is written then.

` + sourceHelp,
		Example: `  podium export --format raw --out raw-result-analysis.csv out/contest
  podium export --format benchexec --out xml/ out/contest
  podium export --format parquet --out tables/ out/contest
  podium export --only 'tool=lola examination=CTL*' out/contest
  podium export --format answers --edition mcc2019 raw-result-analysis-2019.csv.zip`,
		Args: someArgs("a campaign or files of results"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, ed, err := o.judged(cmd.Context(), s, args...)
			if err != nil {
				return err
			}
			switch format {
			case "raw":
				return exportTable(s, args[0], out, ed, r, o.of)
			case "answers":
				if err := sayWarnings(s, append(results.Unsaid(ed, r.Contest), results.Untold(r.Contest, false)...)); err != nil {
					return err
				}
				return writeTo(s, out, func(w io.Writer) error { return results.WriteAnswers(w, r.Contest) })
			case "references":
				return writeTo(s, out, func(w io.Writer) error { return writeReferences(w, r, o.proofs, o.only != "") })
			case "benchexec":
				if err := sayWarnings(s, results.Unsaid(ed, r.Contest)); err != nil {
					return err
				}
				return exportBenchExec(out, ed, r, o.of, o.only != "")
			case "parquet", "json":
				if out == "" {
					return usageError{fmt.Errorf("%s writes a file per table: name a directory with --out", format)}
				}
				return columns.Format(format).Write(out, columns.Source{Edition: ed, Result: r, Proofs: o.proofs, Of: o.of, Chosen: o.only != "", Version: Version()})
			case "oracle":
				if out == "" {
					return usageError{fmt.Errorf("oracle writes a file per instance and examination: name a directory with --out")}
				}
				left, err := contest.WriteOracle(out, r, o.only != "")
				return errors.Join(err, sayWarnings(s, left))
			}
			return usageError{fmt.Errorf("%q is no format of results: raw, answers, references, benchexec, parquet, json or oracle", format)}
		},
	}
	cmd.Flags().StringVar(&format, "format", "raw", "raw, answers, references, benchexec, parquet, json or oracle")
	cmd.Flags().StringVarP(&out, "out", "o", "", "file or directory that is written (default: standard output)")
	o.register(cmd)
	registerCertified(cmd, &o.certified)
	registerWithoutSurprise(cmd, &o.withoutEmbargoed)
	registerOnly(cmd, &o.only)
	return cmd
}

// exportTable writes a raw-result-analysis.csv. One that was read keeps what a
// contest does not hold, such as techniques; of is nil where the source is no
// campaign.
func exportTable(s *streams, from, out string, ed *edition.Edition, r *scoring.Result, of *contest.Judged) error {
	t, err := publishedTable(from)
	if err != nil {
		return err
	}
	if t != nil {
		if t, err = t.Judged(ed, r); err != nil {
			return err
		}
		return writeTo(s, out, t.Write)
	}
	var details func(sheet, tool int) results.RowDetails
	if of != nil {
		details = of.RowDetails
	}
	t, found := results.TableOf(out, ed, r, details)
	if err := sayWarnings(s, append(found, append(results.Unsaid(ed, r.Contest), results.Untold(r.Contest, ed.Scheme.Elect == nil)...)...)); err != nil {
		return err
	}
	return writeTo(s, out, t.Write)
}

// writeReferences writes what was elected and what is proved, on demand only of what
// has a run; proofs may be nil.
func writeReferences(out io.Writer, r *scoring.Result, proofs *contest.Certificate, ofRuns bool) error {
	w := csv.NewWriter(out)
	w.Write([]string{"instance", "examination", "value_id", "elected", "clause", "referee", "proved", "evidence"})
	for sheet, s := range r.Contest.Sheets {
		if ofRuns && r.Contest.Unrun(sheet) {
			continue
		}
		i, exam := &r.Contest.Instances[s.Instance], r.Contest.Exams[s.Exam].ID
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			row := []string{i.Name, string(exam), r.Contest.Items[v], "", "", "", "", ""}
			ref := r.Elected(sheet, v)
			if ref.Known() {
				row[3] = r.Contest.Values[ref.Answer].Text
			}
			row[4] = ref.Clause.Word()
			if proofs != nil {
				proved, _ := r.Certified(v)
				row[5], row[6] = r.Certainty(sheet, v).String(), proved.Text
				row[7], _, _ = proofs.Evidence(examinations.Key{Instance: i.ID, Exam: exam, Item: row[2]})
			}
			w.Write(row)
		}
	}
	w.Flush()
	return w.Error()
}

// publishedTable reads a raw-result-analysis.csv; nil when the path is something
// else.
func publishedTable(path string) (*results.Table, error) {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return nil, err
	}
	name, in, err := contest.OpenResults(path)
	if err != nil {
		return nil, err
	}
	if head, _ := in.Peek(3); string(head) != "###" {
		return nil, nil
	}
	t, found := results.ReadTable(name, in)
	return t, found.Err()
}

// writeTo writes to a file, or to standard output when none is named.
func writeTo(s *streams, path string, write func(io.Writer) error) error {
	if path == "" {
		return write(s.out)
	}
	return files.Write(path, write)
}

// exportBenchExec writes a result XML for each tool, on demand only of those that have
// runs; of is nil where the source is no campaign.
func exportBenchExec(dir string, ed *edition.Edition, r *scoring.Result, of *contest.Judged, ofRuns bool) error {
	if dir == "" {
		return usageError{fmt.Errorf("benchexec writes a file per tool: name a directory with --out")}
	}
	for _, t := range r.Contest.Tools {
		if !filepath.IsLocal(t.Name) || strings.ContainsAny(t.Name, `/\`) {
			return usageError{fmt.Errorf("benchexec writes a file per tool, and %q cannot be the name of a file", t.Name)}
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	info := func(string) results.BenchInfo { return results.BenchInfo{} }
	if of != nil {
		info = of.BenchInfo()
	}
	for tool, t := range r.Contest.Tools {
		if ofRuns && r.Contest.Idle(tool) {
			continue
		}
		path := filepath.Join(dir, t.Name+".results.xml")
		if err := files.Write(path, func(w io.Writer) error { return results.WriteBenchExec(w, ed, r, tool, info(t.Name)) }); err != nil {
			return err
		}
	}
	return nil
}
