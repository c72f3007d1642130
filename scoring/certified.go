package scoring

import (
	"slices"

	"podium/confidence"
	"podium/examinations"
)

// Certainty compares the elected value with what the referee has proved.
type Certainty uint8

// The results of the comparison.
const (
	Undecided Certainty = iota // the referee does not know the value
	Proved                     // the elected value is the proved one
	Refuted                    // another value was elected than the proved one
	Supplied                   // none was elected, and the referee knows the value
)

var certainties = [...]string{"undecided", "proved", "refuted", "supplied"}

// String returns the certainty as one word.
func (c Certainty) String() string { return certainties[c] }

// WithCertified returns the contest with the values that a referee has proved.
// Values that the contest does not ask for are ignored.
func (c *Contest) WithCertified(proved map[examinations.Key]examinations.Value) *Contest {
	out := *c
	out.Certified = out.column(proved)
	return &out
}

// WithTold returns the contest with the values that what runs are given states. Values that the
// contest does not ask for are ignored.
func (c *Contest) WithTold(told map[examinations.Key]examinations.Value) *Contest {
	out := *c
	if len(told) > 0 {
		out.Told = out.column(told)
	}
	return &out
}

// WithCopies returns the contest with the values that ask the same as an earlier one of their
// sheet.
func (c *Contest) WithCopies(copies map[examinations.Key]string) *Contest {
	out := *c
	if len(copies) == 0 {
		return &out
	}
	out.Copies = make([]string, len(c.Items))
	for _, s := range c.Sheets {
		for v := s.First; v < s.First+s.Values; v++ {
			out.Copies[v] = copies[examinations.Key{Instance: c.Instances[s.Instance].ID, Exam: c.Exams[s.Exam].ID, Item: c.Items[v]}]
		}
	}
	return &out
}

// AnsweredAsTold returns the items of a sheet that a tool answered as what runs are given states them.
func (c *Contest) AnsweredAsTold(sheet, tool int) (items []string) {
	if c.Told == nil {
		return nil
	}
	s := c.Sheets[sheet]
	for v := int(s.First); v < int(s.First+s.Values); v++ {
		if told := c.Told[v]; told != confidence.None && c.Ballots.Cells[v*len(c.Tools)+tool] == told {
			items = append(items, c.Items[v])
		}
	}
	return items
}

// column returns answers by value. Those that nobody gave join the values of the contest.
func (c *Contest) column(values map[examinations.Key]examinations.Value) []confidence.Answer {
	c.Values = slices.Clone(c.Values)
	column := make([]confidence.Answer, len(c.Items))
	number := make(map[examinations.Value]confidence.Answer, len(c.Values))
	for i, v := range c.Values {
		number[v] = confidence.Answer(i)
	}
	for _, s := range c.Sheets {
		key := examinations.Key{Instance: c.Instances[s.Instance].ID, Exam: c.Exams[s.Exam].ID}
		for v := s.First; v < s.First+s.Values; v++ {
			key.Item = c.Items[v]
			value, known := values[key]
			if !known {
				continue
			}
			if _, met := number[value]; !met {
				number[value] = confidence.Answer(len(c.Values))
				c.Values = append(c.Values, value)
			}
			column[v] = number[value]
		}
	}
	return column
}

// alike returns answers, by value, in which those that the scheme displays alike are
// one answer, as in [Scheme.unify].
func (s *Scheme) alike(c *Contest, answers []confidence.Answer) []confidence.Answer {
	if answers == nil || s.Display == nil {
		return answers
	}
	first := make(map[string]confidence.Answer, len(c.Values))
	for a := len(c.Values) - 1; a > 0; a-- {
		first[s.Display(c.Values[a])] = confidence.Answer(a)
	}
	unified := make([]confidence.Answer, len(answers))
	for v, a := range answers {
		if a != confidence.None {
			unified[v] = first[s.Display(c.Values[a])]
		}
	}
	return unified
}

// Certified returns the value that the referee has proved, and false when it has
// proved none.
func (r *Result) Certified(value int) (examinations.Value, bool) {
	if r.Contest.Certified == nil || r.Contest.Certified[value] == confidence.None {
		return examinations.Value{}, false
	}
	return r.Contest.Values[r.Contest.Certified[value]], true
}

// Elected returns the reference that a decision sets, or else the vote or the oracle,
// without the proofs of the referee.
func (r *Result) Elected(sheet, value int) confidence.Reference {
	if ref, ruled := r.ruledReference(value); ruled && ref.Known() {
		return ref
	}
	ref, _ := r.elected(sheet, value, r.electorate, nil)
	return ref
}

// Certainty compares the elected value with the proved one.
func (r *Result) Certainty(sheet, value int) Certainty {
	if r.proved == nil || r.proved[value] == confidence.None {
		return Undecided
	}
	switch ref := r.Elected(sheet, value); {
	case !ref.Known():
		return Supplied
	case ref.Answer == r.proved[value]:
		return Proved
	}
	return Refuted
}

// RefutesReference reports whether the referee has proved another value than a reference that is
// known.
func (r *Result) RefutesReference(value int, ref confidence.Reference) bool {
	return ref.Known() && r.proved != nil && r.proved[value] != confidence.None && ref.Answer != r.proved[value]
}

// Refutes reports whether the referee has proved another value than the tool
// answered.
func (r *Result) Refutes(value, tool int) bool {
	given := r.answers.Cells[value*len(r.Contest.Tools)+tool]
	return given != confidence.None && r.proved != nil && r.proved[value] != confidence.None && given != r.proved[value]
}
