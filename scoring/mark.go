package scoring

import (
	"podium/confidence"
	"podium/examinations"
	"podium/models"
)

// Mark is the judgement of one value of one run.
type Mark uint8

// The marks. Their characters are those of published masks.
const (
	Open     Mark = iota // not answered, and there is no reference: ?
	Unjudged             // answered, and there is no reference: ?
	Missing              // not answered although there is a reference, be it a weak one: -
	Right                // T
	Wrong                // X
	Excluded             // not answered, and the edition does not judge the value; or answered by an interval: -
	Ignored              // answered, and the edition does not judge the value: -
)

const markChars = "??-TX--"

// Char is the character of published masks.
func (m Mark) Char() byte { return markChars[m] }

// Given reports whether the run answered the value.
func (m Mark) Given() bool { return m == Unjudged || m == Right || m == Wrong || m == Ignored }

// judge compares an answer with a reference.
func judge(answer confidence.Answer, ref confidence.Reference) Mark {
	given := answer != confidence.None
	switch {
	case !ref.Known() && given:
		return Unjudged
	case !given && (ref.Known() || ref.Weak()):
		return Missing
	case !given:
		return Open
	case answer == ref.Answer:
		return Right
	}
	return Wrong
}

// NotJudged names values that an edition gives neither points nor penalties for,
// because their meaning is disputed.
type NotJudged struct {
	Exam examinations.ID
	Item string
	Kind models.Kind
}

// excludes reports whether any of the exceptions concerns a value.
func excludes(list []NotJudged, exam examinations.ID, item string, kind models.Kind) bool {
	for _, n := range list {
		if n.Exam == exam && n.Item == item && n.Kind == kind {
			return true
		}
	}
	return false
}
