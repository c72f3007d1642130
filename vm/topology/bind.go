package topology

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"podium/internal/wording"
)

// Wish is what a process wants for its runs.
type Wish struct {
	Cores   int   // of all runs together; 0 for all that there are
	Run     int   // cores of the largest run
	Memory  int64 // bytes of the largest run; 0 does not count
	Threads bool  // each thread counts as a core, so that runs may share cores
}

// Pool holds the cores that a process gives to its runs. It is used by one goroutine at a time.
type Pool struct {
	machine *Machine
	wish    Wish
	units   []unit
	on      map[domain]map[int]bool // the runs that have something of it
	free    map[int]int64           // bytes, by node; nil where it is not counted
	runs    map[int]*taken
	locks   map[int]*os.File // by thread
}

// domain is what units share: one of unit.within.
type domain struct{ depth, id int }

// unit is what a run gets: a core, or with Wish.Threads a thread.
type unit struct {
	cpu     int   // that the run is bound to
	threads []int // that nobody else is to use
	core    *Core
	within  []int // what it shares with others, from package to core; see [Machine.units]
	run     int   // that has it: 0 for none, and less for other processes
}

// taken is what a run has taken.
type taken struct {
	place  Binding
	memory map[int]int64
}

// Binding is what a run was bound to.
type Binding struct {
	Cores    []int  `json:"cores"`              // a thread of each core, which the run was bound to
	Idle     []int  `json:"idle,omitempty"`     // the other threads of these cores, which no run had
	Packages []int  `json:"packages,omitempty"` // none on a computer with one
	Memory   []int  `json:"memory,omitempty"`   // nodes that the memory was bound to; none on a computer with one
	Kind     string `json:"kind,omitempty"`     // fast or slow; empty on a computer with one kind
	Shared   bool   `json:"shared,omitempty"`   // other runs could have threads of these cores
}

// Threads reports whether cores have several threads.
func (m *Machine) Threads() bool {
	return slices.ContainsFunc(m.Cores, func(c Core) bool { return len(c.Threads)+len(c.Others) > 1 })
}

// Text says it as a part of a sentence.
func (p Binding) Text() string {
	if len(p.Cores) == 0 {
		return ""
	}
	text := map[bool]string{true: "core ", false: "cores "}[len(p.Cores) == 1] + numbers(p.Cores)
	if p.Kind != "" {
		text += " (" + p.Kind + ")"
	}
	for _, part := range []struct {
		one, many string
		list      []int
	}{{"package", "packages", p.Packages}, {"memory of node", "memory of nodes", p.Memory}, {"idle thread", "idle threads", p.Idle}} {
		switch {
		case len(part.list) == 1:
			text += fmt.Sprintf(", %s %d", part.one, part.list[0])
		case len(part.list) > 1:
			text += fmt.Sprintf(", %s %s", part.many, numbers(part.list))
		}
	}
	if p.Shared {
		text += ", threads shared with other runs (--share-threads)"
	}
	return text
}

// Pool chooses the cores that fulfil a wish, as far as there are any, and as they would be
// placed. Threads that others hold are left to them.
func (m *Machine) Pool(w Wish, held func(thread int) bool) *Pool {
	p := &Pool{machine: m, wish: w, units: m.units(w.Threads), on: map[domain]map[int]bool{}, free: map[int]int64{}, runs: map[int]*taken{}}
	memory := 0
	for _, n := range m.Nodes {
		p.free[n.ID] = n.Free
		if n.Bytes > 0 {
			memory++
		}
	}
	if memory < 2 {
		p.free = nil
	}
	for i := range p.units {
		if held != nil && slices.ContainsFunc(p.units[i].threads, held) {
			p.mark(&p.units[i], -1-i)
		}
	}
	if limit := m.limit(w.Cores); limit > 0 {
		p.restrict(limit)
	}
	return p
}

// limit is how many cores may be used at a time; 0 for all.
func (m *Machine) limit(cores int) int {
	if m.Quota == 0 {
		return cores
	}
	most := max(1, m.Quota/1000)
	if cores == 0 {
		return most
	}
	return min(cores, most)
}

// units lists what runs can be given. Cores are whole: where others may use threads of a
// core, it is left to them.
func (m *Machine) units(threads bool) (list []unit) {
	fast := false
	for i := range m.Cores {
		c := &m.Cores[i]
		own := []unit{{cpu: c.Threads[0], threads: c.Threads, core: c}}
		if threads {
			own = own[:0]
			for _, t := range c.Threads {
				own = append(own, unit{cpu: t, threads: []int{t}, core: c})
			}
		} else if len(c.Others) > 0 {
			continue
		}
		fast = fast || !c.Slow
		list = append(list, own...)
	}
	list = slices.DeleteFunc(list, func(u unit) bool { return fast && u.core.Slow })
	levels := m.levels()
	for i := range list {
		u := &list[i]
		u.within = append(u.within, u.core.Package, u.core.Node)
		for _, level := range levels {
			at := slices.IndexFunc(m.Caches, func(c Cache) bool { return c.Level == level && slices.Contains(c.Threads, u.cpu) })
			if at < 0 {
				at = -1 - i // shared with nobody
			}
			u.within = append(u.within, at)
		}
		u.within = append(u.within, u.core.Threads[0])
	}
	return list
}

// levels lists the levels of caches that cores share, the outermost first.
func (m *Machine) levels() (list []int) {
	for _, c := range m.Caches {
		if !slices.Contains(list, c.Level) {
			list = append(list, c.Level)
		}
	}
	return list
}

// Parts of unit.within.
const (
	byPackage = 0
	byNode    = 1
	byCache   = 2 // and those behind it but the last, which is the core
)

// restrict keeps so many cores: those of as many of the largest runs as fit, and more.
func (p *Pool) restrict(limit int) {
	var kept []int
	for len(kept) < limit {
		place, ok := Binding{}, false
		if left := limit - len(kept); p.wish.Run > 1 && left >= p.wish.Run {
			place, ok = p.Bind(p.wish.Run, 0)
		}
		if !ok {
			place, ok = p.Bind(1, 0)
		}
		if !ok {
			break
		}
		kept = append(kept, place.Cores...)
	}
	clear(p.on)
	p.units = slices.DeleteFunc(p.units, func(u unit) bool { return u.run >= 0 && !slices.Contains(kept, u.cpu) })
	for i := range p.units {
		p.mark(&p.units[i], min(p.units[i].run, 0))
	}
	clear(p.runs)
}

// Cores is how many cores there are for runs.
func (p *Pool) Cores() int { return len(p.own(nil)) }

// own lists the indices of units that are not another process's.
func (p *Pool) own(in func(*unit) bool) (list []int) {
	for i := range p.units {
		if u := &p.units[i]; u.run >= 0 && (in == nil || in(u)) {
			list = append(list, i)
		}
	}
	return list
}

// Refuses says why no run can ever have so many cores and so much memory, empty where one can.
func (p *Pool) Refuses(cores int, memory int64) string {
	switch regions := p.regions(cores, memory); {
	case p.Cores() < cores:
		return fmt.Sprintf("%s, and there are %s", wording.Count(cores, "core", "cores"), p.have())
	case len(regions) == 0:
		sum := int64(0)
		for _, free := range p.nodes(p.own(nil)) {
			sum += free
		}
		return fmt.Sprintf("%d MB of memory, and the nodes of its cores have %d MB free", memory/1e6, sum/1e6)
	}
	return ""
}

// have says how many cores there are, and why not more.
func (p *Pool) have() string {
	m, all, partial, slow := p.machine, 0, 0, 0
	for _, c := range m.Cores {
		all += len(c.Threads)
		if len(c.Others) > 0 {
			partial += len(c.Threads)
		}
		if c.Slow {
			slow++
		}
	}
	held := len(p.units) - p.Cores()
	var why []string
	for _, reason := range []struct {
		is   bool
		text string
	}{
		{m.Quota > 0 && m.limit(0) == p.Cores(), fmt.Sprintf("a control group leaves the time of %d.%d", m.Quota/1000, m.Quota/100%10)},
		{p.wish.Cores > 0, "as --cores-used says"},
		{held > 0, fmt.Sprintf("%d in use by other processes", held)},
		{slow > 0 && slow < len(m.Cores), fmt.Sprintf("%d slower left out: `taskset` can leave only those", slow)},
		{!p.wish.Threads && partial > 0, wording.Count(partial, "thread", "threads") + " of cores that others may use, too: --share-threads takes them"},
		{!p.wish.Threads && partial == 0 && all > len(m.Cores), fmt.Sprintf("%d threads: --share-threads counts each as a core", all)},
	} {
		if reason.is {
			why = append(why, reason.text)
		}
	}
	if why == nil {
		return fmt.Sprint(p.Cores())
	}
	return fmt.Sprintf("%d (%s)", p.Cores(), strings.Join(why, "; "))
}

// nodes returns the free memory of the nodes that some units have theirs from; nil where it
// is not counted.
func (p *Pool) nodes(units []int) map[int]int64 {
	if p.free == nil {
		return nil
	}
	free := map[int]int64{}
	for _, i := range units {
		home := p.machine.home(p.units[i].core.Node)
		free[home] = p.free[home]
	}
	return free
}

func (m *Machine) home(node int) int {
	for _, n := range m.Nodes {
		if n.ID == node {
			return n.Home
		}
	}
	return node
}

// regions lists the smallest parts of the computer that hold a run if it is alone: nodes of
// packages, packages, or all of it. Each is a list of units.
func (p *Pool) regions(cores int, memory int64) (list [][]int) {
	for depth := byNode + 1; depth >= 0; depth-- {
		for _, part := range p.split(p.own(nil), 0, depth) {
			if len(part) >= cores && p.holds(part, memory, p.start) {
				list = append(list, part)
			}
		}
		if list != nil {
			return list
		}
	}
	return nil
}

// split groups units that are in the same parts at some depths, two at most.
func (p *Pool) split(units []int, from, to int) (parts [][]int) {
	at := map[[2]int]int{}
	for _, i := range units {
		var key [2]int
		copy(key[:], p.units[i].within[from:to])
		if _, seen := at[key]; !seen {
			at[key] = len(parts)
			parts = append(parts, nil)
		}
		parts[at[key]] = append(parts[at[key]], i)
	}
	return parts
}

// start is the memory that a node has while no run has any.
func (p *Pool) start(node int) int64 {
	sum := p.free[node]
	for _, t := range p.runs {
		sum += t.memory[node]
	}
	return sum
}

// holds reports whether the nodes of some units have enough memory.
func (p *Pool) holds(units []int, memory int64, free func(node int) int64) bool {
	if p.free == nil || memory == 0 {
		return true
	}
	for node := range p.nodes(units) {
		memory -= free(node)
	}
	return memory <= 0
}

// Bind gives a run cores and memory; false where it has to wait for the end of another. What
// [Pool.Refuses] says of it is empty. The same pool with the same runs gives the same place.
func (p *Pool) Bind(cores int, memory int64) (Binding, bool) {
	if cores < 1 {
		return Binding{}, false
	}
	var best, within, least []int
	for _, region := range p.regions(cores, memory) {
		free := slices.DeleteFunc(slices.Clone(region), func(i int) bool { return p.units[i].run != 0 })
		if len(free) < cores || !p.holds(region, memory, func(node int) int64 { return p.free[node] }) {
			continue
		}
		choice := p.pick(free, cores, byPackage)
		if cost := p.cost(choice, region); best == nil || slices.Compare(cost, least) < 0 {
			best, within, least = choice, region, cost
		}
	}
	if best == nil {
		return Binding{}, false
	}
	return p.take(best, within, memory), true
}

// cost compares choices, the most important first: runs that share a core with the choice,
// whether its node has no memory, runs that share a cache, from the inner to the outer ones,
// a node, and a package; and the room that it is chosen from.
func (p *Pool) cost(choice, room []int) []int {
	foreign, depths := 0, len(p.units[choice[0]].within)
	for _, i := range choice {
		if node := p.units[i].core.Node; p.free != nil && p.machine.home(node) != node {
			foreign = 1
		}
	}
	cost := []int{p.sharers(choice, depths-1), foreign}
	for depth := depths - 2; depth >= 0; depth-- {
		cost = append(cost, p.sharers(choice, depth))
	}
	return append(cost, len(room))
}

// sharers counts the runs that share something with some units.
func (p *Pool) sharers(units []int, depth int) int {
	first := p.units[units[0]].within[depth]
	if !slices.ContainsFunc(units, func(i int) bool { return p.units[i].within[depth] != first }) {
		return len(p.on[domain{depth, first}])
	}
	runs := map[int]bool{}
	for _, i := range units {
		maps.Copy(runs, p.on[domain{depth, p.units[i].within[depth]}])
	}
	return len(runs)
}

// mark says which run has a unit: 0 for none, and less for other processes.
func (p *Pool) mark(u *unit, run int) {
	for depth, at := range u.within {
		d := domain{depth, at}
		delete(p.on[d], u.run)
		if run != 0 && p.on[d] == nil {
			p.on[d] = map[int]bool{}
		}
		if run != 0 {
			p.on[d][run] = true
		}
	}
	u.run = run
}

// pick chooses n of some free units, which are in one part at the depths before: all of the
// largest parts while none holds the rest, and then of the part that holds it at least cost.
func (p *Pool) pick(free []int, n, depth int) []int {
	if depth == len(p.units[free[0]].within) || n == len(free) {
		return free[:n]
	}
	parts := p.split(free, depth, depth+1)
	if depth == byPackage && !slices.ContainsFunc(parts, func(part []int) bool { return len(part) >= n }) {
		depth = byNode // few nodes are worth more than few packages
		parts = p.split(free, byPackage, byNode+1)
	}
	var choice []int
	for n > 0 {
		var best, least, large []int
		for _, part := range parts {
			if len(part) >= n {
				some := p.pick(part, n, depth+1)
				if cost := p.cost(some, part); best == nil || slices.Compare(cost, least) < 0 {
					best, least = some, cost
				}
			}
			if len(part) > len(large) {
				large = part
			}
		}
		if best == nil {
			best = large
			parts = slices.DeleteFunc(parts, func(part []int) bool { return part[0] == large[0] })
		}
		choice, n = append(choice, best...), n-len(best)
	}
	return choice
}

// take gives units of a region to a run, and memory.
func (p *Pool) take(choice, region []int, memory int64) Binding {
	slices.Sort(choice)
	run := 1
	for p.runs[run] != nil {
		run++
	}
	t := &taken{memory: map[int]int64{}}
	packages, nodes := map[int]bool{}, map[int]bool{}
	all := p.machine.Cores
	kinds := slices.ContainsFunc(all, func(c Core) bool { return c.Slow != all[0].Slow })
	for _, i := range choice {
		u := &p.units[i]
		p.mark(u, run)
		t.place.Cores = append(t.place.Cores, u.cpu)
		packages[u.core.Package] = true
		if nodes[p.machine.home(u.core.Node)] = true; p.wish.Threads {
			t.place.Shared = t.place.Shared || len(u.core.Threads)+len(u.core.Others) > 1
		} else {
			t.place.Idle = append(t.place.Idle, without(u.threads, []int{u.cpu})...)
		}
		if kinds {
			t.place.Kind = map[bool]string{true: "slow", false: "fast"}[u.core.Slow]
		}
	}
	if slices.ContainsFunc(all, func(c Core) bool { return c.Package != all[0].Package }) {
		t.place.Packages = slices.Sorted(maps.Keys(packages))
	}
	if p.free != nil && memory > 0 {
		p.bind(t, nodes, region, memory)
	}
	p.runs[run] = t
	return t.place
}

// bind gives a run memory of the nodes of its cores, and where that is not enough, of the
// nodes of the region with the most.
func (p *Pool) bind(t *taken, nodes map[int]bool, region []int, memory int64) {
	left := memory
	get := func(node int) {
		part := min(left, p.free[node])
		t.memory[node] += part
		p.free[node] -= part
		left -= part
	}
	for _, node := range slices.Sorted(maps.Keys(nodes)) {
		get(node)
	}
	more := slices.SortedFunc(maps.Keys(p.nodes(region)), func(a, b int) int {
		return cmp.Or(cmp.Compare(p.free[b], p.free[a]), cmp.Compare(a, b))
	})
	for _, node := range more {
		if left > 0 && p.free[node] > 0 {
			nodes[node] = true
			get(node)
		}
	}
	t.place.Memory = slices.Sorted(maps.Keys(nodes))
}

// Give takes back what a run had.
func (p *Pool) Give(place Binding) {
	for run, t := range p.runs {
		if !slices.Equal(t.place.Cores, place.Cores) {
			continue
		}
		for node, n := range t.memory {
			p.free[node] += n
		}
		for i := range p.units {
			if p.units[i].run == run {
				p.mark(&p.units[i], 0)
			}
		}
		delete(p.runs, run)
		return
	}
}

// numbers writes numbers for a sentence, with ranges.
func numbers(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		switch part := fmt.Sprint(list[i]); {
		case j > i+1:
			parts = append(parts, fmt.Sprintf("%s-%d", part, list[j]))
		case j == i+1:
			parts = append(parts, part, fmt.Sprint(list[j]))
		default:
			parts = append(parts, part)
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}
