package cmd

import (
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
	return files.Free(path, replace || files.Begins(path, mark))
}
