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
		return func(v []byte) (string, bool) { _, _, _, ok := decimal(v); return "a decimal number", ok }
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
	last := len(words) - 1
	what := strings.Join(words[:last], ", ") + " or " + words[last]
	return func(v []byte) (string, bool) { return what, slices.Contains(words, string(trimmed(v))) }
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

// unsigned returns a number without its sign.
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

// decimal returns the digits of a decimal number before and behind the point, without zeros
// that say nothing.
func decimal(v []byte) (whole, fraction []byte, negative, ok bool) {
	rest, negative := unsigned(trimmed(v))
	point := len(rest)
	for i, c := range rest {
		switch {
		case c == '.' && point == len(rest):
			point = i
		case c < '0' || c > '9':
			return nil, nil, false, false
		}
	}
	whole, fraction = rest[:point], rest[min(point+1, len(rest)):]
	ok = len(whole)+len(fraction) > 0
	for len(whole) > 0 && whole[0] == '0' {
		whole = whole[1:]
	}
	for n := len(fraction); n > 0 && fraction[n-1] == '0'; n-- {
		fraction = fraction[:n-1]
	}
	return whole, fraction, negative, ok
}

func isSize(v []byte) bool {
	whole, fraction, negative, ok := decimal(v)
	return ok && !negative && len(fraction) <= 1 && len(whole)+len(fraction) <= 4 && len(whole)+len(fraction) > 0
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
