package scoring

import (
	"math/big"
	"slices"

	"podium/examinations"
)

// MaxScores returns the maximal scores of the boards, in the order of Boards: what a tool would have
// whose answers are all right, each with a confirmed witness. It is nil for a category, or a
// meta category, that has a part without tasks, and for a demonstration.
func (r *Result) MaxScores() []*big.Rat {
	units := make([]*int64, len(r.Categories))
	for i, k := range r.Categories {
		if slices.ContainsFunc(r.Contest.Exams, func(e Examination) bool { return e.Category == k.Name && e.Task }) && !r.Scheme.demonstrates(k.Name) {
			units[i] = new(int64)
		}
	}
	for sheet, s := range r.Contest.Sheets {
		if r.Contest.ruled.strikes(s) {
			continue
		}
		exam := &r.Contest.Exams[s.Exam]
		at := slices.IndexFunc(r.Categories, func(k Category) bool { return k.Name == exam.Category })
		if at >= 0 && units[at] != nil {
			*units[at] += r.maxPoints(sheet)
		}
	}
	scores := make([]*big.Rat, len(units), len(units)+len(r.Scheme.Metas))
	sizes := make([]int, len(units), cap(scores))
	names := make([]string, len(units), cap(scores))
	for i, k := range r.Categories {
		sizes[i], names[i] = k.Values, k.Name
		if units[i] != nil {
			scores[i] = r.Scheme.Points(*units[i])
		}
	}
	for _, m := range r.Scheme.Metas {
		var parts []*big.Rat
		var of []int
		size, known := 0, true
		for _, name := range m.Of {
			if i := slices.Index(names, name); i >= 0 && !r.Scheme.demonstrates(name) {
				parts, of = append(parts, scores[i]), append(of, sizes[i])
				size, known = size+sizes[i], known && scores[i] != nil
			}
		}
		var score *big.Rat
		if known && !r.Scheme.demonstrates(m.Name) {
			score = Combine(m.Normalised, parts, of)
		}
		scores, sizes, names = append(scores, score), append(sizes, size), append(names, m.Name)
	}
	return scores
}

// maxPoints is what the right answers to a sheet are worth, in units.
func (r *Result) maxPoints(sheet int) int64 {
	s := r.Contest.Sheets[sheet]
	best := Score{Run: &Run{Participation: Answered, CPU: Unmeasured, Wall: Unmeasured, Memory: Unmeasured}}
	for v := int(s.First); v < int(s.First+s.Values); v++ {
		reference, known := r.ReferenceValue(v)
		mark := Missing
		if known {
			mark = Right
		}
		best.Marks = append(best.Marks, mark)
		best.Answers = append(best.Answers, known && reference == examinations.True)
		best.Witnesses = append(best.Witnesses, Confirmed)
	}
	best.count()
	peers := Peers{Exam: &r.Contest.Exams[s.Exam], Instance: &r.Contest.Instances[s.Instance], Scores: []Score{best}}
	r.Scheme.apply(&peers)
	return peers.Scores[0].Points
}
