//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"libvirt.org/go/libvirt"
)

// eventLoop runs for the rest of the process: libvirt's own, which an embedded
// hypervisor needs to hear from its machines.
var eventLoop = sync.OnceValue(func() error {
	// Its errors come to us anyway; the person at the terminal needs no others.
	const log = "LIBVIRT_LOG_OUTPUTS"
	if os.Getenv(log) == "" {
		if err := os.Setenv(log, "4:file:/dev/null"); err != nil {
			return err
		}
	}
	if err := libvirt.EventRegisterDefaultImpl(); err != nil {
		return err
	}
	go func() {
		for libvirt.EventRunDefaultImpl() == nil {
		}
	}()
	return nil
})

const notInstalled = "libvirt could not be used: %w; on Debian, apt-get install libvirt-daemon-system qemu-system-x86"

// connect opens the hypervisor at a URI.
func connect(uri string) (*libvirt.Connect, error) {
	if err := eventLoop(); err != nil {
		return nil, fmt.Errorf(notInstalled, err)
	}
	c, err := libvirt.NewConnect(uri)
	if err != nil {
		return nil, fmt.Errorf(notInstalled, err)
	}
	return c, nil
}

// embedded is the hypervisor in this process. Libvirt has at most one, does not
// forget its directory, and can be asked for it only some dozens of times: it
// counts each time as a further driver. So it is opened once.
var embedded struct {
	sync.Mutex
	conn  *libvirt.Connect
	dir   string
	inner []string // directories that libvirt made when it was opened
	users int
}

// connectEmbedded opens the hypervisor in this process, with its state in a
// directory, unless it has one already.
func connectEmbedded(dir, cache string) (*libvirt.Connect, error) {
	embedded.Lock()
	defer embedded.Unlock()
	if embedded.dir == "" {
		embedded.dir = dir
	}
	if embedded.users == 0 {
		for _, d := range append([]string{embedded.dir}, embedded.inner...) {
			if err := os.MkdirAll(d, 0o700); err != nil {
				return nil, err
			}
		}
		if err := writeConfiguration(embedded.dir, cache); err != nil {
			return nil, err
		}
	}
	if embedded.conn == nil {
		c, err := connect("qemu:///embed?root=" + embedded.dir)
		if err == nil {
			err = filepath.WalkDir(embedded.dir, func(path string, e os.DirEntry, err error) error {
				if err == nil && e.IsDir() {
					embedded.inner = append(embedded.inner, path)
				}
				return err
			})
		}
		if err != nil {
			return nil, errors.Join(err, os.RemoveAll(embedded.dir))
		}
		embedded.conn = c
	}
	embedded.users++
	return embedded.conn, nil
}

// leaveEmbedded removes the state of the hypervisor in this process when nobody
// uses it.
func leaveEmbedded() error {
	embedded.Lock()
	defer embedded.Unlock()
	if embedded.users--; embedded.users > 0 {
		return nil
	}
	return removeDir(embedded.dir)
}

// writeConfiguration tells an embedded hypervisor to leave the host as it is:
// machines run as we do, in our control group, and no file changes its owner.
// What it finds out about QEMU is kept for the next time.
func writeConfiguration(dir, cache string) error {
	lines := []string{
		fmt.Sprintf("user = \"+%d\"", os.Geteuid()), fmt.Sprintf("group = \"+%d\"", os.Getegid()),
		"dynamic_ownership = 0", "remember_owner = 0", "security_driver = \"none\"", "namespaces = []",
		"cgroup_controllers = []", "stdio_handler = \"file\"", "max_core = 0", "dump_guest_core = 0",
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "etc"), 0o700), os.MkdirAll(cache, 0o755)); err != nil {
		return err
	}
	if err := os.Symlink(cache, filepath.Join(dir, "cache")); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "etc", "qemu.conf"), []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}
