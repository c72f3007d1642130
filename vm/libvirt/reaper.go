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

// reap waits for dead virtual machines, and for nothing else: other children have
// somebody who waits for them. So have processes of QEMU that libvirt started in the
// session of this process: they start a daemon and end, and libvirt reads how. Machines
// and daemons have left this session.
func reap() {
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return
	}
	session, err := unix.Getsid(0)
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
			if err != nil || !deadMachine(pid, session) {
				continue
			}
			if _, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); errors.Is(err, unix.EINTR) {
				unix.Wait4(pid, nil, unix.WNOHANG, nil)
			}
		}
	}
}

// deadMachine reports whether a process is one of QEMU that is dead, not reaped yet, and
// not of this session. Its state is field 3 of its stat, its session field 6 (proc(5)).
func deadMachine(pid, session int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return false
	}
	name, rest, found := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	return found && strings.Contains(name, "(qemu-system") && len(fields) > 3 && fields[0] == "Z" && fields[3] != strconv.Itoa(session)
}
