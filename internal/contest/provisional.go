package contest

import (
	"fmt"
	"io"
	"math/big"

	"podium/internal/campaign"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// Ranges gives what the final scores can still be, for every way in which the runs of
// the plan that have no end yet can end, see [scoring.Result.Ranges].
func (j *Judged) Ranges() *scoring.Ranges {
	c := j.Result.Contest
	planned := map[string]*campaign.PlannedTool{}
	for i := range j.Campaign.Plan.Tools {
		planned[j.Campaign.Plan.Tools[i].Name] = &j.Campaign.Plan.Tools[i]
	}
	return j.Result.Ranges(func(sheet, tool int) bool {
		s := c.Sheets[sheet]
		run := campaign.Run{Tool: c.Tools[tool].Name, Instance: c.Instances[s.Instance].Name, Exam: c.Exams[s.Exam].ID}
		t := planned[run.Tool]
		i, ok := j.Campaign.Plan.Instance(run.Instance)
		return t != nil && ok && t.TakesPart(i, run.Exam) && !j.Log.Done(run)
	})
}

// WriteProvisional writes for every category the points of each tool so far, the least and
// the greatest final points, and the place where no missing run can change it.
func (j *Judged) WriteProvisional(out io.Writer) error {
	ranges := j.Ranges()
	if ranges.Missing == 0 {
		fmt.Fprintln(out, "No run is missing: these scores are final.")
	} else {
		fmt.Fprintf(out, "%s missing. Final points lie between least and greatest.\n", wording.Count(ranges.Missing, "run is", "runs are"))
	}
	boards := j.Result.Boards()
	for i := range ranges.Boards {
		k := &ranges.Boards[i]
		fmt.Fprintf(out, "\n%s\n", diagnostic.Clean(k.Name))
		w := wording.Numbers(out)
		fmt.Fprintln(w, "tool\tmissing\tso far\tleast\tgreatest\tdecided\t")
		for tool := range k.Least {
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t\n", wording.Cut(diagnostic.Clean(j.Result.Contest.Tools[tool].Name), 24), k.Missing[tool],
				hundredths(boards[i].Standings[tool].Points), hundredths(k.Least[tool].Points), hundredths(k.Greatest[tool].Points), decidedPlace(k, tool))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// hundredths is a number of points, rounded to hundredths where it is not whole.
func hundredths(points *big.Rat) string {
	if points.IsInt() {
		return points.RatString()
	}
	return points.FloatString(2)
}

func decidedPlace(k *scoring.BoardRange, tool int) string {
	for _, p := range k.Decided {
		if p.Tool == tool {
			return [...]string{"gold", "silver", "bronze"}[p.Rank-1]
		}
	}
	return "."
}
