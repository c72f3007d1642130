package judged

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"podium/edition"
	"podium/internal/files"
	"podium/internal/results"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// PublishedTable reads a raw-result-analysis.csv; nil when the path is something
// else.
func PublishedTable(path string) (*results.Table, error) {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return nil, err
	}
	name, in, err := OpenResults(path)
	if err != nil {
		return nil, err
	}
	if head, _ := in.Peek(3); string(head) != "###" {
		return nil, nil
	}
	t, found := results.ReadTable(name, in)
	return t, found.Err()
}

// CheckTarget refuses to write over what is read: a file of results, what lies in the
// directory of a campaign, or a directory that holds one of these.
func CheckTarget(target string, sources []string) error {
	there, err := os.Stat(target)
	if err != nil {
		return nil // nothing is there
	}
	for _, path := range sources {
		if from, err := os.Stat(path); err == nil && (inside(target, from) || inside(path, there)) {
			return diagnostic.List{{File: path, Code: "export-own", Message: "the results that are read would be overwritten by " + target, Hint: "name another place with --out"}}
		}
	}
	return nil
}

// inside reports whether a path that is there is a file or directory, or lies in it.
func inside(path string, of os.FileInfo) bool {
	at, err := filepath.EvalSymlinks(path)
	if err == nil {
		at, err = filepath.Abs(at)
	}
	for ; err == nil; at = filepath.Dir(at) {
		if info, gone := os.Stat(at); gone == nil && os.SameFile(info, of) {
			return true
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return false
}

// CheckTargets is CheckTarget for all that is in staged, and is to lie in dir.
func CheckTargets(dir, staged string, sources []string) error {
	entries, err := os.ReadDir(staged)
	for _, e := range entries {
		err = errors.Join(err, CheckTarget(filepath.Join(dir, e.Name()), sources))
	}
	return err
}

// WriteBenchExec writes a result XML for each tool into a directory, on demand only of
// those that have runs; of is nil where the source is no campaign. Names of tools must
// be fit for files.
func WriteBenchExec(dir string, ed *edition.Edition, r *scoring.Result, of *Campaign, ofRuns bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	info := func(string) results.BenchInfo { return results.BenchInfo{} }
	if of != nil {
		info = of.BenchInfo()
	}
	for tool, t := range r.Contest.Tools {
		if ofRuns && !r.Contest.ToolHasRuns(tool) {
			continue
		}
		if err := files.Write(filepath.Join(dir, t.Name+".results.xml"), func(w io.Writer) error { return results.WriteBenchExec(w, ed, r, tool, info(t.Name)) }); err != nil {
			return err
		}
	}
	return nil
}

// KeepBenchExec writes result files of BenchExec, which the contest was made of, into a
// directory, as they are but for the categories and scores of the runs; done is false where
// the files are our own.
func KeepBenchExec(dir string, r *scoring.Result, paths []string) (done bool, err error) {
	sets, found, err := benchSets(paths)
	if err != nil || found.Err() != nil {
		return false, errors.Join(err, found.Err())
	}
	kept, ok := results.KeepBenchExec(sets, r)
	if !ok {
		return false, nil
	}
	targets, from := make([]string, len(paths)), map[string]string{}
	for i, set := range sets {
		targets[i] = filepath.Join(dir, strings.TrimSuffix(filepath.Base(set.File), ".bz2"))
		if other, twice := from[targets[i]]; twice {
			return false, diagnostic.List{{File: paths[i], Code: "benchexec-name", Message: fmt.Sprintf("%s and this file would both become %s", other, filepath.Base(targets[i])), Hint: "rename one, or export them apart"}}
		}
		from[targets[i]] = paths[i]
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return false, err
	}
	for i, path := range paths {
		_, in, err := OpenResults(path)
		if err != nil {
			return false, err
		}
		text, err := io.ReadAll(in)
		if err != nil {
			return false, err
		}
		if err := files.Write(targets[i], func(w io.Writer) error { return kept.Write(w, i, text) }); err != nil {
			return false, err
		}
	}
	return true, nil
}
