package scoring

import (
	"strconv"
	"strings"
)

// TwinValue is a value that stands under one id on the sheets of both twins.
type TwinValue struct {
	Mine, Its int // numbers of the value on the one sheet and on the other
	// Number is that of the formula, which the id ends in; the greater of the two
	// positions where it ends in none.
	Number int
}

// TwinValues returns the values that two sheets of one examination, those of a COL
// and a PT instance, have in common. Positions say nothing: a sheet may lack
// values, and formulas of other years sort first.
func (c *Contest) TwinValues(i, j int) []TwinValue {
	s, t := c.Sheets[i], c.Sheets[j]
	mine, its := c.Instances[s.Instance].Name, c.Instances[t.Instance].Name
	at := make(map[string]int, t.Values)
	for v := int(t.First); v < int(t.First+t.Values); v++ {
		at[twinID(c.Items[v], mine, its)] = v
	}
	var list []TwinValue
	for v := int(s.First); v < int(s.First+s.Values); v++ {
		id := twinID(c.Items[v], mine, its)
		w, ok := at[id]
		if !ok {
			continue
		}
		number, err := formulaNumber(id)
		if err != nil {
			number = max(v-int(s.First), w-int(t.First))
		}
		list = append(list, TwinValue{v, w, number})
	}
	return list
}

// twinID is an id without the name of the instance in front. In some years the
// formulas of a PT instance carry the name of its COL twin.
func twinID(item, mine, its string) string {
	for _, name := range []string{mine, its} {
		if rest, ok := strings.CutPrefix(item, name+"-"); ok {
			return rest
		}
	}
	return item
}

// formulaNumber is the number at the end of an id, such as 7 of
// CTLCardinality-2025-07.
func formulaNumber(id string) (int, error) {
	return strconv.Atoi(id[strings.LastIndexByte(id, '-')+1:])
}

// TwinSheets returns by sheet the number of that of its twin, -1 where it has none.
func (c *Contest) TwinSheets() []int {
	at := make(map[sheetKey]int, len(c.Sheets))
	for i, s := range c.Sheets {
		at[sheetKey{s.Instance, s.Exam}] = i
	}
	twins := make([]int, len(c.Sheets))
	for i, s := range c.Sheets {
		twins[i] = -1
		if j, ok := at[sheetKey{int32(c.Instances[s.Instance].Twin), s.Exam}]; ok {
			twins[i] = j
		}
	}
	return twins
}

// Twinning says which formulas COL and PT twins share: the first ones of a
// sheet, except in the families whose PT formulas were not unfolded from the
// COL ones.
type Twinning struct {
	First  int
	Except []string
}
