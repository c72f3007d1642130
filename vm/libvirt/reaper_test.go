//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestReap: dead machines are reaped, and no children that libvirt waits for.
func TestReap(t *testing.T) {
	program, err := os.ReadFile("/bin/true")
	if err != nil {
		t.Skip("SKIPPED: ", err)
	}
	for _, c := range []struct {
		name    string
		session bool // one of its own, as daemons have
		reaped  bool
	}{{"qemu-system-x", true, true}, {"qemu-system-x", false, false}, {"another", true, false}} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, program, 0o755); err != nil {
			t.Fatal(err)
		}
		child := exec.Command(path)
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: c.session}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		// Until it is dead, but not reaped. The reaper of this process may already have done that.
		err := unix.Waitid(unix.P_PID, child.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != nil && !(c.reaped && errors.Is(err, unix.ECHILD)) {
			t.Fatal(err)
		}
		reap()
		if err := child.Wait(); (err != nil) != c.reaped {
			t.Errorf("%s, session of its own %v: reaped is %v, %v", c.name, c.session, err != nil, err)
		}
	}
}
