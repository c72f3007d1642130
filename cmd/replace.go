package cmd

import (
	"fmt"

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
