package examinations

import (
	"strconv"
	"strings"
)

// MaxDigits is the greatest length of a number in decimal digits, with powers
// of ten written out. The longest number known from a contest has 23,857
// digits.
const MaxDigits = 1 << 20

// ParseValue reads one value as tools print it, and returns false when the text
// is no value of this kind.
//
// Truth values are TRUE and FALSE in any case. Natural numbers are decimal
// digits, at most MaxDigits, with an optional plus sign, leading zeros,
// decimals or power of ten, provided that the number is whole ("4.0000E+0009"
// is 4000000000). inf, +inf, infinity and +infinity in any case are +inf.
// Everything else, such as -1 and ?, is no value.
func ParseValue(text string, kind Kind) (Value, bool) {
	if kind == Bool {
		switch {
		case strings.EqualFold(text, True.Text):
			return True, true
		case strings.EqualFold(text, False.Text):
			return False, true
		}
		return Value{}, false
	}
	text = strings.TrimPrefix(text, "+")
	if strings.EqualFold(text, "inf") || strings.EqualFold(text, "infinity") {
		return Infinite, true
	}
	digits, ok := wholeNumber(text)
	if !ok {
		return Value{}, false
	}
	return Value{Nat, digits}, true
}

// wholeNumber writes out digits[.digits][E[+|-]digits] when it is a whole
// number, without leading zeros.
func wholeNumber(text string) (string, bool) {
	if len(text) > MaxDigits {
		return "", false
	}
	mantissa, power, scientific := cutExponent(text)
	exponent := 0
	if scientific {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil || exponent > MaxDigits || exponent < -MaxDigits {
			return "", false
		}
	}
	whole, decimals, pointed := strings.Cut(mantissa, ".")
	if whole == "" || pointed && decimals == "" || !allDigits(whole) || !allDigits(decimals) {
		return "", false
	}
	if exponent == 0 && !pointed {
		return trimZeros(whole), true
	}
	digits := strings.TrimLeft(whole+decimals, "0")
	if digits == "" {
		return "0", true
	}
	switch shift := exponent - len(decimals); {
	case shift >= 0:
		if len(digits)+shift > MaxDigits {
			return "", false
		}
		return digits + strings.Repeat("0", shift), true
	case -shift >= len(digits):
		return "", false
	default:
		head, tail := digits[:len(digits)+shift], digits[len(digits)+shift:]
		return head, strings.Trim(tail, "0") == ""
	}
}

func cutExponent(text string) (mantissa, exponent string, found bool) {
	i := strings.IndexAny(text, "eE")
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func trimZeros(digits string) string {
	if t := strings.TrimLeft(digits, "0"); t != "" {
		return t
	}
	return "0"
}

// beyondFloat is the text of numbers that the published files cannot display.
const beyondFloat = "+Inf****"

// Displayed returns the text that published result files show for a value: T, F
// and inf; numbers below 100,000 in full; larger ones with five significant
// digits and a four-digit power of ten, such as 3.2057E+0008; finite numbers
// beyond the range of a float64 as "+Inf****".
func Displayed(v Value) string {
	switch {
	case v.IsZero():
		return "?"
	case v.Kind == Bool:
		return v.Text[:1]
	case v == Infinite:
		return "inf"
	case len(v.Text) < 6 || v.Text[0] == '[':
		return v.Text
	}
	kept, power := v.Text[:5], len(v.Text)-1
	if v.Text[5] >= '5' {
		n, err := strconv.Atoi(kept)
		if err != nil {
			return v.Text
		}
		if n++; n == 100000 {
			n, power = 10000, power+1
		}
		kept = strconv.Itoa(n)
	}
	if beyondFloat64(v.Text) {
		return beyondFloat
	}
	exponent := strconv.Itoa(power)
	return kept[:1] + "." + kept[1:] + "E+" + strings.Repeat("0", 4-len(exponent)) + exponent
}

// beyondFloat64 reports whether a number of at least six digits exceeds the largest
// float64, 1.7976931348623157E308.
func beyondFloat64(digits string) bool {
	const largest, length = "17976931348623157", 309
	if len(digits) != length {
		return len(digits) > length
	}
	return digits[:len(largest)] > largest
}
