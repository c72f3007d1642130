package topology

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPlacements says where runs are placed on computers of all kinds.
func TestPlacements(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		on     string
		wish   Wish
		places string // in the order of the runs, or why there are none
	}{
		{"two packages", Wish{Run: 1}, "0 4 1 5 2 6 3 7"},
		{"two packages", Wish{Run: 4}, "0-3 4-7"},
		{"two packages", Wish{Run: 3}, "0-2 4-6"},
		{"two packages", Wish{Run: 8}, "0-7"},
		{"two packages", Wish{Run: 9}, "9 cores, and there are 8 (16 threads: --share-threads counts each as a core)"},
		{"two packages", Wish{Run: 1, Threads: true}, "0 4 1 5 2 6 3 7 8 12 9 13 10 14 11 15"},
		{"two packages", Wish{Run: 2, Threads: true}, "0,8 4,12 1,9 5,13 2,10 6,14 3,11 7,15"},
		{"two packages", Wish{Run: 4, Memory: 20 * gib}, "0-3/node 0 4-7/node 1"},
		{"two packages", Wish{Run: 1, Memory: 10 * gib}, "0/node 0 4/node 1 1/node 0 5/node 1"},
		{"two packages", Wish{Run: 1, Memory: 30 * gib}, "0/nodes 0,1"},
		{"two packages", Wish{Run: 1, Memory: 50 * gib}, "53687 MB of memory, and the nodes of its cores have 51539 MB free"},
		{"two packages", Wish{Run: 4, Cores: 6}, "0-3"},
		{"two packages", Wish{Run: 1, Cores: 3}, "4 0 1"},
		{"two packages", Wish{Run: 4, Cores: 3}, "4 cores, and there are 3 (as --cores-used says; 16 threads: --share-threads counts each as a core)"},
		{"chiplets", Wish{Run: 1, Cores: 5}, "8 16 24 0 1"},
		{"chiplets", Wish{Run: 4}, "0-3 8-11 16-19 24-27 4-7 12-15 20-23 28-31"},
		{"chiplets", Wish{Run: 6}, "0-5 8-13 16-21 24-29 6,7,14,15,22,23"},
		{"hybrid", Wish{Run: 1}, "0(fast) 2(fast) 4(fast) 6(fast)"},
		{"hybrid", Wish{Run: 6}, "6 cores, and there are 4 (8 slower left out: `taskset` can leave only those; 16 threads: --share-threads counts each as a core)"},
		{"hybrid by capacity", Wish{Run: 2}, "0,1(fast) 2,3(fast)"},
		{"four nodes", Wish{Run: 4, Memory: 4 * gib}, "0-3/node 0 8-11/node 2 4-7/node 1 12-15/node 2"},
		{"four nodes", Wish{Run: 1, Cores: 5, Memory: gib}, "4/node 1 8/node 2 0/node 0 9/node 2 1/node 0"},
		{"four nodes", Wish{Run: 6, Memory: 4 * gib}, "0-5/nodes 0,1 8-13/node 2"},
		{"offline", Wish{Run: 1}, "4 0 6 1 7 3 10"},
		{"offline", Wish{Run: 4}, "0,1,3,10"},
		{"container", Wish{Run: 1}, "1 2"},
		{"container", Wish{Run: 3}, "3 cores, and there are 2 (a control group leaves the time of 2.5; 1 thread of cores that others may use, too: --share-threads takes them)"},
		{"virtual", Wish{Run: 1}, "0 1"},
		{"virtual", Wish{Run: 2}, "0,1"},
		{"virtual", Wish{Run: 4}, "4 cores, and there are 2"},
		{"two ordinary threads", Wish{Run: 1}, "0 1"},
	} {
		p := read(t, trees()[c.on]).Pool(c.wish, nil)
		got := p.Refuses(c.wish.Run, c.wish.Memory)
		if got == "" {
			var list []string
			for _, at := range place(p, c.wish.Run, c.wish.Memory) {
				text := numbers(at.Cores)
				if at.Kind != "" {
					text += "(" + at.Kind + ")"
				}
				if len(at.Memory) > 0 {
					text += map[bool]string{true: "/node ", false: "/nodes "}[len(at.Memory) == 1] + numbers(at.Memory)
				}
				list = append(list, text)
			}
			got = strings.Join(list, " ")
		}
		if got != c.places {
			t.Errorf("%s, %+v:\n%s, want\n%s", c.on, c.wish, got, c.places)
		}
	}
}

func TestPlaceText(t *testing.T) {
	place := func(on string, w Wish) string {
		at, _ := read(t, trees()[on]).Pool(w, nil).Bind(w.Run, w.Memory)
		return at.Text()
	}
	for got, want := range map[string]string{
		place("two packages", Wish{Run: 2, Memory: 1 << 30}): "cores 0,1, package 0, memory of node 0, idle threads 8,9",
		place("two packages", Wish{Run: 1, Threads: true}):   "core 0, package 0, threads shared with other runs (--share-threads)",
		place("hybrid", Wish{Run: 4}):                        "cores 0,2,4,6 (fast), idle threads 1,3,5,7",
		place("virtual", Wish{Run: 1}):                       "core 0",
		place("four nodes", Wish{Run: 6, Memory: 1 << 30}):   "cores 0-5, package 0, memory of nodes 0,1",
		Binding{}.Text(): "",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestOnly: threads that a driver cannot pin runs to are others', and a core of which these
// have a thread is no whole core.
func TestOnly(t *testing.T) {
	m := read(t, trees()["two packages"])
	if p := m.Only(span(0, 12)).Pool(Wish{}, nil); p.Refuses(5, 0) != "5 cores, and there are 4 (4 threads of cores that others may use, too: --share-threads takes them)" {
		t.Error(p.Refuses(5, 0))
	}
	if n := m.Only(span(0, 12)).Pool(Wish{Threads: true}, nil).Cores(); n != 12 {
		t.Errorf("%d threads", n)
	}
	if p := Plain(4, 5).Pool(Wish{}, nil); p.Cores() != 2 || len(place(p, 1, 1<<40)) != 2 {
		t.Error("two processors of which nothing is known are two cores, and their memory is not counted")
	}
}

// TestSlowCoresAlone: where only slow cores are left to a process, it uses them.
func TestSlowCoresAlone(t *testing.T) {
	of := trees()["hybrid"]
	of.allowed = "8-15"
	p := read(t, of).Pool(Wish{}, nil)
	if at, ok := p.Bind(4, 0); !ok || numbers(at.Cores) != "8-11" || p.Cores() != 8 {
		t.Errorf("%v of %s", at, p.have())
	}
	if at, ok := p.Bind(1, 0); !ok || numbers(at.Cores) != "12" { // with an L2 of its own
		t.Errorf("%v", at)
	}
}

// TestMixedSizes: a run waits for its node rather than to lie on two.
func TestMixedSizes(t *testing.T) {
	p := read(t, trees()["two packages"]).Pool(Wish{Run: 4}, nil)
	first, _ := p.Bind(1, 0)
	p.Bind(1, 0)
	if at, ok := p.Bind(4, 0); ok {
		t.Fatalf("placed on %v", at)
	}
	p.Give(first)
	if at, ok := p.Bind(4, 0); !ok || numbers(at.Cores) != "0-3" {
		t.Fatalf("placed on %v, %t", at, ok)
	}
}

func TestReadRefuses(t *testing.T) {
	for file, text := range map[string]string{
		"sys/devices/system/cpu/online": "0-", "sys/devices/system/cpu/present": "3-1", "sys/devices/system/cpu/cpu0/topology/core_cpus_list": "0-99999999",
		"sys/devices/system/node/node0/cpulist": "-1", "proc/self/status": "Cpus_allowed_list:\t0;1\n",
	} {
		files := trees()["two packages"].fs()
		files[file] = &fstest.MapFile{Data: []byte(text)}
		if _, err := Read(files); err == nil || !strings.Contains(err.Error(), file+": ") || !strings.Contains(err.Error(), "is no list of numbers below") {
			t.Errorf("%s: %v", file, err)
		}
	}
	if _, err := Read(fstest.MapFS{}); err == nil || !strings.Contains(err.Error(), "names no processor") {
		t.Error(err)
	}
	of := trees()["offline"]
	of.allowed = "5"
	if _, err := Read(of.fs()); err == nil {
		t.Error("a process without processors")
	}
}

func TestReadThisComputer(t *testing.T) {
	if _, err := os.Stat("/sys/devices/system/cpu"); err != nil {
		t.Skip("this computer has no /sys")
	}
	m, err := Read(os.DirFS("/"))
	if err != nil {
		t.Fatal(err)
	}
	threads := 0
	for _, c := range m.Cores {
		threads += len(c.Threads)
	}
	out, err := exec.Command("nproc").Output()
	if err != nil {
		t.Skip("nproc is missing")
	}
	if strings.TrimSpace(string(out)) != fmt.Sprint(threads) {
		t.Errorf("%d threads in %+v, and nproc says %s", threads, m, out)
	}
}

const claimant = "PODIUM_TEST_CLAIMS"

func TestMain(m *testing.M) {
	if dir := os.Getenv(claimant); dir != "" { // another process, which claims all and waits for its end
		p, err := Plain(0, 1).Claim(context.Background(), Locks(dir), Wish{Run: 1}, func(string) {})
		fmt.Println(err, p.Cores())
		select {}
	}
	os.Exit(m.Run())
}

// TestClaims: cores that a process has are no other's, and are free again when it is killed.
func TestClaims(t *testing.T) {
	locks := Locks(t.TempDir())
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), claimant+"="+string(locks))
	out, err := other.StdoutPipe()
	if err == nil {
		err = other.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer other.Wait()
	defer other.Process.Kill()
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "<nil> 2\n" {
		t.Fatalf("the other process says %q", line)
	}
	if h := locks.Holders(); len(h) != 1 || h[0].PID != other.Process.Pid || !slices.Equal(h[0].Threads, []int{0, 1}) || h[0].Command == "" {
		t.Errorf("held by %+v, and not by %d", h, other.Process.Pid)
	}
	var said []string
	p, err := Plain(0, 1).Claim(t.Context(), locks, Wish{Cores: 1, Run: 1}, func(sentence string) {
		said = append(said, sentence)
		other.Process.Kill() // and the claim goes on
	})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("of 2 cores, 2 in use by process %d (", other.Process.Pid)
	if len(said) != 1 || !strings.HasPrefix(said[0], want) || !strings.HasSuffix(said[0], "this process waits for them; Ctrl-C ends that") || p.Cores() != 1 {
		t.Errorf("%d cores: %q", p.Cores(), said)
	}
	p.Close()
	if h := locks.Holders(); len(h) != 0 {
		t.Errorf("held by %+v", h)
	}
}

// TestClaimBesideNeighbour: a core is another's when one of its threads is.
func TestClaimBesideNeighbour(t *testing.T) {
	m, locks := read(t, trees()["two packages"]), Locks(t.TempDir())
	quiet := func(string) {}
	claim := func(w Wish) *Pool {
		p, err := m.Claim(t.Context(), locks, w, quiet)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	a := claim(Wish{Run: 1, Cores: 1, Threads: true}) // thread 0
	b := claim(Wish{Run: 3, Cores: 3})                // not on the other thread of core 0, nor in its package
	c := claim(Wish{Run: 1})
	if at, _ := b.Bind(3, 0); a.Cores() != 1 || numbers(at.Cores) != "4-6" || c.Cores() != 4 {
		t.Errorf("%d, %v, %d", a.Cores(), at, c.Cores())
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := m.Claim(ctx, locks, Wish{Run: 1}, func(string) { cancel() }); err != context.Canceled {
		t.Errorf("nothing was left, and the claim ended with %v", err)
	}
	if _, err := m.Claim(t.Context(), locks, Wish{Run: 9}, quiet); err == nil || !strings.Contains(err.Error(), "a run needs 9 cores, and there are 8") {
		t.Error(err)
	}
	if p, err := m.Claim(t.Context(), "/proc/none", Wish{Run: 1}, quiet); err != nil || p.Cores() != 8 {
		t.Errorf("without locks: %v", err)
	}
}

// FuzzRead reads any text in the place of the kernel's, and places runs on what it says.
func FuzzRead(f *testing.F) {
	for _, of := range trees() {
		files := of.fs()
		f.Add(string(files["sys/devices/system/cpu/online"].Data), string(files["proc/self/status"].Data), "0,2", "3", "0::/a/../b", "100000 50000")
	}
	f.Add("0-8191", "Cpus_allowed_list:\t0-8191\nMems_allowed_list: 1,0", "0-4095", "9", "3:cpu:/x", "-1")
	f.Fuzz(func(t *testing.T, online, status, list, number, group, limit string) {
		files := fstest.MapFS{}
		for name, text := range map[string]string{
			cpuDir + "/online": online, cpuDir + "/present": online, "proc/self/status": status, "proc/self/cgroup": group,
			"sys/fs/cgroup/cpu.max": limit, "sys/fs/cgroup/cpu/x/cpu.cfs_quota_us": limit, "sys/fs/cgroup/cpu/x/cpu.cfs_period_us": number,
			"sys/devices/cpu_core/cpus": list, "sys/devices/cpu_atom/cpus": number, nodeDir + "/online": number, nodeDir + "/node0/cpulist": list, nodeDir + "/node0/meminfo": status, nodeDir + "/node0/distance": list,
			cpuDir + "/cpu0/topology/core_cpus_list": list, cpuDir + "/cpu1/topology/core_cpus_list": online, cpuDir + "/cpu1/topology/physical_package_id": number,
			cpuDir + "/cpu1/cache/index3/level": number, cpuDir + "/cpu1/cache/index3/shared_cpu_list": list, cpuDir + "/cpu1/cache/index3/size": limit,
		} {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		m, err := Read(files)
		if err != nil {
			return
		}
		m.Picture(nil)
		seen := map[int]bool{}
		p := m.Pool(Wish{Cores: 3, Run: 2}, nil)
		for _, at := range place(p, min(2, p.Cores()), 1) {
			for _, thread := range at.Cores {
				if seen[thread] {
					t.Errorf("thread %d is in two runs", thread)
				}
				seen[thread] = true
			}
		}
	})
}
