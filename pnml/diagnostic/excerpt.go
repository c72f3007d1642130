package diagnostic

import "strconv"

// Excerpt quotes a word for a message, and cuts it when it is too long for one.
func Excerpt(word string) string {
	const most = 60
	if len(word) > most {
		return strconv.Quote(word[:most]) + "..."
	}
	return strconv.Quote(word)
}
