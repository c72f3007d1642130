package topology

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"podium/internal/wording"
)

// Machine is a computer, as far as this process may use it.
type Machine struct {
	Cores   []Core  `json:"cores"`            // with threads that this process may use, by the first of these
	Caches  []Cache `json:"caches"`           // that cores have in common, the largest levels first
	Nodes   []Node  `json:"nodes"`            // of memory; none where the kernel shows none
	Offline []int   `json:"offline"`          // threads that are switched off
	Barred  []int   `json:"barred"`           // threads that are on, and not for this process
	Quota   int     `json:"quota,omitzero"`   // thousandths of a core that control groups leave; 0 for no limit
	Unknown bool    `json:"unknown,omitzero"` // the kernel shows no cores: each thread is taken for one
}

// Core is a physical core.
type Core struct {
	Threads []int `json:"threads"`       // logical processors that this process may use
	Others  []int `json:"others"`        // that are on, and not for this process
	Package int   `json:"package"`       // by the kernel's number, as the next two
	Die     int   `json:"die"`           // in the package
	Node    int   `json:"node"`          // of the memory that is near
	Slow    bool  `json:"slow,omitzero"` // there are cores of a faster kind
}

// Cache is a cache that several cores share, or of the last level.
type Cache struct {
	Level   int   `json:"level"`
	Bytes   int64 `json:"bytes"`
	Threads []int `json:"threads"` // that are on
}

// Node is a node of memory.
type Node struct {
	ID    int   `json:"node"`
	Bytes int64 `json:"bytes"` // 0 where it has none, or none for this process
	Free  int64 `json:"free"`  // bytes that new processes can have
	Home  int   `json:"home"`  // the node itself, or the nearest one with memory
}

// Limits of what is read.
const (
	maxFile   = 64 << 10
	maxNumber = 8192
)

const (
	cpuDir   = "sys/devices/system/cpu"
	nodeDir  = "sys/devices/system/node"
	groupDir = "sys/fs/cgroup"
)

// reader keeps the first file that is not as the kernel writes it.
type reader struct {
	root fs.FS
	err  error
}

// Read reads the computer whose /proc and /sys lie below a root. What the kernel does not
// show is left out: the cores of a virtual machine may be threads without siblings.
func Read(root fs.FS) (*Machine, error) {
	r := &reader{root: root}
	m := &Machine{Quota: r.quota()}
	on := r.list(path.Join(cpuDir, "online"))
	status := r.text("proc/self/status")
	allowed := r.parse("proc/self/status", field(status, "Cpus_allowed_list"))
	switch {
	case on == nil && allowed == nil && r.err == nil:
		r.err = fmt.Errorf("%s/online names no processor", cpuDir)
	case on == nil:
		on = allowed
	case allowed == nil:
		allowed = on
	}
	m.Offline = without(r.list(path.Join(cpuDir, "present")), on)
	m.Barred = without(on, allowed)
	m.Nodes = r.nodes(r.parse("proc/self/status", field(status, "Mems_allowed_list")))
	r.cores(m, on)
	if r.err == nil && len(m.Cores) == 0 {
		r.err = fmt.Errorf("no processor that is on is for this process")
	}
	return m, r.err
}

// Plain is a computer of which nothing is known but its threads.
func Plain(threads ...int) *Machine {
	m := &Machine{Unknown: true}
	for _, t := range threads {
		m.Cores = append(m.Cores, Core{Threads: []int{t}})
	}
	return m
}

// Only returns the computer as one that may use no other threads than some.
func (m *Machine) Only(threads []int) *Machine {
	only := *m
	only.Cores = nil
	for _, c := range m.Cores {
		gone := without(c.Threads, threads)
		only.Barred = append(slices.Clone(only.Barred), gone...)
		c.Others, c.Threads = append(slices.Clone(c.Others), gone...), without(c.Threads, gone)
		if len(c.Threads) > 0 {
			only.Cores = append(only.Cores, c)
		}
	}
	return &only
}

// cores joins threads to cores, and finds what these share.
func (r *reader) cores(m *Machine, on []int) {
	fast, slow := r.list("sys/devices/cpu_core/cpus"), r.list("sys/devices/cpu_atom/cpus")
	near := map[int]int{}
	for _, n := range m.Nodes {
		for _, t := range r.list(path.Join(nodeDir, fmt.Sprintf("node%d", n.ID), "cpulist")) {
			near[t] = n.ID
		}
	}
	m.Unknown = true
	all, capacity, most := map[int]*Core{}, map[int]int{}, 0
	caches, last := map[[2]int]*Cache{}, 0
	for _, t := range on {
		dir := path.Join(cpuDir, fmt.Sprintf("cpu%d", t))
		siblings := r.list(path.Join(dir, "topology/core_cpus_list"))
		if siblings == nil { // of kernels before 5.3
			siblings = r.list(path.Join(dir, "topology/thread_siblings_list"))
		}
		first := t
		if siblings != nil {
			first, m.Unknown = siblings[0], false
		}
		c := all[first]
		if c == nil {
			c = &Core{Package: r.number(path.Join(dir, "topology/physical_package_id")), Die: r.number(path.Join(dir, "topology/die_id")), Node: near[t]}
			all[first] = c
		}
		if slices.Contains(m.Barred, t) {
			c.Others = append(c.Others, t)
		} else {
			c.Threads = append(c.Threads, t)
		}
		if capacity[first] = r.number(path.Join(dir, "cpu_capacity")); len(fast) > 0 && len(slow) > 0 {
			capacity[first] = map[bool]int{true: 1}[slices.Contains(fast, t)]
		}
		most = max(most, capacity[first])
		for i := range 8 {
			last = max(last, r.cache(path.Join(dir, fmt.Sprintf("cache/index%d", i)), t, caches))
		}
	}
	for first, c := range all {
		// Cores of one kind may differ a little in what they promise.
		c.Slow = 4*capacity[first] <= 3*most && most > 0
		if len(c.Threads) > 0 {
			m.Cores = append(m.Cores, *c)
		}
	}
	slices.SortFunc(m.Cores, func(a, b Core) int { return cmp.Compare(a.Threads[0], b.Threads[0]) })
	for _, c := range caches {
		cores := 0
		for _, core := range m.Cores {
			if len(without(core.Threads, c.Threads)) < len(core.Threads) {
				cores++
			}
		}
		if c.Level == last || cores > 1 {
			m.Caches = append(m.Caches, *c)
		}
	}
	slices.SortFunc(m.Caches, func(a, b Cache) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Threads[0], b.Threads[0]))
	})
}

// cache notes that a thread uses a cache, and returns its level. Those for instructions alone, and
// the small ones of a core, are left out: their level is 0.
func (r *reader) cache(dir string, thread int, all map[[2]int]*Cache) int {
	level := r.number(path.Join(dir, "level"))
	shared := r.list(path.Join(dir, "shared_cpu_list"))
	if level < 2 || level > 9 || shared == nil || r.text(path.Join(dir, "type")) == "Instruction" {
		return 0
	}
	key := [2]int{level, shared[0]}
	if all[key] == nil {
		all[key] = &Cache{Level: level, Bytes: r.size(path.Join(dir, "size"))}
	}
	all[key].Threads = set(append(all[key].Threads, thread))
	return level
}

// nodes reads the nodes of memory, of which this process may use some; nil for all.
func (r *reader) nodes(allowed []int) (list []Node) {
	far := map[int][]string{}
	for _, id := range r.list(path.Join(nodeDir, "online")) {
		dir := path.Join(nodeDir, fmt.Sprintf("node%d", id))
		n := Node{ID: id, Home: id}
		if allowed == nil || slices.Contains(allowed, id) {
			info := r.text(path.Join(dir, "meminfo"))
			kb := func(name string) int64 {
				text, _, _ := strings.Cut(field(info, fmt.Sprintf("Node %d %s", id, name)), " ")
				n, _ := strconv.ParseInt(text, 10, 53)
				return max(n, 0) << 10
			}
			n.Bytes = kb("MemTotal")
			n.Free = min(n.Bytes, kb("MemFree")+kb("Active(file)")+kb("Inactive(file)")+kb("SReclaimable"))
		}
		far[id] = strings.Fields(r.text(path.Join(dir, "distance")))
		list = append(list, n)
	}
	for i, n := range list {
		best := int64(-1)
		for j, other := range list {
			if n.Bytes > 0 || other.Bytes == 0 || j >= len(far[n.ID]) {
				continue
			}
			if d, err := strconv.ParseInt(far[n.ID][j], 10, 32); err == nil && (best < 0 || d < best) {
				best, list[i].Home = d, other.ID
			}
		}
	}
	return list
}

// quota returns the thousandths of a core that the control groups above this process leave
// it, 0 for no limit.
func (r *reader) quota() (least int) {
	for line := range strings.Lines(r.text("proc/self/cgroup")) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) < 3 || part[1] != "" && !slices.Contains(strings.Split(part[1], ","), "cpu") {
			continue
		}
		top, names := groupDir, []string{"cpu.max"}
		if part[1] != "" { // version 1
			top, names = groupDir+"/cpu", []string{"cpu.cfs_quota_us", "cpu.cfs_period_us"}
		}
		for at := path.Join(top, part[2]); at == top || strings.HasPrefix(at, top+"/"); at = path.Dir(at) {
			var words []string
			for _, name := range names {
				words = append(words, strings.Fields(r.text(path.Join(at, name)))...)
			}
			if len(words) != 2 {
				continue
			}
			quota, err1 := strconv.ParseInt(words[0], 10, 40)
			period, err2 := strconv.ParseInt(words[1], 10, 40)
			if n := max(1, int(1000*quota/max(period, 1))); err1 == nil && err2 == nil && quota > 0 && period > 0 && (least == 0 || n < least) {
				least = n
			}
		}
	}
	return least
}

// text returns a short file without the space around it, "" where it is not there.
func (r *reader) text(name string) string {
	f, err := r.root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// number reads a whole number that is not negative; 0 where there is none.
func (r *reader) number(name string) int {
	n, _ := strconv.ParseInt(r.text(name), 10, 32)
	return int(max(n, 0))
}

// size reads a size such as 32768K.
func (r *reader) size(name string) int64 {
	text := r.text(name)
	digits := strings.TrimRight(text, "KMG")
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	return n << map[string]int{"": 0, "K": 10, "M": 20, "G": 30}[text[len(digits):]]
}

// list reads a file with a list of numbers, nil where it is not there or empty.
func (r *reader) list(name string) []int { return r.parse(name, r.text(name)) }

// parse reads a list such as 0-3,8 (cpuset(7), "List format"): ascending, each number once.
func (r *reader) parse(name, text string) (list []int) {
	if text == "" {
		return nil
	}
	set := make([]bool, maxNumber)
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(low)
		to := from
		if isRange && err == nil {
			to, err = strconv.Atoi(high)
		}
		if err != nil || from < 0 || to < from || to >= maxNumber {
			if r.err == nil {
				r.err = fmt.Errorf("%s: %q is no list of numbers below %d", name, wording.Cut(text, 60), maxNumber)
			}
			return nil
		}
		for n := from; n <= to; n++ {
			set[n] = true
		}
	}
	for n, in := range set {
		if in {
			list = append(list, n)
		}
	}
	return list
}

// field returns the value of the first line "name: value" of a text.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, ":"); ok && key == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// without returns the members of a list that are not in another.
func without(list, other []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(n int) bool { return slices.Contains(other, n) })
}
