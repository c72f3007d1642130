//go:build linux

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/sandbox/maker"
)

// machine is one confined world, from Boot to Close.
type machine struct {
	driver *Driver
	spec   vm.Spec
	view   view
	group  *group
	user   int // who the tool is, as user and as group
	world  maker.World
	order  maker.Job

	stdout, stderr, status *os.File // reading ends
	orders                 *os.File // writing end
	pid                    int      // of the maker
	launched               bool
	gone                   chan struct{} // closed when the maker is reaped
	use                    vm.Use

	mu    sync.Mutex
	pidfd int // -1 when there is no process to be signalled

	closing  sync.Once
	closeErr error
}

// Close ends the machine and removes what is left of it.
func (m *machine) Close() error {
	m.closing.Do(func() {
		var errs []error
		if m.launched {
			m.kill()
			select {
			case <-m.gone:
			case <-time.After(killPatience):
				errs = append(errs, fmt.Errorf("machine %s: its maker %d cannot be killed", m.spec.Name, m.pid))
			}
		}
		m.forget()
		for _, f := range []*os.File{m.stdout, m.stderr, m.status, m.orders} {
			if f != nil {
				f.Close()
			}
		}
		if m.group != nil {
			errs = append(errs, m.group.remove())
		}
		m.driver.giveUser(m.user)
		m.closeErr = errors.Join(errs...)
	})
	return m.closeErr
}

// forget closes the handle of the maker.
func (m *machine) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pidfd >= 0 {
		unix.Close(m.pidfd)
	}
	m.pidfd = -1
}

// kill ends the machine at once: with its maker the kernel kills all others of the
// maker's pid namespace, and so those of the tool's, which lies in it.
func (m *machine) kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	// An error means that the process is gone, which is what we want.
	_ = unix.PidfdSendSignal(m.pidfd, unix.SIGKILL, nil, 0)
}

// path is the path of a file of the machine as the engine can reach it.
func (m *machine) path(inside string) string {
	return path.Join(fmt.Sprintf("/proc/%d/root", m.pid), inside)
}

// Exec runs the job.
func (m *machine) Exec(ctx context.Context, job vm.Job) (vm.Outcome, error) {
	if err := m.use.Begin(ctx, m.spec.Name, &job); err != nil {
		return vm.Outcome{}, err
	}
	if limit := &job.Limits.Memory; m.spec.Memory > 0 && (*limit == 0 || *limit > m.spec.Memory) {
		*limit = m.spec.Memory
	}
	r := &run{machine: m, job: job}
	if err := r.limit(); err != nil {
		return vm.Outcome{}, err
	}
	return r.do(ctx)
}
