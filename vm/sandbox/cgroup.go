//go:build linux

package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm"
)

// Control groups.
//
// A resource (CPU time, memory, processes, cores) is accounted in one hierarchy
// of control groups: in the one of version 2, or in one of its own (version 1).
// Hosts mix them. So each resource has a controller of its own, which knows the
// directory below which groups can be made, and a group is the set of
// directories that its resources need.

// controlDir is a directory of a control group file system, or a copy of one.
type controlDir string

func (d controlDir) file(name string) string { return filepath.Join(string(d), name) }

func (d controlDir) write(name, value string) error {
	return os.WriteFile(d.file(name), []byte(value), 0)
}

func (d controlDir) read(name string) (string, error) {
	b, err := os.ReadFile(d.file(name))
	return strings.TrimSpace(string(b)), err
}

// number reads a file that holds one number; "max" is the greatest.
func (d controlDir) number(name string) (int64, error) {
	s, err := d.read(name)
	if err != nil {
		return 0, err
	}
	if s == "max" {
		return math.MaxInt64, nil
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", d.file(name), err)
	}
	return int64(min(n, math.MaxInt64)), nil
}

// entry reads one number of a file of lines "key number".
func (d controlDir) entry(name, key string) (int64, error) {
	s, err := d.read(name)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(s) {
		if k, v, _ := strings.Cut(strings.TrimSpace(line), " "); k == key {
			n, err := strconv.ParseInt(v, 10, 64)
			if err != nil {
				return 0, fmt.Errorf("%s: %s: %w", d.file(name), key, err)
			}
			return n, nil
		}
	}
	return 0, fmt.Errorf("%s has no entry %s", d.file(name), key)
}

// processes reads the members of the group.
func (d controlDir) processes() ([]int, error) {
	s, err := d.read("cgroup.procs")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, f := range strings.Fields(s) {
		pid, err := strconv.Atoi(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.file("cgroup.procs"), err)
		}
		pids = append(pids, pid)
	}
	return pids, nil
}

// remove removes the group, and groups in it, which no tool can make and which must
// not outlive a run in any case. The kernel takes a moment to let go of the last
// process, so that the first attempts may find it busy.
func (d controlDir) remove() error {
	entries, err := os.ReadDir(string(d))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove control group: %w", err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		inner := controlDir(d.file(e.Name()))
		killMembers(inner)
		if err := inner.remove(); err != nil {
			return err
		}
	}
	for pause := 100 * time.Microsecond; pause < time.Second; pause *= 2 {
		err = unix.Rmdir(string(d))
		if err == nil || err == unix.ENOENT {
			return nil
		}
		if err != unix.EBUSY {
			break
		}
		time.Sleep(pause)
	}
	return fmt.Errorf("remove control group %s: %w", d, err)
}

// controller is where groups for one resource can be made; the zero value means
// nowhere.
type controller struct {
	parent controlDir
	v2     bool
}

func (c controller) known() bool { return c.parent != "" }

// controllers are what a host offers.
type controllers struct {
	cpu, memory, processes, cores controller
}

// measured is the word of vm.Outcome.Measured.
func (c controllers) measured() string {
	switch {
	case !c.cpu.known() || !c.memory.known():
		return vm.ByRlimit
	case c.cpu.v2 && c.memory.v2:
		return "cgroup2"
	}
	return "cgroup1"
}

// parents are the different directories of the controllers.
func (c controllers) parents() []controlDir {
	var dirs []controlDir
	for _, one := range []controller{c.cpu, c.memory, c.processes, c.cores} {
		if one.known() && !slices.Contains(dirs, one.parent) {
			dirs = append(dirs, one.parent)
		}
	}
	return dirs
}

// group is the control group of one machine, and the fields of controllers
// are its own directories.
type group struct {
	cpu, memory, processes, cores controller
	dirs                          []controlDir
}

// newGroup makes a group. With pinned false it does without a group for cores.
func (c controllers) newGroup(name string, pinned bool) (*group, error) {
	g := &group{}
	if !pinned {
		c.cores = controller{}
	}
	for _, parent := range c.parents() {
		dir := controlDir(parent.file(name))
		if err := os.Mkdir(string(dir), 0o755); err != nil {
			return nil, errors.Join(fmt.Errorf("make a control group: %w", err), g.remove())
		}
		g.dirs = append(g.dirs, dir)
	}
	own := func(one controller) controller {
		if one.known() {
			one.parent = controlDir(one.parent.file(name))
		}
		return one
	}
	g.cpu, g.memory, g.processes, g.cores = own(c.cpu), own(c.memory), own(c.processes), own(c.cores)
	return g, nil
}

// remove removes the group; no process is left in it.
func (g *group) remove() error {
	var errs []error
	for _, dir := range g.dirs {
		errs = append(errs, dir.remove())
	}
	g.dirs = nil
	return errors.Join(errs...)
}

// entrances opens what a process needs to enter the group: the files it writes
// "0" into (version 1), and the directory it is cloned into (version 2), nil
// if there is none.
func (g *group) entrances() (files []*os.File, dir *os.File, err error) {
	defer func() {
		if err != nil {
			closeAll(files)
		}
	}()
	for _, d := range g.dirs {
		if d == g.unified() {
			continue
		}
		// A single thread enters by "tasks" without the lock on all processes
		// of the host that "cgroup.procs" takes.
		f, err := os.OpenFile(d.file("tasks"), os.O_WRONLY, 0)
		if err != nil {
			return files, nil, err
		}
		files = append(files, f)
	}
	if g.unified() != "" {
		dir, err = os.Open(string(g.unified()))
	}
	return files, dir, err
}

// unified is the directory in the hierarchy of version 2, or "".
func (g *group) unified() controlDir {
	for _, one := range []controller{g.cpu, g.memory, g.processes, g.cores} {
		if one.v2 {
			return one.parent
		}
	}
	return ""
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// limitMemory sets the limit of memory and forbids swap; swap gives a sentence
// where it cannot be forbidden.
func (g *group) limitMemory(bytes int64) (swap string, err error) {
	limit := strconv.FormatInt(bytes, 10)
	if g.memory.v2 {
		if err := g.memory.parent.write("memory.max", limit); err != nil {
			return "", err
		}
		if err := g.memory.parent.write("memory.oom.group", "1"); err != nil {
			return "", err
		}
		return g.forbidSwap("memory.swap.max", "0"), nil
	}
	if err := g.memory.parent.write("memory.limit_in_bytes", limit); err != nil {
		return "", err
	}
	return g.forbidSwap("memory.memsw.limit_in_bytes", limit), nil
}

func (g *group) forbidSwap(file, value string) string {
	if err := g.memory.parent.write(file, value); err != nil && hostHasSwap() {
		return "Swap could not be forbidden for the run: " + err.Error() + "."
	}
	return ""
}

func hostHasSwap() bool {
	s, err := os.ReadFile("/proc/swaps")
	return err != nil || strings.Count(string(s), "\n") > 1
}

func (g *group) limitProcesses(n int) error {
	return g.processes.parent.write("pids.max", strconv.Itoa(n))
}

// pin binds the group to cores of the host, and to nodes of its memory, nil for any.
func (g *group) pin(cpus, nodes []int) (err error) {
	d, mems := g.cores.parent, numbers(nodes)
	if !g.cores.v2 && nodes == nil { // version 1 asks for some
		if mems, err = controlDir(filepath.Dir(string(d))).read("cpuset.mems"); err != nil {
			return err
		}
	}
	if mems != "" {
		if err := d.write("cpuset.mems", mems); err != nil {
			return err
		}
	}
	return d.write("cpuset.cpus", numbers(cpus))
}

// numbers writes a list as cpusets have them.
func numbers(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// cpuTime is what all processes of the group used so far, to be read often.
func (g *group) cpuTime() (time.Duration, error) {
	if g.cpu.v2 {
		n, err := g.cpu.parent.entry("cpu.stat", "usage_usec")
		return time.Duration(n) * time.Microsecond, err
	}
	n, err := g.cpu.parent.number("cpuacct.usage")
	return time.Duration(n), err
}

// cpuTimes returns the sum and its parts. Version 1 counts the parts in ticks of
// the clock, so they are scaled to the exact sum.
func (g *group) cpuTimes() (total, user, system time.Duration, err error) {
	if total, err = g.cpuTime(); err != nil {
		return 0, 0, 0, err
	}
	var u, s int64
	if g.cpu.v2 {
		u, err = g.cpu.parent.entry("cpu.stat", "user_usec")
		if err == nil {
			s, err = g.cpu.parent.entry("cpu.stat", "system_usec")
		}
	} else {
		u, err = g.cpu.parent.number("cpuacct.usage_user")
		if err == nil {
			s, err = g.cpu.parent.number("cpuacct.usage_sys")
		}
	}
	if err != nil {
		return 0, 0, 0, err
	}
	user, system = split(total, u, s)
	return total, user, system, nil
}

// split divides total in proportion u : s; all of it is user time when nothing
// is known.
func split(total time.Duration, u, s int64) (user, system time.Duration) {
	if u+s <= 0 {
		return total, 0
	}
	user = time.Duration(float64(total) * (float64(u) / float64(u+s)))
	return user, total - user
}

// memoryPeak is the most that all processes of the group had at one time. It is
// 0 where the kernel does not tell (version 2 before Linux 5.19).
func (g *group) memoryPeak() (int64, error) {
	if !g.memory.v2 {
		return g.memory.parent.number("memory.max_usage_in_bytes")
	}
	n, err := g.memory.parent.number("memory.peak")
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	return n, err
}

// memoryNow is what all processes of the group have.
func (g *group) memoryNow() (int64, error) {
	if !g.memory.v2 {
		return g.memory.parent.number("memory.usage_in_bytes")
	}
	return g.memory.parent.number("memory.current")
}

// outOfMemory reports whether the kernel killed for want of memory in the group,
// and whether the group's own limit was reached: where it was not, the host or a
// group above had too little.
func (g *group) outOfMemory() (killed, limit bool, err error) {
	d := g.memory.parent
	if g.memory.v2 {
		kills, err1 := d.entry("memory.events", "oom_kill")
		reached, err2 := d.entry("memory.events", "oom")
		return kills > 0, reached > 0, errors.Join(err1, err2)
	}
	// Version 1 has a counter for this, but new kernels leave it at 0. What
	// could not be had is at most a huge page.
	const hugePages = 4 << 20
	kills, err1 := d.entry("memory.oom_control", "oom_kill")
	peak, err2 := d.number("memory.max_usage_in_bytes")
	bound, err3 := d.number("memory.limit_in_bytes")
	return kills > 0, peak >= bound-hugePages, errors.Join(err1, err2, err3)
}

// watchMemory returns a file that becomes readable when the group runs out of
// memory. Version 2 needs none: there the kernel kills the whole group.
func (g *group) watchMemory() (*os.File, error) {
	if g.memory.v2 || !g.memory.known() {
		return nil, nil
	}
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, err
	}
	event := os.NewFile(uintptr(fd), "eventfd")
	control, err := os.Open(g.memory.parent.file("memory.oom_control"))
	if err != nil {
		event.Close()
		return nil, err
	}
	defer control.Close()
	if err := g.memory.parent.write("cgroup.event_control", fmt.Sprintf("%d %d", fd, control.Fd())); err != nil {
		event.Close()
		return nil, err
	}
	return event, nil
}

// mountedHierarchy is one mounted control group file system.
type mountedHierarchy struct {
	dir     controlDir
	root    string // the group that is visible at dir
	v2      bool
	options []string // names of controllers, version 1
}

// hierarchies reads a mountinfo file.
func hierarchies(mountinfo string) []mountedHierarchy {
	var hs []mountedHierarchy
	for scanner := bufio.NewScanner(strings.NewReader(mountinfo)); scanner.Scan(); {
		before, after, ok := strings.Cut(scanner.Text(), " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !ok || len(left) < 6 || len(right) < 3 {
			continue
		}
		if right[0] != "cgroup" && right[0] != "cgroup2" {
			continue
		}
		hs = append(hs, mountedHierarchy{dir: controlDir(unescape(left[4])), root: unescape(left[3]),
			v2: right[0] == "cgroup2", options: strings.Split(right[2], ",")})
	}
	return hs
}

// unescape decodes the \ooo of mountinfo.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+4 <= len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// membership finds the group of a process in the text of its cgroup file: for
// version 1 by the name of a controller, for version 2 by "".
func membership(cgroupFile, name string) (string, bool) {
	for line := range strings.Lines(cgroupFile) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && slices.Contains(strings.Split(parts[1], ","), name) {
			return parts[2], true
		}
	}
	return "", false
}

// at returns the directory of a group, or "" when it is outside of what is
// mounted.
func (h mountedHierarchy) at(path string) controlDir {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(h.root, "/"))
	if !ok || strings.HasPrefix(rest, "/..") {
		return ""
	}
	return controlDir(filepath.Join(string(h.dir), rest))
}
