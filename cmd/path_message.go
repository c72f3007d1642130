package cmd

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"podium/pnml/diagnostic"
)

// pathMessage returns the message of an error; of a path that does not exist, cannot exist, that
// is there already, or that others may use, in plain words with the next step instead of those of the system.
func pathMessage(err error) string {
	var at *fs.PathError
	switch {
	case (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)) && !strings.Contains(err.Error(), "make room"):
		return err.Error() + ": make room, or name a place on another disk, and call the command again"
	case !errors.As(err, &at):
	case errors.Is(at, fs.ErrExist): // whatever was done with it
		return at.Path + " is there already: name another place, or write in its place with --replace"
	case at.Error() != err.Error():
	case errors.Is(at, fs.ErrNotExist):
		said := at.Path + ": there is no such file or directory"
		if near, ok := diagnostic.NearestPath(at.Path); ok {
			said += "; the nearest is " + near
		}
		return said
	case errors.Is(at, syscall.ENOTDIR):
		return at.Path + ": a file stands where this path needs a directory; name another place"
	case errors.Is(at, fs.ErrPermission):
		return at.Path + ": permission denied; ask the owner for it, or name another place"
	}
	return err.Error()
}
