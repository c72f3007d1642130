//go:build linux

package sandbox_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"podium/vm/sandbox"
)

// TestConformanceDelegatedGroups runs the suite as an ordinary user who owns a
// control group in each hierarchy, as a session of systemd gives it.
func TestConformanceDelegatedGroups(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give groups away")
	}
	if testing.Short() {
		t.Skip("the race detector has seen the same goroutines in TestConformance")
	}
	groups := delegate(t, ordinaryID)
	if len(groups) == 0 {
		t.Skip("not here: control groups")
	}
	// The shell enters the groups; what it executes is the user's.
	script := `for g in ` + strings.Join(groups, " ") + `; do echo $$ > $g/cgroup.procs || exit 9; done; exec "$@"`
	user := fmt.Sprint(ordinaryID)
	dir, program := copyForUser(t)
	cmd := exec.Command("/bin/sh", "-c", script, "sh", "setpriv", "--reuid", user, "--regid", user, "--clear-groups",
		program, "-test.run=^TestConformance$", "-test.v")
	out, err := runForUser(cmd, dir)
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if !strings.Contains(out, "measured by cgroup") {
		t.Errorf("the groups were not used:\n%s", out)
	}
}

// delegate makes a group that the user owns below each place where groups can be
// made, and removes it at the end.
func delegate(t *testing.T, id int) []string {
	t.Helper()
	var groups []string
	for _, parent := range sandbox.GroupParents() {
		group := filepath.Join(parent, fmt.Sprintf("delegated-%d", os.Getpid()))
		if err := os.Mkdir(group, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { removeGroup(t, group) })
		// A group of cores begins without any.
		for _, name := range []string{"cpuset.cpus", "cpuset.mems"} {
			if own, err := os.ReadFile(filepath.Join(parent, name)); err == nil {
				err = os.WriteFile(filepath.Join(group, name), own, 0)
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, name := range []string{"", "cgroup.procs", "tasks", "cgroup.threads", "cgroup.subtree_control"} {
			if err := os.Chown(filepath.Join(group, name), id, id); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// removeGroup waits for the kernel to let go of the last process.
func removeGroup(t *testing.T, group string) {
	var err error
	for range 1000 {
		filepath.WalkDir(group, func(path string, e os.DirEntry, err error) error {
			if err == nil && e.IsDir() && path != group {
				defer syscall.Rmdir(path)
			}
			return nil
		})
		if err = syscall.Rmdir(group); err == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("remove %s: %v", group, err)
}
