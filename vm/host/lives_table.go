package host

import (
	"fmt"
	"io"
	"slices"

	"podium/internal/wording"
)

// WriteLives prints the medians of each step, a column for each way.
func WriteLives(to io.Writer, all []Lives) error {
	w := wording.Numbers(to)
	fmt.Fprint(w, "seconds\t")
	var names []string
	for _, l := range all {
		fmt.Fprint(w, l.Way, "\t")
		if len(l.Machines) == 0 {
			continue
		}
		at := 0
		for _, step := range l.Machines[0] {
			if i := slices.Index(names, step.What); i >= 0 {
				at = i + 1
			} else {
				names = slices.Insert(names, at, step.What)
				at++
			}
		}
	}
	fmt.Fprintln(w)
	for _, name := range names {
		fmt.Fprint(w, name, "\t")
		for _, l := range all {
			if at, ok := l.Median(name); ok {
				fmt.Fprintf(w, "%.3f", at.Seconds())
			}
			fmt.Fprint(w, "\t")
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, l := range all {
		if l.Failure != "" {
			fmt.Fprintf(to, "\n%s: no machine: %s\n", l.Way, l.Failure)
		}
	}
	return nil
}
