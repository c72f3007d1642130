package scoring

import (
	"cmp"
	"slices"
)

// Category is a group of examinations that is ranked (E-4.5).
type Category struct {
	Name    string
	Sheets  int     // number of sheets, with or without answers
	Values  int     // number of values asked for
	Tallies []Tally // by tool
	Places  []Place // who is ranked, best first
}

// Tally is the counts of the runs of one tool in one category.
type Tally struct {
	Points   int64 // in units
	Entered  int   // runs that were not refused by DO_NOT_COMPETE
	Runs     int   // runs that answered some value
	Right    int
	Wrong    int
	Unjudged int // answered values without a reference
	Aside    int // answered values of runs that a flag sets aside, which are none of these
	Fastest  int // letters P
	Smallest int // letters M
	// Timeouts and MemoryOuts are the runs that a limit of time, and that of memory, ended.
	Timeouts, MemoryOuts int
	// SuccessCPU is the CPU time of the runs that have a right value and no
	// wrong one, in microseconds; runs without a measurement do not count.
	SuccessCPU int64
	// SuccessEnergy is the energy of the same runs, in microjoules; of Unmetered of
	// them it was not measured.
	SuccessEnergy int64
	Unmetered     int
}

func (t *Tally) book(s *Score) {
	if s.Struck {
		t.Aside += s.given
		return
	}
	t.Points += s.Points
	t.judge(s)
	if s.given > 0 {
		t.Runs++
	}
	if s.Run.Participation != DoNotCompete {
		t.Entered++
	}
	if s.Run.Ending.OutOfTime() {
		t.Timeouts++
	}
	if s.Run.Ending.OutOfMemory() {
		t.MemoryOuts++
	}
	if s.Letters&Fastest != 0 {
		t.Fastest++
	}
	if s.Letters&Smallest != 0 {
		t.Smallest++
	}
}

// judge counts the answers of a run by what they are worth.
func (t *Tally) judge(s *Score) {
	if s.SetAside {
		t.Aside += s.given
		return
	}
	for _, m := range s.Marks {
		if m == Unjudged {
			t.Unjudged++
		}
	}
	t.Right += s.right
	t.Wrong += s.wrong
	if s.right > 0 && s.wrong == 0 {
		t.SuccessCPU += max(s.Run.CPU, 0)
		t.SuccessEnergy += s.Run.Energy
		if s.Run.Energy == 0 {
			t.Unmetered++
		}
	}
}

func (t *Tally) merge(u Tally) {
	t.Points += u.Points
	t.Entered += u.Entered
	t.Runs += u.Runs
	t.Right += u.Right
	t.Wrong += u.Wrong
	t.Unjudged += u.Unjudged
	t.Aside += u.Aside
	t.Fastest += u.Fastest
	t.Smallest += u.Smallest
	t.Timeouts += u.Timeouts
	t.MemoryOuts += u.MemoryOuts
	t.SuccessCPU += u.SuccessCPU
	t.SuccessEnergy += u.SuccessEnergy
	t.Unmetered += u.Unmetered
}

// emptyCategories lists the categories in the order of the examinations.
func emptyCategories(c *Contest) (categories []Category, categoryOf []int) {
	for i := range c.Exams {
		name := c.Exams[i].Category
		at := slices.IndexFunc(categories, func(k Category) bool { return k.Name == name })
		if at < 0 {
			at = len(categories)
			categories = append(categories, Category{Name: name, Tallies: make([]Tally, len(c.Tools))})
		}
		categoryOf = append(categoryOf, at)
	}
	return categories, categoryOf
}

// mergeCategories adds up the parts of several goroutines.
func mergeCategories(parts [][]Category) []Category {
	total := parts[0]
	for _, part := range parts[1:] {
		for i := range total {
			total[i].Sheets += part[i].Sheets
			total[i].Values += part[i].Values
			for tool := range total[i].Tallies {
				total[i].Tallies[tool].merge(part[i].Tallies[tool])
			}
		}
	}
	return total
}

// Place is one line of a ranking. Equal tools share a rank, and as many ranks
// are skipped after them: 1, 1, 3.
type Place struct {
	Rank int
	Tool int
}

// OnPodium reports whether a place is on the podium: one of the first three
// ranks, with points above zero and a right value. The rules of 2016 rank by
// the sum of points (E-4.5) and do not say what happens to a sum that is not
// positive or comes from bonuses alone.
func (k *Category) OnPodium(p Place) bool {
	t := k.Tallies[p.Tool]
	return p.Rank <= 3 && t.Points > 0 && t.Right > 0
}

// Ranking says how a category is ranked (E-4.5).
type Ranking struct {
	// BestVariant keeps only the best variant of each family of tools.
	BestVariant bool
	// TieBySuccessCPU lets the smaller CPU time of the successful runs decide
	// between equal points.
	TieBySuccessCPU bool
	// EveryParticipant ranks tools that competed without giving any answer too.
	EveryParticipant bool
	// NegativeIsZero counts a total below zero as zero, shown as a dash.
	NegativeIsZero bool
}

// asked keeps the categories that have a sheet.
func asked(categories []Category) []Category {
	return slices.DeleteFunc(categories, func(k Category) bool { return k.Sheets == 0 })
}

// ranked sorts tools and gives equal ones the same rank.
func (k Ranking) ranked(c *Contest, order []int, compare func(a, b int) int) []Place {
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(compare(a, b), cmp.Compare(c.Tools[a].Name, c.Tools[b].Name))
	})
	if k.BestVariant {
		order = bestVariants(c, order)
	}
	places := make([]Place, len(order))
	for i, tool := range order {
		places[i] = Place{Rank: i + 1, Tool: tool}
		if i > 0 && compare(order[i-1], tool) == 0 {
			places[i].Rank = places[i-1].Rank
		}
	}
	return places
}

// bestVariants keeps the first tool of each family (E-4.5).
func bestVariants(c *Contest, order []int) []int {
	seen := map[string]bool{}
	var kept []int
	for _, tool := range order {
		if name := c.Tools[tool].FamilyName(); !seen[name] {
			seen[name] = true
			kept = append(kept, tool)
		}
	}
	return kept
}
