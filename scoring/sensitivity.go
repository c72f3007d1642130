package scoring

import (
	"cmp"
	"math/big"
	"slices"

	"podium/confidence"
)

// Sensitivity lists the single decisions that would change the rankings.
type Sensitivity struct {
	Margins  []Margin  // neighbours on the podium, closest first
	Removals []Removal // what changes when one tool is left out, by tool
	// OneVotePerFamily is what changes when variants of a tool have one vote
	// together, which shows how far correlated voters decide; nil where no tool
	// has siblings.
	OneVotePerFamily *Comparison
}

// Removal is what changes when one tool is left out.
type Removal struct {
	Tool    string
	Changes *Comparison
}

// Margin is the distance in points between two neighbours among the first four
// ranks of a category.
type Margin struct {
	Category      string
	Ahead, Behind string
	Points        *big.Rat
	// Decisions are disputed values whose other reference would bring the two
	// closer, the strongest first, at most maxDecisions of them. The other
	// reference is the second strongest answer, or none for a value that a
	// single tool decided.
	Decisions []Decision
	// Needed is how many of all such decisions, the strongest first, would have
	// to fall otherwise to put the one behind level or ahead; 0 when all of them
	// together would not.
	Needed int
}

// Decision is a disputed value and the points that it moves between two tools.
type Decision struct {
	Instance, Exam, Item string
	Reference, Otherwise string // "?" for no reference
	Refuted              bool   // the referee has proved another value than Otherwise
	Swing                *big.Rat
}

const maxDecisions = 10

// Sensitivity finds the single decisions that would change the result. It scores the
// contest once for each tool.
func (r *Result) Sensitivity() *Sensitivity {
	s := &Sensitivity{Margins: r.margins()}
	for _, t := range r.Contest.Tools {
		s.Removals = append(s.Removals, Removal{t.Name, Compare(r, r.Scheme.Score(r.Contest.WithoutTools(t.Name)))})
	}
	if r.Contest.hasSiblings() && !r.Scheme.OnePerFamily {
		scheme := *r.Scheme
		scheme.OnePerFamily = true
		s.OneVotePerFamily = Compare(r, scheme.Score(r.Contest))
	}
	return s
}

// swing is what the other reference of a value would move, by tool, in units.
type swing struct {
	sheet, value int
	otherwise    confidence.Reference
	units        []int64
}

func (r *Result) margins() []Margin {
	swings := r.swings()
	var list []Margin
	for k, category := range r.Categories {
		for i := 1; i < len(category.Places) && i < 4; i++ {
			ahead, behind := category.Places[i-1].Tool, category.Places[i].Tool
			list = append(list, r.marginOf(&r.Categories[k], ahead, behind, swings))
		}
	}
	slices.SortStableFunc(list, func(a, b Margin) int {
		return cmp.Or(cmp.Compare(needed(a), needed(b)), a.Points.Cmp(b.Points))
	})
	return list
}

// nothing stands for more decisions than there are.
const nothing = 1 << 30

// needed sorts margins that nothing would overturn last.
func needed(m Margin) int {
	if m.Needed == 0 {
		return nothing
	}
	return m.Needed
}

func (r *Result) marginOf(k *Category, ahead, behind int, swings []swing) Margin {
	c := r.Contest
	gap := k.Tallies[ahead].Points - k.Tallies[behind].Points
	m := Margin{Category: k.Name, Ahead: c.Tools[ahead].Name, Behind: c.Tools[behind].Name, Points: big.NewRat(gap, r.Scheme.Unit)}
	type closer struct {
		*swing
		units int64
	}
	var list []closer
	for i := range swings {
		s := &swings[i]
		if c.Exams[c.Sheets[s.sheet].Exam].Category != k.Name {
			continue
		}
		if units := s.units[behind] - s.units[ahead]; units > 0 {
			list = append(list, closer{s, units})
		}
	}
	slices.SortStableFunc(list, func(a, b closer) int { return cmp.Compare(b.units, a.units) })
	left := gap
	for i, s := range list {
		if left -= s.units; left <= 0 && m.Needed == 0 {
			m.Needed = i + 1
		}
		if i < maxDecisions {
			sheet := c.Sheets[s.sheet]
			m.Decisions = append(m.Decisions, Decision{c.Instances[sheet.Instance].Name, string(c.Exams[sheet.Exam].ID), c.Items[s.value],
				r.referenceText(s.value), r.knownText(s.otherwise), r.refutes(s.value, s.otherwise), big.NewRat(s.units, r.Scheme.Unit)})
		}
	}
	return m
}

func (r *Result) knownText(ref confidence.Reference) string {
	if !ref.Known() {
		return "?"
	}
	return r.Contest.Values[ref.Answer].Text
}

// swings tries the other reference of every disputed value, one at a time.
func (r *Result) swings() []swing {
	q := *r // scratch copies of what a sheet writes
	q.References = slices.Clone(r.References)
	q.Marks = slices.Clone(r.Marks)
	q.Flags = slices.Clone(r.Flags)
	q.Points = slices.Clone(r.Points)
	q.Letters = slices.Clone(r.Letters)
	w := newScorer(&q)
	n := len(r.Contest.Tools)
	var list []swing
	for sheet, s := range r.Contest.Sheets {
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			other, disputed := r.otherwise(sheet, v)
			if !disputed {
				continue
			}
			q.References[v] = other
			w.mark(sheet)
			w.score(sheet)
			units := make([]int64, n)
			for tool := range n {
				units[tool] = q.Points[sheet*n+tool] - r.Points[sheet*n+tool]
			}
			list = append(list, swing{sheet, v, other, units})
			q.References[v] = r.References[v]
		}
	}
	return list
}

// otherwise gives the reference that a disputed value could have had: that of the
// second strongest answer, or none where a single tool decided or all agree.
func (r *Result) otherwise(sheet, value int) (confidence.Reference, bool) {
	ref := r.References[value]
	votes := r.Votes(sheet, value)
	switch {
	case len(votes) == 0 || ref.Clause == confidence.FromOracle || ref.Clause == confidence.FromReferee || ref.Clause == confidence.ByJury:
		return ref, false
	case ref.Clause == confidence.SingleAccepted:
		return confidence.Reference{Answer: ref.Answer, Clause: confidence.SingleRejected}, true
	case confidence.Unanimous(votes):
		return ref, false
	}
	var best confidence.Answer
	var weight *big.Rat
	for _, answer := range distinct(votes) {
		if answer == ref.Answer && ref.Known() {
			continue
		}
		if x := r.electorate.Weight(votes, answer); weight == nil || x.Cmp(weight) > 0 {
			best, weight = answer, x
		}
	}
	return confidence.Reference{Answer: best, Clause: confidence.WeightedMajority}, true
}
