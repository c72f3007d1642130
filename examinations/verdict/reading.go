package verdict

import (
	"slices"
	"strings"

	"podium/examinations"
)

// Reading says what an answer is against an expected verdict. BenchExec, whose results SV-COMP
// takes, has changed it once.
type Reading struct {
	Name, Versions string
	cells          [len(expectedRows)]string // c correct, w wrong, u unknown, for each column
}

// Readings are those of editions. The first one is that of an edition that names none. Each
// cell is what get_result_category of BenchExec's result.py gives.
var Readings = []*Reading{
	{"benchexec-3", "BenchExec 3.0 to 3.36", [...]string{"cwwwww", "wccccc", "wuucuu"}},
	{"benchexec-2", "BenchExec 1.17 to 2.7", [...]string{"cwuwwu", "wcuccu", "wwucwu"}},
}

var (
	expectedRows  = [...]string{"true", "false", "false(p)"}
	answerColumns = [...]string{"true", "false", "false, of valid-memsafety", "false(p)", "false(q), another part", "false(x), no part"}
)

// Named returns the reading of an edition.
func Named(name string) (*Reading, bool) {
	i := slices.IndexFunc(Readings, func(r *Reading) bool { return r.Name == name })
	if i < 0 {
		return nil, false
	}
	return Readings[i], true
}

// Against returns an answer as it is compared with [Expected]: that value where it is correct,
// nothing where it is unknown. Parts are those of the property; an empty property may be any.
func (r *Reading) Against(answer, property string, parts []string, expected string) examinations.Value {
	v, part := Parse(answer)
	want, of := Parse(expected)
	if v.IsZero() || want.IsZero() {
		return v
	}
	row := 0
	switch {
	case want == examinations.False && of != "":
		row = 2
	case want == examinations.False:
		row = 1
	}
	switch r.cells[row][column(v, part, of, property, parts, answer)] {
	case 'c':
		return Expected(expected, property)
	case 'w':
		if row == 2 {
			v = WithPart(v, part)
		}
		if v == Expected(expected, property) { // FALSE where FALSE(property) is expected
			v = WithPart(v, "-")
		}
		return v
	}
	return examinations.Value{}
}

// column is that of an answer where a part may be expected.
func column(v examinations.Value, part, of, property string, parts []string, answer string) int {
	switch {
	case v == examinations.True:
		return 0
	case part == "" && strings.HasSuffix(answer, ")"): // false() names nothing
		return 5
	case part == "" && property == "valid-memsafety":
		return 2
	case part == "":
		return 1
	case part == of:
		return 3
	case concerns(part, property, parts) && of == "":
		return 3
	case concerns(part, property, parts):
		return 4
	}
	return 5
}

// concerns reports whether a violated part is one of the property that was asked.
func concerns(part, property string, parts []string) bool {
	return part == "" || property == "" || part == property || slices.Contains(parts, part)
}
