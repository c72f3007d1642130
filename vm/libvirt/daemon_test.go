//go:build linux && cgo && libvirt_dlopen

package libvirt_test

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/libvirt"
	"podium/vm/vmtest"
)

// startDaemon returns the address of the host's libvirtd, or else starts one, and
// what that needs: a host can have one only.
func startDaemon(t *testing.T) string {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can start a libvirtd for the whole host")
	}
	for _, socket := range []string{"/run/libvirt/libvirt-sock", "/run/libvirt/virtqemud-sock"} {
		if c, err := net.Dial("unix", socket); err == nil {
			c.Close()
			return "qemu:///system"
		}
	}
	dir, err := os.MkdirTemp("", "ld")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	configuration := filepath.Join(dir, "libvirtd.conf")
	text := fmt.Sprintf("unix_sock_dir = %q\nauth_unix_rw = \"none\"\nauth_unix_ro = \"none\"\nlog_outputs = \"3:stderr\"\n", dir)
	if err := os.WriteFile(configuration, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/run/libvirt/virtlogd-sock"); err != nil {
		start(t, "virtlogd", "--pid-file", filepath.Join(dir, "virtlogd.pid"))
		await(t, "/run/libvirt/virtlogd-sock")
	}
	start(t, "libvirtd", "--config", configuration, "--pid-file", filepath.Join(dir, "libvirtd.pid"))
	socket := filepath.Join(dir, "libvirt-sock")
	await(t, socket)
	return "qemu+unix:///system?socket=" + socket
}

// start runs a service until the end of the test.
func start(t *testing.T, program string, args ...string) {
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("SKIPPED, no daemon is tried: %s is missing (apt-get install libvirt-daemon-system)", program)
	}
	var said bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Stderr = &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(program, err)
		}
		if err := cmd.Wait(); err != nil || t.Failed() {
			t.Logf("%s: %v\n%s", program, err, &said)
		}
	})
}

func await(t *testing.T, file string) {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("there is no %s", file)
		}
	}
}

// TestConformanceDaemon runs the suite with machines of a libvirtd. Their guests are
// those of TestConformanceEmbedded; PODIUM_SOAK=1 tries them again.
func TestConformanceDaemon(t *testing.T) {
	needMachines(t)
	o := libvirt.Options{URI: startDaemon(t), Dir: stateDir(t)}
	adapted := suite(t, o.Dir)
	adapted.SameGuest = os.Getenv("PODIUM_SOAK") == ""
	vmtest.TestDriver(t, func(t *testing.T) vm.Driver { return open(t, o) }, adapted)
}
