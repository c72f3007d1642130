package scoring

import (
	"math/big"
	"slices"

	"podium/confidence"
)

// Without gives the contest without the tools and instances for which the
// functions are true; a nil function removes none. The number of instances of a
// family stays as it was, because it belongs to the contest and not to the
// selection.
func (c *Contest) Without(tool func(*Tool) bool, instance func(*Instance) bool) *Contest {
	if instance == nil {
		return c.without(tool, nil)
	}
	return c.without(tool, func(i *Instance, _ *Examination) bool { return instance(i) })
}

// WithoutSheets gives the contest without the examinations of instances for which
// the function is true.
func (c *Contest) WithoutSheets(sheet func(*Instance, *Examination) bool) *Contest {
	return c.without(nil, sheet)
}

func (c *Contest) without(tool func(*Tool) bool, sheet func(*Instance, *Examination) bool) *Contest {
	var sheets []int
	for i, s := range c.Sheets {
		if sheet == nil || !sheet(&c.Instances[s.Instance], &c.Exams[s.Exam]) {
			sheets = append(sheets, i)
		}
	}
	return c.take(tool, sheets)
}

// take gives the contest with some of its sheets, in the order given, and without
// some tools.
func (c *Contest) take(tool func(*Tool) bool, sheets []int) *Contest {
	out := &Contest{Instances: c.Instances, Exams: c.Exams, Values: c.Values, AsDisplayed: c.AsDisplayed}
	var kept []int
	for i := range c.Tools {
		if tool == nil || !tool(&c.Tools[i]) {
			kept = append(kept, i)
			out.Tools = append(out.Tools, c.Tools[i])
		}
	}
	values := 0
	for _, i := range sheets {
		values += int(c.Sheets[i].Values)
	}
	out.Ballots = &confidence.Ballots{Tools: len(kept), Cells: make([]confidence.Answer, 0, values*len(kept))}
	out.Runs, out.Sheets, out.Items = make([]Run, 0, len(sheets)*len(kept)), make([]Sheet, 0, len(sheets)), make([]string, 0, values)
	if c.ruled != nil {
		out.ruled = &rulings{reasons: c.ruled.reasons}
		for _, t := range kept {
			out.ruled.places = append(out.ruled.places, c.ruled.places[t])
		}
	}
	for _, i := range sheets {
		s := c.Sheets[i]
		for _, t := range kept {
			out.Runs = append(out.Runs, c.Runs[i*len(c.Tools)+t])
		}
		from, to := int(s.First), int(s.First+s.Values)
		if c.ruled != nil {
			c.ruled.keep(out.ruled, i, from, to, len(c.Tools), kept)
		}
		s.First = int32(len(out.Items))
		out.Sheets = append(out.Sheets, s)
		out.Items = append(out.Items, c.Items[from:to]...)
		if c.Certified != nil {
			out.Certified = append(out.Certified, c.Certified[from:to]...)
		}
		if c.Copies != nil {
			out.Copies = append(out.Copies, c.Copies[from:to]...)
		}
		if c.Told != nil {
			out.Told = append(out.Told, c.Told[from:to]...)
		}
		if c.Oracle != nil {
			out.Oracle = append(out.Oracle, c.Oracle[from:to]...)
		}
		for v := from; v < to; v++ {
			for _, t := range kept {
				out.Ballots.Cells = append(out.Ballots.Cells, c.Ballots.Cells[v*len(c.Tools)+t])
				if c.Witnesses != nil {
					out.Witnesses = append(out.Witnesses, c.Witnesses[v*len(c.Tools)+t])
				}
				if c.AnsweredAt != nil {
					out.AnsweredAt = append(out.AnsweredAt, c.AnsweredAt[v*len(c.Tools)+t])
				}
			}
		}
	}
	return out
}

// WithoutTools gives the contest without some tools.
func (c *Contest) WithoutTools(names ...string) *Contest {
	return c.Without(func(t *Tool) bool { return slices.Contains(names, t.Name) }, nil)
}

// WithoutToolFamilies gives the contest without all tools of some families.
func (c *Contest) WithoutToolFamilies(names ...string) *Contest {
	return c.Without(func(t *Tool) bool { return slices.Contains(names, t.FamilyName()) }, nil)
}

// WithoutModels gives the contest without all instances of some models.
func (c *Contest) WithoutModels(families ...string) *Contest {
	return c.Without(nil, func(i *Instance) bool { return slices.Contains(families, i.ID.Family) })
}

// Move is a tool whose rank or points in a category differ between two results.
type Move struct {
	Category                  string
	Tool                      string
	RankBefore, RankAfter     int // 0: no place
	PointsBefore, PointsAfter *big.Rat
	RightBefore, RightAfter   int
	WrongBefore, WrongAfter   int
}

// Podium tells whether one of the first three ranks is involved.
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

// Compare gives the differences between two results.
func Compare(before, after *Result) *Comparison {
	return &Comparison{Moves: moves(before, after), References: changedReferences(before, after)}
}

func moves(before, after *Result) []Move {
	var list []Move
	later := after.Boards()
	for _, b := range before.Boards() {
		i := slices.IndexFunc(later, func(x Board) bool { return x.Name == b.Name })
		a := &Board{}
		if i >= 0 {
			a = &later[i]
		}
		list = append(list, boardMoves(before.Contest, after.Contest, &b, a)...)
	}
	return list
}

func boardMoves(cb, ca *Contest, b, a *Board) []Move {
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
			m.RankBefore = b.rankOf(tool)
		}
		if tool := ca.ToolNamed(name); tool >= 0 && tool < len(a.Standings) {
			s := a.Standings[tool]
			m.PointsAfter, m.RightAfter, m.WrongAfter = s.Points, s.Right, s.Wrong
			m.RankAfter = a.rankOf(tool)
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
func (b *Board) rankOf(tool int) int {
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

func changedReferences(before, after *Result) []ReferenceChange {
	sheets := after.Contest.SheetIndex()
	var list []ReferenceChange
	c := before.Contest
	for _, s := range c.Sheets {
		k := SheetName{c.Instances[s.Instance].Name, c.Exams[s.Exam].ID}
		other, ok := sheets[k]
		if !ok {
			continue
		}
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			w := after.Contest.valueFrom(other, v-int(s.First), c.Items[v])
			if w < 0 {
				continue
			}
			x, y := before.referenceText(v), after.referenceText(w)
			if x != y {
				change := ReferenceChange{Instance: k.Instance, Exam: string(k.Exam), Item: c.Items[v], Before: x, After: y,
					ClauseBefore: before.References[v].Clause, ClauseAfter: after.References[w].Clause}
				if proved, ok := after.Certified(w); ok {
					change.Proved, change.Refuted = proved.Text, after.refutes(w, after.References[w])
				}
				list = append(list, change)
			}
		}
	}
	return list
}

func (r *Result) referenceText(value int) string {
	if v, known := r.ReferenceValue(value); known {
		return v.Text
	}
	return "?"
}
