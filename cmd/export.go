package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"podium/internal/edition"
	"podium/internal/results"
	"podium/scoring"
)

func newExport(s *streams) *cobra.Command {
	o := source{}
	var format, out string
	cmd := &cobra.Command{
		Use:   "export SOURCE...",
		Short: "Write results in a form that others read",
		Long: `Export writes the results of a campaign, or of a file, as
  raw        raw-result-analysis.csv, as the contest publishes it
  answers    an answers CSV, one line per value
  benchexec  one result XML per tool, for table-generator, in --out DIR

` + sourceHelp,
		Example: `  podium export --format raw --out raw-result-analysis.csv out/contest
  podium export --format benchexec --out xml/ out/contest
  podium export --format answers --edition mcc2019 raw-result-analysis-2019.csv.zip`,
		Args: someArgs("a campaign or files of results"),
		RunE: func(_ *cobra.Command, args []string) error {
			c, ed, err := o.load(s, args...)
			if err != nil {
				return err
			}
			r := ed.Score(c)
			switch format {
			case "raw":
				if t, err := publishedTable(args[0]); err != nil {
					return err
				} else if t != nil { // keep what a contest does not hold, such as techniques
					if t, err = t.Judged(ed, r); err != nil {
						return err
					}
					return writeTo(s, out, t.Write)
				}
				return writeTo(s, out, func(w io.Writer) error { return results.TableOf(out, ed, r, nil).Write(w) })
			case "answers":
				return writeTo(s, out, func(w io.Writer) error { return results.WriteAnswers(w, c) })
			case "benchexec":
				return exportBenchExec(out, ed, r)
			}
			return usageError{fmt.Errorf("%q is no format of results: raw, answers or benchexec", format)}
		},
	}
	cmd.Flags().StringVar(&format, "format", "raw", "raw, answers or benchexec")
	cmd.Flags().StringVarP(&out, "out", "o", "", "file or directory that is written (default: standard output)")
	o.register(cmd)
	return cmd
}

// publishedTable reads a raw-result-analysis.csv; nil when the path is something
// else.
func publishedTable(path string) (*results.Table, error) {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return nil, err
	}
	name, in, err := openResults(path)
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
	return writeFile(path, write)
}

func exportBenchExec(dir string, ed *edition.Edition, r *scoring.Result) error {
	if dir == "" {
		return usageError{fmt.Errorf("benchexec writes a file per tool: name a directory with --out")}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for tool, t := range r.Contest.Tools {
		path := filepath.Join(dir, t.Name+".results.xml")
		if err := writeFile(path, func(w io.Writer) error { return results.WriteBenchExec(w, ed, r, tool, results.BenchInfo{}) }); err != nil {
			return err
		}
	}
	return nil
}
