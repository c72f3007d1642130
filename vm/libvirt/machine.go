//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"cmp"
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
	"unicode"

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
	pid     int     // of the process of the machine
	pidfd   int     // -1 for none
	system  *system // nil unless it boots its own
	use     vm.Use
	hello   guest.Hello
	start   vm.Start
	why     error // of a machine that was booted, nil if it was meant to be
	began   time.Time
	steps   []vm.Step

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
	if spec.Stdin != nil {
		return fmt.Errorf("machine %s asks for standard input, which virtual machines do not have: choose the driver sandbox", spec.Name)
	}
	if spec.Memory < 0 {
		return fmt.Errorf("machine %s asks for %d bytes of memory", spec.Name, spec.Memory)
	}
	for _, path := range []*string{&spec.Image, &spec.Tool, &spec.Input} {
		if err := fromRoot(path); err != nil { // QEMU works in another directory
			return err
		}
	}
	if spec.Image != "" {
		if _, err := os.Stat(spec.Image); err != nil {
			return fmt.Errorf("image: %w", err)
		}
	}
	for _, dir := range []struct {
		what, path string
		optional   bool
	}{{"tool", spec.Tool, spec.Image != ""}, {"instance", spec.Input, true}} {
		if dir.path == "" && dir.optional {
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

// fromRoot makes a path absolute, if there is one.
func fromRoot(path *string) (err error) {
	if *path != "" {
		*path, err = filepath.Abs(*path)
	}
	return err
}

// Memory of a machine beside that of the job, in bytes: for the guest's kernel
// and agent, and a part of the whole for the kernel's tables.
const (
	memoryMargin      = 192 << 20
	memoryMarginShare = 32
	memoryDefault     = 2 << 30 // of a job without a bound
)

// machineMemory is the memory of a machine for a job, in bytes.
func machineMemory(job int64) int64 {
	job = cmp.Or(job, memoryDefault)
	return wholeMegabytes(job + memoryMargin + job/memoryMarginShare)
}

// wholeMegabytes rounds up to MiB (2^20 bytes), as libvirt does with the memory of
// a domain: QEMU refuses a file for it that has another size.
func wholeMegabytes(bytes int64) int64 {
	const megabyte = 1 << 20
	return (bytes + megabyte - 1) / megabyte * megabyte
}

// start boots a machine; its failures are of type *vm.BootError.
func (d *Driver) start(ctx context.Context, spec vm.Spec, accelerator string) (*machine, error) {
	if err := checkSpec(&spec); err != nil {
		return nil, &vm.BootError{Err: err}
	}
	if err := ctx.Err(); err != nil {
		return nil, &vm.BootError{Err: err}
	}
	patience := d.patience(accelerator)
	if own, err := ownSystem(ctx, spec); err == nil && own && d.options.BootPatience == 0 {
		patience *= ownPatience
	}
	timed, cancel := context.WithTimeoutCause(ctx, patience, errors.New("the machine was not ready in time"))
	defer cancel()
	var cold error
	if d.options.Start == StartCold {
		cold = errCold
	}
	m, err := d.attempt(timed, spec, accelerator, cold)
	if unrestored := (*restoreError)(nil); errors.As(err, &unrestored) && timed.Err() == nil && d.options.Start != StartTemplate {
		m, err = d.attempt(timed, spec, accelerator, unrestored)
	}
	if err != nil {
		failure := &vm.BootError{Err: err, Console: m.lastWords()}
		if timed.Err() != nil && ctx.Err() == nil {
			failure.Err = fmt.Errorf("%w (%w)", context.Cause(timed), err)
		}
		return nil, failure
	}
	return m, nil
}

// attempt restores a machine, or boots it where there is no template or a reason
// not to use it. One that failed is closed, and has only its last words.
func (d *Driver) attempt(ctx context.Context, spec vm.Spec, accelerator string, cold error) (*machine, error) {
	m := d.newMachine(spec.Name)
	m.spec = spec
	err := m.boot(ctx, accelerator, cold)
	if err != nil {
		err = errors.Join(err, m.Close())
	}
	return m, err
}

// newMachine returns a machine with a name and a directory of its own.
func (d *Driver) newMachine(name string) *machine {
	number := d.machines.Add(1)
	return &machine{driver: d, pidfd: -1, dir: filepath.Join(d.dir, strconv.FormatInt(number, 10)),
		name: fmt.Sprintf("podium-%s-%d-%s", d.name, number, name), began: time.Now()}
}

// lastWords is the end of what the console said.
func (m *machine) lastWords() string {
	switch {
	case m.system != nil && m.system.words != "":
		return m.system.words
	case m.console == nil:
		return ""
	}
	return m.console.tail()
}

// errCold is the reason of a machine that is not restored because it is not
// meant to be.
var errCold = errors.New("the machine boots its kernel")

// restoreError says that a machine could not be restored; it may be booted.
type restoreError struct{ error }

// boot takes a machine to where it waits for its job; cold is the reason not to
// restore it, nil for none.
func (m *machine) boot(ctx context.Context, accelerator string, cold error) error {
	d := &domain{accelerator: accelerator, cores: m.spec.Cores, cpus: m.spec.CPUs, nodes: m.spec.Nodes, memory: machineMemory(m.spec.Memory)}
	if err := m.equip(ctx, d); err != nil {
		return err
	}
	m.step("disks there")
	if m.system != nil {
		return m.bootSystem(ctx, d)
	}
	t, why := (*template)(nil), cold
	if cold == nil {
		t, why = m.driver.template(ctx, d)
	}
	if why != nil && m.driver.options.Start == StartTemplate {
		return why
	}
	if err := m.prepare(d); err != nil {
		return err
	}
	if why == nil {
		began := time.Now()
		err := m.restore(ctx, d, t)
		t.restored(time.Since(began), err, m.driver.options.Start == StartTemplate)
		if err != nil {
			return &restoreError{err}
		}
		m.step("restored")
		m.start = vm.Restored
	} else {
		if err := m.bootKernel(ctx, d); err != nil {
			return err
		}
		if m.start = vm.Booted; why != errCold {
			m.why = why
		}
	}
	return m.setUp(ctx, d)
}

// prepare makes the directory of a machine and the sockets that it connects to.
func (m *machine) prepare(d *domain) (err error) {
	d.name, d.agentSocket, d.consoleSocket = m.name, filepath.Join(m.dir, "agent"), filepath.Join(m.dir, "console")
	if err := os.Mkdir(m.dir, 0o700); err != nil {
		return err
	}
	if m.agent, err = listen(d.agentSocket); err != nil {
		return err
	}
	m.console, err = newConsole(d.consoleSocket)
	return err
}

// create starts the domain and takes the connection of its wire.
func (m *machine) create(ctx context.Context, d *domain, flags libvirt.DomainCreateFlags) (err error) {
	d.privileged = os.Geteuid() == 0 || strings.Contains(m.driver.options.URI, ":///system")
	// A daemon destroys the machine when we are gone; an embedded one cannot.
	if m.driver.options.URI != "" {
		flags |= libvirt.DOMAIN_START_AUTODESTROY
	}
	if m.domain, err = m.driver.conn.DomainCreateXML(d.xml(), flags); err != nil {
		return err
	}
	m.step("created")
	if m.system != nil {
		conn, err := m.console.accepted(ctx)
		if err != nil {
			return err
		}
		return m.watch(conn)
	}
	return m.accept(ctx)
}

// bootKernel starts a machine from nothing.
func (m *machine) bootKernel(ctx context.Context, d *domain) (err error) {
	if err := m.create(ctx, d, libvirt.DOMAIN_NONE); err != nil {
		return err
	}
	if m.hello, err = m.host.Hello(ctx); err != nil {
		return err
	}
	m.steps = append(m.steps, m.hello.On(time.Since(m.began))...)
	m.step("agent there")
	return nil
}

// setUp makes the guest the machine of the run.
func (m *machine) setUp(ctx context.Context, d *domain) (err error) {
	setup := guest.Setup{Name: m.spec.Name, Memory: m.spec.Memory, Writable: m.spec.Writable, Time: time.Now(), Entropy: make([]byte, 64)}
	if _, err := rand.Read(setup.Entropy); err != nil {
		return err
	}
	for _, one := range d.disks {
		setup.Disks = append(setup.Disks, one.Disk)
	}
	ready, err := m.host.Setup(ctx, setup)
	if err != nil {
		return err
	}
	m.steps = append(m.steps, ready.On(time.Since(m.began))...)
	return nil
}

// step notes what has just been done.
func (m *machine) step(what string) {
	m.steps = append(m.steps, vm.Step{What: what, At: time.Since(m.began)})
}

// Timeline tells how the machine came about.
func (m *machine) Timeline() []vm.Step { return m.steps }

// accept takes the connection of the wire.
func (m *machine) accept(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { m.agent.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	conn, err := m.agent.AcceptUnix()
	if err != nil {
		return fmt.Errorf("the machine did not connect: %w", errors.Join(ctx.Err(), err))
	}
	m.wire, m.host = conn, guest.NewHost(conn)
	return m.watch(conn)
}

// watch learns from a connection which process the machine is.
func (m *machine) watch(conn *net.UnixConn) (err error) {
	if m.pid, err = peer(conn); err != nil {
		return err
	}
	m.pidfd, err = unix.PidfdOpen(m.pid, 0)
	return err
}

// Exec runs the job.
func (m *machine) Exec(ctx context.Context, job vm.Job) (vm.Outcome, error) {
	out, err := m.exec(ctx, job)
	out.Start, out.WhyBooted = m.start, oneLine(m.why)
	return out, err
}

// maxReason bounds a reason that goes into the record of a run, in bytes.
const maxReason = 1000

// oneLine is the text of an error for the record, "" for none.
func oneLine(err error) string {
	if err == nil {
		return ""
	}
	text := strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }), " ")
	return strings.ToValidUTF8(text[:min(len(text), maxReason)], "")
}

func (m *machine) exec(ctx context.Context, job vm.Job) (vm.Outcome, error) {
	if err := m.use.Begin(ctx, m.spec.Name, &job); err != nil {
		return vm.Outcome{}, err
	}
	control, err := newControl(m.pid, job.Limits)
	if err != nil {
		return vm.Outcome{}, err
	}
	if m.system != nil {
		control.before = m.system.before
		return m.runBySSH(ctx, job, control)
	}
	out, err := m.host.Run(ctx, job, control)
	control.read()
	var lost *guest.LostError
	if errors.As(err, &lost) && m.panicked() {
		out.Termination, err = vm.Panicked, nil
	}
	if errors.As(err, &lost) {
		err = fmt.Errorf("machine %s: %w; console: %s", m.spec.Name, err, m.console.tail())
	}
	control.judge(&out)
	return out, err
}

// panicked reports whether the guest's kernel said that it dies.
func (m *machine) panicked() bool {
	// The wire may break before the last words have come.
	m.console.wait(time.Second)
	return strings.Contains(m.console.tail(), "Kernel panic")
}

const (
	closePatience = 20 * time.Second // how long a machine may take to be gone
	buryPatience  = 2 * time.Second  // and its process, before libvirt is asked
)

// Close destroys the machine and removes what belongs to it.
func (m *machine) Close() error {
	m.closing.Do(func() {
		if m.pidfd >= 0 {
			m.kill()
			unix.Close(m.pidfd)
		}
		var errs []error
		if m.system != nil && m.system.events >= 0 {
			errs = append(errs, m.driver.conn.DomainEventDeregister(m.system.events))
		}
		if m.domain != nil {
			errs = append(errs, m.destroy(), m.domain.Free())
			m.removeLog()
		}
		if m.system != nil {
			errs = append(errs, m.system.close())
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

// kill ends the process of the machine and waits until nothing of it is left.
// Libvirt would ask it first, and look again after 200 milliseconds; it does so,
// too, when it sees the connections of a process break that is not reaped yet.
// So they are kept open until then.
func (m *machine) kill() {
	held := holdSockets(m.pid, m.pidfd)
	// An error means that the process is gone, or not ours to kill.
	_ = unix.PidfdSendSignal(m.pidfd, unix.SIGKILL, nil, 0)
	bury(m.pidfd, buryPatience)
	for _, fd := range held {
		unix.Close(fd)
	}
}

// removeLog removes what libvirt noted of the domain, which it keeps for ever. A
// log that is not ours to remove stays.
func (m *machine) removeLog() {
	dir := "/var/log/libvirt/qemu"
	if m.driver.options.URI == "" {
		dir = filepath.Join(embedded.dir, "log", "qemu")
	}
	_ = os.Remove(filepath.Join(dir, m.name+".log"))
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
