package cmd

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"
)

// registerReplace adds the flag with which a command writes in place of what is there.
func registerReplace(cmd *cobra.Command, replace *bool) {
	cmd.Flags().BoolVar(replace, "replace", false, "write in place of what is there already")
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
