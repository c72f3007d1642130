package judged

import (
	"fmt"
	"io"

	"podium/internal/campaign"
	"podium/internal/witness"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// WriteCertainties writes every value with what was elected and what the referee
// says of it, and then how many there are of each kind.
func WriteCertainties(out io.Writer, r *scoring.Result) error {
	w := wording.Table(out)
	fmt.Fprintln(w, "value\telected\treferee\tproved")
	counts := make([][scoring.Supplied + 1]int, len(r.Contest.Exams))
	for sheet, s := range r.Contest.Sheets {
		exam := r.Contest.Exams[s.Exam].ID
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			certainty, elected := r.Certainty(sheet, v), "?"
			counts[s.Exam][certainty]++
			if ref := r.Elected(sheet, v); ref.Known() {
				elected = r.Contest.Values[ref.Answer].Text
			}
			proved, _ := r.Certified(v)
			fmt.Fprintf(w, "%s %s %s\t%s\t%s\t%s\n", r.Contest.Instances[s.Instance].Name, exam, r.Contest.Items[v], diagnostic.ShortNumber(elected), certainty, diagnostic.ShortNumber(proved.Text))
		}
	}
	fmt.Fprintln(w)
	if err := w.Flush(); err != nil {
		return err
	}
	w = wording.Numbers(out)
	fmt.Fprintln(w, "examination\tproved\trefuted\tundecided\tsupplied\t")
	for i, n := range counts {
		if n == [len(n)]int{} {
			continue // not asked
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", r.Contest.Exams[i].ID, n[scoring.Proved], n[scoring.Refuted], n[scoring.Undecided], n[scoring.Supplied])
	}
	fmt.Fprintln(w)
	return w.Flush()
}

// refutation is a line about a refuted witness, or one whose form is wrong.
func refutation(run campaign.Run, x campaign.Witnessed) string {
	if x.Malformed {
		return fmt.Sprintf("  malformed: %s, %s", run, x.Detail)
	}
	if x.Proved == "" {
		return fmt.Sprintf("  refuted: %s, %s", run, x.Detail)
	}
	return fmt.Sprintf("  refuted: %s %s, %s is proved: %s", run, x.Item, x.Proved, x.Detail)
}

// WriteWitnesses says how many values of each tool are confirmed by witnesses, and
// names the refuted and the malformed ones. It writes nothing where none were asked for.
func (j *Campaign) WriteWitnesses(out io.Writer) error {
	plan := &j.Campaign.Plan
	if !plan.Witnesses && j.Validation == nil {
		return nil
	}
	w := wording.Table(out)
	fmt.Fprintln(w, "Witnesses\tconfirmed\tunconfirmed\trefuted")
	var refuted []string
	for _, t := range plan.Tools {
		count := map[witness.State]int{}
		for _, i := range plan.Instances {
			for _, exam := range plan.Examinations {
				run := campaign.Run{Tool: t.Name, Instance: i.ID, Exam: exam}
				f, ok := j.Log.Finished[run]
				if !ok {
					continue
				}
				for _, x := range f.Witnesses {
					count[x.State]++
					if x.State == witness.Refuted || x.Malformed {
						refuted = append(refuted, refutation(run, x))
					}
				}
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", t.Name, count[witness.Confirmed], count[witness.Unconfirmed], count[witness.Refuted])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	const most = 20
	for k, line := range refuted {
		if k == most {
			fmt.Fprintf(out, "  and %d more\n", len(refuted)-most)
			break
		}
		fmt.Fprintln(out, line)
	}
	_, err := fmt.Fprintln(out)
	return err
}
