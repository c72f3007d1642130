package sentinel

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"time"

	"gonum.org/v1/gonum/stat"
)

// stolenBound is how much of the time of a core may be given to others.
const stolenBound = 0.10

// Host are the readings of one computer, by core, each list by time.
type Host struct {
	cores map[int][]Reading
	usual map[int]Reading // median times of each core
}

// NewHost takes the readings of one computer, in any order.
func NewHost(readings []Reading) *Host {
	h := &Host{cores: map[int][]Reading{}, usual: map[int]Reading{}}
	for _, r := range readings {
		h.cores[r.Core] = append(h.cores[r.Core], r)
	}
	for core, list := range h.cores {
		slices.SortFunc(list, func(a, b Reading) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Compute, b.Compute)) })
		h.usual[core] = Reading{Compute: median(list, computing.of), Stream: median(list, streaming.of), Jump: median(list, jumping.of)}
	}
	return h
}

// median is the middle time; of an even number of times, the smaller one in the middle.
func median(list []Reading, part func(Reading) int64) int64 {
	times := make([]float64, len(list))
	for i, r := range list {
		times[i] = float64(part(r))
	}
	sort.Float64s(times)
	return int64(stat.Quantile(0.5, stat.Empirical, times, nil))
}

// Drift says in sentences what was not as usual on some cores around a time: in the
// last readings before it, in the first ones after it, or between them. It is empty
// where all was as usual, or where nothing is known.
func (h *Host) Drift(cores []int, from, to time.Time) []string {
	var list []string
	for _, core := range cores {
		readings := h.cores[core]
		next := sort.Search(len(readings), func(i int) bool { return !readings[i].At.Before(to) })
		last := sort.Search(len(readings), func(i int) bool { return readings[i].At.After(from) }) - 1
		if last >= 0 {
			list = append(list, h.compare(readings[last], "before")...)
		}
		if next < len(readings) {
			list = append(list, h.compare(readings[next], "after")...)
		}
		if last >= 0 && next < len(readings) {
			list = append(list, between(readings[last], readings[next])...)
		}
	}
	return list
}

// compare holds a reading to what is usual on its core.
func (h *Host) compare(r Reading, when string) (list []string) {
	for _, p := range parts {
		is, usual := p.of(r), p.of(h.usual[r.Core])
		change, word := off(is, usual), "slower"
		if is < usual {
			word = "faster"
		}
		if change > p.bound {
			list = append(list, fmt.Sprintf("Core %d %s %.0f %% %s than usual %s the run.", r.Core, p.what, 100*change, word, when))
		}
	}
	return list
}

// off is how far a time is from the usual one, as a part of the shorter of the two.
func off(is, usual int64) float64 {
	if is <= 0 || usual <= 0 {
		return 0
	}
	return float64(max(is, usual))/float64(min(is, usual)) - 1
}

// between looks at what the kernel counted from one reading to the next.
func between(a, b Reading) (list []string) {
	past := b.At.Sub(a.At).Microseconds()
	if taken := b.Kernel.Stolen - a.Kernel.Stolen; a.Kernel.Stolen >= 0 && past > 0 && float64(taken) > stolenBound*float64(past) {
		list = append(list, fmt.Sprintf("%.0f %% of the time of core %d was given to others by the machine below.", 100*float64(taken)/float64(past), a.Core))
	}
	if n := b.Kernel.Throttled - a.Kernel.Throttled; a.Kernel.Throttled >= 0 && n > 0 {
		list = append(list, fmt.Sprintf("Core %d was slowed down %d times because it was hot.", a.Core, n))
	}
	return list
}
