package placement

import "slices"

// Bound is a time, in microseconds, before which no placement of the units on the
// hosts can end: the greatest of what follows from all work and all slots, from the
// longest run, from a single unit on the largest host, from the number of units that
// some host must take, and from pins and classes. Hosts and units are valid, as
// [Place] checks.
func Bound(hosts []Host, units []Unit) int64 {
	bound := boundOf(hosts, units)
	for _, class := range classes(hosts) {
		of := slices.DeleteFunc(slices.Clone(units), func(u Unit) bool { return u.Class != class })
		if len(of) > 0 && class != "" {
			bound = max(bound, boundOf(slices.DeleteFunc(slices.Clone(hosts), func(h Host) bool { return h.Class != class }), of))
		}
	}
	pinned := map[string]int64{}
	for i := range units {
		work, _ := units[i].work()
		pinned[units[i].Host] += work
	}
	for _, h := range hosts {
		bound = max(bound, share(pinned[h.Name], h.Slots))
	}
	return bound
}

func classes(hosts []Host) []string {
	var list []string
	for _, h := range hosts {
		list = append(list, h.Class)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// boundOf takes no notice of pins and classes.
func boundOf(hosts []Host, units []Unit) int64 {
	slots, most := 0, 0
	for _, h := range hosts {
		slots, most = slots+h.Slots, max(most, h.Slots)
	}
	var total, bound int64
	sizes := make([]int64, len(units))
	for i := range units {
		work, longest := units[i].work()
		sizes[i] = work
		total += work
		bound = max(bound, longest, share(work, most))
	}
	bound = max(bound, share(total, slots))
	slices.Sort(sizes)
	slices.Reverse(sizes)
	// Of the k*hosts+1 largest units some host has k+1, which take at least as long as
	// the k+1 smallest of them.
	for k := 1; k*len(hosts) < len(sizes); k++ {
		var least int64
		for _, s := range sizes[k*len(hosts)-k : k*len(hosts)+1] {
			least += s
		}
		bound = max(bound, share(least, most))
	}
	return bound
}
