//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// engineGroup is the leaf that the engine moves into where version 2 does not
// allow processes in a group with limited children.
const engineGroup = "podium-engine"

// ownGroup is the next step of somebody without a group to himself.
const ownGroup = "Podium can have a group of its own with: systemd-run --user --scope -p Delegate=yes podium ..."

// findControllers looks for places where this process can make control groups,
// and tries each by making one. The sentences say what is missing and why.
func findControllers() (controllers, []string) {
	hs, membership, err := mountedGroups("/")
	if err != nil {
		return controllers{}, []string{"Control groups are unknown because " + err.Error() + "."}
	}
	return chooseControllers(hs, membership, os.Getpid())
}

// mountedGroups reads what is mounted, and the groups of this process, in a
// tree that has /proc.
func mountedGroups(root string) ([]mountedHierarchy, string, error) {
	mountinfo, err := os.ReadFile(filepath.Join(root, "proc/self/mountinfo"))
	if err != nil {
		return nil, "", err
	}
	membership, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil, "", err
	}
	hs := hierarchies(string(mountinfo))
	for i := range hs {
		hs[i].dir = controlDir(filepath.Join(root, string(hs[i].dir)))
	}
	return hs, string(membership), nil
}

// chooseControllers prefers version 1 for a resource that is bound to it, since
// a controller is in one hierarchy only.
func chooseControllers(hs []mountedHierarchy, cgroupFile string, pid int) (controllers, []string) {
	var c controllers
	var missing []string
	unified, enabled, unifiedErr := findUnified(hs, cgroupFile, pid)
	for _, r := range []struct {
		to       *controller
		v1, v2   string // name of the controller; "" needs none
		sentence string
	}{
		{&c.cpu, "cpuacct", "", "CPU time cannot be read from a control group"},
		{&c.memory, "memory", "memory", "Memory cannot be limited and measured by a control group"},
		{&c.processes, "pids", "pids", "The number of processes cannot be limited by a control group"},
		{&c.cores, "cpuset", "cpuset", "Cores cannot be bound by a control group, only by the affinity that a tool can change"},
	} {
		one, err := findV1(hs, cgroupFile, r.v1)
		if !one.known() && unifiedErr == nil && (r.v2 == "" || slices.Contains(enabled, r.v2)) {
			one = controller{parent: unified, v2: true}
		}
		if !one.known() {
			if err == nil {
				err = unifiedErr
			}
			if err == nil {
				err = fmt.Errorf("controller %s is not enabled below %s (%s)", r.v2, unified, ownGroup)
			}
			missing = append(missing, r.sentence+": "+err.Error()+".")
		}
		*r.to = one
	}
	return c, missing
}

// findV1 returns no controller and no error when there is no such hierarchy.
func findV1(hs []mountedHierarchy, cgroupFile, name string) (controller, error) {
	i := slices.IndexFunc(hs, func(h mountedHierarchy) bool { return !h.v2 && slices.Contains(h.options, name) })
	path, ok := membership(cgroupFile, name)
	if i < 0 || !ok {
		return controller{}, nil
	}
	dir := hs[i].at(path)
	if dir == "" {
		return controller{}, fmt.Errorf("group %s of controller %s is not mounted here", path, name)
	}
	if err := tryGroup(dir); err != nil {
		return controller{}, err
	}
	return controller{parent: dir}, nil
}

// tryGroup makes a group and removes it.
func tryGroup(parent controlDir) error {
	dir := controlDir(parent.file(groupName(self(), "try")))
	if err := os.Mkdir(string(dir), 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return dir.remove()
}

// findUnified finds the directory of version 2 where groups can be made, and
// the controllers that are enabled for them.
func findUnified(hs []mountedHierarchy, cgroupFile string, pid int) (controlDir, []string, error) {
	i := slices.IndexFunc(hs, func(h mountedHierarchy) bool { return h.v2 })
	path, ok := membership(cgroupFile, "")
	if i < 0 || !ok {
		return "", nil, errors.New("the system has no control groups of version 2")
	}
	own := hs[i].at(path)
	if own == "" {
		return "", nil, fmt.Errorf("group %s is not mounted here", path)
	}
	if filepath.Base(string(own)) == engineGroup {
		own = controlDir(filepath.Dir(string(own)))
	}
	err := tryGroup(own)
	if err == nil {
		enabled, wanted := enableControllers(own, pid)
		if len(enabled) == len(wanted) {
			return own, enabled, nil
		}
	}
	// The root may hold processes beside limited groups.
	root := hs[i].dir
	if hs[i].root == "/" && tryGroup(root) == nil {
		if enabled, _ := enableControllers(root, pid); len(enabled) > 0 || err != nil {
			return root, enabled, nil
		}
	}
	if err != nil {
		return "", nil, fmt.Errorf("%w (%s)", err, ownGroup)
	}
	enabled, _ := enableControllers(own, pid)
	return own, enabled, nil
}

// enableControllers makes the controllers that the engine wants available to
// the children of a group, and tells which are then, and which could be.
func enableControllers(dir controlDir, pid int) (enabled, wanted []string) {
	available, err := dir.read("cgroup.controllers")
	if err != nil {
		return nil, nil
	}
	for _, name := range strings.Fields(available) {
		if slices.Contains([]string{"memory", "pids", "cpuset"}, name) {
			wanted = append(wanted, name)
		}
	}
	for _, name := range wanted {
		active, err := dir.read("cgroup.subtree_control")
		if err == nil && slices.Contains(strings.Fields(active), name) {
			continue
		}
		err = dir.write("cgroup.subtree_control", "+"+name)
		if errors.Is(err, syscall.EBUSY) && leaveGroup(dir, pid) == nil {
			dir.write("cgroup.subtree_control", "+"+name)
		}
	}
	active, err := dir.read("cgroup.subtree_control")
	if err != nil {
		return nil, wanted
	}
	for _, name := range strings.Fields(active) {
		if slices.Contains(wanted, name) {
			enabled = append(enabled, name)
		}
	}
	return enabled, wanted
}

// leaveGroup moves this process into a leaf of its group, if it is alone there:
// other processes are not ours to move.
func leaveGroup(dir controlDir, pid int) error {
	pids, err := dir.processes()
	if err != nil {
		return err
	}
	if len(pids) != 1 || pids[0] != pid {
		return fmt.Errorf("control group %s holds other processes", dir)
	}
	leaf := controlDir(dir.file(engineGroup))
	if err := os.Mkdir(string(leaf), 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return leaf.write("cgroup.procs", fmt.Sprint(pid))
}
