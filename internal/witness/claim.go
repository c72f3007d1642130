package witness

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"podium/examinations"
)

// Claim is one value of the examination. AtLeast says that the value, a number,
// is a lower bound only.
type Claim struct {
	Item    string
	Value   examinations.Value
	AtLeast bool
}

// String is the claim as it stands on a value line.
func (c Claim) String() string {
	return string(AppendName(nil, c.Item)) + " " + c.Bound()
}

// Bound returns the value alone, with >= before a lower bound.
func (c Claim) Bound() string {
	if c.AtLeast {
		return ">=" + c.Value.Text
	}
	return c.Value.Text
}

// ParseBound reads the text that [Claim.Bound] gives.
func ParseBound(item, text string, kind examinations.Kind) Claim {
	number, atLeast := strings.CutPrefix(text, ">=")
	value, _ := examinations.ParseValue(number, kind)
	return Claim{item, value, atLeast}
}

// State is the result of a replay for one value.
type State string

// The states. NotAsked is the state of a value that no path can prove.
const (
	NotAsked    State = ""
	Confirmed   State = "confirmed"
	Unconfirmed State = "unconfirmed"
	Refuted     State = "refuted"
)

// Result is what the replay of a witness says about one of its claims.
type Result struct {
	Claim Claim
	State State
	// Proved is what the paths prove, whatever was claimed; its value is zero when
	// they prove nothing.
	Proved Claim
	Detail string // a sentence without its final stop: what proves it, or what is missing
}

// Contradicts reports whether a value cannot be true where the claim is proved.
func (c Claim) Contradicts(v examinations.Value) bool {
	switch {
	case c.Value.IsZero() || v.IsZero():
		return false
	case c.AtLeast:
		return CompareNumbers(c.Value, v) > 0
	}
	return c.Value != v
}

// CompareNumbers orders numbers in canonical text; +inf is the largest.
func CompareNumbers(a, b examinations.Value) int {
	switch {
	case a == b:
		return 0
	case a == examinations.Infinite:
		return 1
	case b == examinations.Infinite:
		return -1
	}
	return cmp.Or(cmp.Compare(len(a.Text), len(b.Text)), cmp.Compare(a.Text, b.Text))
}

// Judge returns the result for one answer of a run from the results of its
// witnesses. Provable reports whether paths can prove the answer at all. An answer
// that no path can prove and that has no witness is [NotAsked].
func Judge(answer Claim, provable bool, results []Result) Result {
	r := Result{Claim: answer}
	spoilt := "the tool left no witness"
	for _, given := range results {
		switch {
		case given.Claim.Item == "": // it cannot be read so far as to tell what it is about
			spoilt = given.Detail
		case given.Claim.Item != answer.Item:
		case given.Proved.Contradicts(answer.Value):
			r.State, r.Proved, r.Detail = Refuted, given.Proved, given.Detail
			return r
		case !given.Proved.AtLeast && given.Proved.Value == answer.Value:
			r.State, r.Proved, r.Detail = Confirmed, given.Proved, given.Detail
		case r.State != Confirmed && (r.Detail == "" || !given.Proved.Value.IsZero() && (r.Proved.Value.IsZero() || CompareNumbers(given.Proved.Value, r.Proved.Value) > 0)):
			r.Proved, r.Detail = given.Proved, given.Detail
		}
	}
	if r.State == NotAsked && provable {
		r.State, r.Detail = Unconfirmed, cmp.Or(r.Detail, spoilt)
	}
	return r
}

// AppendName writes a name, as a JSON string when it is not plain.
func AppendName(dst []byte, name string) []byte {
	if name != "" && !strings.ContainsFunc(name, special) {
		return append(dst, name...)
	}
	quoted, _ := json.Marshal(name) // a string cannot fail
	return append(dst, quoted...)
}

// special tells the characters that a plain name does not hold.
func special(r rune) bool {
	return r <= ' ' || r == 0x7f || r > '~' && !strconv.IsPrint(r) || strings.ContainsRune(`"\{}(),=#`, r)
}
