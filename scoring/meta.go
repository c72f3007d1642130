package scoring

import (
	"cmp"
	"math/big"
	"path"
	"slices"
	"strings"
)

// Meta is a category that is made of other categories (SV-COMP).
type Meta struct {
	Name string
	// Of are names of categories, or of metas that stand before; or patterns, such as
	// ReachSafety-*, of categories: see [Scheme.Score].
	Of []string
	// Normalised weighs every part alike whatever its size: the sum of score by
	// number of values, times the mean number of values of the parts. Otherwise
	// the scores are added.
	Normalised bool
}

// Board is the ranking of a category or meta category with its standings.
type Board struct {
	Name      string
	Values    int        // number of values asked for, the tasks of SV-COMP
	Demo      bool       // a demonstration: dashes, and no ranking
	Standings []Standing // by tool
	Places    []Place
}

// Boards returns the rankings of all categories, in the order of Result.Categories,
// and then of all metas.
func (r *Result) Boards() []Board {
	var boards []Board
	for _, k := range r.Categories {
		b := Board{Name: k.Name, Values: k.Values, Demo: r.Scheme.demonstrates(k.Name), Standings: make([]Standing, len(k.Tallies))}
		for tool, t := range k.Tallies {
			b.Standings[tool] = r.standing(k.Name, tool, t)
		}
		b.Places = r.Scheme.Ranking.boardPlaces(r.Contest, b.Standings, func(tool int) bool {
			return r.Scheme.Ranking.takesPart(k.Tallies[tool])
		})
		boards = append(boards, b)
	}
	for _, m := range r.Scheme.Metas {
		boards = append(boards, r.meta(m, boards))
	}
	for i := range boards {
		r.place(&boards[i], i)
	}
	return boards
}

// ofContest puts the categories of a contest in the place of patterns in meta categories, in
// the order of the contest, and each of them once.
func (s *Scheme) ofContest(c *Contest) *Scheme {
	isPattern := func(name string) bool { return strings.ContainsAny(name, "*?[") }
	if !slices.ContainsFunc(s.Metas, func(m Meta) bool { return slices.ContainsFunc(m.Of, isPattern) }) {
		return s
	}
	own := *s
	own.Metas = slices.Clone(s.Metas)
	for i, m := range own.Metas {
		var parts []string
		for _, name := range m.Of {
			found := []string{name}
			if isPattern(name) {
				found = nil
				for _, exam := range c.Exams {
					if ok, _ := path.Match(name, exam.Category); ok && exam.ID != AnyExamination {
						found = append(found, exam.Category)
					}
				}
			}
			for _, part := range found {
				if !slices.Contains(parts, part) {
					parts = append(parts, part)
				}
			}
		}
		own.Metas[i].Of = parts
	}
	return &own
}

// Covers reports whether a category that is ranked is another category, or a part of a meta category.
func (r *Result) Covers(whole, part string) bool {
	return slices.ContainsFunc(r.Categories, func(k Category) bool { return k.Name == part }) && r.Scheme.covers(whole, part)
}

func (s *Scheme) covers(whole, part string) bool {
	if whole == part {
		return true
	}
	for i, m := range s.Metas {
		if m.Name == whole {
			return slices.ContainsFunc(m.Of, func(name string) bool {
				// Parts stand before what is made of them, so that this ends.
				at := slices.IndexFunc(s.Metas, func(m Meta) bool { return m.Name == name })
				return name == part || at >= 0 && at < i && s.covers(name, part)
			})
		}
	}
	return false
}

// meta combines boards that are made already.
func (r *Result) meta(m Meta, boards []Board) Board {
	b := Board{Name: m.Name, Demo: r.Scheme.demonstrates(m.Name), Standings: make([]Standing, len(r.Contest.Tools))}
	var parts []Board
	for _, name := range m.Of {
		if i := slices.IndexFunc(boards, func(x Board) bool { return x.Name == name && !x.Demo }); i >= 0 {
			parts = append(parts, boards[i])
			b.Values += boards[i].Values
		}
	}
	entered := make([]bool, len(b.Standings))
	for tool := range b.Standings {
		scores, sizes := make([]*big.Rat, len(parts)), make([]int, len(parts))
		s := &b.Standings[tool]
		for i, p := range parts {
			scores[i], sizes[i] = p.Standings[tool].Points, p.Values
			s.SuccessCPU += p.Standings[tool].SuccessCPU
			s.Energy += p.Standings[tool].Energy
			s.Unmetered += p.Standings[tool].Unmetered
			s.Right += p.Standings[tool].Right
			s.Wrong += p.Standings[tool].Wrong
			s.Timeouts += p.Standings[tool].Timeouts
			s.MemoryOuts += p.Standings[tool].MemoryOuts
			entered[tool] = entered[tool] || slices.ContainsFunc(p.Places, func(q Place) bool { return q.Tool == tool })
		}
		s.Points = Combine(m.Normalised, scores, sizes)
		s.Out = slices.Contains(r.Contest.Tools[tool].OptOut, m.Name)
		s.Dash = s.Out || b.Demo
	}
	b.Places = r.Scheme.Ranking.boardPlaces(r.Contest, b.Standings, func(tool int) bool { return entered[tool] })
	return b
}

// Combine returns the score of a meta category: the sum of the scores of its
// parts, or, normalised, the sum of score_i/n_i times the mean of all n_i,
// where n_i is the number of tasks of part i. Parts without tasks add nothing.
func Combine(normalised bool, scores []*big.Rat, sizes []int) *big.Rat {
	total, tasks, parts := new(big.Rat), int64(0), int64(0)
	for i, s := range scores {
		if !normalised {
			total.Add(total, s)
			continue
		}
		if sizes[i] > 0 {
			total.Add(total, new(big.Rat).Quo(s, big.NewRat(int64(sizes[i]), 1)))
			tasks += int64(sizes[i])
			parts++
		}
	}
	if normalised && parts > 0 {
		total.Mul(total, big.NewRat(tasks, parts))
	}
	return total
}

// Weights returns by what factor the points of each category count in a board: 1 in itself, and
// in a meta category what Combine makes of its parts.
func (r *Result) Weights(board string) map[string]*big.Rat {
	sizes := map[string]int64{}
	weights := map[string]map[string]*big.Rat{}
	for _, k := range r.Categories {
		sizes[k.Name], weights[k.Name] = int64(k.Values), map[string]*big.Rat{k.Name: big.NewRat(1, 1)}
	}
	for _, m := range r.Scheme.Metas {
		var parts []string
		size := int64(0)
		for _, name := range m.Of {
			if sizes[name] > 0 && !r.Scheme.demonstrates(name) {
				parts, size = append(parts, name), size+sizes[name]
			}
		}
		of := map[string]*big.Rat{}
		for _, name := range parts {
			factor := big.NewRat(1, 1)
			if m.Normalised {
				factor.SetFrac64(size, sizes[name]*int64(len(parts)))
			}
			for category, weight := range weights[name] {
				if of[category] == nil {
					of[category] = new(big.Rat)
				}
				of[category].Add(of[category], new(big.Rat).Mul(weight, factor))
			}
		}
		sizes[m.Name], weights[m.Name] = size, of
	}
	return weights[board]
}

// takesPart reports whether a tool is ranked in a category.
func (k Ranking) takesPart(t Tally) bool {
	if k.EveryParticipant {
		return t.Entered > 0
	}
	return t.Runs > 0
}

// boardPlaces ranks by unrounded points and, where the scheme says so, by the time
// of the successful runs.
func (k Ranking) boardPlaces(c *Contest, standings []Standing, takesPart func(tool int) bool) []Place {
	var order []int
	for tool, s := range standings {
		if takesPart(tool) && !s.Dash && !c.Tools[tool].OutOfCompetition {
			order = append(order, tool)
		}
	}
	return k.ranked(c, order, func(a, b int) int {
		by := standings[b].Points.Cmp(standings[a].Points)
		if by == 0 && k.TieBySuccessCPU {
			by = cmp.Compare(standings[a].SuccessCPU, standings[b].SuccessCPU)
		}
		return by
	})
}

// Medal is a place of the podium: 1 gold, 2 silver, 3 bronze.
type Medal = Place

// Medals returns the first three ranks of a board, shared ones included. Only a
// positive score earns a medal.
func (b *Board) Medals() []Medal {
	var medals []Medal
	for _, p := range b.Places {
		if p.Rank <= 3 && b.Standings[p.Tool].Points.Sign() > 0 {
			medals = append(medals, p)
		}
	}
	return medals
}
