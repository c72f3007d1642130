package judged

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"podium/edition"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/results"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// maxResults bounds a file of results, as it lies on the disk, in bytes.
const maxResults = 4 << 30

// OpenResults opens a file of results, which may be packed as .zip, .gz,
// .tar.gz or .bz2, and returns the name of the file inside.
func OpenResults(path string) (string, *bufio.Reader, error) {
	data, err := files.ReadNamed(path, maxResults)
	if err != nil {
		return "", nil, err
	}
	name, in, err := results.Open(path, data, ".csv", ".xml", ".xml.bz2")
	if err != nil {
		return "", nil, diagnostic.List{{File: path, Code: "results-packed", Message: err.Error()}}
	}
	return name, bufio.NewReader(in), nil
}

// ResultFiles puts the result files of BenchExec in the place of each directory that holds
// some and is no campaign.
func ResultFiles(paths []string) ([]string, error) {
	var list []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() || campaign.Is(path) {
			list = append(list, path) // what is wrong with it is said where it is read
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		before := len(list)
		for _, e := range entries {
			if benchName.MatchString(e.Name()) && !e.IsDir() {
				list = append(list, filepath.Join(path, e.Name()))
			}
		}
		if len(list) == before {
			list = append(list, path)
		}
	}
	return list, nil
}

// benchName is how BenchExec names its result files.
var benchName = regexp.MustCompile(`\.results\.(.+\.)?xml(\.bz2|\.gz)?$`)

// Participants reads what files of results do not state: the classes of
// instances (CSV instance,class) and the families of tools (CSV tool,family).
// An empty path is no file. Errors are a diagnostic.List with positions.
func Participants(classesFile, familiesFile string) (p results.Participants, err error) {
	if p.Classes, err = readTable(classesFile, results.ReadClasses); err != nil {
		return p, err
	}
	p.Families, err = readTable(familiesFile, results.ReadFamilies)
	return p, err
}

// readTable reads a file of two columns, nil where there is none.
func readTable[V any](path string, read func(name string, r io.Reader) (map[string]V, diagnostic.List)) (map[string]V, error) {
	if path == "" {
		return nil, nil
	}
	text, err := files.ReadNamed(path, maxResults)
	if err != nil {
		return nil, err
	}
	table, found := read(path, bytes.NewReader(text))
	return table, found.Err()
}

// FromResults makes one contest from files of results: one
// raw-result-analysis.csv, one answers CSV, or result files of BenchExec. When
// a finding is an error the contest is nil. The techniques are those of runs by their Order,
// nil where the files say none.
func FromResults(paths []string, ed *edition.Edition, p results.Participants) (c *scoring.Contest, techniques []string, found diagnostic.List, err error) {
	name, first, err := OpenResults(paths[0])
	if err != nil {
		return nil, nil, nil, err
	}
	head, err := first.Peek(512)
	if err != nil && err != io.EOF {
		return nil, nil, nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("###")):
		t, found := results.ReadTable(name, first)
		if found.Err() != nil {
			return nil, nil, found, nil
		}
		if err := checkKind(ed, slices.ContainsFunc(t.Rows, func(r results.Row) bool { return examinations.ID(r[results.ExaminationColumn]).Known() }), false); err != nil {
			return nil, nil, nil, err
		}
		c, rows := t.Contest(ed, p)
		return c, t.Techniques(), append(found, rows...), nil
	case bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")):
		c, found, err = fromBenchExec(paths, ed, p)
		return c, nil, found, cmp.Or(err, checkFileKind(ed, c))
	}
	c, found = results.ReadAnswers(name, first, ed, p)
	return c, nil, found, checkFileKind(ed, c)
}

// checkFileKind refuses rules for tasks on examinations of nets. The reverse is said row by
// row: rules for nets do not have the categories of tasks.
func checkFileKind(ed *edition.Edition, c *scoring.Contest) error {
	return checkKind(ed, c != nil && slices.ContainsFunc(c.Exams, func(x scoring.Examination) bool { return x.ID.Known() }), false)
}

// fromBenchExec reads one or several result files of BenchExec as one contest.
func fromBenchExec(paths []string, ed *edition.Edition, p results.Participants) (*scoring.Contest, diagnostic.List, error) {
	sets, all, err := benchSets(paths)
	if err != nil || all.Err() != nil {
		return nil, all, err
	}
	c, found := results.BenchContest(sets, ed, p)
	return c, append(all, found...), nil
}

// benchSets reads result files of BenchExec.
func benchSets(paths []string) (sets []*results.BenchSet, all diagnostic.List, err error) {
	for _, path := range paths {
		name, in, err := OpenResults(path)
		if err != nil {
			return nil, nil, err
		}
		set, found := results.ReadBenchExec(name, in)
		if all = append(all, found...); found.Err() != nil {
			return nil, all, nil
		}
		sets = append(sets, set)
	}
	return sets, all, nil
}

// IsBenchExec reports whether all files are results of BenchExec.
func IsBenchExec(paths []string) bool {
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			return false
		}
		_, in, err := OpenResults(path)
		if err != nil {
			return false
		}
		if head, _ := in.Peek(512); !bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) {
			return false
		}
	}
	return len(paths) > 0
}
