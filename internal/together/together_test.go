package together

import (
	"reflect"
	"testing"
)

// cell makes a cell of what each tool said, a letter a value: T right, X wrong, - nothing, ? not judged.
func cell(exam int, said ...string) *Cell {
	marks := map[byte]Mark{'T': Right, 'X': Wrong, '-': Silent, '?': Other}
	c := &Cell{Exam: exam, Categories: []int{0}, Values: len(said[0]), Mark: func(run, value int) Mark { return marks[said[run][value]] }}
	for tool := range said {
		c.Runs = append(c.Runs, Run{Tool: tool, CPU: int64(10 * (tool + 1)), Timed: tool != 2})
	}
	return c
}

func TestCounts(t *testing.T) {
	c := New(3, 2, 1)
	c.Add(cell(0, "TTX-", "TTXT", "T-T?"))
	c.Add(cell(1, "TT", "TT", "--"))
	c.Add(cell(1, "--", "X-", "TT")) // complete, and its time is not known
	for what, x := range map[string][2]any{
		"alone":    {c.Alone, [][]int{{0, 0}, {1, 0}, {1, 2}}},
		"right":    {c.Right, []int{4, 5, 4}},
		"missed":   {c.Missed, [][]int{{1, 2}, {0, 1}, {1, 2}}},
		"reached":  {c.Reached, [][]int{{0, 2, 1, 1}, {0, 2, 2, 0}}},
		"pairs":    {c.Pairs, []Pair{{}, {5, 5, 1}, {2, 1, 0}, {5, 5, 1}, {}, {3, 1, 0}, {2, 1, 0}, {3, 1, 0}, {}}},
		"firsts":   {c.Firsts, []Firsts{{Complete: 1, Fastest: 1, Saved: 10}, {Complete: 1}, {Complete: 1}}},
		"virtual":  {c.Virtual, []Virtual{{Right: 8, CPU: 10, Runs: 1}}},
		"hardness": {[][4]int{c.Hardness(0), c.Hardness(1)}, [][4]int{{0, 2, 0, 2}, {0, 2, 0, 2}}},
	} {
		if !reflect.DeepEqual(x[0], x[1]) {
			t.Errorf("%s: %v instead of %v", what, x[0], x[1])
		}
	}
	if tool, right := c.Best(0); tool != 1 || right != 5 {
		t.Errorf("the best tool is %d with %d right values", tool, right)
	}
	if tool, _ := New(3, 1, 1).Best(0); tool != -1 {
		t.Errorf("of nothing the best tool is %d", tool)
	}
	sets, values, others := c.Upset()
	if len(sets) != 4 || sets[0].Count != 3 || !reflect.DeepEqual(sets[0].Tools, []int{0, 1}) && !reflect.DeepEqual(sets[0].Tools, []int{2}) || values+others != 0 {
		t.Errorf("sets %+v, %d values of %d others", sets, values, others)
	}
}

// TestUpsetIsBounded: beyond the largest sets only those of one tool are shown, and the others
// are counted.
func TestUpsetIsBounded(t *testing.T) {
	c := New(9, 1, 0)
	for set := 1; set < 1<<9; set++ {
		said := make([]string, 9)
		for tool := range said {
			said[tool] = string("-T"[set>>tool&1])
		}
		c.Add(cell(0, said...).without())
	}
	sets, values, others := c.Upset()
	alone := 0
	for _, s := range sets {
		if len(s.Tools) == 1 {
			alone++
		}
	}
	if alone != 9 || len(sets) > mostSets+9 || len(sets)+others != 1<<9-1 || values != others {
		t.Errorf("%d sets, %d of one tool; %d others have %d values", len(sets), alone, others, values)
	}
}

// without is the cell in no category.
func (c *Cell) without() *Cell {
	c.Categories = nil
	return c
}
