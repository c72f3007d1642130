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

// Detect finds runs that contradict themselves, by their answers alone. It
// calls mark with the numbers of the sheet and the tool of each of them.
type Detect func(c *Contest, answers *confidence.Ballots, mark func(sheet, tool int))

// Flag is a check of runs, one letter in the flags column of published files.
// The Flag with a nil Detect marks the runs that have a value which differs
// from its reference.
type Flag struct {
	Name   string
	Rule   string // number in the rules of the contest; may be empty
	Found  string // what a run that carries it does, a clause
	Effect Effect
	Detect Detect
}

var effectTexts = [...]string{
	ShowOnly: "it is shown, and itself changes no points",
	SetAside: "the run is set aside: it has no points, no bonus and no votes",
	AllWrong: "all its answers count as wrong",
}

// Text says what the flag found, its effect and its rule.
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

// MaxFlags is the greatest number of flags in a scheme.
const MaxFlags = 8

// Twins returns the Detect that finds tools which give different values for the
// COL and the PT instance of one net to a formula that both share. The shared
// formulas are the first ones by the number in their ids: those that were
// unfolded from the coloured ones. A value that one of the sheets does not have
// is ignored. The twins of the families in except share no formulas. Both runs
// are marked.
func Twins(first int, except []string) Detect {
	return func(c *Contest, answers *confidence.Ballots, mark func(sheet, tool int)) {
		twins := c.TwinSheets()
		for i, s := range c.Sheets {
			j := twins[i]
			if j < i || c.Exams[s.Exam].Required <= first || slices.Contains(except, c.Instances[s.Instance].ID.Family) {
				continue
			}
			shared := slices.DeleteFunc(c.TwinValues(i, j), func(v TwinValue) bool { return v.Number >= first })
			for tool := range c.Tools {
				if differs(answers, shared, tool) {
					mark(i, tool)
					mark(j, tool)
				}
			}
		}
	}
}

func differs(answers *confidence.Ballots, shared []TwinValue, tool int) bool {
	for _, v := range shared {
		x, y := answers.Row(v.Mine)[tool], answers.Row(v.Its)[tool]
		if x != confidence.None && y != confidence.None && x != y {
			return true
		}
	}
	return false
}

// Contradiction returns the Detect that finds tools which answer va to
// examination a and vb to examination b of the same instance. Both examinations
// have one value. Both runs are marked.
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
				if c.Values[answers.Row(int(c.Sheets[i].First))[tool]] == va && c.Values[answers.Row(int(s.First))[tool]] == vb {
					mark(i, tool)
					mark(j, tool)
				}
			}
		}
	}
}

// Never is a [Detect] that sets no flag. Editions use it for columns of
// published files whose meaning is unknown and whose letter is always F.
func Never(*Contest, *confidence.Ballots, func(sheet, tool int)) {}
