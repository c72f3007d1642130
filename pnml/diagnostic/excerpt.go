package diagnostic

import (
	"strconv"
	"strings"
)

// Excerpt quotes a word for a message, and cuts it when it is too long for one.
func Excerpt(word string) string { return strconv.Quote(Cut(word)) }

// Cut shortens a word that is too long for a message.
func Cut(word string) string {
	const most = 60
	if len(word) > most {
		return strings.ToValidUTF8(word[:most], "") + "..."
	}
	return word
}
