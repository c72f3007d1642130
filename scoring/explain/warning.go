package explain

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"podium/confidence"
	"podium/examinations"
	"podium/models"
	"podium/scoring"
)

// Doubt is a reason to distrust a reference value.
type Doubt string

// The reasons.
const (
	// SingleTool: one tool alone answered the value, and was trusted.
	SingleTool Doubt = "single-tool"
	// OneFamily: two tools or more elected the value, all of one family.
	OneFamily Doubt = "one-family"
	// NearMargin: the elected answer is ahead of the next by less than the error
	// of the confidences, that is by less than one consistent value of each tool
	// that voted.
	NearMargin Doubt = "near-margin"
	// Break: two references cannot both be true.
	Break Doubt = "consistency-break"
	// Copy: another value of the sheet asks the same.
	Copy Doubt = "copy"
	// SelfContradiction: a tool gave two answers to one question, so that one is wrong whatever
	// others say.
	SelfContradiction Doubt = "self-contradiction"
	// GivenAway: what runs are given states a value, so that tools may have read it.
	GivenAway Doubt = "given-away"
)

// Warning is one doubt about one reference value.
type Warning struct {
	Doubt Doubt  `json:"doubt"`
	Sheet int    `json:"-"`
	Value int    `json:"-"`
	Text  string `json:"text"` // one sentence without final stop
}

// Warnings returns every doubt, by sheet, value and kind.
func Warnings(of *scoring.Result, t scoring.Twinning) []Warning {
	r := doubter{of}
	list := r.voteWarnings()
	list = append(list, r.breaks()...)
	list = append(list, r.twinBreaks(t)...)
	list = append(list, r.repeatBreaks()...)
	list = append(list, r.givenAway()...)
	list = append(list, r.copies()...)
	slices.SortStableFunc(list, func(a, b Warning) int {
		return cmp.Or(cmp.Compare(a.Sheet, b.Sheet), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Doubt, b.Doubt), cmp.Compare(a.Text, b.Text))
	})
	return list
}

// doubter looks for doubts about the references of a result.
type doubter struct{ *scoring.Result }

// givenAway finds the values that tools may have read.
func (r doubter) givenAway() (list []Warning) {
	if r.Contest.Told == nil {
		return nil
	}
	for sheet, s := range r.Contest.Sheets {
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			if told := r.Contest.Told[v]; told != confidence.None {
				list = append(list, Warning{GivenAway, sheet, v, "what runs are given states " + r.Contest.Values[told].String() + ", so that tools may have read it"})
			}
		}
	}
	return list
}

// copies finds values that ask the same, references that differ all the same, and tools that
// contradict themselves.
func (r doubter) copies() (list []Warning) {
	c := r.Contest
	if c.Copies == nil {
		return nil
	}
	for sheet, s := range c.Sheets {
		groups := map[string][]int{}
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			first := c.Copies[v]
			if first == "" {
				first = c.Items[v]
			}
			groups[first] = append(groups[first], v)
		}
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			if same := groups[c.Items[v]]; len(same) > 1 && c.Copies[v] == "" {
				list = append(list, r.sameQuestion(sheet, same)...)
			}
		}
	}
	return list
}

// sameQuestion compares values of one sheet that ask the same.
func (r doubter) sameQuestion(sheet int, same []int) (list []Warning) {
	c, first := r.Contest, r.found(sheet, same[0])
	for _, v := range same[1:] {
		list = append(list, Warning{Copy, sheet, v, "it asks the same as " + c.Items[same[0]]})
		if f := r.found(sheet, v); !f.value.IsZero() && !first.value.IsZero() && f.value != first.value {
			list = append(list, f.warn(fmt.Sprintf("the reference is %s, that of the same question %s is %s", f.value, c.Items[same[0]], first.value)))
		}
	}
	for t := range c.Tools {
		said := -1
		for _, v := range same {
			answer := c.Ballots.Cells[v*len(c.Tools)+t]
			if answer == confidence.None {
				continue
			}
			if said < 0 {
				said = v
			} else if before := c.Ballots.Cells[said*len(c.Tools)+t]; before != answer {
				list = append(list, Warning{SelfContradiction, sheet, v, fmt.Sprintf("%s answered %s here and %s to the same question %s: one of them is wrong",
					c.Tools[t].Name, c.Values[answer], c.Values[before], c.Items[said])})
				break
			}
		}
	}
	return list
}

// voteWarnings looks at who elected each reference.
func (r doubter) voteWarnings() []Warning {
	if r.Scheme.Elect == nil {
		return nil
	}
	var list []Warning
	families, electorate := r.Contest.Families(), confidence.NewElectorate(r.Confidence)
	for sheet, s := range r.Contest.Sheets {
		if r.Contest.Exams[s.Exam].Task {
			continue
		}
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			if ref := r.References[v]; !ref.Known() || ref.Clause == confidence.FromReferee || ref.Clause == confidence.ByJury {
				continue
			}
			votes := r.Votes(sheet, v)
			if len(votes) == 1 {
				list = append(list, Warning{SingleTool, sheet, v, "only " + r.Contest.Tools[votes[0].Tool].Name + " answered"})
				continue
			}
			if family, one := r.oneFamily(votes, v, families); one {
				list = append(list, Warning{OneFamily, sheet, v, "all who voted for the reference are of the family " + family})
			}
			if text, near := r.nearMargin(electorate, votes, v); near {
				list = append(list, Warning{NearMargin, sheet, v, text})
			}
		}
	}
	return list
}

// oneFamily reports whether the supporters of a reference, two at least, are siblings.
func (r doubter) oneFamily(votes []confidence.Vote, value int, families []int) (string, bool) {
	first, supporters := -1, 0
	for _, v := range votes {
		if v.Answer != r.References[value].Answer {
			continue
		}
		supporters++
		if first < 0 {
			first = v.Tool
		} else if families[v.Tool] != families[first] {
			return "", false
		}
	}
	if supporters < 2 {
		return "", false
	}
	return r.Contest.Tools[first].FamilyName(), true
}

// nearMargin compares the distance of the two strongest answers with the error of
// the confidences that were added up.
func (r doubter) nearMargin(electorate *confidence.Electorate, votes []confidence.Vote, value int) (string, bool) {
	if confidence.Unanimous(votes) {
		return "", false
	}
	won := electorate.Weight(votes, r.References[value].Answer)
	next, errors := new(big.Rat), new(big.Rat)
	for _, answer := range confidence.Distinct(votes) {
		if x := electorate.Weight(votes, answer); answer != r.References[value].Answer && x.Cmp(next) > 0 {
			next = x
		}
	}
	for _, v := range votes {
		errors.Add(errors, big.NewRat(1, int64(max(1, r.Shares[v.Tool].Answered))))
	}
	margin := new(big.Rat).Sub(won, next)
	if margin.Cmp(errors) >= 0 {
		return "", false
	}
	return fmt.Sprintf("the reference is ahead by %s, the error of the confidences is %s", margin.FloatString(6), errors.FloatString(6)), true
}

// breaks compares examinations of one instance.
func (r doubter) breaks() []Warning {
	var list []Warning
	c := r.Contest
	for from := 0; from < len(c.Sheets); {
		to := from
		sheets := map[examinations.ID]int{}
		for ; to < len(c.Sheets) && c.Sheets[to].Instance == c.Sheets[from].Instance; to++ {
			sheets[c.Exams[c.Sheets[to].Exam].ID] = to
		}
		list = append(list, r.instanceBreaks(sheets)...)
		from = to
	}
	return list
}

// instanceBreaks holds the laws between the examinations of one instance.
func (r doubter) instanceBreaks(sheets map[examinations.ID]int) []Warning {
	var list []Warning
	dead, live := r.only(sheets, examinations.ReachabilityDeadlock), r.only(sheets, examinations.Liveness)
	if dead.value == examinations.True && live.value == examinations.True {
		list = append(list, dead.warn("a deadlock is reachable although Liveness is TRUE"), live.warn("the net is live although ReachabilityDeadlock is TRUE"))
	}
	quasi := r.only(sheets, examinations.QuasiLiveness)
	if live.value == examinations.True && quasi.value == examinations.False {
		list = append(list, live.warn("the net is live although QuasiLiveness is FALSE"), quasi.warn("QuasiLiveness is FALSE although the net is live"))
	}
	return append(list, r.boundBreaks(sheets)...)
}

// boundBreaks compares the bounds of StateSpace, OneSafe and UpperBounds. OneSafe
// of a coloured net counts all colours of a place, the bound may not: nothing is
// said there.
func (r doubter) boundBreaks(sheets map[examinations.ID]int) []Warning {
	space, ok := sheets[examinations.StateSpace]
	if !ok {
		return nil
	}
	var list []Warning
	inPlace, inMarking := r.item(space, "MAX_TOKEN_IN_PLACE"), r.item(space, "MAX_TOKEN_PER_MARKING")
	safe := r.only(sheets, examinations.OneSafe)
	kind := r.Contest.Instances[r.Contest.Sheets[space].Instance].ID.Kind
	if kind == models.PT && !inPlace.value.IsZero() && !safe.value.IsZero() && atMostOne(inPlace.value) != (safe.value == examinations.True) {
		text := fmt.Sprintf("OneSafe is %s although MAX_TOKEN_IN_PLACE is %s", safe.value, inPlace.value)
		list = append(list, inPlace.warn(text), safe.warn(text))
	}
	if bounds, ok := sheets[examinations.UpperBounds]; ok && !inMarking.value.IsZero() {
		s := r.Contest.Sheets[bounds]
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			f := r.found(bounds, v)
			if !f.value.IsZero() && exceeds(f.value, inMarking.value) {
				list = append(list, f.warn(fmt.Sprintf("the bound %s exceeds MAX_TOKEN_PER_MARKING %s", f.value, inMarking.value)))
			}
		}
	}
	if exceeds(inPlace.value, inMarking.value) {
		list = append(list, inPlace.warn(fmt.Sprintf("MAX_TOKEN_IN_PLACE %s exceeds MAX_TOKEN_PER_MARKING %s", inPlace.value, inMarking.value)))
	}
	return list
}

func atMostOne(v examinations.Value) bool { return v.Text == "0" || v.Text == "1" }

// exceeds compares canonical numbers; values that are not known or not canonical
// exceed nothing.
func exceeds(a, b examinations.Value) bool {
	if a.IsZero() || b.IsZero() || b == examinations.Infinite {
		return false
	}
	if a == examinations.Infinite {
		return true
	}
	x, okX := new(big.Int).SetString(a.Text, 10)
	y, okY := new(big.Int).SetString(b.Text, 10)
	return okX && okY && x.Cmp(y) > 0
}

// finding is a known reference with its place; its value is zero when unknown.
type finding struct {
	sheet, number int
	value         examinations.Value
}

func (f finding) warn(text string) Warning { return Warning{Break, f.sheet, f.number, text} }

func (f finding) text() string { return cmp.Or(f.value.Text, "?") }

func (r doubter) found(sheet, value int) finding {
	v, _ := r.ReferenceValue(value)
	return finding{sheet, value, v}
}

// only is the reference of an examination of one value.
func (r doubter) only(sheets map[examinations.ID]int, exam examinations.ID) finding {
	sheet, ok := sheets[exam]
	if !ok || r.Contest.Sheets[sheet].Values != 1 {
		return finding{}
	}
	return r.found(sheet, int(r.Contest.Sheets[sheet].First))
}

func (r doubter) item(sheet int, name string) finding {
	if v := r.Contest.ValueOf(sheet, name); v >= 0 {
		return r.found(sheet, v)
	}
	return finding{}
}

// impliesTwin are the examinations for which TRUE of the one twin asks for TRUE of
// the other.
var impliesTwin = map[examinations.ID]models.Kind{
	examinations.OneSafe:       models.COL, // one token in all colours of a place leaves at most one in each
	examinations.QuasiLiveness: models.PT,  // if every binding fires somewhere, so does every transition
	examinations.Liveness:      models.PT,
}

// twinBreaks compares the COL and PT instances of one net.
func (r doubter) twinBreaks(t scoring.Twinning) []Warning {
	c := r.Contest
	twins := c.TwinSheets()
	var list []Warning
	for i, s := range c.Sheets {
		inst := &c.Instances[s.Instance]
		j := twins[i]
		if j < 0 || slices.Contains(t.Except, inst.ID.Family) && formulas(&c.Exams[s.Exam]) {
			continue
		}
		for _, v := range c.TwinValues(i, j) {
			mine, its := r.found(i, v.Mine), r.found(j, v.Its)
			if r.twinsMustAgree(i, v, t) && !mine.value.IsZero() && !its.value.IsZero() && mine.value != its.value {
				list = append(list, mine.warn(fmt.Sprintf("the reference is %s, that of the twin %s is %s", mine.value, c.Instances[inst.Twin].Name, its.value)))
			}
			if from, implies := impliesTwin[c.Exams[s.Exam].ID]; implies && from == inst.ID.Kind && mine.value == examinations.True && its.value == examinations.False {
				text := fmt.Sprintf("%s is TRUE for the %s instance and FALSE for its twin", c.Exams[s.Exam].ID, inst.ID.Kind)
				list = append(list, mine.warn(text), its.warn(text))
			}
		}
	}
	return list
}

// twinsMustAgree tells which values are the same question for both twins: the
// states and transitions of StateSpace, which is counted on the unfolded net, a
// deadlock, and the formulas that were unfolded.
func (r doubter) twinsMustAgree(sheet int, v scoring.TwinValue, t scoring.Twinning) bool {
	s := r.Contest.Sheets[sheet]
	switch exam := r.Contest.Exams[s.Exam].ID; {
	case exam == examinations.StateSpace:
		item := r.Contest.Items[v.Mine]
		return item == "STATES" || item == "TRANSITIONS"
	case exam == examinations.ReachabilityDeadlock || exam == examinations.GlobalProperties:
		return true
	}
	return formulas(&r.Contest.Exams[s.Exam]) && v.Number < t.First
}

// repeatBreaks finds formulas that stand in several files under one id and have
// different references. Numbers of positions are no ids.
func (r doubter) repeatBreaks() []Warning {
	type place struct{ sheet, value int }
	first := map[string]place{}
	var list []Warning
	for sheet, s := range r.Contest.Sheets {
		if !formulas(&r.Contest.Exams[s.Exam]) {
			continue
		}
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			item := r.Contest.Items[v]
			if len(item) <= 3 || !r.References[v].Known() {
				continue
			}
			p, seen := first[item]
			if !seen {
				first[item] = place{sheet, v}
				continue
			}
			if r.References[p.value].Answer != r.References[v].Answer {
				list = append(list, r.found(sheet, v).warn(fmt.Sprintf("the reference is %s, that of the same formula of %s is %s",
					r.found(sheet, v).text(), r.Contest.Instances[r.Contest.Sheets[p.sheet].Instance].Name, r.found(p.sheet, p.value).text())))
			}
		}
	}
	return list
}

// formulas reports whether an examination asks for formulas, which have ids of their own.
func formulas(e *scoring.Examination) bool { return e.Items == nil && e.Required > 1 }
