package scoring

import (
	"cmp"

	"podium/confidence"
	"podium/examinations"
)

// RulingEffect says what a [Ruling] does to what it concerns.
type RulingEffect uint8

// The effects of rulings.
const (
	StrikesRuns   RulingEffect = iota // runs have no points, no bonus and no votes, neither for references nor for confidences
	StrikesVotes                      // answers are no votes; they are judged all the same
	StrikesPlace                      // tools are scored and vote, but are not ranked
	StrikesValues                     // values are judged for nobody; with a nil Item their runs are struck, too
	SetsReference                     // values have the reference Value, whatever was elected or proved
)

// Ruling is a decision of a jury, which counts beside the rules of an edition. It
// concerns what all of its functions choose; a nil function chooses all.
type Ruling struct {
	Effect RulingEffect
	Tool   func(*Tool) bool
	Sheet  func(*Instance, examinations.ID) bool
	Item   func(item string) bool
	Value  examinations.Value // of SetsReference
	Reason string             // a clause that is shown beside what the ruling changes; empty: that the jury decided so
}

func (k *Ruling) hasTool(t *Tool) bool { return k.Tool == nil || k.Tool(t) }

// Ruled are the rulings of a contest in columns, as they are kept in a file: numbers of
// reasons, 0 for none.
type Ruled struct {
	Reasons    []string            // Reasons[0] is not used
	Places     []int32             // by tool: why it is not ranked
	Runs       []int32             // by run: why it is struck
	Values     []int32             // by value: why it is judged for nobody
	Votes      []int32             // by cell of the ballots: why it is no vote
	References []int32             // by value: why Set has its reference
	Set        []confidence.Answer // by value
}

// WithRulings returns the contest under some decisions, besides those that it has. Where two of
// them set the reference of one value, the later one counts.
func (c *Contest) WithRulings(list ...Ruling) *Contest {
	if len(list) == 0 {
		return c
	}
	out := *c
	out.Tools = append([]Tool(nil), c.Tools...)
	out.ruled = c.ruled.clone(c)
	for i := range list {
		out.rule(&list[i])
	}
	return &out
}

// clone makes a copy to which rulings on the contest can be added.
func (k *Ruled) clone(c *Contest) *Ruled {
	if k == nil {
		k = &Ruled{Reasons: []string{""}}
	}
	copied := func(list []int32, n int) []int32 {
		if list == nil {
			return make([]int32, n)
		}
		return append([]int32(nil), list...)
	}
	out := &Ruled{Reasons: append([]string(nil), k.Reasons...),
		Places: copied(k.Places, len(c.Tools)), Runs: copied(k.Runs, len(c.Runs)), Values: copied(k.Values, len(c.Items)),
		Votes: copied(k.Votes, len(c.Ballots.Cells)), References: copied(k.References, len(c.Items)),
		Set: make([]confidence.Answer, len(c.Items))}
	copy(out.Set, k.Set)
	return out
}

// rule adds a ruling to a contest that nobody else has yet.
func (c *Contest) rule(k *Ruling) {
	c.ruled.Reasons = append(c.ruled.Reasons, cmp.Or(k.Reason, "a decision of the jury"))
	why := int32(len(c.ruled.Reasons) - 1)
	if k.Effect == StrikesPlace {
		for tool := range c.Tools {
			if k.hasTool(&c.Tools[tool]) {
				c.Tools[tool].OutOfCompetition, c.ruled.Places[tool] = true, why
			}
		}
		return
	}
	set := confidence.None // known with the first value that has it: a contest tells nothing of values that are not asked
	for sheet, s := range c.Sheets {
		if k.Sheet != nil && !k.Sheet(&c.Instances[s.Instance], c.Exams[s.Exam].ID) {
			continue
		}
		if k.Effect == StrikesRuns || k.Effect == StrikesValues && k.Item == nil {
			c.strikeRuns(sheet, k, why)
		}
		if k.Effect != StrikesRuns {
			c.ruleValues(s, k, why, &set)
		}
	}
}

// number returns the number of the value that a ruling sets, which the contest may
// have met or not.
func (c *Contest) number(k *Ruling) confidence.Answer {
	for i, v := range c.Values {
		if v == k.Value {
			return confidence.Answer(i)
		}
	}
	c.Values = append(c.Values[:len(c.Values):len(c.Values)], k.Value)
	return confidence.Answer(len(c.Values) - 1)
}

func (c *Contest) strikeRuns(sheet int, k *Ruling, why int32) {
	for tool := range c.Tools {
		if k.hasTool(&c.Tools[tool]) {
			c.ruled.Runs[sheet*len(c.Tools)+tool] = why
		}
	}
}

func (c *Contest) ruleValues(s Sheet, k *Ruling, why int32, set *confidence.Answer) {
	for v := s.First; v < s.First+s.Values; v++ {
		switch {
		case k.Item != nil && !k.Item(c.Items[v]):
		case k.Effect == StrikesValues:
			c.ruled.Values[v] = why
		case k.Effect == SetsReference:
			if *set == confidence.None {
				*set = c.number(k)
			}
			c.ruled.References[v], c.ruled.Set[v] = why, *set
		case k.Effect == StrikesVotes:
			for tool := range c.Tools {
				if k.hasTool(&c.Tools[tool]) {
					c.ruled.Votes[int(v)*len(c.Tools)+tool] = why
				}
			}
		}
	}
}

// strikes reports whether no value of a sheet is judged.
func (k *Ruled) strikes(s Sheet) bool {
	if k == nil || s.Values == 0 {
		return false
	}
	for _, why := range k.Values[s.First : s.First+s.Values] {
		if why == 0 {
			return false
		}
	}
	return true
}

// why returns the reason with a number from one of the lists, or "".
func (k *Ruled) why(list func(*Ruled) []int32, at int) string {
	if k == nil {
		return ""
	}
	return k.Reasons[list(k)[at]]
}

// StruckRun returns the reason of the ruling that strikes a run, or "".
func (c *Contest) StruckRun(sheet, tool int) string {
	return c.ruled.why(func(k *Ruled) []int32 { return k.Runs }, sheet*len(c.Tools)+tool)
}

// StruckValue returns the reason of the ruling by which a value is judged for nobody,
// or "".
func (c *Contest) StruckValue(value int) string {
	return c.ruled.why(func(k *Ruled) []int32 { return k.Values }, value)
}

// StruckPlace returns the reason of the ruling by which a tool is not ranked, or "".
func (c *Contest) StruckPlace(tool int) string {
	return c.ruled.why(func(k *Ruled) []int32 { return k.Places }, tool)
}

// ruledReference returns the reference that a ruling leaves a value, and false where
// no ruling concerns it.
func (r *Result) ruledReference(value int) (confidence.Reference, bool) {
	k := r.Contest.ruled
	switch {
	case k == nil:
	case k.Values[value] != 0:
		return confidence.Reference{Clause: confidence.Struck}, true
	case k.References[value] != 0:
		return confidence.Reference{Answer: r.set[value], Clause: confidence.ByJury}, true
	}
	return confidence.Reference{}, false
}

// unstruck returns the answers that no ruling strikes: those that flags look at, and
// those of them that are votes.
func (r *Result) unstruck() (valid, votes *confidence.Ballots) {
	k := r.Contest.ruled
	if k == nil {
		return r.answers, r.answers
	}
	valid = confidence.NewBallots(len(r.Contest.Items), r.answers.Tools)
	votes = confidence.NewBallots(len(r.Contest.Items), r.answers.Tools)
	for sheet, s := range r.Contest.Sheets {
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			for tool := range r.answers.Tools {
				cell := v*r.answers.Tools + tool
				if k.Values[v] != 0 || k.Runs[sheet*r.answers.Tools+tool] != 0 {
					continue
				}
				valid.Cells[cell] = r.answers.Cells[cell]
				if k.Votes[cell] == 0 {
					votes.Cells[cell] = r.answers.Cells[cell]
				}
			}
		}
	}
	return valid, votes
}

// ruledValue returns the reason of the ruling that strikes a value or sets its
// reference, or "".
func (c *Contest) ruledValue(value int) string {
	if why := c.StruckValue(value); why != "" {
		return why
	}
	return c.ruled.why(func(k *Ruled) []int32 { return k.References }, value)
}

// struckVote returns the reason of the ruling by which an answer is no vote, or "".
func (c *Contest) struckVote(value, tool int) string {
	if why := c.StruckValue(value); why != "" {
		return why
	}
	return c.ruled.why(func(k *Ruled) []int32 { return k.Votes }, value*len(c.Tools)+tool)
}

// Ruled returns the rulings of a contest, empty when there are none.
func (c *Contest) Ruled() Ruled {
	if c.ruled == nil {
		return Ruled{}
	}
	return *c.ruled
}

// WithRuled returns the contest with the rulings of a file, or those of a part of another contest,
// whose columns must be as long as what they are for.
func (c *Contest) WithRuled(r Ruled) *Contest {
	if len(r.Reasons) == 0 {
		return c
	}
	out := *c
	out.ruled = &r
	return &out
}

// WithUnjudged returns the contest in which some values are judged for nobody, besides those
// that are not judged already.
func (c *Contest) WithUnjudged(reason string, is func(value int) bool) *Contest {
	out := *c
	out.ruled = c.ruled.clone(c)
	why := int32(len(out.ruled.Reasons))
	out.ruled.Reasons = append(out.ruled.Reasons, reason)
	for v := range c.Items {
		if is(v) && out.ruled.Values[v] == 0 {
			out.ruled.Values[v] = why
		}
	}
	return &out
}
