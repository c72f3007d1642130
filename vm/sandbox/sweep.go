//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm/proc"
)

// What a machine leaves when its engine is killed.
//
// The processes of a machine die with the engine's thread that started them,
// and mounts and private files die with the last process, since they are in
// the machine's own namespaces and have no name outside. Only empty control
// groups remain. Their names carry the engine's identity, and the next engine
// removes those of dead ones.

const groupPrefix = "podium-"

// owner identifies a process among all that this pid namespace ever had.
type owner struct {
	namespace uint64 // inode of the pid namespace
	proc.Process
}

// self is the identity of this process.
func self() owner {
	me, err := proc.Self()
	if err != nil { // without /proc: then nobody can sweep
		me.PID = os.Getpid()
	}
	return owner{pidNamespace(), me}
}

func pidNamespace() uint64 {
	var st unix.Stat_t
	if unix.Stat("/proc/self/ns/pid", &st) != nil {
		return 0
	}
	return st.Ino
}

// groupName is the name of a control group of an owner.
func groupName(o owner, machine string) string {
	return fmt.Sprintf("%s%d-%d-%d-%s", groupPrefix, o.namespace, o.PID, o.Start, machine)
}

// parseGroupName finds the owner of a group.
func parseGroupName(name string) (owner, bool) {
	rest, ok := strings.CutPrefix(name, groupPrefix)
	parts := strings.SplitN(rest, "-", 4)
	if !ok || len(parts) != 4 {
		return owner{}, false
	}
	namespace, err1 := strconv.ParseUint(parts[0], 10, 64)
	pid, err2 := strconv.Atoi(parts[1])
	start, err3 := strconv.ParseUint(parts[2], 10, 64)
	return owner{namespace, proc.Process{PID: pid, Start: start}}, errors.Join(err1, err2, err3) == nil && pid > 0
}

// abandoned is the age at which an empty group of another pid namespace is taken
// for left: nobody here can see whether its owner lives, but a machine's group is
// empty only for a moment.
const abandoned = time.Hour

// sweep removes the groups of dead owners of this pid namespace, and empty old ones
// of others, and returns their number. What it cannot remove it leaves to the next one.
func (c controllers) sweep() int {
	swept, here := 0, pidNamespace()
	for _, parent := range c.parents() {
		entries, _ := os.ReadDir(string(parent)) // what cannot be read cannot be swept
		for _, e := range entries {
			if o, ok := parseGroupName(e.Name()); ok && o.sweep(controlDir(parent.file(e.Name())), here) {
				swept++
			}
		}
	}
	return swept
}

// sweep removes a group of this owner, and reports whether it did.
func (o owner) sweep(dir controlDir, here uint64) bool {
	if o.namespace != here {
		info, err := os.Stat(string(dir))
		// The kernel keeps a group that has processes.
		return err == nil && time.Since(info.ModTime()) >= abandoned && unix.Rmdir(string(dir)) == nil
	}
	if !o.Dead() {
		return false
	}
	killMembers(dir)
	return dir.remove() == nil
}

// killMembers kills what is left in the group of a dead owner.
func killMembers(dir controlDir) {
	pids, err := dir.processes()
	if err != nil {
		return
	}
	for _, pid := range pids {
		if pid > 1 {
			unix.Kill(pid, unix.SIGKILL)
		}
	}
}
