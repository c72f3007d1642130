package examinations

import (
	"cmp"
	"strings"
)

// ParseInterval reads [low, high], an answer to a value of which a tool knows bounds (E-3.2): both
// ends belong to it, and high may be inf. An interval of one number is that number. The canonical
// text of any other is [low,high].
func ParseInterval(text string) (Value, bool) {
	inner, opened := strings.CutPrefix(text, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	low, high, two := strings.Cut(inner, ",")
	from, okFrom := ParseValue(strings.TrimSpace(low), Nat)
	to, okTo := ParseValue(strings.TrimSpace(high), Nat)
	switch {
	case !opened || !closed || !two || !okFrom || !okTo || from == Infinite:
		return Value{}, false
	case from == to:
		return from, true
	case to != Infinite && cmp.Or(cmp.Compare(len(from.Text), len(to.Text)), cmp.Compare(from.Text, to.Text)) > 0:
		return Value{}, false
	}
	return Value{Nat, "[" + from.Text + "," + to.Text + "]"}, true
}

// Interval returns the ends of a value that is an interval, as [ParseInterval] writes it.
func (v Value) Interval() (low, high string, ok bool) {
	if !strings.HasPrefix(v.Text, "[") {
		return "", "", false
	}
	return strings.Cut(strings.Trim(v.Text, "[]"), ",")
}
