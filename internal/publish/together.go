package publish

import (
	"cmp"
	"slices"
)

// together is what the tools did on the same values, counted in one pass over the cells.
type together struct {
	sets    map[string]int // values by the tools that answered them right, see toolsOfKey
	pairs   []pairCount    // tools × tools
	alone   [][]int        // by tool and examination: values that it alone answered right
	missed  [][]int        // by tool and examination: values that it left out and another one answered right
	reached [][]int        // by examination: values by how many tools answered them right
	firsts  []firsts       // by tool
	virtual []virtual      // by category
}

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

// compareTools counts.
func (v *view) compareTools() *together {
	n := len(v.tools)
	t := &together{sets: map[string]int{}, pairs: make([]pairCount, n*n), firsts: make([]firsts, n), virtual: make([]virtual, len(v.c.Categories)),
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
	set := newToolSet(len(v.tools))
	var right, wrong, silent []int
	var key []byte
	for k := range c.refs {
		right, wrong, silent = right[:0], wrong[:0], silent[:0]
		for i, r := range c.runs {
			switch {
			case r.Void != "" || r.Participation == DoNotCompete:
			case c.masks[i][k] == Right:
				right = append(right, at[i])
			case c.masks[i][k] == Wrong:
				wrong = append(wrong, at[i])
			case c.masks[i][k] == Missing:
				silent = append(silent, at[i])
			}
		}
		t.reached[c.exam][len(right)]++
		t.addPairs(right, wrong, len(v.tools))
		if len(right) == 0 {
			continue
		}
		clear(set)
		for _, tool := range right {
			set.add(tool)
		}
		key = set.appendKey(key[:0])
		t.sets[string(key)]++
		for _, tool := range silent {
			t.missed[tool][c.exam]++
		}
		if len(right) == 1 {
			t.alone[right[0]][c.exam]++
		}
		for _, category := range categories {
			t.virtual[category].right++
		}
	}
	v.compareRuns(t, c, at, categories)
}

// addPairs compares the tools that answered a value.
func (t *together) addPairs(right, wrong []int, tools int) {
	each := func(these, those []int, agree, bothWrong int) {
		for _, a := range these {
			for _, b := range those {
				if a != b {
					p := &t.pairs[a*tools+b]
					p.both, p.agree, p.wrong = p.both+1, p.agree+agree, p.wrong+bothWrong
				}
			}
		}
	}
	each(right, right, 1, 0)
	each(right, wrong, 0, 0)
	each(wrong, right, 0, 0)
	each(wrong, wrong, 1, 1)
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
	for key, n := range t.sets {
		all = append(all, setCount{toolsOfKey(key), n})
	}
	slices.SortFunc(all, func(a, b setCount) int {
		return cmp.Or(cmp.Compare(b.count, a.count), slices.Compare(a.tools, b.tools))
	})
	for i, s := range all {
		if i < mostSets || s.tools.size() == 1 {
			list = append(list, s)
			continue
		}
		values, others = values+s.count, others+1
	}
	return list, values, others
}
