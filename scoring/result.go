package scoring

import (
	"math/big"
	"strings"

	"podium/confidence"
	"podium/examinations"
)

// HasScore tells whether a run has a score: not when it is absent, void or set
// aside by a flag.
func (r *Result) HasScore(sheet, tool int) bool {
	switch r.Contest.Run(sheet, tool).Participation {
	case Absent, Void:
		return false
	}
	return r.Flags[sheet*len(r.Contest.Tools)+tool]&r.setAside == 0
}

// RunPoints is the score of a run in units; see HasScore.
func (r *Result) RunPoints(sheet, tool int) int64 {
	return r.Points[sheet*len(r.Contest.Tools)+tool]
}

// RunLetters gives the bonus letters of a run.
func (r *Result) RunLetters(sheet, tool int) Letters {
	return r.Letters[sheet*len(r.Contest.Tools)+tool]
}

// RunMarks gives the marks of a run, one per value of its vector; it is no copy.
func (r *Result) RunMarks(sheet, tool int) []Mark {
	return r.sheetMarks(sheet, tool)[:r.Contest.Run(sheet, tool).Vector]
}

// FlagLetters is T or F for each flag of the scheme.
func (r *Result) FlagLetters(sheet, tool int) string {
	bits := r.Flags[sheet*len(r.Contest.Tools)+tool]
	letters := make([]byte, len(r.Scheme.Flags))
	for i := range letters {
		letters[i] = 'F'
		if bits&(1<<i) != 0 {
			letters[i] = 'T'
		}
	}
	return string(letters)
}

// Mask is one character per value; a run that did not answer has a single "?".
func (r *Result) Mask(sheet, tool int) string {
	if r.Contest.Run(sheet, tool).Participation != Answered {
		return "?"
	}
	marks := r.RunMarks(sheet, tool)
	mask := make([]byte, len(marks))
	for i, m := range marks {
		mask[i] = m.Char()
	}
	return string(mask)
}

// ReferenceValue is the elected value, the zero Value when there is none. Weak
// and tied answers are not references: see confidence.Reference.
func (r *Result) ReferenceValue(value int) (examinations.Value, bool) {
	ref := r.References[value]
	if !ref.Known() {
		return examinations.Value{}, false
	}
	return r.Contest.Values[ref.Answer], true
}

// Votes gives the votes that elected the reference of a value.
func (r *Result) Votes(sheet, value int) []confidence.Vote {
	return r.votes(sheet, value, r.electorate, nil)
}

// Weight is the sum of the confidences of those who voted for the reference, or
// for the answer that would be shown in its place.
func (r *Result) Weight(sheet, value int) *big.Rat {
	return r.electorate.Weight(r.Votes(sheet, value), r.References[value].Answer)
}

// Supporters lists the tools that voted for the reference of a value.
func (r *Result) Supporters(sheet, value int) []int {
	var tools []int
	for _, v := range r.Votes(sheet, value) {
		if v.Answer == r.References[value].Answer {
			tools = append(tools, v.Tool)
		}
	}
	return tools
}

// Items gives the account of a run: every item that makes its points. It applies
// the rules again to the runs of the sheet.
func (r *Result) Items(sheet, tool int) []Item {
	w := newScorer(r)
	w.gather(sheet)
	for _, rule := range r.Scheme.Rules {
		rule.Apply(&w.peers, rule.ID)
	}
	for i := range w.peers.Scores {
		if w.peers.Scores[i].Tool == tool {
			return w.peers.Scores[i].Items
		}
	}
	return nil
}

// PointsText writes units as points: "12", "-10.13".
func (s *Scheme) PointsText(units int64) string {
	text := big.NewRat(units, s.Unit).FloatString(decimals(s.Unit))
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// decimals is the number of decimals that show a unit exactly, at most 6.
func decimals(unit int64) int {
	n := 0
	for power := int64(1); power%unit != 0 && n < 6; n++ {
		power *= 10
	}
	return n
}
