package topology

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
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
	all     map[int]int64         // bytes that runs can have, by node; nil where they are not counted
	free    map[int]int64         // what is left of them
	bound   map[int]map[int]int64 // what runs have of them, by run and node
	last    int                   // run
	on      map[[2]int][]int      // by depth in unit.within and what is there, the runs that have something of it
	locks   map[int]*os.File      // by thread
}

// unit is what a run gets: a core, or with Wish.Threads a thread.
type unit struct {
	cpu     int   // that the run is bound to
	threads []int // that nobody else is to use
	core    *Core
	within  []int // what it shares with others, from the computer to the core; see [Machine.units]
	run     int   // that has it: 0 for none, and less for other processes
}

// Parts of unit.within. Behind the node are the caches, and the core.
const (
	byPackage = 1
	byNode    = 2 // of a package
	byCache   = 3
)

// Binding is what a run was bound to.
type Binding struct {
	Cores    []int  `json:"cores"`              // a thread of each core, which the run was bound to
	Idle     []int  `json:"idle,omitempty"`     // the other threads of these cores, which no run had
	Packages []int  `json:"packages,omitempty"` // none on a computer with one
	Memory   []int  `json:"memory,omitempty"`   // nodes that the memory was bound to; none on a computer with one
	Kind     string `json:"kind,omitempty"`     // fast or slow; empty on a computer with one kind
	Shared   bool   `json:"shared,omitempty"`   // other runs could have threads of these cores
}

// Text says it as a part of a sentence.
func (b Binding) Text() string {
	text := listed("core", b.Cores)
	if b.Kind != "" {
		text += " (" + b.Kind + ")"
	}
	for _, part := range []string{listed("package", b.Packages), listed("memory of node", b.Memory), listed("idle thread", b.Idle)} {
		if part != "" {
			text += ", " + part
		}
	}
	if b.Shared {
		text += ", threads shared with other runs (--share-threads)"
	}
	return text
}

// listed names things by their numbers, "" where there are none.
func listed(what string, list []int) string {
	switch len(list) {
	case 0:
		return ""
	case 1:
		return what + " " + numbers(list)
	}
	return what + "s " + numbers(list)
}

// Threads reports whether cores have several threads.
func (m *Machine) Threads() bool { return slices.ContainsFunc(m.Cores, Core.several) }

// several reports whether the core has several threads.
func (c Core) several() bool { return len(c.Threads)+len(c.Others) > 1 }

// Pool chooses the cores that fulfil a wish, as far as there are any, and as they would be
// placed. Threads that others hold are left to them.
func (m *Machine) Pool(w Wish, held func(thread int) bool) *Pool {
	p := &Pool{machine: m, wish: w, units: m.units(w.Threads), all: map[int]int64{}, free: map[int]int64{}, bound: map[int]map[int]int64{}}
	memory := 0
	for _, n := range m.Nodes {
		p.all[n.ID], p.free[n.ID] = n.Free, n.Free
		if n.Bytes > 0 {
			memory++
		}
	}
	if memory < 2 {
		p.all, p.free = nil, nil
	}
	for i := range p.units {
		if held != nil && slices.ContainsFunc(p.units[i].threads, held) {
			p.units[i].run = -1 - i
		}
	}
	if limit := m.limit(w.Cores); limit > 0 {
		p.restrict(limit)
	}
	return p
}

// limit is how many cores may be used at a time; 0 for all.
func (m *Machine) limit(cores int) int {
	most := max(1, m.Quota/1000)
	if m.Quota == 0 || cores > 0 && cores < most {
		return cores
	}
	return most
}

// units lists what runs can be given. Cores are whole: where others may use threads of a
// core, it is left to them.
func (m *Machine) units(threads bool) (list []unit) {
	for i := range m.Cores {
		c := &m.Cores[i]
		switch {
		case threads:
			for _, t := range c.Threads {
				list = append(list, unit{cpu: t, threads: []int{t}, core: c})
			}
		case len(c.Others) == 0:
			list = append(list, unit{cpu: c.Threads[0], threads: c.Threads, core: c})
		}
	}
	if slices.ContainsFunc(list, func(u unit) bool { return !u.core.Slow }) {
		list = slices.DeleteFunc(list, func(u unit) bool { return u.core.Slow })
	}
	for i := range list {
		u := &list[i]
		node := slices.IndexFunc(list, func(o unit) bool { return o.core.Package == u.core.Package && o.core.Node == u.core.Node })
		u.within = []int{0, u.core.Package, node}
		for _, level := range m.levels() {
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
		list = append(list, c.Level)
	}
	return slices.Compact(list)
}

// restrict keeps so many cores: those of as many of the largest runs as fit, and more.
func (p *Pool) restrict(limit int) {
	for limit > 0 {
		place, ok := Binding{}, false
		if limit >= p.wish.Run {
			place, ok = p.Bind(p.wish.Run, 0)
		}
		if !ok {
			place, ok = p.Bind(1, 0)
		}
		if !ok {
			break
		}
		limit -= len(place.Cores)
	}
	p.units = slices.DeleteFunc(p.units, func(u unit) bool { return u.run == 0 })
	for i := range p.units {
		p.units[i].run = min(p.units[i].run, 0)
	}
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
	switch {
	case p.Cores() < cores:
		return fmt.Sprintf("%s, and there are %s", wording.Count(cores, "core", "cores"), p.have())
	case p.regions(cores, memory) == nil:
		return fmt.Sprintf("%d MB of memory, and the nodes of its cores have %d MB free", memory/1e6, sum(p.all, p.homes(p.own(nil)))/1e6)
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
	n := p.Cores()
	held := len(p.units) - n
	var why []string
	for _, reason := range []struct {
		is   bool
		text string
	}{
		{m.Quota > 0 && m.limit(0) == n, m.leaves()},
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
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d (%s)", n, strings.Join(why, "; "))
}

// leaves says what control groups leave.
func (m *Machine) leaves() string {
	return fmt.Sprintf("a control group leaves the time of %d.%d", m.Quota/1000, m.Quota/100%10)
}

func (m *Machine) home(node int) int {
	for _, n := range m.Nodes {
		if n.ID == node {
			return n.Home
		}
	}
	return node
}

// homes lists the nodes that some units have their memory from.
func (p *Pool) homes(units []int) (list []int) {
	for _, i := range units {
		list = append(list, p.machine.home(p.units[i].core.Node))
	}
	return set(list)
}

// set sorts a list, with each number once.
func set(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}

func sum(of map[int]int64, nodes []int) (n int64) {
	for _, node := range nodes {
		n += of[node]
	}
	return n
}

// holds reports whether the nodes of some units have enough of what runs can have, or of what is left.
func (p *Pool) holds(units []int, memory int64, of map[int]int64) bool {
	return of == nil || memory == 0 || sum(of, p.homes(units)) >= memory
}

// regions lists the smallest parts of the computer that hold a run if it is alone: nodes of
// packages, packages, or all of it. Each is a list of units.
func (p *Pool) regions(cores int, memory int64) (list [][]int) {
	for depth := byNode; depth >= 0 && list == nil; depth-- {
		for _, part := range p.split(p.own(nil), depth) {
			if len(part) >= cores && p.holds(part, memory, p.all) {
				list = append(list, part)
			}
		}
	}
	return list
}

// split groups units that share something.
func (p *Pool) split(units []int, depth int) (parts [][]int) {
	for _, i := range units {
		at := slices.IndexFunc(parts, func(part []int) bool { return p.units[part[0]].within[depth] == p.units[i].within[depth] })
		if at < 0 {
			at, parts = len(parts), append(parts, nil)
		}
		parts[at] = append(parts[at], i)
	}
	return parts
}

// Bind gives a run cores and memory; false where it has to wait for the end of another. What
// [Pool.Refuses] says of it is empty. The same pool with the same runs gives the same place.
func (p *Pool) Bind(cores int, memory int64) (Binding, bool) {
	if cores < 1 {
		return Binding{}, false
	}
	p.look()
	best, region := p.cheapest(p.regions(cores, memory), func(region []int) []int {
		free := slices.DeleteFunc(slices.Clone(region), func(i int) bool { return p.units[i].run != 0 })
		if len(free) < cores || !p.holds(region, memory, p.free) {
			return nil
		}
		return p.pick(free, cores, 0)
	})
	if best == nil {
		return Binding{}, false
	}
	return p.take(best, region, memory), true
}

// cheapest returns the best choice, and its room; nil where no room has one.
func (p *Pool) cheapest(rooms [][]int, choose func(room []int) []int) (best, of []int) {
	var least []int
	for _, room := range rooms {
		choice := choose(room)
		if choice == nil {
			continue
		}
		if cost := p.cost(choice, room); best == nil || slices.Compare(cost, least) < 0 {
			best, of, least = choice, room, cost
		}
	}
	return best, of
}

// cost compares choices, the most important first: runs that share a core with the choice,
// whether its node has no memory, runs that share a cache, from the inner to the outer ones,
// a node, and a package; and the room that it is chosen from.
func (p *Pool) cost(choice, room []int) []int {
	foreign, core := 0, len(p.units[choice[0]].within)-1
	for _, i := range choice {
		if node := p.units[i].core.Node; p.free != nil && p.machine.home(node) != node {
			foreign = 1
		}
	}
	cost := []int{p.sharers(choice, core), foreign}
	for depth := core - 1; depth > 0; depth-- {
		cost = append(cost, p.sharers(choice, depth))
	}
	return append(cost, len(room))
}

// look notes which runs have something of what units share.
func (p *Pool) look() {
	p.on = map[[2]int][]int{}
	for _, u := range p.units {
		for depth, at := range u.within {
			if d := [2]int{depth, at}; u.run != 0 && !slices.Contains(p.on[d], u.run) {
				p.on[d] = append(p.on[d], u.run)
			}
		}
	}
}

// sharers counts the runs that share something with some units.
func (p *Pool) sharers(units []int, depth int) int {
	var runs []int
	for n, i := range units {
		at := p.units[i].within[depth]
		if n == 0 || at != p.units[units[n-1]].within[depth] {
			runs = append(runs, p.on[[2]int{depth, at}]...)
		}
	}
	return len(set(runs))
}

// pick chooses n of some free units, which share all before a depth: all of the largest parts
// while none holds the rest, and then of the part that holds it at least cost.
func (p *Pool) pick(free []int, n, depth int) (choice []int) {
	if depth == len(p.units[free[0]].within) || n == len(free) {
		return free[:n]
	}
	parts := p.split(free, depth)
	if depth == byPackage && !slices.ContainsFunc(parts, func(part []int) bool { return len(part) >= n }) {
		depth = byNode // few nodes are worth more than few packages
		parts = p.split(free, byNode)
	}
	for {
		best, _ := p.cheapest(parts, func(part []int) []int {
			if len(part) < n {
				return nil
			}
			return p.pick(part, n, depth+1)
		})
		if best != nil {
			return append(choice, best...)
		}
		large := slices.MaxFunc(parts, func(a, b []int) int { return cmp.Compare(len(a), len(b)) })
		parts = slices.DeleteFunc(parts, func(part []int) bool { return part[0] == large[0] })
		choice, n = append(choice, large...), n-len(large)
	}
}

// take gives units of a region to a run, and memory.
func (p *Pool) take(choice, region []int, memory int64) (b Binding) {
	p.last++
	first := p.machine.Cores[0]
	kinds := slices.ContainsFunc(p.machine.Cores, func(c Core) bool { return c.Slow != first.Slow })
	packages := slices.ContainsFunc(p.machine.Cores, func(c Core) bool { return c.Package != first.Package })
	slices.Sort(choice)
	for _, i := range choice {
		u := &p.units[i]
		u.run = p.last
		b.Cores = append(b.Cores, u.cpu)
		b.Idle = append(b.Idle, without(u.threads, []int{u.cpu})...)
		b.Shared = b.Shared || p.wish.Threads && u.core.several()
		if packages {
			b.Packages = set(append(b.Packages, u.core.Package))
		}
		if kinds {
			b.Kind = map[bool]string{true: "slow", false: "fast"}[u.core.Slow]
		}
	}
	if p.free != nil && memory > 0 {
		b.Memory = p.bind(choice, region, memory)
	}
	return b
}

// bind gives the last run memory of the nodes of its cores, and where that is not enough, of the
// nodes of the region with the most.
func (p *Pool) bind(choice, region []int, memory int64) []int {
	nodes, more, bound := p.homes(choice), p.homes(region), map[int]int64{}
	slices.SortStableFunc(more, func(a, b int) int { return cmp.Compare(p.free[b], p.free[a]) })
	for _, node := range slices.Concat(nodes, more) {
		if part := min(memory, p.free[node]); part > 0 {
			nodes = append(nodes, node)
			bound[node] += part
			p.free[node] -= part
			memory -= part
		}
	}
	p.bound[p.last] = bound
	return set(nodes)
}

// Give takes back what a run had.
func (p *Pool) Give(place Binding) {
	for i := range p.units {
		u := &p.units[i]
		if !slices.Contains(place.Cores, u.cpu) {
			continue
		}
		for node, n := range p.bound[u.run] {
			p.free[node] += n
		}
		delete(p.bound, u.run)
		u.run = 0
	}
}

// numbers writes numbers for a sentence, with ranges.
func numbers(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && list[j] == list[j-1]+1 {
			j++
		}
		last := strconv.Itoa(list[j-1])
		switch parts = append(parts, strconv.Itoa(list[i])); j - i {
		case 1:
		case 2:
			parts = append(parts, last)
		default:
			parts[len(parts)-1] += "-" + last
		}
		i = j
	}
	return strings.Join(parts, ",")
}
