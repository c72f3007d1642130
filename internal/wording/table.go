package wording

import (
	"io"
	"text/tabwriter"
)

// Table aligns cells that end with tabs, words to the left.
func Table(out io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(out, 0, 0, 2, ' ', 0) }

// Numbers aligns cells that end with tabs to the right.
func Numbers(out io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
}
