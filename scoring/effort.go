package scoring

import (
	"math/big"
	"slices"

	"podium/examinations"
)

// Effort is what the reports of SV-COMP tell of one kind of answers of a tool, TRUE or
// FALSE: how many are right, how many of their witnesses are confirmed, and what the runs
// with right answers took.
type Effort struct {
	Right, Wrong           int
	Confirmed, Unconfirmed int    // of the right answers; the others were asked for no witness
	CPU                    Middle // microseconds
	Energy                 Middle // microjoules
}

// Middle is the mean and the median of what was measured.
type Middle struct {
	Of           int      // measured figures
	Mean, Median *big.Rat // nil where nothing was measured
}

// Efforts returns by tool the effort of its answers TRUE, and that of its answers FALSE, on the
// tasks of a category or meta category, or on all tasks where the name is empty: then without
// those of categories that the tool opts out of. It is nil where there are no tasks.
func (r *Result) Efforts(category string) [][2]Effort {
	parts := leaves(r.Scheme.Metas, category, map[string]bool{})
	type figures struct{ cpu, energy []int64 }
	measured := make([][2]figures, len(r.Contest.Tools))
	var list [][2]Effort
	for sheet, s := range r.Contest.Sheets {
		exam := &r.Contest.Exams[s.Exam]
		if !exam.Task || category != "" && !slices.Contains(parts, exam.Category) {
			continue
		}
		if list == nil {
			list = make([][2]Effort, len(r.Contest.Tools))
		}
		for tool := range r.Contest.Tools {
			if category == "" && r.Contest.OptedOut(sheet, tool) {
				continue
			}
			mark := r.ValueMark(sheet, tool, int(s.First))
			if mark != Right && mark != Wrong || !r.HasScore(sheet, tool) {
				continue
			}
			kind := 0
			if r.Contest.Answer(int(s.First), tool) != examinations.True {
				kind = 1
			}
			e, m, run := &list[tool][kind], &measured[tool][kind], r.Contest.Run(sheet, tool)
			if mark == Wrong {
				e.Wrong++
				continue
			}
			e.Right++
			switch r.Contest.Witness(int(s.First), tool) {
			case Confirmed:
				e.Confirmed++
			case Unconfirmed:
				e.Unconfirmed++
			}
			if run.CPU != Unmeasured {
				m.cpu = append(m.cpu, run.CPU)
			}
			if run.Energy > 0 {
				m.energy = append(m.energy, run.Energy)
			}
		}
	}
	for tool := range list {
		for kind := range list[tool] {
			list[tool][kind].CPU, list[tool][kind].Energy = MiddleOf(measured[tool][kind].cpu), MiddleOf(measured[tool][kind].energy)
		}
	}
	return list
}

// MiddleOf sorts figures.
func MiddleOf(figures []int64) Middle {
	n := len(figures)
	if n == 0 {
		return Middle{}
	}
	slices.Sort(figures)
	sum := new(big.Int)
	for _, x := range figures {
		sum.Add(sum, big.NewInt(x))
	}
	return Middle{Of: n, Mean: new(big.Rat).SetFrac(sum, big.NewInt(int64(n))), Median: big.NewRat(figures[(n-1)/2]+figures[n/2], 2)}
}

// leaves lists the categories that a meta category is made of, in the end; a category is
// made of itself.
func leaves(metas []Meta, name string, seen map[string]bool) (list []string) {
	if seen[name] {
		return nil
	}
	seen[name] = true
	for i := len(metas) - 1; i >= 0; i-- {
		if metas[i].Name == name {
			for _, part := range metas[i].Of {
				list = append(list, leaves(metas[:i], part, seen)...)
			}
			return list
		}
	}
	return []string{name}
}
