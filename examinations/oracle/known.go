package oracle

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/files"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Known holds known answers on disk: a directory of oracle files, one oracle
// file, or a table of all instances. A nil *Known holds none.
type Known struct {
	path  string
	dir   bool
	table map[examinations.Key]examinations.Value // nil unless path is a table
}

// Open opens known answers. A table (.csv) is read at once, an oracle file when
// its values are asked for. An empty path gives nil.
func Open(path string) (*Known, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		hint := "name a directory of oracle files, or a table oracle_by_id.csv"
		if near, ok := diagnostic.NearestPath(path); ok {
			hint = "the nearest is " + near
		}
		return nil, fmt.Errorf("known answers: %s: %w; %s", path, fs.ErrNotExist, hint)
	} else if err != nil {
		return nil, fmt.Errorf("known answers: %w; name a directory of oracle files, or a table oracle_by_id.csv", err)
	}
	if slices.ContainsFunc([]string{".tgz", ".tar.gz", ".zip"}, func(end string) bool { return strings.HasSuffix(path, end) }) {
		return nil, fmt.Errorf("known answers: %s is an archive: unpack it, and name the directory of oracle files", path)
	}
	k := &Known{path: path, dir: info.IsDir()}
	if k.dir || !strings.HasSuffix(path, ".csv") {
		return k, nil
	}
	f, err := files.OpenNamed(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	table, found := ReadCSV(f, path)
	k.table = table
	return k, found.Err()
}

// Values returns the known values of an examination of an instance; the map may
// hold other values, too. Items are the names of the values, as for [Read].
// When a directory has no file for the examination the error is os.ErrNotExist.
func (k *Known) Values(id models.ID, exam examinations.ID, items []string) (map[examinations.Key]examinations.Value, error) {
	if k == nil {
		return nil, nil
	}
	if k.table != nil {
		return k.table, nil
	}
	var values map[examinations.Key]examinations.Value
	return values, k.open(id, exam, func(r io.Reader, file string) (found diagnostic.List) {
		values, found = Read(r, file, items)
		return found
	})
}

// Behind returns the tools that answered each known value, where an oracle file names them, as
// those of 2026 do: TECHNIQUES ORACLE2026 ITSTOOLS TAPAAL. Errors are those of Values.
func (k *Known) Behind(id models.ID, exam examinations.ID, items []string) (map[examinations.Key][]string, error) {
	if k == nil || k.table != nil {
		return nil, nil
	}
	behind := map[examinations.Key][]string{}
	return behind, k.open(id, exam, func(r io.Reader, file string) diagnostic.List {
		return read(r, file, items, func(key examinations.Key, a output.Answer) {
			if words := a.Techniques; len(words) > 1 && strings.HasPrefix(words[0], "ORACLE") {
				behind[key] = words[1:]
			}
		})
	})
}

// Alone returns, by item, what is to be said behind each known value that one tool alone
// gave, such as ", known by TAPAAL alone".
func (k *Known) Alone(id models.ID, exam examinations.ID, items []string) (map[string]string, error) {
	behind, err := k.Behind(id, exam, items)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	alone := map[string]string{}
	for key, tools := range behind {
		if len(tools) == 1 {
			alone[key.Item] = ", known by " + diagnostic.Cut(tools[0]) + " alone"
		}
	}
	return alone, nil
}

// open reads the oracle file of an examination of an instance.
func (k *Known) open(id models.ID, exam examinations.ID, read func(r io.Reader, file string) diagnostic.List) error {
	path := k.path
	var f *os.File
	var err error
	if k.dir {
		path = filepath.Join(path, FileName(id, exam))
		f, err = files.Open(k.path, FileName(id, exam))
	} else {
		f, err = files.OpenNamed(path)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return read(f, path).Err()
}
