package diagnostic

import "fmt"

// Brief writes findings for a person who reads all of them at once: of each code at
// most so many lines, and how many more there are.
func (l List) Brief(most int) (lines []string) {
	seen, all := map[string]int{}, map[string]int{}
	for _, d := range l {
		all[d.Code]++
	}
	for _, d := range l {
		if seen[d.Code]++; seen[d.Code] > most {
			continue
		}
		line := d.Error()
		if more := all[d.Code] - most; seen[d.Code] == most && more > 0 {
			line += fmt.Sprintf(" (and %d more like this)", more)
		}
		lines = append(lines, line)
	}
	return lines
}
