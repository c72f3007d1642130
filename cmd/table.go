package cmd

import (
	"io"
	"text/tabwriter"
)

// table aligns cells that end with tabs, words to the left.
func table(out io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(out, 0, 0, 2, ' ', 0) }

// numbers aligns cells that end with tabs to the right.
func numbers(out io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
}
