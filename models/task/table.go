package task

import (
	"fmt"
	"io"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// WriteTable writes a line for each task: set, file, property and expected verdict.
func (c *Collection) WriteTable(out io.Writer) error {
	w := wording.Table(out)
	for _, t := range c.Tasks {
		verdict := t.Verdict.String()
		if t.Subproperty != "" {
			verdict += "(" + t.Subproperty + ")"
		}
		set := t.Set
		if set == "" {
			set = "-"
		}
		for _, word := range []string{set, t.File, t.Property} {
			fmt.Fprintf(w, "%s\t", diagnostic.Printable(word))
		}
		fmt.Fprintln(w, verdict)
	}
	return w.Flush()
}
