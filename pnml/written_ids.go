package pnml

import (
	"strings"
	"unicode"
)

// Ids that are written: names of XML without colons (NCName), as the oldest edition of XML
// that validators of PNML go by has them. Ids that are read are judged more leniently.

// letters are those of ids beyond ASCII: some that every edition has.
var letters = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0xC0, Hi: 0xD6, Stride: 1}, {Lo: 0xD8, Hi: 0xF6, Stride: 1}, {Lo: 0xF8, Hi: 0x131, Stride: 1}, {Lo: 0x14A, Hi: 0x17E, Stride: 1},
	{Lo: 0x3A3, Hi: 0x3CE, Stride: 1}, {Lo: 0x40E, Hi: 0x44F, Stride: 1}, {Lo: 0x3041, Hi: 0x3094, Stride: 1},
	{Lo: 0x30A1, Hi: 0x30FA, Stride: 1}, {Lo: 0x4E00, Hi: 0x9FA5, Stride: 1}, {Lo: 0xAC00, Hi: 0xD7A3, Stride: 1},
}}

func ofID(c rune) bool {
	if c < 0x80 {
		return ofNames[c]
	}
	return unicode.Is(letters, c)
}

// WithinID reports whether every character of a text may stand in an id that is written, behind the first.
func WithinID(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool { return !ofID(c) }) < 0
}

// AsID returns a text as an id that may be written: other characters become "_", and what cannot begin an id
// gets a "_" before it. Ids stay as they are; two texts may give one id.
func AsID(text string) string {
	if text == "" {
		return "_"
	}
	if !WithinID(text) {
		text = strings.Map(func(c rune) rune {
			if ofID(c) {
				return c
			}
			return '_'
		}, text)
	}
	if text[0] <= '9' {
		return "_" + text
	}
	return text
}
