//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// startReaper makes this process the one that inherits the virtual machines
// that an embedded hypervisor starts as daemons, and lets it reap them. The
// system's first process would do that, too, but in containers often late or
// never, and libvirt waits for it.
var startReaper = sync.OnceValue(func() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return err
	}
	deaths := make(chan os.Signal, 1)
	signal.Notify(deaths, unix.SIGCHLD)
	go func() {
		for range deaths {
			reap()
		}
	}()
	return nil
})

// reap waits for dead virtual machines, and for nothing else: other children
// have somebody who waits for them.
func reap() {
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return
	}
	for _, list := range lists {
		b, err := os.ReadFile(list)
		if err != nil {
			continue
		}
		for _, f := range strings.Fields(string(b)) {
			pid, err := strconv.Atoi(f)
			if err != nil {
				continue
			}
			stat, err := os.ReadFile(filepath.Join("/proc", f, "stat"))
			if err == nil && strings.Contains(string(stat), "(qemu-system") && strings.Contains(string(stat), ") Z ") {
				if _, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); errors.Is(err, unix.EINTR) {
					unix.Wait4(pid, nil, unix.WNOHANG, nil)
				}
			}
		}
	}
}
