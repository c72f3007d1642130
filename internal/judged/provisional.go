package judged

import (
	"cmp"
	"fmt"
	"io"
	"math/big"

	"podium/internal/campaign"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// Ranges returns what the final scores can still be, for every way in which the runs of
// the plan that have no end yet can end, see [scoring.Result.Ranges].
func (j *Campaign) Ranges() *scoring.Ranges {
	c := j.Result.Contest
	planned := map[string]*campaign.PlannedTool{}
	for i := range j.Campaign.Plan.Tools {
		planned[j.Campaign.Plan.Tools[i].Name] = &j.Campaign.Plan.Tools[i]
	}
	return j.Result.Ranges(func(sheet, tool int) bool {
		run := RunOf(c, sheet, tool)
		t := planned[run.Tool]
		i, ok := j.Campaign.Plan.Instance(run.Instance)
		return t != nil && ok && t.TakesPart(i, run.Exam) && !j.Log.Done(run)
	})
}

// Provisional are the scores of a campaign while runs are missing.
type Provisional struct {
	Missing int // runs that have no end yet
	Boards  []ProvisionalBoard
}

// ProvisionalBoard is a category, or one that is made of others.
type ProvisionalBoard struct {
	Name string           `json:"category"`
	Rows []ProvisionalRow `json:"lines"`
}

// ProvisionalRow are the points of a tool. The final ones lie between the least and the
// greatest.
type ProvisionalRow struct {
	Tool     string   `json:"tool"`
	Missing  int      `json:"missing"` // runs of the tool that have no end yet
	SoFar    *big.Rat `json:"so_far"`
	Least    *big.Rat `json:"least"`
	Greatest *big.Rat `json:"greatest"`
	Place    int      `json:"decided"` // on the podium where no missing run can change it, 1 to 3; else 0
}

// Provisional returns the scores so far, with what they can still become.
func (j *Campaign) Provisional() *Provisional {
	ranges, boards := j.Ranges(), j.Result.Boards()
	p := &Provisional{Missing: ranges.Missing}
	for i := range ranges.Boards {
		k := &ranges.Boards[i]
		b := ProvisionalBoard{Name: k.Name}
		for tool := range k.Least {
			b.Rows = append(b.Rows, ProvisionalRow{j.Result.Contest.Tools[tool].Name, k.Missing[tool], boards[i].Standings[tool].Points,
				k.Least[tool].Points, k.Greatest[tool].Points, decidedPlace(k, tool)})
		}
		p.Boards = append(p.Boards, b)
	}
	return p
}

// WriteProvisional writes for every category the points of each tool so far, the least and
// the greatest final points, and the place where no missing run can change it.
func (j *Campaign) WriteProvisional(out io.Writer) error {
	p := j.Provisional()
	if p.Missing == 0 {
		fmt.Fprintln(out, "No run is missing: these scores are final.")
	} else {
		fmt.Fprintf(out, "%s missing. Final points lie between least and greatest.\n", wording.Count(p.Missing, "run is", "runs are"))
	}
	for _, b := range p.Boards {
		fmt.Fprintf(out, "\n%s\n", diagnostic.Clean(b.Name))
		w := wording.Numbers(out)
		fmt.Fprintln(w, "tool\tmissing\tso far\tleast\tgreatest\tdecided\t")
		for _, r := range b.Rows {
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t\n", wording.Cut(diagnostic.Clean(r.Tool), 24), r.Missing, Hundredths(r.SoFar),
				Hundredths(r.Least), Hundredths(r.Greatest), cmp.Or(Medal(r.Place), "."))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// Hundredths is a number of points, rounded to hundredths where it is not whole.
func Hundredths(points *big.Rat) string {
	if points.IsInt() {
		return points.RatString()
	}
	return points.FloatString(2)
}

// Medal is the word for a place of the podium, empty for none.
func Medal(place int) string { return [...]string{"", "gold", "silver", "bronze"}[place] }

func decidedPlace(k *scoring.BoardRange, tool int) int {
	for _, p := range k.Decided {
		if p.Tool == tool {
			return p.Rank
		}
	}
	return 0
}
