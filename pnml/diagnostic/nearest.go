package diagnostic

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Instead ends a message about a name that does not exist: with the nearest of
// those that do, or with the only one that begins with it, or, from five letters on, with all of it but
// the last one; or else with the first of them.
func Instead(name string, known []string) string {
	if near, ok := Nearest(name, slices.Values(known)); ok {
		return "; the nearest is " + near
	}
	for _, begin := range []string{name, name[:len(name)-min(1, len(name)/5)]} { // capacit begins capacities
		if long := begunWith(begin, known); len(long) == 1 && begin != "" {
			return "; the nearest is " + long[0]
		}
	}
	const most = 20
	switch {
	case len(known) == 0:
		return "; there are none"
	case len(known) > most:
		return fmt.Sprintf("; there are %s and %d more", strings.Join(known[:most], ", "), len(known)-most)
	}
	return "; there are " + strings.Join(known, ", ")
}

// begunWith are the names that begin with one, in capital letters or not.
func begunWith(name string, known []string) (list []string) {
	for _, k := range known {
		if len(k) > len(name) && strings.EqualFold(k[:len(name)], name) {
			list = append(list, k)
		}
	}
	return list
}

// Nearest returns the candidate that is most like a name, to suggest it instead.
// It returns false when the best one differs by more than a quarter of the name's
// length and two bytes, or than half of it.
func Nearest(name string, candidates iter.Seq[string]) (string, bool) {
	const longest = 256
	if name == "" || len(name) > longest {
		return "", false
	}
	best, limit := "", min(max(2, len(name)/4), len(name)/2)
	var row, before [longest + 1]int
	for c := range candidates {
		if len(c) > len(name)+limit || len(c)+limit < len(name) || len(c) > longest {
			continue
		}
		if d := distance(name, c, limit, row[:len(c)+1], before[:len(c)+1]); d <= limit {
			best, limit = c, d-1
		}
		if limit < 0 {
			break
		}
	}
	return best, best != ""
}

// distance is the number of bytes to insert, delete, replace or exchange with their neighbour that
// lead from a to b (Damerau, Levenshtein), or more than limit. row and before have room for
// len(b)+1 numbers.
func distance(a, b string, limit int, row, before []int) int {
	for i := range row {
		row[i] = i
	}
	for i := range len(a) {
		diagonal, least := row[0], i+1
		skipped, next := 0, before[0] // before[j-1] and before[j] of two rows ago
		before[0], row[0] = row[0], i+1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				cost = min(cost, skipped+1)
			}
			skipped, next = next, before[j+1]
			diagonal, before[j+1] = row[j+1], row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
			least = min(least, row[j+1])
		}
		if least > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}
