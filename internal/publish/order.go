package publish

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"time"

	"podium/internal/publish/paths"
	"podium/scoring"
)

// counts are the sizes of a contest.
type counts struct {
	Tools         int `json:"tools"`
	Instances     int `json:"instances"`
	Examinations  int `json:"examinations"`
	Runs          int `json:"runs"`
	VoidRuns      int `json:"void_runs"`
	Answers       int `json:"answers"`
	Values        int `json:"values_asked"`
	References    int `json:"reference_values"`
	Disagreements int `json:"disagreements"`
}

func (v *view) counts() counts {
	n := counts{Tools: len(v.tools), Instances: len(v.insts), Examinations: len(v.c.Examinations),
		Runs: len(v.c.runs), Answers: v.answers, Disagreements: len(v.splits)}
	for i := range v.cells {
		n.Values += len(v.cells[i].refs)
		for k := range v.cells[i].refs {
			n.References += btoi(v.cells[i].refs[k].known())
		}
	}
	for i := range v.c.runs {
		n.VoidRuns += btoi(v.c.runs[i].Void != "")
	}
	return n
}

// Paths of pages, from the root of the site.
func (v *view) toolPath(tool string) string { return paths.Tool(v.toolFile[v.toolAt[tool]]) }

func (v *view) instPath(inst int) string { return paths.Instance(v.instFile[inst]) }

func (v *view) examPath(exam int) string {
	return paths.Examination(string(v.c.Examinations[exam].ID))
}

func (v *view) examLink(exam int) link {
	return link{v.examPath(exam), string(v.c.Examinations[exam].ID)}
}

// runPath leads to the details of a run on the page of its instance.
func (v *view) runPath(r *run) string {
	return v.instPath(v.instAt[r.instance()]) + "#" + v.runAnchor(r)
}

// splitPage is the page of all disagreements on an instance, and splitPath leads
// to one of them.
func (v *view) splitPage(inst int) string { return "disagreements/" + v.instFile[inst] + ".html" }

func (v *view) splitPath(n int) string {
	return v.splitPage(v.splits[n].cell.inst) + "#" + v.splitAnchor(n)
}

func (v *view) splitAnchor(n int) string {
	s := v.splits[n]
	return fmt.Sprintf("%s.%d", paths.Name(string(v.c.Examinations[s.cell.exam].ID)), s.item+1)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// standing is the line of a tool in a ranking.
type standing struct {
	scoring.Standing
	Tool string
	// Of the wrong answers to tasks, false alarms say FALSE, and wrong proofs say TRUE.
	FalseAlarms, WrongProofs int
}

// Took is the CPU time of the successful runs.
func (st standing) Took() time.Duration { return microseconds(st.SuccessCPU) }

// Metered is the energy of the successful runs in microjoules, 0 where one of them has none.
func (st standing) Metered() int64 {
	if st.Unmetered > 0 {
		return 0
	}
	return st.Standing.Energy
}

// standings are those of a category that are shown, by rank, the unranked last, then by name.
func (c *Contest) standings(cat *Category) (list []standing) {
	for tool, s := range cat.Standings {
		name := c.scored().Tools[tool].Name
		if !c.team.shows(name) || c.onlyRuns && !c.scored().ToolHasRuns(tool) {
			continue
		}
		if s.Out { // it shows no results here
			s = scoring.Standing{Points: new(big.Rat), Out: true, Dash: true, Note: s.Note}
		}
		st := standing{Standing: s, Tool: name}
		if cat.Efforts != nil && !s.Dash && c.team == nil {
			st.WrongProofs, st.FalseAlarms = cat.Efforts[tool][0].Wrong, cat.Efforts[tool][1].Wrong
		}
		list = append(list, st)
	}
	slices.SortStableFunc(list, func(a, b standing) int {
		return cmp.Or(cmp.Compare(btoi(a.Rank == 0), btoi(b.Rank == 0)), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Tool, b.Tool))
	})
	return list
}

// places are the standings on the podium, by place.
func places(standings []standing) []standing {
	on := slices.DeleteFunc(slices.Clone(standings), func(s standing) bool { return s.Place == 0 })
	slices.SortStableFunc(on, func(a, b standing) int { return cmp.Compare(a.Place, b.Place) })
	return on
}
