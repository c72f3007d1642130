//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"libvirt.org/go/libvirt"

	"podium/vm"
	"podium/vm/guest"
)

// machine is one virtual machine, from Boot to Close.
type machine struct {
	driver  *Driver
	spec    vm.Spec
	name    string // of the domain
	dir     string
	domain  *libvirt.Domain
	agent   *net.UnixListener
	console *console
	wire    *net.UnixConn
	host    *guest.Host
	pid     int // of the process of the machine
	pidfd   int // -1 for none
	used    bool
	hello   guest.Hello
	ready   guest.Ready

	closing  sync.Once
	closeErr error
}

var machineName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

// checkSpec completes a request, or says what is wrong with it.
func checkSpec(spec *vm.Spec) error {
	if !machineName.MatchString(spec.Name) {
		return fmt.Errorf("machine name %q is not of 1 to 100 letters, digits, '.', '_' and '-'", spec.Name)
	}
	if spec.Cores < 1 || spec.CPUs != nil && len(spec.CPUs) != spec.Cores {
		return fmt.Errorf("machine %s asks for %d cores and names %d", spec.Name, spec.Cores, len(spec.CPUs))
	}
	if spec.Memory < 0 {
		return fmt.Errorf("machine %s asks for %d bytes of memory", spec.Name, spec.Memory)
	}
	for _, dir := range []struct{ what, path string }{{"tool", spec.Tool}, {"instance", spec.Input}} {
		if dir.path == "" && dir.what == "instance" {
			continue
		}
		st, err := os.Stat(dir.path)
		if err != nil {
			return fmt.Errorf("%s directory: %w", dir.what, err)
		}
		if !st.IsDir() {
			return fmt.Errorf("%s directory %s is not a directory", dir.what, dir.path)
		}
	}
	return nil
}

// Memory of a machine beside that of the job, in bytes: for the guest's kernel
// and agent, and a part of the whole for the kernel's tables.
const (
	memoryMargin      = 192 << 20
	memoryMarginShare = 32
	memoryDefault     = 2 << 30 // of a job without a bound
)

func machineMemory(job int64) int64 {
	if job == 0 {
		job = memoryDefault
	}
	return job + memoryMargin + job/memoryMarginShare
}

// start boots a machine; its failures are of type *vm.BootError.
func (d *Driver) start(ctx context.Context, spec vm.Spec, accelerator string) (*machine, error) {
	if err := checkSpec(&spec); err != nil {
		return nil, &vm.BootError{Err: err}
	}
	if err := ctx.Err(); err != nil {
		return nil, &vm.BootError{Err: err}
	}
	number := d.machines.Add(1)
	m := &machine{driver: d, spec: spec, pidfd: -1, dir: filepath.Join(d.dir, strconv.FormatInt(number, 10)),
		name: fmt.Sprintf("podium-%s-%d-%s", d.owner, number, spec.Name)}
	timed, cancel := context.WithTimeoutCause(ctx, d.patience(accelerator), errors.New("the machine was not ready in time"))
	defer cancel()
	if err := m.boot(timed, accelerator); err != nil {
		if timed.Err() != nil && ctx.Err() == nil {
			err = fmt.Errorf("%w (%w)", context.Cause(timed), err)
		}
		failure := &vm.BootError{Err: err}
		if m.console != nil {
			failure.Console = m.console.tail()
		}
		failure.Err = errors.Join(failure.Err, m.Close())
		return nil, failure
	}
	return m, nil
}

func (m *machine) boot(ctx context.Context, accelerator string) error {
	if err := os.Mkdir(m.dir, 0o700); err != nil {
		return err
	}
	d := &domain{name: m.name, kernel: m.driver.boot.Kernel, initramfs: m.driver.boot.Initramfs, accelerator: accelerator,
		cores: m.spec.Cores, cpus: m.spec.CPUs, memory: machineMemory(m.spec.Memory),
		agentSocket: filepath.Join(m.dir, "agent"), consoleSocket: filepath.Join(m.dir, "console")}
	if err := m.addDisks(ctx, d); err != nil {
		return err
	}
	var err error
	if m.agent, err = listen(d.agentSocket); err != nil {
		return err
	}
	if m.console, err = newConsole(d.consoleSocket); err != nil {
		return err
	}
	// A daemon destroys the machine when we are gone; an embedded one cannot.
	flags := libvirt.DOMAIN_START_AUTODESTROY
	if m.driver.options.URI == "" {
		flags = libvirt.DOMAIN_NONE
	}
	if m.domain, err = m.driver.conn.DomainCreateXML(d.xml(), flags); err != nil {
		return err
	}
	if err := m.accept(ctx); err != nil {
		return err
	}
	if m.hello, err = m.host.Hello(ctx); err != nil {
		return err
	}
	setup := guest.Setup{Name: m.spec.Name, Memory: m.spec.Memory, Time: time.Now(), Entropy: make([]byte, 64)}
	if _, err := rand.Read(setup.Entropy); err != nil {
		return err
	}
	for _, one := range d.disks {
		setup.Disks = append(setup.Disks, one.Disk)
	}
	m.ready, err = m.host.Setup(ctx, setup)
	return err
}

// addDisks gives the domain the disks of the run.
func (m *machine) addDisks(ctx context.Context, d *domain) error {
	for _, one := range []struct{ role, dir string }{{guest.RoleTool, m.spec.Tool}, {guest.RoleInput, m.spec.Input}} {
		if one.dir == "" {
			continue
		}
		file, err := m.driver.store.Disk(ctx, one.dir)
		if err != nil {
			return err
		}
		d.disks = append(d.disks, disk{guest.Disk{Serial: one.role, Role: one.role, Type: "squashfs"}, file})
	}
	return nil
}

// accept takes the connection of the wire, and learns from it which process the
// machine is.
func (m *machine) accept(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { m.agent.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	conn, err := m.agent.AcceptUnix()
	if err != nil {
		return fmt.Errorf("the machine did not connect: %w", errors.Join(ctx.Err(), err))
	}
	m.wire, m.host = conn, guest.NewHost(conn)
	if m.pid, err = peer(conn); err != nil {
		return err
	}
	m.pidfd, err = unix.PidfdOpen(m.pid, 0)
	return err
}

// Exec runs the job.
func (m *machine) Exec(ctx context.Context, job vm.Job) (vm.Outcome, error) {
	if m.used {
		return vm.Outcome{}, fmt.Errorf("machine %s was used before", m.spec.Name)
	}
	m.used = true
	if len(job.Command) == 0 {
		return vm.Outcome{}, errors.New("the job has no command")
	}
	if err := ctx.Err(); err != nil {
		return vm.Outcome{}, err
	}
	before, err := cpuTime(m.pid)
	if err != nil {
		return vm.Outcome{}, err
	}
	control := control{pid: m.pid, before: before, cores: m.spec.Cores, limits: job.Limits}
	out, err := m.host.Run(ctx, job, control.check)
	control.read()
	out.HostCPUTime, out.HostMemoryPeak = control.cpu, control.memory
	var lost *guest.LostError
	if errors.As(err, &lost) && m.panicked() {
		out.Termination, err = vm.Panicked, nil
	}
	if errors.As(err, &lost) {
		err = fmt.Errorf("machine %s: %w; console: %s", m.spec.Name, err, m.console.tail())
	}
	if err == nil {
		out.Warnings = append(out.Warnings, control.disagreements(out)...)
	}
	return out, err
}

// panicked tells whether the guest's kernel said that it dies.
func (m *machine) panicked() bool {
	// The wire may break before the last words have come.
	m.console.wait(time.Second)
	return strings.Contains(m.console.tail(), "Kernel panic")
}

// closePatience is how long a machine may take to be gone.
const closePatience = 20 * time.Second

// Close destroys the machine and removes what belongs to it.
func (m *machine) Close() error {
	m.closing.Do(func() {
		if m.pidfd >= 0 {
			// Faster than libvirt, which asks first. An error means that the
			// process is gone, or not ours to kill.
			_ = unix.PidfdSendSignal(m.pidfd, unix.SIGKILL, nil, 0)
			unix.Close(m.pidfd)
		}
		var errs []error
		if m.domain != nil {
			errs = append(errs, m.destroy(), m.domain.Free())
		}
		if m.wire != nil {
			errs = append(errs, m.wire.Close())
		}
		if m.agent != nil {
			errs = append(errs, m.agent.Close())
		}
		if m.console != nil {
			errs = append(errs, m.console.close())
		}
		m.closeErr = errors.Join(append(errs, os.RemoveAll(m.dir))...)
	})
	return m.closeErr
}

// destroy ends the domain and waits until libvirt has forgotten it.
func (m *machine) destroy() error {
	err := ignoreGone(m.domain.Destroy())
	for deadline := time.Now().Add(closePatience); ; time.Sleep(time.Millisecond) {
		known, lookup := m.driver.conn.LookupDomainByName(m.name)
		if lookup != nil {
			return err
		}
		if err := known.Free(); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return errors.Join(err, fmt.Errorf("machine %s cannot be destroyed", m.spec.Name))
		}
	}
}
