package output

import (
	"bytes"
	"strings"

	"podium/examinations"
)

// The keywords of the output grammar.
const (
	wordFormula       = "FORMULA"
	wordStateSpace    = "STATE_SPACE"
	wordCannotCompute = "CANNOT_COMPUTE"
	wordDoNotCompete  = "DO_NOT_COMPETE"
	wordTechniques    = "TECHNIQUES"
)

// keyword is one word to look for in the output. A misspelt one is looked for
// in order to be complained of.
type keyword struct {
	text     string
	meant    string // the right spelling
	misspelt bool
	bare     bool // no keyword, but an item that stands behind one
}

var keywords = append([]keyword{
	{text: wordFormula, meant: wordFormula},
	{text: wordStateSpace, meant: wordStateSpace},
	{text: wordCannotCompute, meant: wordCannotCompute},
	{text: wordDoNotCompete, meant: wordDoNotCompete},
	{"STATE SPACE", wordStateSpace, true, false},
	{"CANNOT COMPUTE", wordCannotCompute, true, false},
	{"DO NOT COMPETE", wordDoNotCompete, true, false},
	{"CANNOT_COMPETE", wordCannotCompute + " or " + wordDoNotCompete, true, false},
	{"DO_NOT_COMPUTE", wordDoNotCompete + " or " + wordCannotCompute, true, false},
	{text: wordTechniques, meant: wordTechniques}, // never at the head of an answer
}, bareItems()...)

// bareItems are the items of examinations without formulas. Some tools forget FORMULA before them.
func bareItems() (list []keyword) {
	for _, exam := range examinations.All() {
		if !exam.HasFormulas() && exam != examinations.StateSpace {
			list = append(list, keyword{text: strings.ToUpper(string(exam)), bare: true})
		}
	}
	return list
}

const (
	window        = 7  // every keyword is known by its first seven bytes
	longestWord   = 20 // len("ReachabilityDeadlock")
	shiftDistance = window - 1
)

// keywordShift tells how far a search may jump on, given the last two bytes of
// the window (seven bits of each): the search of Wu and Manber for several words
// at once. Zero means that a keyword may be here. Note: calls of bytes.Index for
// each word are slower, and do not find words in other cases.
var keywordShift = makeKeywordShift()

const shiftSlots = 1 << 14

func makeKeywordShift() *[shiftSlots]uint8 {
	var table [shiftSlots]uint8
	for i := range table {
		table[i] = shiftDistance
	}
	for _, k := range keywords {
		for end := 1; end < window; end++ {
			for _, a := range bothCases(k.text[end-1]) {
				for _, b := range bothCases(k.text[end]) {
					table[shiftSlot(a, b)] = min(table[shiftSlot(a, b)], uint8(window-1-end))
				}
			}
		}
	}
	return &table
}

func bothCases(c byte) []byte {
	if c >= 'A' && c <= 'Z' {
		return []byte{c, c + 'a' - 'A'}
	}
	return []byte{c}
}

func shiftSlot(a, b byte) uint { return uint(a&127)<<7 | uint(b&127) }

// findKeyword returns the index of the first place at or after from where the
// first seven bytes of a keyword stand in any case, or -1.
func findKeyword(b []byte, from int) int {
	table := keywordShift
	for i := from + window - 1; i < len(b); {
		jump := table[shiftSlot(b[i-1], b[i])]
		if jump > 0 {
			i += int(jump)
			continue
		}
		if startsKeyword(b[i-window+1 : i+1]) {
			return i - window + 1
		}
		i++
	}
	return -1
}

func startsKeyword(b []byte) bool {
	for _, k := range keywords {
		if equalFoldASCII(b, k.text[:window]) {
			return true
		}
	}
	return false
}

// keywordAt returns the keyword at the head of b, in any case. It must end there:
// FORMULA_NAME is no keyword.
func keywordAt(b []byte) (keyword, bool) {
	for _, k := range keywords {
		if len(b) >= len(k.text) && equalFoldASCII(b[:len(k.text)], k.text) &&
			(len(b) == len(k.text) || !isWordByte(b[len(k.text)])) {
			return k, true
		}
	}
	return keyword{}, false
}

func equalFoldASCII(b []byte, upper string) bool {
	for i := range b {
		c := b[i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != upper[i] {
			return false
		}
	}
	return true
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// isBlank tells what separates words. NUL is one at the head of a line only:
// files that were cut while a program wrote begin with a run of them.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' }

func isIndent(c byte) bool { return isBlank(c) || c == 0 }

// nextWord cuts the first word off a line.
func nextWord(line []byte) (word, rest []byte) {
	start := 0
	for start < len(line) && isBlank(line[start]) {
		start++
	}
	end := start
	for end < len(line) && !isBlank(line[end]) {
		end++
	}
	return line[start:end], line[end:]
}

// allIndent reports whether nothing but blanks and NULs stands in b.
func allIndent(b []byte) bool {
	return bytes.IndexFunc(b, func(r rune) bool { return r >= 0x80 || !isIndent(byte(r)) }) < 0
}
