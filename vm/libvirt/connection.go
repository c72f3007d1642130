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

// connect opens the hypervisor: the one at a URI, or an embedded one with its
// state in a directory.
func connect(uri, dir, cache string) (*libvirt.Connect, error) {
	if err := eventLoop(); err != nil {
		return nil, fmt.Errorf(notInstalled, err)
	}
	if uri == "" {
		if err := writeConfiguration(dir, cache); err != nil {
			return nil, err
		}
		uri = "qemu:///embed?root=" + dir
	}
	c, err := libvirt.NewConnect(uri)
	if err != nil {
		return nil, fmt.Errorf(notInstalled, err)
	}
	return c, nil
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
