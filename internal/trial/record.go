package trial

import (
	"io"
	"strings"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// record is what a trial did, on nets or on tasks.
type record struct{ cases []Case }

func (r *record) add(c Case) { r.cases = append(r.cases, c) }

// Cases are the runs of the trial, in their order.
func (r *record) Cases() []Case { return r.cases }

// writeFindings writes what is to be mended, for programs.
func (r *record) writeFindings(out io.Writer, format diagnostic.Format) error {
	var all diagnostic.List
	for _, c := range r.cases {
		all = append(all, c.Findings...)
	}
	return all.Write(out, format)
}

// mending is how often something is to be mended, in words.
type mending struct {
	n         int
	one, many string
}

// blamed says what has to be mended; it is empty when all is well.
func blamed(faults ...mending) string {
	var all []string
	for _, f := range faults {
		if f.n > 0 {
			all = append(all, wording.Count(f.n, f.one, f.many))
		}
	}
	return strings.Join(all, "; ")
}
