//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/proc"
)

// fakeTree makes a directory of files that look like control groups.
func fakeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func mountLine(dir, root, kind, options string) string {
	return fmt.Sprintf("30 20 0:26 %s %s rw,nosuid shared:9 - %s cgroup rw,%s\n", root, strings.ReplaceAll(dir, " ", `\040`), kind, options)
}

func TestChooseControllers(t *testing.T) {
	delegated := map[string]string{
		"user/cgroup.controllers":     "cpuset cpu io memory pids\n",
		"user/cgroup.subtree_control": "cpu memory pids cpuset\n",
	}
	closed := map[string]string{
		"user/cgroup.controllers":     "memory pids\n",
		"user/cgroup.subtree_control": "\n",
		"user/cgroup.procs":           "1\n2\n",
	}
	v1 := map[string]string{"acct/me/x": "", "mem/me/x": "", "pids/me/x": "", "sets/me/x": "", "uni/x": ""}
	v1Mounts := func(root string) string {
		return mountLine(root+"/acct", "/", "cgroup", "cpu,cpuacct") + mountLine(root+"/mem", "/", "cgroup", "memory") +
			mountLine(root+"/pids", "/", "cgroup", "pids") + mountLine(root+"/sets", "/", "cgroup", "cpuset") + mountLine(root+"/uni", "/", "cgroup2", "")
	}
	v2Mount := func(root string) string { return mountLine(root, "/scope", "cgroup2", "") }
	for _, c := range []struct {
		name       string
		files      map[string]string
		mounts     func(root string) string
		membership string
		measured   string
		cpu        string // directory of the controller for CPU time
		missing    int
	}{
		{"version 2, delegated", delegated, v2Mount, "0::/scope/user\n", "cgroup2", "user", 0},
		{"version 2, in the engine's leaf", delegated, v2Mount, "0::/scope/user/podium-engine\n", "cgroup2", "user", 0},
		{"version 2, not delegated", closed, v2Mount, "0::/scope/user\n", "rlimit", "user", 3},
		{"version 2, group not mounted", delegated, v2Mount, "0::/elsewhere\n", "rlimit", "", 4},
		{"version 1", v1, v1Mounts, "5:cpu,cpuacct:/me\n4:memory:/me\n3:pids:/me\n2:cpuset:/me\n0::/\n", "cgroup1", "acct/me", 0},
		{"version 1, CPU time by version 2", v1, v1Mounts, "5:cpu,cpuacct:/gone\n4:memory:/me\n3:pids:/me\n2:cpuset:/me\n0::/\n", "cgroup1", "uni", 0},
		{"nothing", nil, func(string) string { return "" }, "", "rlimit", "", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := fakeTree(t, c.files)
			got, missing := chooseControllers(hierarchies(c.mounts(root)), c.membership, 1<<30)
			if got.measured() != c.measured || len(missing) != c.missing {
				t.Errorf("measured by %s, missing %q", got.measured(), missing)
			}
			want := controlDir("")
			if c.cpu != "" {
				want = controlDir(filepath.Join(root, c.cpu))
			}
			if got.cpu.parent != want {
				t.Errorf("CPU time in %q, not %q", got.cpu.parent, want)
			}
			for _, s := range missing {
				if !strings.HasSuffix(s, ".") {
					t.Errorf("%q is no sentence", s)
				}
			}
		})
	}
}

func TestGroupVersion2(t *testing.T) {
	root := fakeTree(t, map[string]string{
		"cpu.stat":        "usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\nnice_usec 0\n",
		"memory.peak":     "123456789\n",
		"memory.events":   "low 0\nhigh 0\nmax 7\noom 1\noom_kill 2\noom_group_kill 1\n",
		"memory.max":      "max\n",
		"memory.swap.max": "max\n",
	})
	c := controller{parent: controlDir(root), v2: true}
	g := &group{cpu: c, memory: c, processes: c, cores: c}
	total, user, system, err := g.cpuTimes()
	if err != nil || total != 1500*time.Millisecond || user != time.Second || system != 500*time.Millisecond {
		t.Errorf("%v = %v + %v, %v", total, user, system, err)
	}
	if peak, err := g.memoryPeak(); err != nil || peak != 123456789 {
		t.Errorf("peak %d, %v", peak, err)
	}
	if killed, limit, err := g.outOfMemory(); err != nil || !killed || !limit {
		t.Errorf("out of memory: %v, %v, %v", killed, limit, err)
	}
	if unlimited, err := g.memory.parent.number("memory.max"); err != nil || unlimited < 1<<60 {
		t.Errorf("max is %d, %v", unlimited, err)
	}
	if _, err := g.limitMemory(1 << 20); err != nil {
		t.Error(err)
	}
	if err := g.limitProcesses(33); err != nil {
		t.Error(err)
	}
	if err := g.pin([]int{0, 2, 3}, []int{0, 1}); err != nil {
		t.Error(err)
	}
	for file, want := range map[string]string{"memory.max": "1048576", "memory.oom.group": "1", "memory.swap.max": "0",
		"pids.max": "33", "cpuset.cpus": "0,2,3", "cpuset.mems": "0,1"} {
		if got, err := g.cpu.parent.read(file); err != nil || got != want {
			t.Errorf("%s is %q, %v", file, got, err)
		}
	}
	if g.unified() != controlDir(root) {
		t.Errorf("unified in %q", g.unified())
	}
	if err := os.Remove(filepath.Join(root, "memory.peak")); err != nil {
		t.Fatal(err)
	}
	if peak, err := g.memoryPeak(); err != nil || peak != 0 {
		t.Errorf("peak of an old kernel %d, %v", peak, err)
	}
	if _, err := g.cpu.parent.entry("cpu.stat", "absent"); err == nil {
		t.Error("an entry that is not there was read")
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ total, u, s, user, system time.Duration }{
		{100, 0, 0, 100, 0}, {100, 1, 0, 100, 0}, {100, 0, 5, 0, 100}, {100, 3, 1, 75, 25}, {0, 3, 1, 0, 0},
	} {
		if user, system := split(c.total, int64(c.u), int64(c.s)); user != c.user || system != c.system {
			t.Errorf("split(%d, %d, %d) = %d, %d", c.total, c.u, c.s, user, system)
		}
	}
}

func TestGroupNames(t *testing.T) {
	o := owner{4026531836, proc.Process{PID: 17, Start: 99}}
	if got, ok := parseGroupName(groupName(o, "a-machine-3")); !ok || got != o {
		t.Errorf("%+v %v", got, ok)
	}
	for _, name := range []string{"", "podium-", "podium-engine", "podium-1-2", "podium-a-2-3-x", "podium-1--2-3-x", "system.slice"} {
		if o, ok := parseGroupName(name); ok {
			t.Errorf("%q has the owner %+v", name, o)
		}
	}
	if me := self(); me.Dead() || me.Start == 0 || me.namespace == 0 {
		t.Errorf("this process is %+v", me)
	}
}

// TestSweep leaves alone what is not a dead engine's.
func TestSweep(t *testing.T) {
	dead := self()
	dead.Start++
	elsewhere := dead
	elsewhere.namespace++
	root := controlDir(t.TempDir())
	names := []string{groupName(dead, "one"), groupName(self(), "two"), groupName(elsewhere, "three"), engineGroup, "others", groupName(elsewhere, "old")}
	for _, name := range names {
		if err := os.Mkdir(root.file(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	before := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(root.file(groupName(elsewhere, "old")), before, before); err != nil {
		t.Fatal(err)
	}
	c := controllers{cpu: controller{parent: root}}
	if n := c.sweep(); n != 2 {
		t.Errorf("%d groups were swept", n)
	}
	entries, err := os.ReadDir(string(root))
	if err != nil || len(entries) != len(names)-2 {
		t.Errorf("%v, %v", entries, err)
	}
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == names[0] || e.Name() == names[5] }) {
		t.Error("a group of a dead engine, or an abandoned one, is there")
	}
}

// TestGroupsInGroups removes a group in which there are others.
func TestGroupsInGroups(t *testing.T) {
	top := controlDir(filepath.Join(t.TempDir(), "top"))
	if err := os.MkdirAll(top.file("inner/deeper"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := top.remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(string(top)); !os.IsNotExist(err) {
		t.Errorf("it is there: %v", err)
	}
	if err := top.remove(); err != nil {
		t.Errorf("removed twice: %v", err)
	}
}

// TestGroupsOfAnOrdinaryUser does without groups that the tool owns where the kernel
// cannot refuse to mount them.
func TestGroupsOfAnOrdinaryUser(t *testing.T) {
	c := controllers{cpu: controller{parent: "/a"}, memory: controller{parent: "/a"}}
	for _, d := range []*Driver{{controllers: c, ordinary: true}, {controllers: c, ordinary: true, filters: true}, {controllers: c}} {
		distrusted := d.ordinary && !d.filters
		if d.distrustGroups(); (d.controllers.measured() == vm.ByRlimit) != distrusted || len(d.missing) > 0 != distrusted {
			t.Errorf("ordinary user %v, filters %v: measured by %s, missing %q", d.ordinary, d.filters, d.controllers.measured(), d.missing)
		}
	}
}

func FuzzHierarchies(f *testing.F) {
	f.Add(mountLine("/sys/fs/cgroup", "/", "cgroup2", "nsdelegate"), "0::/user.slice\n")
	f.Add(mountLine(`/a\040b`, "/x", "cgroup", "cpu,cpuacct"), "4:cpu,cpuacct:/x/y\n")
	f.Add("1 2 3 - cgroup\n", "::\n:")
	f.Fuzz(func(t *testing.T, mountinfo, cgroupFile string) {
		for _, h := range hierarchies(mountinfo) {
			for _, name := range append(h.options, "") {
				path, ok := membership(cgroupFile, name)
				if !ok {
					continue
				}
				dir := string(h.at(path))
				if dir != "" && !strings.HasPrefix(filepath.Clean("/"+dir), filepath.Clean("/"+string(h.dir))) && !strings.Contains(path, "..") {
					t.Errorf("group %q of %+v is at %q", path, h, dir)
				}
			}
		}
	})
}

func FuzzProcessStatus(f *testing.F) {
	f.Add("17 (a) b) S 1 17 17 0 -1 4194560 1 2 3 4 50 60 7 8 20 0 1 0 4711 1 2 3 4", "100 20 5 1 0 2 0")
	f.Add("", "x y z")
	f.Fuzz(func(t *testing.T, stat, statm string) {
		if fields, err := proc.StatFields(stat); err == nil && len(fields) < 22 {
			t.Errorf("%d fields", len(fields))
		}
		statTime(stat)
		if statmPrivate(statm) < 0 {
			t.Errorf("negative memory of %q", statm)
		}
		parseGroupName(stat)
	})
}

func TestProcessStatus(t *testing.T) {
	const stat = "17 (a) b) S 1 17 17 0 -1 4194560 1 2 3 4 50 60 7 8 20 0 1 0 4711 1 2 3 4"
	if got := statTime(stat); got != 1250*time.Millisecond {
		t.Errorf("times %v", got)
	}
	if got := statmPrivate("100 20 5 1 0 2 0"); got != 15*int64(os.Getpagesize()) {
		t.Errorf("memory %d", got)
	}
}
