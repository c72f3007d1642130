package pnml

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// The forms of values: types of XML Schema. White space around a value has no meaning there.

// form is the form of an attribute's value; nil for any.
type form func(value []byte) (what string, ok bool)

// formOf reads a word of the table.
func formOf(word string) form {
	switch word {
	case "any", "ID": // ids are looked at where they are used
		return nil
	case "decimal":
		return func(v []byte) (string, bool) { _, ok := decimal(v); return "a decimal number", ok }
	case "size":
		return func(v []byte) (string, bool) {
			return "a number above 0 with at most four digits, one of them behind the point", isSize(v)
		}
	case "integer":
		return func(v []byte) (string, bool) { return "a whole number", isInteger(v) }
	case "boolean":
		return func(v []byte) (string, bool) { return "true or false", truth(v) != unknownTruth }
	}
	words := strings.Split(word, "|")
	return func(v []byte) (string, bool) {
		return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1], slices.Contains(words, string(trimmed(v)))
	}
}

const xmlSpace = " \t\r\n"

// trimmed is a value without white space around it.
func trimmed(v []byte) []byte {
	if len(v) > 0 && v[0] > ' ' && v[len(v)-1] > ' ' {
		return v
	}
	if rest := bytes.Trim(v, xmlSpace); rest != nil {
		return rest
	}
	return v[:0]
}

// unsigned gives a number without its sign.
func unsigned(v []byte) (rest []byte, negative bool) {
	if len(v) > 0 && (v[0] == '+' || v[0] == '-') {
		return v[1:], v[0] == '-'
	}
	return v, false
}

func isInteger(v []byte) bool {
	digits, _ := unsigned(trimmed(v))
	return len(digits) > 0 && !slices.ContainsFunc(digits, func(c byte) bool { return c < '0' || c > '9' })
}

// decimal gives the digits of a decimal number before and behind the point, without zeros
// that say nothing.
func decimal(v []byte) (digits [2]string, ok bool) {
	rest, negative := unsigned(trimmed(v))
	whole, fraction, _ := bytes.Cut(rest, []byte("."))
	if len(whole)+len(fraction) == 0 {
		return digits, false
	}
	for _, part := range [][]byte{whole, fraction} {
		if len(part) > 0 && !isInteger(part) || len(part) > 0 && (part[0] < '0' || part[0] > '9') {
			return digits, false
		}
	}
	digits = [2]string{strings.TrimLeft(string(whole), "0"), strings.TrimRight(string(fraction), "0")}
	if negative {
		digits[0] = "-" + digits[0]
	}
	return digits, true
}

func isSize(v []byte) bool {
	d, ok := decimal(v)
	return ok && !strings.HasPrefix(d[0], "-") && len(d[1]) <= 1 && len(d[0])+len(d[1]) <= 4 && d[0]+d[1] != ""
}

// parseNatural reads a natural number of XML Schema: 3, +3, 003 or -0.
func parseNatural(v []byte) (uint64, error) {
	digits, negative := unsigned(trimmed(v))
	if !isInteger(v) {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if negative && (n > 0 || err != nil) {
		return 0, strconv.ErrSyntax
	}
	return n, err
}

// parseInteger reads a whole number of XML Schema that has 32 bits.
func parseInteger(v string) (int64, error) {
	if !isInteger([]byte(v)) {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(string(trimmed([]byte(v))), 10, 32)
}

type truthValue uint8

const (
	unknownTruth truthValue = iota
	isFalse
	isTrue
)

func truth(v []byte) truthValue {
	switch string(trimmed(v)) {
	case "true", "1":
		return isTrue
	case "false", "0":
		return isFalse
	}
	return unknownTruth
}
