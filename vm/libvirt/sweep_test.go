//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"podium/vm/proc"
)

// TestRemoveDir kills a QEMU that was started with a file of the directory, and
// no other program.
func TestRemoveDir(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(t.TempDir(), "1-2-3")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	start := func(name string) *exec.Cmd {
		// It takes no argument that is a file, so the directory is in its name.
		cmd := &exec.Cmd{Path: sleep, Args: []string{dir + "/" + name, "60"}}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
		return cmd
	}
	qemu, other := start("qemu-system-x86_64"), start("other")
	go qemu.Wait()
	go other.Wait()
	if err := removeDir(dir); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, err := proc.Find(qemu.Process.Pid); errors.Is(err, os.ErrNotExist) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("QEMU is still there")
		}
	}
	if _, err := proc.Find(other.Process.Pid); err != nil {
		t.Error("another program was killed: ", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
