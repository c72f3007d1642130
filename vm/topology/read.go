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
	maxFile = 64 << 10
	maxCPU  = 8192
	maxNode = 1024
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
	on := r.list(path.Join(cpuDir, "online"), maxCPU)
	status := r.text("proc/self/status")
	allowed := r.parse("proc/self/status", field(status, "Cpus_allowed_list"), maxCPU)
	switch {
	case on == nil && allowed == nil && r.err == nil:
		r.err = fmt.Errorf("%s/online names no processor", cpuDir)
	case on == nil:
		on = allowed
	case allowed == nil:
		allowed = on
	}
	m.Offline = without(r.list(path.Join(cpuDir, "present"), maxCPU), on)
	m.Barred = without(on, allowed)
	m.Nodes = r.nodes(r.parse("proc/self/status", field(status, "Mems_allowed_list"), maxNode))
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
	fast, slow := r.list("sys/devices/cpu_core/cpus", maxCPU), r.list("sys/devices/cpu_atom/cpus", maxCPU)
	near := map[int]int{}
	for _, n := range m.Nodes {
		for _, t := range r.list(path.Join(nodeDir, fmt.Sprintf("node%d", n.ID), "cpulist"), maxCPU) {
			near[t] = n.ID
		}
	}
	m.Unknown = true
	all, capacity, most := map[int]*Core{}, map[int]int{}, 0
	caches := map[[2]int]*Cache{}
	for _, t := range on {
		dir := path.Join(cpuDir, fmt.Sprintf("cpu%d", t))
		siblings := r.list(path.Join(dir, "topology/core_cpus_list"), maxCPU)
		if siblings == nil { // of kernels before 5.3
			siblings = r.list(path.Join(dir, "topology/thread_siblings_list"), maxCPU)
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
		capacity[first] = r.number(path.Join(dir, "cpu_capacity"))
		if len(fast) > 0 && len(slow) > 0 {
			capacity[first] = 0
			if slices.Contains(fast, t) {
				capacity[first] = 1
			}
		}
		most = max(most, capacity[first])
		for i := range 8 {
			r.cache(path.Join(dir, fmt.Sprintf("cache/index%d", i)), t, caches)
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
	last := 0
	for _, c := range caches {
		last = max(last, c.Level)
	}
	for _, c := range caches {
		if cores := m.coresOf(c.Threads); c.Level == last || len(cores) > 1 {
			m.Caches = append(m.Caches, *c)
		}
	}
	slices.SortFunc(m.Caches, func(a, b Cache) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Threads[0], b.Threads[0]))
	})
}

// coresOf lists the indices of the cores that some threads belong to.
func (m *Machine) coresOf(threads []int) (list []int) {
	for i, c := range m.Cores {
		if slices.ContainsFunc(threads, func(t int) bool { return slices.Contains(c.Threads, t) }) {
			list = append(list, i)
		}
	}
	return list
}

// cache notes that a thread uses a cache. Those for instructions alone, and the small ones
// of a core, are left out.
func (r *reader) cache(dir string, thread int, all map[[2]int]*Cache) {
	level := r.number(path.Join(dir, "level"))
	shared := r.list(path.Join(dir, "shared_cpu_list"), maxCPU)
	if level < 2 || level > 9 || shared == nil || r.text(path.Join(dir, "type")) == "Instruction" {
		return
	}
	key := [2]int{level, shared[0]}
	if all[key] == nil {
		all[key] = &Cache{Level: level, Bytes: r.size(path.Join(dir, "size"))}
	}
	if !slices.Contains(all[key].Threads, thread) {
		all[key].Threads = append(all[key].Threads, thread)
	}
}

// nodes reads the nodes of memory, of which this process may use some; nil for all.
func (r *reader) nodes(allowed []int) (list []Node) {
	far := map[int][]string{}
	for _, id := range r.list(path.Join(nodeDir, "online"), maxNode) {
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
	limit := func(quota, period string) {
		q, err1 := strconv.ParseInt(quota, 10, 40)
		p, err2 := strconv.ParseInt(period, 10, 40)
		if n := int(1000 * q / max(p, 1)); err1 == nil && err2 == nil && q > 0 && p > 0 && (least == 0 || n < least) {
			least = max(n, 1)
		}
	}
	for line := range strings.Lines(r.text("proc/self/cgroup")) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, at, ok := strings.Cut(rest, ":")
		at = strings.Trim(at, "/")
		dir := groupDir
		switch {
		case !ok || at != "" && !fs.ValidPath(at):
			continue
		case controllers != "" && !slices.Contains(strings.Split(controllers, ","), "cpu"):
			continue
		case controllers != "":
			dir = path.Join(groupDir, "cpu")
		}
		for range 64 {
			if controllers == "" {
				quota, period, _ := strings.Cut(r.text(path.Join(dir, at, "cpu.max")), " ")
				limit(quota, period)
			} else {
				limit(r.text(path.Join(dir, at, "cpu.cfs_quota_us")), r.text(path.Join(dir, at, "cpu.cfs_period_us")))
			}
			if at == "" || at == "." {
				break
			}
			at = path.Dir(at)
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
func (r *reader) list(name string, most int) []int { return r.parse(name, r.text(name), most) }

// parse reads a list such as 0-3,8 (cpuset(7), "List format"): ascending, each number once.
func (r *reader) parse(name, text string, most int) []int {
	if text == "" {
		return nil
	}
	set := make([]bool, most)
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(low)
		to := from
		if isRange && err == nil {
			to, err = strconv.Atoi(high)
		}
		if err != nil || from < 0 || to < from || to >= most {
			if r.err == nil {
				r.err = fmt.Errorf("%s: %q is no list of numbers below %d", name, wording.Cut(text, 60), most)
			}
			return nil
		}
		for n := from; n <= to; n++ {
			set[n] = true
		}
	}
	var list []int
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
