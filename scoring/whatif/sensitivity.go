package whatif

import (
	"cmp"
	"math/big"
	"slices"

	"podium/confidence"
	"podium/scoring"
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

// SensitivityOf finds the single decisions that would change the result. It scores the
// contest once for each tool.
func SensitivityOf(r *scoring.Result) *Sensitivity {
	s := &Sensitivity{Margins: margins(r)}
	for _, t := range r.Contest.Tools {
		s.Removals = append(s.Removals, Removal{t.Name, Compare(r, r.Scheme.Score(WithoutTools(r.Contest, t.Name)))})
	}
	if hasSiblings(r.Contest) && !r.Scheme.OnePerFamily {
		scheme := *r.Scheme
		scheme.OnePerFamily = true
		s.OneVotePerFamily = Compare(r, scheme.Score(r.Contest))
	}
	return s
}

func margins(r *scoring.Result) []Margin {
	swings := r.Swings()
	var list []Margin
	for k, category := range r.Categories {
		for i := 1; i < len(category.Places) && i < 4; i++ {
			ahead, behind := category.Places[i-1].Tool, category.Places[i].Tool
			list = append(list, marginOf(r, &r.Categories[k], ahead, behind, swings))
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

func marginOf(r *scoring.Result, k *scoring.Category, ahead, behind int, swings []scoring.Swing) Margin {
	c := r.Contest
	gap := k.Tallies[ahead].Points - k.Tallies[behind].Points
	m := Margin{Category: k.Name, Ahead: c.Tools[ahead].Name, Behind: c.Tools[behind].Name, Points: big.NewRat(gap, r.Scheme.Unit)}
	type closer struct {
		*scoring.Swing
		units int64
	}
	var list []closer
	for i := range swings {
		s := &swings[i]
		if c.Exams[c.Sheets[s.Sheet].Exam].Category != k.Name {
			continue
		}
		if units := s.Units[behind] - s.Units[ahead]; units > 0 {
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
			sheet := c.Sheets[s.Sheet]
			m.Decisions = append(m.Decisions, Decision{c.Instances[sheet.Instance].Name, string(c.Exams[sheet.Exam].ID), c.Items[s.Value],
				referenceText(r, s.Value), knownText(r, s.Otherwise), r.RefutesReference(s.Value, s.Otherwise), big.NewRat(s.units, r.Scheme.Unit)})
		}
	}
	return m
}

func knownText(r *scoring.Result, ref confidence.Reference) string {
	if !ref.Known() {
		return "?"
	}
	return r.Contest.Values[ref.Answer].Text
}

// hasSiblings reports whether some tools are variants of one submission.
func hasSiblings(c *scoring.Contest) bool {
	return slices.Max(append(c.Families(), 0))+1 < len(c.Tools)
}
