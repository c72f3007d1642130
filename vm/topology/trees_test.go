package topology

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// tree writes what the kernel shows of a computer, file by file, after
// Documentation/admin-guide/cputopology.rst and Documentation/ABI/testing/sysfs-devices-system-cpu.
type tree struct {
	cpus    []cpu
	nodes   []memory
	off     []int
	allowed string // of /proc/self/status; "" for all
	mems    string
	files   map[string]string // more of them
	bare    bool              // without topology, caches and nodes
}

type cpu struct {
	core, pack, die, node, l2, l3 int // numbers that are equal where it is the same one
	capacity                      int
}

type memory struct {
	gib      int64
	distance string
}

func (t *tree) fs() fstest.MapFS {
	files := fstest.MapFS{}
	put := func(name, text string) { files[name] = &fstest.MapFile{Data: []byte(text + "\n")} }
	n := len(t.cpus)
	all := fmt.Sprintf("0-%d", n-1)
	online := without(span(0, n), t.off)
	put("sys/devices/system/cpu/possible", all)
	put("sys/devices/system/cpu/present", all)
	put("sys/devices/system/cpu/online", numbers(online))
	status := "Name:\tpodium\nCpus_allowed:\tff\nCpus_allowed_list:\t" + orElse(t.allowed, all)
	status += "\nMems_allowed:\t1\nMems_allowed_list:\t" + orElse(t.mems, fmt.Sprintf("0-%d", max(0, len(t.nodes)-1)))
	put("proc/self/status", status)
	same := func(of func(cpu) int, me int) string {
		return numbers(slices.DeleteFunc(slices.Clone(online), func(o int) bool { return of(t.cpus[o]) != of(t.cpus[me]) }))
	}
	core := func(c cpu) int { return c.core }
	for _, i := range online {
		c, dir := t.cpus[i], fmt.Sprintf("sys/devices/system/cpu/cpu%d/", i)
		if t.bare {
			put(dir+"uevent", "DRIVER=processor")
			continue
		}
		put(dir+"topology/physical_package_id", fmt.Sprint(c.pack))
		put(dir+"topology/die_id", fmt.Sprint(c.die))
		put(dir+"topology/core_id", fmt.Sprint(c.core))
		put(dir+"topology/core_cpus_list", same(core, i))
		put(dir+"topology/thread_siblings_list", same(core, i))
		if c.capacity > 0 {
			put(dir+"cpu_capacity", fmt.Sprint(c.capacity))
		}
		for index, cache := range []struct {
			level      int
			kind, size string
			of         func(cpu) int
		}{{1, "Data", "32K", core}, {1, "Instruction", "32K", core}, {2, "Unified", "1024K", func(c cpu) int { return c.l2 }}, {3, "Unified", "32768K", func(c cpu) int { return c.l3 }}} {
			at := fmt.Sprintf("%scache/index%d/", dir, index)
			put(at+"level", fmt.Sprint(cache.level))
			put(at+"type", cache.kind)
			put(at+"size", cache.size)
			put(at+"shared_cpu_list", same(cache.of, i))
		}
	}
	if !t.bare && len(t.nodes) > 0 {
		put("sys/devices/system/node/online", fmt.Sprintf("0-%d", len(t.nodes)-1))
		for id, m := range t.nodes {
			dir := fmt.Sprintf("sys/devices/system/node/node%d/", id)
			put(dir+"cpulist", numbers(slices.DeleteFunc(slices.Clone(online), func(o int) bool { return t.cpus[o].node != id })))
			put(dir+"distance", m.distance)
			var info strings.Builder
			for _, line := range []struct {
				name string
				kb   int64
			}{{"MemTotal", m.gib << 20}, {"MemFree", m.gib << 19}, {"Active(file)", m.gib << 18}, {"Inactive(file)", 0}, {"SReclaimable", 0}} {
				fmt.Fprintf(&info, "Node %d %-15s %8d kB\n", id, line.name+":", line.kb)
			}
			put(dir+"meminfo", info.String())
		}
	}
	for name, text := range t.files {
		put(name, text)
	}
	return files
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// span lists the numbers from one to before another.
func span(from, to int) (list []int) {
	for n := from; n < to; n++ {
		list = append(list, n)
	}
	return list
}

// regular is a computer of packages with cores of so many threads, which the kernel numbers
// behind all the first ones; an L3 is for so many cores.
func regular(packages, cores, threads, perL3 int, nodes ...memory) *tree {
	t := &tree{nodes: nodes}
	for range threads {
		for c := range packages * cores {
			t.cpus = append(t.cpus, cpu{core: c, pack: c / cores, node: c * max(1, len(nodes)) / (packages * cores), l2: c, l3: c/cores*100 + c%cores/perL3})
		}
	}
	return t
}

// trees are computers of all kinds.
func trees() map[string]*tree {
	two := []memory{{32, "10 21"}, {32, "21 10"}}
	hybrid := &tree{nodes: []memory{{16, "10"}}, files: map[string]string{"sys/devices/cpu_core/cpus": "0-7", "sys/devices/cpu_atom/cpus": "8-15"}}
	for i := range 16 {
		c := cpu{core: i / 2, l2: i / 2, capacity: 1024 - 15*(i/4%2)} // the kernel favours some of the fast ones
		if i >= 8 {
			c = cpu{core: i, l2: 100 + i/4, capacity: 600} // four share an L2
		}
		hybrid.cpus = append(hybrid.cpus, c)
	}
	arm := regular(1, 8, 1, 8, memory{16, "10"})
	for i := range arm.cpus {
		arm.cpus[i].capacity = []int{1024, 446}[i/4]
	}
	four := regular(2, 8, 1, 4, memory{32, "10 12 32 32"}, memory{32, "12 10 32 32"}, memory{32, "32 32 10 12"}, memory{0, "32 32 12 10"})
	off := regular(1, 8, 2, 4, memory{32, "10"})
	off.off = []int{2, 5, 9, 13} // a core, and threads
	container := regular(2, 4, 2, 4, two...)
	container.allowed, container.mems = "1-3,9-10", "0"
	container.files = map[string]string{"proc/self/cgroup": "0::/docker/x", "sys/fs/cgroup/docker/x/cpu.max": "250000 100000", "sys/fs/cgroup/docker/cpu.max": "max 100000"}
	return map[string]*tree{
		"two packages":         regular(2, 4, 2, 4, two...),
		"chiplets":             regular(1, 32, 2, 8, memory{128, "10"}),
		"hybrid":               hybrid,
		"hybrid by capacity":   arm,
		"four nodes":           four,
		"offline":              off,
		"container":            container,
		"virtual":              {cpus: make([]cpu, 2), bare: true},
		"two ordinary threads": regular(1, 2, 1, 2, memory{8, "10"}),
	}
}

func read(t testing.TB, of *tree) *Machine {
	t.Helper()
	m, err := Read(of.fs())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestPictures: lines fit, and say what is there.
func TestPictures(t *testing.T) {
	for name, of := range trees() {
		for _, line := range read(t, of).Picture(nil) {
			if len(line) > width {
				t.Errorf("%s: %d columns: %s", name, len(line), line)
			}
		}
	}
	held := []Holder{{4711, "podium run out/contest", []int{0, 8}}}
	for name, want := range map[string]string{
		"two packages": `2 packages, 8 cores, 16 threads, 2 nodes of memory
package 0, node 0 with 32 GiB
  L3 32 MiB: 0+8* 1+9 2+10 3+11
package 1, node 1 with 32 GiB
  L3 32 MiB: 4+12 5+13 6+14 7+15
* in use
in use: 0,8 by process 4711 (podium run out/contest)
runs of 1 core: 7 at a time; alone in an L3: 1, in a package: 1
runs of 2 cores: 3 at a time; alone in an L3: 1, in a package: 1
runs of 4 cores: 1 at a time`,
		"hybrid": `1 package, 12 cores, 16 threads
package 0, node 0 with 16 GiB
  L3 32 MiB: 0+1* 2+3 4+5 6+7 8s* 9s 10s 11s 12s 13s 14s 15s
* in use
s slower kind
in use: 0,8 by process 4711 (podium run out/contest)
runs of 1 core: 3 at a time; alone in an L3: 0
runs of 2 cores: 1 at a time; alone in an L3: 0`,
		"container": `1 package, 3 cores, 5 threads, 2 nodes of memory
package 0, node 0 with 32 GiB
  L3 32 MiB: 1+9 2+10 3-
- its other threads are not for this process
not for this process: 0, 4-8, 11-15
a control group leaves the time of 2.5 cores
in use: 0,8 by process 4711 (podium run out/contest)
runs of 1 core: 2 at a time; alone in an L3: 1
runs of 2 cores: 1 at a time`,
		"virtual": `2 processors; the kernel shows no cores, so each is taken for one
package 0
  no shared cache: 0* 1
* in use
in use: 0,8 by process 4711 (podium run out/contest)
runs of 1 core: 1 at a time`,
	} {
		if got := strings.Join(read(t, trees()[name]).Picture(held), "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}
