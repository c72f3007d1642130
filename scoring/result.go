package scoring

import (
	"math/big"

	"podium/confidence"
	"podium/examinations"
)

// HasScore reports whether a run has a score. A run that is absent, void or set
// aside by a flag or a ruling has none.
func (r *Result) HasScore(sheet, tool int) bool {
	switch r.Contest.Run(sheet, tool).Participation {
	case Absent, Void:
		return false
	}
	return !r.SetAside(sheet, tool)
}

// NoScore says, as a clause with its rule, why a run has no score, or why its score is nothing
// whatever it answers; it is empty for a run that has one.
func (r *Result) NoScore(sheet, tool int) string {
	switch r.Contest.Run(sheet, tool).Participation {
	case Absent:
		return "there is no such run"
	case Void:
		return "no machine as E-5.1 asks for could do it, which is not the tool's fault: it is void and counts for nobody"
	}
	if category := r.Contest.Exams[r.Contest.Sheets[sheet].Exam].Category; r.Scheme.demonstrates(category) {
		return "its category is a demonstration, which is shown and not scored"
	}
	if !r.SetAside(sheet, tool) {
		return ""
	}
	if why := r.Contest.StruckRun(sheet, tool); why != "" {
		return why
	}
	for i, f := range r.Scheme.Flags {
		if f.Effect == SetAside && r.has(sheet, tool, i) {
			return "flag " + f.Text()
		}
	}
	return ""
}

// SetAside reports whether a flag or a ruling takes points, bonus and votes from a run.
func (r *Result) SetAside(sheet, tool int) bool {
	run := sheet*len(r.Contest.Tools) + tool
	return r.Flags[run]&r.setAside != 0 || r.Contest.ruled != nil && r.Contest.ruled.Runs[run] != 0
}

// has reports whether a run carries a flag of the scheme.
func (r *Result) has(sheet, tool, flag int) bool {
	return r.Flags[sheet*len(r.Contest.Tools)+tool]&(1<<flag) != 0
}

// RunPoints returns the points of a run in units, see HasScore.
func (r *Result) RunPoints(sheet, tool int) int64 {
	return r.Points[sheet*len(r.Contest.Tools)+tool]
}

// RunLetters returns the bonus letters of a run.
func (r *Result) RunLetters(sheet, tool int) Letters {
	return r.Letters[sheet*len(r.Contest.Tools)+tool]
}

// RunMarks returns the marks of a run, one per value of its vector. The slice
// must not be changed.
func (r *Result) RunMarks(sheet, tool int) []Mark {
	return r.sheetMarks(sheet, tool)[:r.Contest.Run(sheet, tool).Vector]
}

// ValueMark returns the mark of one value of a run, by the number of the value,
// also where the vector of the run is too short for it.
func (r *Result) ValueMark(sheet, tool, value int) Mark {
	return r.sheetMarks(sheet, tool)[value-int(r.Contest.Sheets[sheet].First)]
}

// FlagLetters returns T or F for each flag of the scheme.
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

// Mask returns one character per value; a run that did not answer has a single
// "?".
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

// ReferenceValue returns the reference value, and false when there is none. Weak
// and tied answers are no references, see confidence.Reference.
func (r *Result) ReferenceValue(value int) (examinations.Value, bool) {
	ref := r.References[value]
	if !ref.Known() {
		return examinations.Value{}, false
	}
	return r.Contest.Values[ref.Answer], true
}

// Votes returns the votes by which the reference of a value was elected.
func (r *Result) Votes(sheet, value int) []confidence.Vote {
	return r.votes(sheet, value, r.electorate, nil)
}

// Consistent reports whether the value belongs to V: enough tools agree on it (E-2.2).
func (r *Result) Consistent(sheet, value int) bool {
	if !r.elects(sheet) {
		return false
	}
	votes := r.voices.Votes(value, nil)
	if r.counted != nil {
		votes = r.counted(votes, nil)
	}
	return r.Scheme.Consistent(votes, len(r.Contest.Tools)) != confidence.None
}

// Weight returns the sum of the confidences of the tools that voted for the
// reference, or, where it is unknown, for the answer that is shown in its
// place.
func (r *Result) Weight(sheet, value int) *big.Rat {
	return r.electorate.Weight(r.Votes(sheet, value), r.References[value].Answer)
}

// ConfidenceTells is false where no value was decided by enough tools to judge
// confidence, although the scheme has votes: see [confidence.CanDiffer].
func (r *Result) ConfidenceTells() bool {
	return r.Scheme.Elect == nil || confidence.CanDiffer(r.voices, r.counted, r.Scheme.Consistent)
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
