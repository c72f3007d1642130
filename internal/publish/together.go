package publish

import (
	"cmp"
	"math/bits"
	"slices"
)

// together is what the tools did on the same values, counted in one pass over the cells.
type together struct {
	sets    map[toolSet]int // values by the tools that answered them right
	pairs   []pairCount     // tools × tools
	alone   [][]int         // by tool and examination: values that it alone answered right
	missed  [][]int         // by tool and examination: values that it left out and another one answered right
	reached [][]int         // by examination: values by how many tools answered them right
	firsts  []firsts        // by tool
	virtual []virtual       // by category
}

// toolSet is a set of tools, a bit for each.
type toolSet uint64

// mostCompared is how many tools a set can hold: contests with more are not compared.
const mostCompared = 64

func (t toolSet) has(tool int) bool { return t>>tool&1 == 1 }

// pairCount compares two tools on the values with a reference that both answered.
type pairCount struct{ both, agree, wrong int } // wrong: both are wrong

// firsts counts the runs in which a tool answered all values right: alone, or before all
// others by CPU time.
type firsts struct {
	complete, alone, fastest int
	saved                    int64 // microseconds that the next one took more, where it was the fastest
}

// virtual is the tool that answers whatever any tool answers, as fast as the fastest.
type virtual struct {
	right int
	cpu   int64 // microseconds of the fastest complete runs
	runs  int   // that some tool completed
}

// compareTools counts; nil when there are too many tools.
func (v *view) compareTools() *together {
	n := len(v.tools)
	if n > mostCompared {
		return nil
	}
	t := &together{sets: map[toolSet]int{}, pairs: make([]pairCount, n*n), firsts: make([]firsts, n), virtual: make([]virtual, len(v.c.Categories)),
		alone: grid(n, len(v.c.Examinations)), missed: grid(n, len(v.c.Examinations)), reached: grid(len(v.c.Examinations), n+1)}
	var in [][]int // by examination: its categories
	for _, exam := range v.c.Examinations {
		var list []int
		for k := range v.c.Categories {
			if v.within(v.c.Categories[k].Name, exam.Category) {
				list = append(list, k)
			}
		}
		in = append(in, list)
	}
	for i := range v.cells {
		v.compareCell(t, &v.cells[i], in[v.cells[i].exam])
	}
	return t
}

func grid(rows, columns int) [][]int {
	list := make([][]int, rows)
	for i := range list {
		list[i] = make([]int, columns)
	}
	return list
}

func (v *view) compareCell(t *together, c *cell, categories []int) {
	at := make([]int, len(c.runs)) // the tools of the runs
	for i, r := range c.runs {
		at[i] = v.toolAt[r.Tool]
	}
	for k := range c.refs {
		var right, wrong, silent toolSet
		for i, r := range c.runs {
			switch {
			case r.Void != "" || r.Participation == DoNotCompete:
			case c.masks[i][k] == Right:
				right |= 1 << at[i]
			case c.masks[i][k] == Wrong:
				wrong |= 1 << at[i]
			case c.masks[i][k] == Missing:
				silent |= 1 << at[i]
			}
		}
		t.add(c.exam, right, wrong, silent, len(v.tools))
		if right != 0 {
			for _, category := range categories {
				t.virtual[category].right++
			}
		}
	}
	v.compareRuns(t, c, at, categories)
}

func (t *together) add(exam int, right, wrong, silent toolSet, tools int) {
	found := bits.OnesCount64(uint64(right))
	t.reached[exam][found]++
	if found > 0 {
		t.sets[right]++
		each(silent, func(tool int) { t.missed[tool][exam]++ })
	}
	if found == 1 {
		t.alone[bits.TrailingZeros64(uint64(right))][exam]++
	}
	each(right|wrong, func(a int) {
		each((right|wrong)&^(1<<a), func(b int) {
			p := &t.pairs[a*tools+b]
			p.both++
			if right.has(a) == right.has(b) {
				p.agree++
			}
			if wrong.has(a) && wrong.has(b) {
				p.wrong++
			}
		})
	})
}

// each calls do for the tools of a set.
func each(set toolSet, do func(tool int)) {
	for ; set != 0; set &= set - 1 {
		do(bits.TrailingZeros64(uint64(set)))
	}
}

// compareRuns compares the runs that answered all values of a cell right.
func (v *view) compareRuns(t *together, c *cell, at []int, categories []int) {
	first, second, complete := -1, -1, 0
	for i, r := range c.runs {
		if r.Void != "" || len(c.refs) == 0 || solvedness(c.masks[i]) != solvedAll {
			continue
		}
		complete++
		t.firsts[at[i]].complete++
		if r.NoTimes {
			continue
		}
		switch {
		case first < 0 || r.CPU < c.runs[first].CPU:
			first, second = i, first
		case second < 0 || r.CPU < c.runs[second].CPU:
			second = i
		}
	}
	if complete == 0 || first < 0 {
		return
	}
	best := c.runs[first]
	for _, category := range categories {
		t.virtual[category].runs++
		t.virtual[category].cpu += best.CPU.Microseconds()
	}
	of := &t.firsts[at[first]]
	if complete == 1 {
		of.alone++
	}
	if second < 0 || best.CPU < c.runs[second].CPU {
		of.fastest++
	}
	if second >= 0 {
		of.saved += c.runs[second].CPU.Microseconds() - best.CPU.Microseconds()
	}
}

// setCount is how many values a set of tools answered right, and nobody else.
type setCount struct {
	tools toolSet
	count int
}

// mostSets bounds the sets that a plot shows.
const mostSets = 24

// largestSets are the sets with the most values, and all of one tool alone. The second
// result is how many values the other sets have together, the third how many such sets
// there are.
func (t *together) largestSets() (list []setCount, values, others int) {
	var all []setCount
	for set, n := range t.sets {
		all = append(all, setCount{set, n})
	}
	slices.SortFunc(all, func(a, b setCount) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.tools, b.tools)) })
	for i, s := range all {
		if i < mostSets || bits.OnesCount64(uint64(s.tools)) == 1 {
			list = append(list, s)
			continue
		}
		values, others = values+s.count, others+1
	}
	return list, values, others
}
