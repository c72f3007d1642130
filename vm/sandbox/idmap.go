//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// mapping says whose files shall look as if they were the tool's.
type mapping struct {
	uid, gid uint32
	user     int // who the tool is
}

// takeUser gives a machine a user of its own, who has what the kernel counts by user
// (queued signals, timers, memory of pipes) to itself. Each engine of a pid
// namespace has its own block of numbers, by its process id. With more machines at a time than numbers the least
// used number is shared.
func (d *Driver) takeUser() int {
	switch {
	case d.ordinary:
		return userToolID
	case d.options.User != 0:
		return d.options.User
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.Index(d.users[:], slices.Min(d.users[:]))
	d.users[i]++
	return d.firstUser() + i
}

// giveUser takes a user back.
func (d *Driver) giveUser(user int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := user - d.firstUser(); i >= 0 && i < toolIDs {
		d.users[i]--
	}
}

// firstUser is the first number of this engine.
func (d *Driver) firstUser() int {
	const blocks = (lastToolID + 1 - firstToolID) / toolIDs
	return firstToolID + d.identity.PID%blocks*toolIDs
}

// mapFor returns a user namespace with which a mount of dir shows the files of
// dir's owner as the tool's, so that it may read and change what its owner
// could. It is nil where no mapping is needed, and ok is false where one is
// needed but not possible.
//
// An ordinary user needs none: the tool runs as that user.
func (d *Driver) mapFor(dir string, tool int) (f *os.File, ok bool, err error) {
	var st unix.Stat_t
	if err := unix.Stat(dir, &st); err != nil {
		return nil, false, &os.PathError{Op: "stat", Path: dir, Err: err}
	}
	if d.ordinary {
		return nil, int(st.Uid) == os.Geteuid(), nil
	}
	if user := uint32(tool); st.Uid == user && st.Gid == user {
		return nil, true, nil
	}
	if f, err = d.userNamespace(mapping{st.Uid, st.Gid, tool}); err != nil {
		return nil, false, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	able, known := d.mappable[st.Dev]
	if !known {
		able = mapsOwners(dir, f)
		d.mappable[st.Dev] = able
	}
	if !able {
		return nil, false, nil
	}
	return f, true, nil
}

// userNamespace makes the user namespace for a mapping, once.
func (d *Driver) userNamespace(m mapping) (*os.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.idmaps[m]; f != nil {
		return f, nil
	}
	f, err := d.newUserNamespace(m)
	if err != nil {
		return nil, fmt.Errorf("make a user namespace for the owner %d:%d: %w", m.uid, m.gid, err)
	}
	d.idmaps[m] = f
	return f, nil
}

// newUserNamespace starts a maker in a new user namespace, just to open that: it waits for
// orders.
func (d *Driver) newUserNamespace(m mapping) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		r.Close()
		return nil, err
	}
	attr := &syscall.ProcAttr{Files: []uintptr{null.Fd(), null.Fd(), null.Fd(), null.Fd(), r.Fd()},
		Sys: &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: swapped(m.uid, m.user), GidMappings: swapped(m.gid, m.user),
			GidMappingsEnableSetgroups: true}}
	pid, err := startMaker(attr)
	null.Close()
	r.Close()
	if err != nil {
		return nil, err
	}
	defer syscall.Wait4(pid, nil, 0, nil)
	defer syscall.Kill(pid, syscall.SIGKILL)
	return os.Open(fmt.Sprintf("/proc/%d/ns/user", pid))
}

// swapped maps all numbers to themselves but exchanges the owner's and the
// tool's.
func swapped(owner uint32, user int) []syscall.SysProcIDMap {
	const end = 1<<32 - 1 // the last number means "none"
	if int(owner) == user || owner == end {
		return []syscall.SysProcIDMap{{ContainerID: 0, HostID: 0, Size: end}}
	}
	points := []int{int(owner), user}
	slices.Sort(points)
	low, high := points[0], points[1]
	maps := []syscall.SysProcIDMap{{ContainerID: low, HostID: high, Size: 1}, {ContainerID: high, HostID: low, Size: 1}}
	for _, between := range [][2]int{{0, low}, {low + 1, high}, {high + 1, end}} {
		if from, to := between[0], between[1]; to > from {
			maps = append(maps, syscall.SysProcIDMap{ContainerID: from, HostID: from, Size: to - from})
		}
	}
	return maps
}

// mapsOwners tries whether the file system of dir can show other owners.
func mapsOwners(dir string, userns *os.File) bool {
	fd, err := unix.OpenTree(unix.AT_FDCWD, dir, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	return unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH,
		&unix.MountAttr{Attr_set: unix.MOUNT_ATTR_IDMAP, Userns_fd: uint64(userns.Fd())}) == nil
}
