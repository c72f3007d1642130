//go:build linux && amd64

package sandbox

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm"
)

// machine is one confined world, from Boot to Close.
type machine struct {
	driver      *Driver
	spec        vm.Spec
	view        view
	group       *group
	world       world
	user        int // who the tool is, as user and as group
	bootProgram *program
	confinement confinement

	stdout, stderr, status *os.File // reading ends
	goOn                   *os.File // writing end
	programs               *os.File
	pid                    int
	launched               bool
	gone                   chan struct{} // closed when the first process is reaped
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
				errs = append(errs, fmt.Errorf("machine %s: its first process %d cannot be killed", m.spec.Name, m.pid))
			}
		}
		m.forget()
		for _, f := range []*os.File{m.stdout, m.stderr, m.status, m.goOn, m.programs} {
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

// forget closes the handle of the first process.
func (m *machine) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pidfd >= 0 {
		unix.Close(m.pidfd)
	}
	m.pidfd = -1
}

// reportBlock is what the first process tells at the end or at a failure.
type reportBlock [blockSize]byte

func (b *reportBlock) word(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

func (b *reportBlock) timespec(at int) time.Duration {
	return time.Duration(b.word(at))*time.Second + time.Duration(b.word(at+8))
}

// readBlock reads a report whose first word is known.
func (m *machine) readBlock(mark [8]byte) (*reportBlock, error) {
	b := &reportBlock{}
	copy(b[:], mark[:])
	if b.word(0) != blockMark {
		return nil, fmt.Errorf("the first process reports %x", mark)
	}
	_, err := io.ReadFull(m.status, b[8:])
	return b, err
}

// opError is a failed operation of a program.
type opError struct {
	label string
	errno syscall.Errno
}

func (e *opError) Error() string { return e.label + ": " + e.errno.Error() }

func (e *opError) Unwrap() error { return e.errno }

// failure finds the operation that failed in a program, or nil.
func (p *program) failure(base uint64, b *reportBlock) error {
	at := b.word(blockFailedOp)
	if at == 0 {
		return nil
	}
	label := "first process"
	if index := (at - base) / opSize; at >= base && index < uint64(len(p.labels)) {
		label = p.labels[index]
	}
	return &opError{label, syscall.Errno(-b.word(blockFailedResult))}
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
