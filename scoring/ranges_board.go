package scoring

import (
	"math/big"
	"slices"
)

// ranges makes boards of the least and the greatest points, metas included. Runs of the
// tallies in least are the missing ones.
func (w *ranger) ranges(least, greatest []Category) *Ranges {
	out := &Ranges{Missing: w.total}
	low, high := w.standings(least), w.standings(greatest)
	actual := w.Boards()
	for i, b := range low {
		k := BoardRange{Name: b.Name, Least: b.Standings, Greatest: high[i].Standings, Missing: make([]int, len(b.Standings))}
		for tool := range k.Missing {
			if i < len(least) {
				k.Missing[tool] = least[i].Tallies[tool].Runs
			} else {
				k.Missing[tool] = w.missingOf(w.Scheme.Metas[i-len(least)], tool, out.Boards)
			}
		}
		if w.total == 0 {
			k.Decided = actual[i].Medals()
		} else {
			k.Decided = w.decided(&k)
		}
		out.Boards = append(out.Boards, k)
	}
	return out
}

func (w *ranger) standings(categories []Category) []Board {
	var boards []Board
	for _, k := range categories {
		b := Board{Name: k.Name, Values: k.Values, Standings: make([]Standing, len(k.Tallies))}
		for tool, t := range k.Tallies {
			b.Standings[tool] = w.standing(k.Name, tool, Tally{Points: t.Points})
		}
		boards = append(boards, b)
	}
	for _, m := range w.Scheme.Metas {
		boards = append(boards, w.meta(m, boards))
	}
	return boards
}

// missingOf adds up the missing runs of the parts of a meta category.
func (w *ranger) missingOf(m Meta, tool int, parts []BoardRange) (n int) {
	for _, p := range parts {
		if slices.Contains(m.Of, p.Name) {
			n += p.Missing[tool]
		}
	}
	return n
}

// decided returns the places of the podium that are certain: the tool surely has points,
// every other competitor surely has more or surely has less, and so have the
// other variants of the tool less where only the best one is ranked.
func (w *ranger) decided(k *BoardRange) []Place {
	var places []Place
	for tool := range w.Contest.Tools {
		if rank := w.rank(k, tool); rank > 0 && rank <= 3 && k.Least[tool].Points.Sign() > 0 {
			places = append(places, Place{Rank: rank, Tool: tool})
		}
	}
	slices.SortFunc(places, func(a, b Place) int { return a.Rank - b.Rank })
	return places
}

// rank returns the certain rank of a tool, or 0.
func (w *ranger) rank(k *BoardRange, tool int) int {
	if !w.competes(k, tool) {
		return 0
	}
	type span struct{ low, high *big.Rat }
	others := map[string]span{}
	for o := range w.Contest.Tools {
		if o == tool || !w.competes(k, o) {
			continue
		}
		low, high := k.Least[o].Points, k.Greatest[o].Points
		name := w.Contest.Tools[o].Name
		if w.Scheme.Ranking.BestVariant {
			if name = w.Contest.Tools[o].FamilyName(); name == w.Contest.Tools[tool].FamilyName() {
				if high.Cmp(k.Least[tool].Points) >= 0 {
					return 0
				}
				continue
			}
		}
		if s, ok := others[name]; ok {
			low, high = greater(low, s.low), greater(high, s.high)
		}
		others[name] = span{low, high}
	}
	rank := 1
	for _, s := range others {
		switch {
		case s.low.Cmp(k.Greatest[tool].Points) > 0:
			rank++
		case s.high.Cmp(k.Least[tool].Points) >= 0:
			return 0
		}
	}
	return rank
}

func (w *ranger) competes(k *BoardRange, tool int) bool {
	return !w.Contest.Tools[tool].OutOfCompetition && !k.Least[tool].Out
}

func greater(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}
