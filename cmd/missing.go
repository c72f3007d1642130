package cmd

import (
	"errors"
	"io/fs"

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
	if near, ok := diagnostic.NearestPath(at.Path); ok {
		said += "; the nearest is " + near
	}
	return said
}
