package publish

import (
	"iter"
	"slices"

	"podium/examinations"
)

// splitRow is a disagreement in the list of disagreements.
type splitRow struct {
	Path, Item     string
	Inst, Exam     link
	Elected        examinations.Value
	Camps          []campView
	Losers, Silent []string // who answered otherwise than the reference value, with a vote and without
}

// campView is a camp in the list of disagreements.
type campView struct {
	Value  examinations.Value
	Weight string
}

func (s *site) writeDisagreements() error {
	rows := func(yield func(splitRow) bool) {
		for n := range s.splits {
			if !yield(s.splitRow(n)) {
				return
			}
		}
	}
	if err := s.render("disagreements", "disagreements.html", page{Here: "disagreements", Title: "Disagreements", Body: iter.Seq[splitRow](rows)}); err != nil {
		return err
	}
	insts := s.splitsByInstance()
	return s.tree.inParallel("splits", len(insts), func(i int) error { return s.writeSplits(insts[i]) })
}

// splitsByInstance are the numbers of the first disagreement of each instance
// that has any, and of the first of the next.
func (s *site) splitsByInstance() (list [][2]int) {
	for n, sp := range s.splits {
		if n == 0 || s.splits[n-1].cell.inst != sp.cell.inst {
			list = append(list, [2]int{n, n})
		}
		list[len(list)-1][1]++
	}
	return list
}

// splitRow shows a disagreement in the list.
func (s *site) splitRow(n int) splitRow {
	sp := s.splits[n]
	r := &sp.cell.refs[sp.item]
	inst := r.key().Instance.String()
	camps := r.camps()
	row := splitRow{Path: s.splitPath(n), Item: itemWithin(inst, r.item()), Inst: link{s.instPath(sp.cell.inst), inst}, Exam: s.examLink(sp.cell.exam), Elected: r.Value()}
	for _, c := range camps {
		row.Camps = append(row.Camps, campView{c.value, weight(c.weight)})
	}
	row.Losers, row.Silent = r.otherwise(camps)
	return row
}

// otherwise returns the tools that answered otherwise than the reference value, with a vote
// and without.
func (r *ref) otherwise(camps []camp) (losers, silent []string) {
	for _, c := range camps {
		if !r.known() || c.value == r.Value() {
			continue
		}
		for _, a := range c.answers {
			if a.Weight != nil {
				losers = append(losers, a.Tool)
			} else {
				silent = append(silent, a.Tool)
			}
		}
	}
	slices.Sort(losers)
	slices.Sort(silent)
	return losers, silent
}
