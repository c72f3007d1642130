package diagnostic

import (
	"fmt"
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

// ShortNumber cuts a number of thousands of digits for a line or a table.
func ShortNumber(digits string) string {
	const most = 24
	if len(digits) <= most {
		return digits
	}
	return fmt.Sprintf("%s...(%d digits)", digits[:most-12], len(digits))
}
