//go:build linux && cgo && libvirt_dlopen

package libvirt_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/libvirt"
	"podium/vm/vmtest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimVariable); dir != "" {
		fmt.Fprintln(os.Stderr, "victim:", victim(dir))
		os.Exit(1)
	}
	flag.Parse()
	// An emulated machine keeps a core busy while it boots; after that many wait.
	if err := flag.Set("test.parallel", "3"); err != nil {
		panic(err)
	}
	code := m.Run()
	if err := os.RemoveAll(libvirt.StateDir()); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// needMachines skips where nothing that makes virtual machines is installed.
func needMachines(t *testing.T) {
	for _, need := range []struct{ program, pack string }{
		{"qemu-system-x86_64", "qemu-system-x86"}, {"libvirtd", "libvirt-daemon-system"}, {"sqfstar", "squashfs-tools"}, {"busybox", "busybox-static"},
	} {
		if _, err := exec.LookPath(need.program); err != nil {
			t.Skipf("SKIPPED, nothing of virtual machines is tested here: %s is missing (apt-get install %s)", need.program, need.pack)
		}
	}
}

// stateDir is a short directory: paths of sockets have few bytes.
func stateDir(t *testing.T) string {
	dir, err := os.MkdirTemp("", "pd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func open(t *testing.T, o libvirt.Options) *libvirt.Driver {
	d, err := libvirt.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestConformanceEmbedded runs the whole suite. It takes minutes where processors are
// emulated: nearly every case starts a machine of its own, as every run does.
func TestConformanceEmbedded(t *testing.T) {
	needMachines(t)
	o := libvirt.Options{Dir: stateDir(t)}
	vmtest.TestDriver(t, func(t *testing.T) vm.Driver { return open(t, o) }, suite(t, o.Dir))
}

// suite adapts the conformance suite to machines that are emulated on a busy
// host.
func suite(t *testing.T, dir string) vmtest.Options {
	return vmtest.Options{
		Lacks:     []vmtest.Need{vmtest.SharedKernel},
		Impostor:  libvirt.Impostor,
		Leftovers: func() []string { return leftovers(t, dir) },
		Grace:     time.Minute,
		Pace:      5,
	}
}

// leftovers lists what machines may leave on the host: processes, files.
func leftovers(t *testing.T, dir string) []string {
	var left []string
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !strings.Contains(path, "/cache") {
			left = append(left, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range lines {
		b, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(b), fmt.Sprintf("guest=podium-%d-", os.Getpid())) {
			left = append(left, "process "+file)
		}
	}
	return left
}
