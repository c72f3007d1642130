package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"podium/edition"
	"podium/internal/contest"
	"podium/internal/files"
	"podium/internal/results"
	"podium/scoring"
)

// exportBenchExec writes a result XML for each tool; of is nil where the source is
// no campaign.
func exportBenchExec(dir string, ed *edition.Edition, r *scoring.Result, of *contest.Judged) error {
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
		path := filepath.Join(dir, t.Name+".results.xml")
		if err := files.Write(path, func(w io.Writer) error { return results.WriteBenchExec(w, ed, r, tool, info(t.Name)) }); err != nil {
			return err
		}
	}
	return nil
}
