package cmd

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"podium/internal/files"
)

// registerReplace adds the flag with which a command writes in place of what is there.
func registerReplace(cmd *cobra.Command, replace *bool) {
	cmd.Flags().BoolVar(replace, "replace", false, "write in place of what is there already")
}

// mayReplace tells whether a report is written: over nothing, over one of the same mark, which
// podium wrote itself, or where replace says so.
func mayReplace(path, mark string, replace bool) error {
	if path == "" {
		return nil
	}
	return mayBeThere(files.Free(path, replace || files.Begins(path, mark)))
}

// alreadyThere says that a command does not write in place of something.
func alreadyThere(path string) error {
	return usageError{fmt.Errorf("%s is there already: name another place, or write in its place with --replace", path)}
}

// mayBeThere makes the error of a file that is there already one of usage, and leaves
// others as they are.
func mayBeThere(err error) error {
	var there *fs.PathError
	if errors.As(err, &there) && errors.Is(err, fs.ErrExist) {
		return alreadyThere(there.Path)
	}
	return err
}
