package whatif

import (
	"math/big"
	"slices"

	"podium/confidence"
	"podium/scoring"
)

// Move is a tool whose rank or points in a category differ between two results.
type Move struct {
	Category                  string
	Tool                      string
	RankBefore, RankAfter     int // 0: no place
	PointsBefore, PointsAfter *big.Rat
	RightBefore, RightAfter   int
	WrongBefore, WrongAfter   int
}

// Podium reports whether one of the first three ranks is involved.
func (m Move) Podium() bool {
	onPodium := func(rank int) bool { return rank >= 1 && rank <= 3 }
	return m.RankBefore != m.RankAfter && (onPodium(m.RankBefore) || onPodium(m.RankAfter))
}

// ReferenceChange is a value whose reference differs between two results.
type ReferenceChange struct {
	Instance, Exam, Item string
	Before, After        string // "?" for unknown
	Proved               string // by the referee; empty where it does not know the value
	Refuted              bool   // the reference after the change is another than the proved value
	ClauseBefore         confidence.Clause
	ClauseAfter          confidence.Clause
}

// Comparison is the difference between two results of related contests. Tools,
// sheets and values are matched by name. What only one of the contests has is
// missing in References and has rank 0 in Moves.
type Comparison struct {
	Moves      []Move // in the order of categories, then of ranks before
	References []ReferenceChange
}

// Compare returns the differences between two results.
func Compare(before, after *scoring.Result) *Comparison {
	return &Comparison{Moves: moves(before, after), References: changedReferences(before, after)}
}

func moves(before, after *scoring.Result) []Move {
	var list []Move
	later := after.Boards()
	for _, b := range before.Boards() {
		i := slices.IndexFunc(later, func(x scoring.Board) bool { return x.Name == b.Name })
		a := &scoring.Board{}
		if i >= 0 {
			a = &later[i]
		}
		list = append(list, boardMoves(before.Contest, after.Contest, &b, a)...)
	}
	return list
}

func boardMoves(cb, ca *scoring.Contest, b, a *scoring.Board) []Move {
	var list []Move
	names := map[string]bool{}
	add := func(name string) {
		if names[name] {
			return
		}
		names[name] = true
		m := Move{Category: b.Name, Tool: name, PointsBefore: new(big.Rat), PointsAfter: new(big.Rat)}
		if tool := cb.ToolNamed(name); tool >= 0 {
			s := b.Standings[tool]
			m.PointsBefore, m.RightBefore, m.WrongBefore = s.Points, s.Right, s.Wrong
			m.RankBefore = rankOf(b, tool)
		}
		if tool := ca.ToolNamed(name); tool >= 0 && tool < len(a.Standings) {
			s := a.Standings[tool]
			m.PointsAfter, m.RightAfter, m.WrongAfter = s.Points, s.Right, s.Wrong
			m.RankAfter = rankOf(a, tool)
		}
		if m.RankBefore != m.RankAfter || m.PointsBefore.Cmp(m.PointsAfter) != 0 {
			list = append(list, m)
		}
	}
	for _, p := range b.Places {
		add(cb.Tools[p.Tool].Name)
	}
	for _, p := range a.Places {
		add(ca.Tools[p.Tool].Name)
	}
	return list
}

// rankOf is the rank of a tool; 0 where it has none, or nobody has points.
func rankOf(b *scoring.Board, tool int) int {
	rank, scored := 0, false
	for _, p := range b.Places {
		if p.Tool == tool {
			rank = p.Rank
		}
		scored = scored || b.Standings[p.Tool].Points.Sign() != 0
	}
	if !scored {
		return 0
	}
	return rank
}

func changedReferences(before, after *scoring.Result) []ReferenceChange {
	sheets := after.Contest.SheetIndex()
	var list []ReferenceChange
	c := before.Contest
	for _, s := range c.Sheets {
		k := scoring.SheetName{Instance: c.Instances[s.Instance].Name, Exam: c.Exams[s.Exam].ID}
		other, ok := sheets[k]
		if !ok {
			continue
		}
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			w := valueFrom(after.Contest, other, v-int(s.First), c.Items[v])
			if w < 0 {
				continue
			}
			x, y := referenceText(before, v), referenceText(after, w)
			if x != y {
				change := ReferenceChange{Instance: k.Instance, Exam: string(k.Exam), Item: c.Items[v], Before: x, After: y,
					ClauseBefore: before.References[v].Clause, ClauseAfter: after.References[w].Clause}
				if proved, ok := after.Certified(w); ok {
					change.Proved, change.Refuted = proved.Text, after.RefutesReference(w, after.References[w])
				}
				list = append(list, change)
			}
		}
	}
	return list
}

func referenceText(r *scoring.Result, value int) string {
	if v, known := r.ReferenceValue(value); known {
		return v.Text
	}
	return "?"
}

// valueFrom is [scoring.Contest.ValueOf], looking first at a position of the sheet and behind it.
func valueFrom(c *scoring.Contest, sheet, position int, item string) int {
	first, n := int(c.Sheets[sheet].First), int(c.Sheets[sheet].Values)
	for i := range n {
		if v := first + (position+i)%n; c.Items[v] == item {
			return v
		}
	}
	return -1
}
