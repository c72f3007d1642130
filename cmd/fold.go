package cmd

import (
	"fmt"
	"io"
	"strings"

	"podium/internal/wording"
)

// folded lets lines be written, and on a terminal breaks those that are wider at blanks.
func folded(out io.Writer, write func(io.Writer) error) error {
	columns := width(out)
	if columns == 0 {
		return write(out)
	}
	var text strings.Builder
	if err := write(&text); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		if _, err := fmt.Fprintln(out, wording.Fold(strings.TrimSuffix(line, "\n"), columns)); err != nil {
			return err
		}
	}
	return nil
}
