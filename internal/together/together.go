// Package together compares tools on the same values: who is right alone, who is wrong
// together, what each adds to the others, how hard examinations are. The pages of a site show
// it of the contest as it was judged, and in the browser under a question.
package together

import (
	"cmp"
	"slices"

	"podium/internal/plots"
)

// Mark is what became of a value in a run.
type Mark uint8

// The marks.
const (
	Silent Mark = iota // nothing was answered
	Right
	Wrong
	Other // answered, and not judged
)

// Run is a run that counts. CPU is its CPU time in microseconds.
type Run struct {
	Tool  int
	CPU   int64
	Timed bool // its CPU time was measured
}

// Cell is an examination of an instance: at most one run of each tool.
type Cell struct {
	Exam       int
	Categories []int // that the examination is part of
	Values     int
	Runs       []Run
	Mark       func(run, value int) Mark // of a run of the list
}

// Counts are what the tools did on the same values, counted in one pass over the cells.
type Counts struct {
	Right   []int     // by tool: values answered right
	Pairs   []Pair    // tools × tools
	Alone   [][]int   // by tool and examination: values that it alone answered right
	Missed  [][]int   // by tool and examination: values that it left out and another one answered right
	Reached [][]int   // by examination: values by how many tools answered them right
	Firsts  []Firsts  // by tool
	Virtual []Virtual // by category

	sets  map[string]int // values by the tools that answered them right, see setOfKey
	right [][]int        // by category and tool: values answered right
	alone [][]int        // by category and tool: values that it alone answered right
	took  [][]bool       // by examination and tool: it answered a value
}

// Pair compares two tools on the values with a reference that both answered.
type Pair struct {
	Both  int `json:"both"`
	Agree int `json:"agree"`
	Wrong int `json:"wrong"` // both are wrong
}

// Firsts counts the runs in which a tool answered all values right: alone, or before all
// others by CPU time.
type Firsts struct {
	Complete int   `json:"complete"`
	Alone    int   `json:"complete_alone"`
	Fastest  int   `json:"fastest"`
	Saved    int64 `json:"saved_us"` // microseconds that the next one took more, where it was the fastest
}

// Virtual is the tool that answers whatever any tool answers, as fast as the fastest.
type Virtual struct {
	Right int   `json:"right"`
	CPU   int64 `json:"cpu_us"` // microseconds of the fastest complete runs
	Runs  int   `json:"runs"`   // that some tool completed
}

// New makes the counts of so many tools, examinations and categories.
func New(tools, exams, categories int) *Counts {
	return &Counts{sets: map[string]int{}, Right: make([]int, tools), Pairs: make([]Pair, tools*tools), Firsts: make([]Firsts, tools), Virtual: make([]Virtual, categories),
		Alone: grid[int](tools, exams), Missed: grid[int](tools, exams), Reached: grid[int](exams, tools+1), right: grid[int](categories, tools), alone: grid[int](categories, tools), took: grid[bool](exams, tools)}
}

func grid[T any](rows, columns int) [][]T {
	list := make([][]T, rows)
	for i := range list {
		list[i] = make([]T, columns)
	}
	return list
}

// Add counts a cell.
func (t *Counts) Add(c *Cell) {
	tools := len(t.Firsts)
	set, complete := NewSet(tools), make([]int, len(c.Runs))
	var right, wrong, silent []int
	var key []byte
	for k := range c.Values {
		right, wrong, silent = right[:0], wrong[:0], silent[:0]
		for i, r := range c.Runs {
			mark := c.Mark(i, k)
			switch mark {
			case Right:
				right = append(right, r.Tool)
				complete[i]++
				t.Right[r.Tool]++
			case Wrong:
				wrong = append(wrong, r.Tool)
			case Silent:
				silent = append(silent, r.Tool)
			}
			t.took[c.Exam][r.Tool] = t.took[c.Exam][r.Tool] || mark != Silent
		}
		t.Reached[c.Exam][len(right)]++
		t.addPairs(right, wrong)
		if len(right) == 0 {
			continue
		}
		clear(set)
		for _, tool := range right {
			set.Add(tool)
		}
		key = set.appendKey(key[:0])
		t.sets[string(key)]++
		for _, tool := range silent {
			t.Missed[tool][c.Exam]++
		}
		if len(right) == 1 {
			t.Alone[right[0]][c.Exam]++
		}
		for _, category := range c.Categories {
			t.Virtual[category].Right++
			for _, tool := range right {
				t.right[category][tool]++
			}
			if len(right) == 1 {
				t.alone[category][right[0]]++
			}
		}
	}
	t.addRuns(c, complete)
}

// addPairs compares the tools that answered a value.
func (t *Counts) addPairs(right, wrong []int) {
	tools := len(t.Firsts)
	each := func(these, those []int, agree, bothWrong int) {
		for _, a := range these {
			for _, b := range those {
				if a != b {
					p := &t.Pairs[a*tools+b]
					p.Both, p.Agree, p.Wrong = p.Both+1, p.Agree+agree, p.Wrong+bothWrong
				}
			}
		}
	}
	each(right, right, 1, 0)
	each(right, wrong, 0, 0)
	each(wrong, right, 0, 0)
	each(wrong, wrong, 1, 1)
}

// addRuns compares the runs that answered all values of a cell right; right counts those of
// each run.
func (t *Counts) addRuns(c *Cell, right []int) {
	first, second, complete := -1, -1, 0
	for i, r := range c.Runs {
		if c.Values == 0 || right[i] != c.Values {
			continue
		}
		complete++
		t.Firsts[r.Tool].Complete++
		if !r.Timed {
			continue
		}
		switch {
		case first < 0 || r.CPU < c.Runs[first].CPU:
			first, second = i, first
		case second < 0 || r.CPU < c.Runs[second].CPU:
			second = i
		}
	}
	if complete == 0 || first < 0 {
		return
	}
	best := c.Runs[first]
	for _, category := range c.Categories {
		t.Virtual[category].Runs++
		t.Virtual[category].CPU += best.CPU
	}
	of := &t.Firsts[best.Tool]
	if complete == 1 {
		of.Alone++
	}
	if second < 0 || best.CPU < c.Runs[second].CPU {
		of.Fastest++
	}
	if second >= 0 {
		of.Saved += c.Runs[second].CPU - best.CPU
	}
}

// Best is the tool with the most right values of a category, the first of equal ones, and how
// many these are. Without any it is -1.
func (t *Counts) Best(category int) (tool, right int) { return most(t.right[category]) }

// Contributor is the tool with the most values of a category that it alone answered right, as Best.
func (t *Counts) Contributor(category int) (tool, alone int) { return most(t.alone[category]) }

func most(counts []int) (at, n int) {
	at = -1
	for i, count := range counts {
		if count > n {
			at, n = i, count
		}
	}
	return at, n
}

// Hardness sums up the values of an examination by how many of the tools that took part
// answered them right.
func (t *Counts) Hardness(exam int) [4]int { return Hardness(t.Reached[exam], t.Taking(exam)) }

// Taking counts the tools that took part in an examination.
func (t *Counts) Taking(exam int) (n int) {
	for _, took := range t.took[exam] {
		if took {
			n++
		}
	}
	return n
}

// Hardness sums up values by how many of some tools answered them right: none, one, less than
// half, half or more. The list counts values by the number of tools.
func Hardness(reached []int, tools int) (parts [4]int) {
	for n, values := range reached {
		switch {
		case n == 0:
			parts[0] += values
		case n == 1:
			parts[1] += values
		case 2*n < tools:
			parts[2] += values
		default:
			parts[3] += values
		}
	}
	return parts
}

// mostSets bounds the sets that a plot shows.
const mostSets = 24

// Upset returns the sets of tools with the most values, and all of one tool alone. The second
// result is how many values the other sets have together, the third how many such sets
// there are.
func (t *Counts) Upset() (list []plots.UpsetSet, values, others int) {
	type counted struct {
		tools Set
		count int
	}
	var all []counted
	for key, n := range t.sets {
		all = append(all, counted{setOfKey(key), n})
	}
	slices.SortFunc(all, func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.count, a.count), slices.Compare(a.tools, b.tools))
	})
	for i, s := range all {
		if i >= mostSets && s.tools.Size() > 1 {
			values, others = values+s.count, others+1
			continue
		}
		set := plots.UpsetSet{Count: s.count}
		s.tools.Each(func(tool int) { set.Tools = append(set.Tools, tool) })
		list = append(list, set)
	}
	return list, values, others
}
