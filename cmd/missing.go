package cmd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"podium/pnml/diagnostic"
)

// missing gives the message of an error; of a path that does not exist, without the
// words of the system and with the name beside it that was perhaps meant.
func missing(err error) string {
	var at *fs.PathError
	if !errors.As(err, &at) || !errors.Is(at, fs.ErrNotExist) || at.Error() != err.Error() {
		return err.Error()
	}
	said := at.Path + ": there is no such file or directory"
	dir, err := os.Open(filepath.Dir(at.Path))
	if err != nil {
		return said
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(10_000)
	slices.Sort(names)
	if near, ok := diagnostic.Nearest(filepath.Base(at.Path), slices.Values(names)); ok {
		said += "; the nearest is " + filepath.Join(filepath.Dir(at.Path), near)
	}
	return said
}
