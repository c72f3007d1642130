package oracle

import (
	"os"
	"path/filepath"
	"strings"

	"podium/examinations"
	"podium/models"
)

// Known are known answers on disk: a directory of oracle files, one oracle file, or
// a table of all instances. Nil knows nothing.
type Known struct {
	path  string
	dir   bool
	table map[examinations.Key]examinations.Value // nil unless path is a table
}

// Open finds known answers. A table (.csv) is read at once, oracle files when they
// are asked for. Without a path there are none.
func Open(path string) (*Known, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	k := &Known{path: path, dir: info.IsDir()}
	if k.dir || !strings.HasSuffix(path, ".csv") {
		return k, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	table, found := ReadCSV(f, path)
	k.table = table
	return k, found.Err()
}

// Values gives what is known of an examination of an instance; items are its
// values, as [Read] wants them. A directory without the file of the examination is
// os.ErrNotExist.
func (k *Known) Values(id models.ID, exam examinations.ID, items []string) (map[examinations.Key]examinations.Value, error) {
	if k == nil {
		return nil, nil
	}
	if k.table != nil {
		return k.table, nil
	}
	path := k.path
	if k.dir {
		path = filepath.Join(path, FileName(id, exam))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	values, found := Read(f, path, items)
	return values, found.Err()
}
