package publish

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"podium/examinations"
	"podium/internal/publish/paths"
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
		Runs: len(v.c.Runs), Values: len(v.c.References), Answers: v.answers, Disagreements: len(v.splits)}
	for i := range v.c.References {
		n.References += btoi(v.c.References[i].known())
	}
	for i := range v.c.Runs {
		n.VoidRuns += btoi(v.c.Runs[i].Void != "")
	}
	return n
}

// Paths of pages, from the root of the site.
func (v *view) toolPath(tool string) string { return paths.Tool(v.toolFile[v.toolAt[tool]]) }

func (v *view) instPath(inst int) string { return paths.Instance(v.instFile[inst]) }

func (v *view) examPath(exam int) string {
	return paths.Examination(string(v.c.Examinations[exam].ID))
}

// runPath leads to the details of a run on the page of its instance.
func (v *view) runPath(r *Run) string { return v.instPath(v.instAt[r.Instance]) + "#" + v.runAnchor(r) }

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

// sortedAnswers gives the answers of a run in the order of their values, in the memory
// of room.
func (r *Run) sortedAnswers(room []Answer) []Answer {
	list := slices.AppendSeq(room[:0], r.answers())
	slices.SortStableFunc(list, func(a, b Answer) int { return compareItems(a.Item, b.Item) })
	return list
}

func (r *Reference) sortedVotes() []Vote {
	votes := r.votes()
	byTool := func(a, b Vote) int { return cmp.Compare(a.Tool, b.Tool) }
	if !slices.IsSortedFunc(votes, byTool) {
		votes = slices.SortedStableFunc(slices.Values(votes), byTool)
	}
	return votes
}

// camp is the tools that gave one value.
type camp struct {
	value  examinations.Value
	weight *big.Rat
	votes  []Vote
	silent []Silent
}

// camps groups the answers by value: the elected value first, then by weight,
// then by text.
func (r *Reference) camps() []camp {
	var camps []camp
	of := func(value examinations.Value) *camp {
		i := slices.IndexFunc(camps, func(c camp) bool { return c.value == value })
		if i < 0 {
			i = len(camps)
			camps = append(camps, camp{value: value, weight: new(big.Rat)})
		}
		return &camps[i]
	}
	for _, vote := range r.sortedVotes() {
		c := of(vote.Value)
		if vote.Weight != nil {
			c.weight.Add(c.weight, vote.Weight)
		}
		c.votes = append(c.votes, vote)
	}
	for _, x := range slices.SortedStableFunc(slices.Values(r.silent()), func(a, b Silent) int { return cmp.Compare(a.Tool, b.Tool) }) {
		c := of(x.Value)
		c.silent = append(c.silent, x)
	}
	slices.SortStableFunc(camps, func(a, b camp) int {
		if a.value == r.Value || b.value == r.Value {
			return cmp.Compare(btoi(b.value == r.Value), btoi(a.value == r.Value))
		}
		return cmp.Or(b.weight.Cmp(a.weight), cmp.Compare(a.value.Text, b.value.Text))
	})
	return camps
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sortedStandings orders by rank, the unranked last, then by name.
func sortedStandings(standings []Standing) []Standing {
	return slices.SortedStableFunc(slices.Values(standings), func(a, b Standing) int {
		return cmp.Or(cmp.Compare(btoi(a.Rank == 0), btoi(b.Rank == 0)), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Tool, b.Tool))
	})
}

// places are the standings on the podium, by place.
func places(standings []Standing) []Standing {
	on := slices.DeleteFunc(sortedStandings(standings), func(s Standing) bool { return s.Place < 1 || s.Place > 3 })
	slices.SortStableFunc(on, func(a, b Standing) int { return cmp.Compare(a.Place, b.Place) })
	return on
}
