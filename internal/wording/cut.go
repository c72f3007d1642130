package wording

import "unicode/utf8"

// Cut shortens a name to so many characters, 1 at least. It leaves out the middle: the
// ends of names tell them apart, as versions and sizes do.
func Cut(name string, width int) string {
	if utf8.RuneCountInString(name) <= width {
		return name
	}
	letters := []rune(name)
	front := width / 2
	return string(letters[:front]) + "…" + string(letters[len(letters)-(width-1-front):])
}

// CutEnd shortens a text to so many characters, 1 at least. It leaves out the end.
func CutEnd(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}
