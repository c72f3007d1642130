package diagnostic

import "strconv"

// Excerpt quotes a word that was printed, as far as it fits a message.
func Excerpt(word string) string {
	const most = 60
	if len(word) > most {
		return strconv.Quote(word[:most]) + "..."
	}
	return strconv.Quote(word)
}
