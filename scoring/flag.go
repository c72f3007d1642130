package scoring

import (
	"slices"

	"podium/confidence"
	"podium/examinations"
)

// Effect says what a [Flag] does to the runs that carry it.
type Effect uint8

// The effects of flags.
const (
	ShowOnly Effect = iota // nothing: the flag is shown
	SetAside               // no score, no bonus, no vote for references; the mask stays
	AllWrong               // every given value is marked wrong
)

// Detect finds runs that contradict themselves; it sees answers only. It calls
// mark with the number of the sheet and the tool.
type Detect func(c *Contest, answers *confidence.Ballots, mark func(sheet, tool int))

// Flag is one letter of the flags column of published files. A nil Detect stands
// for the flag of runs that have a value that differs from its reference.
type Flag struct {
	Name   string
	Rule   string // number in the rules of the contest; may be empty
	Found  string // what a run that carries it does, a clause
	Effect Effect
	Detect Detect
}

var effectTexts = [...]string{
	ShowOnly: "it is shown, and changes no points",
	SetAside: "the run is set aside: it has no points, no bonus and no votes",
	AllWrong: "all its answers count as wrong",
}

// Text says what the flag found, what follows, and by which rule.
func (f Flag) Text() string {
	text := f.Name
	if f.Found != "" {
		text += ": " + f.Found
	}
	text += "; " + effectTexts[f.Effect]
	if f.Rule != "" {
		text += " (" + f.Rule + ")"
	}
	return text
}

// MaxFlags is the greatest number of flags of a scheme.
const MaxFlags = 8

// Twins finds tools that answer the COL and the PT instance of one net with
// different values to a formula that both share: one of the first formulas, by the
// number in its id, which are those that were unfolded from the coloured ones. A
// value that one of the sheets does not have is missing, not different. Families in
// except have formulas of their own. Both runs are marked.
func Twins(first int, except []string) Detect {
	return func(c *Contest, answers *confidence.Ballots, mark func(sheet, tool int)) {
		sheetAt := c.sheetKeys()
		for i, s := range c.Sheets {
			inst := &c.Instances[s.Instance]
			if inst.Twin <= int(s.Instance) || c.Exams[s.Exam].Required <= first || slices.Contains(except, inst.ID.Family) {
				continue
			}
			j, ok := sheetAt[sheetKey{int32(inst.Twin), s.Exam}]
			if !ok {
				continue
			}
			shared := slices.DeleteFunc(c.twinValues(i, j), func(v twinValue) bool { return v.number >= first })
			for tool := range c.Tools {
				if differs(answers, shared, tool) {
					mark(i, tool)
					mark(j, tool)
				}
			}
		}
	}
}

func differs(answers *confidence.Ballots, shared []twinValue, tool int) bool {
	for _, v := range shared {
		x, y := answers.Row(v.mine)[tool], answers.Row(v.its)[tool]
		if x != confidence.None && y != confidence.None && x != y {
			return true
		}
	}
	return false
}

// Contradiction finds tools that answer the given values to two examinations of
// one value each of the same instance. Both runs are marked.
func Contradiction(a examinations.ID, va examinations.Value, b examinations.ID, vb examinations.Value) Detect {
	return func(c *Contest, answers *confidence.Ballots, mark func(sheet, tool int)) {
		first := map[int32]int{} // by instance: the sheet of a
		for i, s := range c.Sheets {
			if c.Exams[s.Exam].ID == a && s.Values == 1 {
				first[s.Instance] = i
			}
		}
		for j, s := range c.Sheets {
			i, ok := first[s.Instance]
			if !ok || c.Exams[s.Exam].ID != b || s.Values != 1 {
				continue
			}
			for tool := range c.Tools {
				if c.Answer(int(c.Sheets[i].First), tool) == va && c.Answer(int(s.First), tool) == vb {
					mark(i, tool)
					mark(j, tool)
				}
			}
		}
	}
}

// Never sets no flag. Editions use it for columns of published files whose meaning
// is unknown: the letter is always F. It is a [Detect].
func Never(*Contest, *confidence.Ballots, func(sheet, tool int)) {}
