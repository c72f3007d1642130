package topology

import (
	"fmt"
	"slices"
	"strings"

	"podium/internal/wording"
)

// width is how many columns a picture has at most.
const width = 79

// Shape says in a line what there is.
func (m *Machine) Shape() string {
	var threads, packages []int
	for _, c := range m.Cores {
		threads, packages = append(threads, c.Threads...), set(append(packages, c.Package))
	}
	if m.Unknown {
		return wording.Count(len(threads), "processor", "processors") + "; the kernel shows no cores, so each is taken for one"
	}
	text := wording.Count(len(packages), "package", "packages") + ", " + wording.Count(len(m.Cores), "core", "cores")
	if len(threads) > len(m.Cores) {
		text += fmt.Sprintf(", %d threads", len(threads))
	}
	if len(m.Nodes) > 1 {
		text += fmt.Sprintf(", %d nodes of memory", len(m.Nodes))
	}
	return text
}

// Picture draws the cores by package, node and cache of the last level: each is its threads,
// joined by +, with a mark where runs may not have it now. It says who holds which, and how
// many runs fit. Lines have 79 columns at most.
func (m *Machine) Picture(holders []Holder) []string {
	held := heldBy(holders)
	marks := []struct {
		sign, means string
		of          func(Core) bool
	}{
		{"s", "slower kind", func(c Core) bool { return c.Slow }},
		{"-", "its other threads are not for this process", func(c Core) bool { return len(c.Others) > 0 }},
		{"*", "in use", func(c Core) bool { return slices.ContainsFunc(c.Threads, func(t int) bool { return held[t] }) }},
	}
	type place struct{ pack, node, cache int }
	groups := map[place][]string{}
	var order []place
	for _, c := range m.Cores {
		at := place{c.Package, c.Node, slices.IndexFunc(m.Caches, func(l Cache) bool { return l.Level == m.Caches[0].Level && slices.Contains(l.Threads, c.Threads[0]) })}
		if groups[at] == nil {
			order = append(order, at)
		}
		text := strings.ReplaceAll(strings.Trim(fmt.Sprint(c.Threads), "[]"), " ", "+")
		for _, mark := range marks {
			if mark.of(c) {
				text += mark.sign
			}
		}
		groups[at] = append(groups[at], text)
	}
	lines := []string{m.Shape()}
	add := func(label string, words []string) {
		lines = append(lines, wording.Wrap(label, strings.Repeat(" ", len(label)), words, width)...)
	}
	for i, at := range order {
		if i == 0 || at.pack != order[i-1].pack || at.node != order[i-1].node {
			lines = append(lines, m.heading(at.pack, at.node))
		}
		label := "  no shared cache: "
		if at.cache >= 0 {
			label = fmt.Sprintf("  L%d %s: ", m.Caches[at.cache].Level, size(m.Caches[at.cache].Bytes))
		}
		add(label, groups[at])
	}
	for _, mark := range slices.Backward(marks) {
		if slices.ContainsFunc(m.Cores, mark.of) {
			lines = append(lines, mark.sign+" "+mark.means)
		}
	}
	note := func(label string, list []int) {
		if len(list) > 0 {
			add(label, strings.SplitAfter(numbers(list), ","))
		}
	}
	note("off: ", m.Offline)
	note("not for this process: ", m.Barred)
	if m.Quota > 0 {
		lines = append(lines, m.leaves()+" cores")
	}
	for _, h := range holders {
		add("in use: ", strings.Fields(numbers(h.Threads)+" by "+h.Text()))
	}
	return append(lines, m.capacity(held)...)
}

// heading names a package and a node of memory.
func (m *Machine) heading(pack, node int) string {
	text := fmt.Sprintf("package %d", pack)
	for _, n := range m.Nodes {
		switch {
		case n.ID != node:
		case n.Bytes > 0:
			text += fmt.Sprintf(", node %d with %s", node, size(n.Bytes))
		case n.Home == n.ID:
			text += fmt.Sprintf(", node %d", node)
		default:
			text += fmt.Sprintf(", node %d without memory, the nearest is %d", node, n.Home)
		}
	}
	return text
}

// capacity says how many runs of some sizes fit at a time.
func (m *Machine) capacity(held map[int]bool) (lines []string) {
	for cores := 1; cores <= 16; cores *= 2 {
		p := m.Pool(Wish{Run: cores}, func(t int) bool { return held[t] })
		if p.Cores() < cores {
			break
		}
		runs := 0
		for _, region := range p.regions(cores, 0) {
			runs += len(region) / cores
		}
		names := map[int]string{byPackage: "a package"} // of parts that several cores share
		for i, level := range m.levels() {
			names[byCache+i] = fmt.Sprintf("an L%d", level)
		}
		parts := map[int]int{}
		for depth := range names {
			if parts[depth] = len(p.split(p.own(nil), depth)); parts[depth] == p.Cores() {
				delete(names, depth)
			}
		}
		alone := map[int]int{} // the runs before the first that shares
		for placed, more := 0, true; more; placed++ {
			place, ok := p.Bind(cores, 0)
			choice := p.own(func(u *unit) bool { return slices.Contains(place.Cores, u.cpu) })
			p.look()
			more = false
			for depth := range names {
				if ok && alone[depth] == placed && p.sharers(choice, depth) == 1 {
					alone[depth], more = placed+1, true
				}
			}
		}
		text, link := fmt.Sprintf("runs of %s: %d at a time", wording.Count(cores, "core", "cores"), runs), "; alone in "
		for depth := byCache + len(m.levels()) - 1; depth > 0; depth-- {
			if names[depth] != "" && (parts[depth] > 1 || depth > byPackage) && alone[depth] < runs {
				text += fmt.Sprintf("%s%s: %d", link, names[depth], alone[depth])
				link = ", in "
			}
		}
		lines = append(lines, text)
	}
	return lines
}

// size writes bytes in powers of two.
func size(bytes int64) string {
	switch {
	case bytes >= 1<<30:
		return fmt.Sprintf("%d GiB", (bytes+1<<29)>>30)
	case bytes >= 1<<20:
		return fmt.Sprintf("%d MiB", (bytes+1<<19)>>20)
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}
