package judged

import (
	"fmt"
	"io"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/whatif"
)

// WriteSensitivity writes which references would change a podium, and what the
// result owes to each tool.
func WriteSensitivity(out io.Writer, r *scoring.Result, twins scoring.Twinning) {
	s := whatif.SensitivityOf(r)
	fmt.Fprintln(out, "Reference values that would change the podium, closest first:")
	for _, m := range s.Margins {
		fate := "no disputed value stands between them"
		switch {
		case m.Needed > 0:
			fate = wording.Count(m.Needed, "disputed value", "disputed values") + " would change the order"
		case len(m.Decisions) > 0:
			fate = "all disputed values together would not change the order"
		}
		fmt.Fprintf(out, "  %s: %s is %s points ahead of %s; %s\n", m.Category, m.Ahead, m.Points.FloatString(2), m.Behind, fate)
		for _, d := range m.Decisions[:min(3, len(m.Decisions))] {
			refuted := ""
			if d.Refuted {
				refuted = " (refuted by proof)"
			}
			fmt.Fprintf(out, "    %s %s %s: %s, otherwise %s%s, moves %s points\n", d.Instance, d.Exam, d.Item, diagnostic.ShortNumber(d.Reference), diagnostic.ShortNumber(d.Otherwise), refuted, d.Swing.FloatString(2))
		}
	}
	fmt.Fprintln(out, "Without each tool:")
	for _, x := range s.Removals {
		podium := 0
		for _, m := range x.Changes.Moves {
			if m.Podium() && m.Tool != x.Tool {
				podium++
			}
		}
		fmt.Fprintf(out, "  %s: %s, %s\n", x.Tool, wording.Count(len(x.Changes.References), "reference value changes", "reference values change"), wording.Count(podium, "other place on podiums", "other places on podiums"))
	}
	if s.OneVotePerFamily != nil {
		fmt.Fprintf(out, "With one vote per family: %s\n", wording.Count(len(s.OneVotePerFamily.References), "reference value changes", "reference values change"))
	}
	warnings := map[explain.Doubt]int{}
	for _, w := range explain.Warnings(r, twins) {
		warnings[w.Doubt]++
	}
	for _, d := range []explain.Doubt{explain.SingleTool, explain.OneFamily, explain.NearMargin, explain.Break, explain.Copy, explain.SelfContradiction, explain.GivenAway} {
		fmt.Fprintf(out, "Reference values in doubt, %s: %d\n", d, warnings[d])
	}
	fmt.Fprintln(out)
}
