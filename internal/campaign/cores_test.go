package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"podium/vm"
	"podium/vm/topology"
)

// cores are those of a host of which nothing else is known.
func cores(list ...int) *topology.Pool { return topology.Plain(list...).Pool(topology.Wish{}, nil) }

// recorded is a host of two packages, each with two cores of two threads and a node of memory: core
// 0 has the threads 0 and 4, and so on. A process may use some of them.
func recorded(t *testing.T, allowed string) *topology.Machine {
	t.Helper()
	files := fstest.MapFS{}
	put := func(name, text string) { files[name] = &fstest.MapFile{Data: []byte(text + "\n")} }
	put("sys/devices/system/cpu/online", "0-7")
	put("proc/self/status", "Cpus_allowed_list:\t"+allowed)
	put("sys/devices/system/node/online", "0-1")
	for thread := range 8 {
		dir := fmt.Sprintf("sys/devices/system/cpu/cpu%d/", thread)
		put(dir+"topology/core_cpus_list", fmt.Sprintf("%d,%d", thread%4, thread%4+4))
		put(dir+"topology/physical_package_id", fmt.Sprint(thread%4/2))
	}
	for node, list := range []string{"0-1,4-5", "2-3,6-7"} {
		dir := fmt.Sprintf("sys/devices/system/node/node%d/", node)
		put(dir+"cpulist", list)
		put(dir+"distance", "10 20")
		put(dir+"meminfo", fmt.Sprintf("Node %d MemTotal: 8388608 kB\nNode %[1]d MemFree: 4194304 kB", node))
	}
	m, err := topology.Read(files)
	must(t, err)
	return m
}

// placedMachines notes the machines that were booted.
type placedMachines struct {
	machines
	mu    sync.Mutex
	specs []vm.Spec
}

func (d *placedMachines) Boot(ctx context.Context, s vm.Spec) (vm.Machine, error) {
	d.mu.Lock()
	d.specs = append(d.specs, s)
	d.mu.Unlock()
	return d.machines.Boot(ctx, s)
}

// TestBusyNeighbour: beside a process that has a thread of a core, runs get other cores, and memory
// of the nodes of these; the journal says where each run was.
func TestBusyNeighbour(t *testing.T) {
	host, locks := recorded(t, "0-7"), topology.Locks(t.TempDir())
	neighbour, err := host.Claim(t.Context(), locks, topology.Wish{Cores: 1, Run: 1, Threads: true}, nil) // on thread 0
	must(t, err)
	defer neighbour.Close()
	c := small(t)
	wish := topology.Wish{Threads: false}
	wish.Run, wish.Memory = c.Plan.Largest()
	var said []string
	mine, err := host.Claim(t.Context(), locks, wish, func(sentence string) { said = append(said, sentence) })
	must(t, err)
	defer mine.Close()
	if len(said) != 1 || !strings.HasPrefix(said[0], "of 4 cores, 1 in use by another process: this process uses the other 3") {
		t.Errorf("said %q", said)
	}
	d := &placedMachines{machines: machines{exec: answering, runs: map[string]int{}}}
	s, err := c.Work(t.Context(), Options{Driver: d, Cores: mine, Memory: 4 << 30})
	if err != nil || s.Done != 16 {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, spec := range d.specs {
		if len(spec.CPUs) != 1 || !slices.Contains([]int{1, 2, 3}, spec.CPUs[0]) || !slices.Equal(spec.Nodes, []int{spec.CPUs[0] / 2}) {
			t.Errorf("a run was bound to threads %v and nodes %v", spec.CPUs, spec.Nodes)
		}
	}
	log, err := c.Read(t.Context())
	must(t, err)
	for run, f := range log.Finished {
		core := f.Binding.Cores[0]
		if want := fmt.Sprintf("core %d, package %d, memory of node %d, idle thread %d", core, core/2, core/2, core+4); f.Binding.Text() != want {
			t.Errorf("%s: %s, want %s", run, f.Binding.Text(), want)
		}
	}
}

// TestForeignThreads: where others may use a thread of each core, runs are refused; and with
// --share-threads they are done, and the journal says so.
func TestForeignThreads(t *testing.T) {
	host, c := recorded(t, "0-3"), small(t)
	wish := topology.Wish{Run: 1}
	_, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: host.Pool(wish, nil)})
	var small *TooSmallError
	if !errors.As(err, &small) || !strings.Contains(err.Error(), "each run of tool ant needs 1 core, and there are 0 (4 threads of cores that others may use, too: --share-threads takes them)") {
		t.Errorf("%v", err)
	}
	wish.Threads = true
	_, err = c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: host.Pool(wish, nil)})
	must(t, err)
	log, err := c.Read(t.Context())
	must(t, err)
	for run, f := range log.Finished {
		if !f.Binding.Shared || !strings.Contains(f.Binding.Text(), "threads shared with other runs (--share-threads)") {
			t.Errorf("%s: %s", run, f.Binding.Text())
		}
	}
}
