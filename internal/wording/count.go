// Package wording puts numbers into sentences, and words into commands.
package wording

import (
	"fmt"
	"strconv"
)

// Count returns a number and what is said of so many things: one after 1, many after
// every other number. Count(n, "run is", "runs are") gives "1 run is" or "5 runs are".
func Count[N int | int64 | uint64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n) + " " + many
}

// Part is Count with the number of all things between: "1 of 7 runs is", "5 of 7 runs are".
func Part(n, all int, one, many string) string {
	of := "of " + strconv.Itoa(all) + " "
	return Count(n, of+one, of+many)
}

// Percent returns a part in per cent of all, rounded down, so that only all is 100%.
func Percent(part, all int) string {
	if all == 0 {
		return "-"
	}
	return strconv.Itoa(part*100/all) + "%"
}
