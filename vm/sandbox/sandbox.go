//go:build linux

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/sandbox/maker"
)

// Driver makes machines. It implements vm.Driver.
type Driver struct {
	options     Options
	controllers controllers
	missing     []string // sentences about control groups
	ordinary    bool     // in user namespaces of an ordinary user
	overlay     bool     // of the instance directory
	ownInodes   bool     // of the host's directories
	freshProc   bool
	view        view
	initialRoot bool
	filters     bool     // the kernel can filter the tool's system calls
	leaks       []string // sentences about memory that is not counted
	identity    owner
	machines    atomic.Int64

	mu       sync.Mutex
	users    [toolIDs]int         // machines that have each number
	idmaps   map[mapping]*os.File // user namespaces that map an owner to the tool
	mappable map[uint64]bool      // devices whose file systems can show other owners
	features []string             // sentences about what the trial found missing
	bootErr  error                // why no machine can be booted at all
}

var _ vm.Driver = (*Driver)(nil)

// Open finds out what this host offers, by trying it, and removes what engines
// that are dead left behind. A host that cannot run machines is no error here:
// Probe and Boot say why.
func Open(o Options) (*Driver, error) {
	if err := CheckShow(o.Show); err != nil {
		return nil, err
	}
	d := &Driver{options: o, identity: self(), idmaps: map[mapping]*os.File{}, mappable: map[uint64]bool{}}
	if programKinds[runtime.GOARCH] == nil {
		d.bootErr = errSystem
		return d, nil
	}
	if o.NoControlGroups {
		d.missing = []string{"Control groups are not used because the options say so."}
	} else {
		d.controllers, d.missing = findControllers()
		d.controllers.sweep()
	}
	d.initialRoot, d.filters = rootIsInitial(), filters()
	d.leaks = leaks(d.filters)
	d.view = look(o.Root, o.Show)
	d.try()
	d.distrustGroups()
	return d, nil
}

// distrustGroups does without control groups where tools could change them: those of
// an ordinary user belong to the user who the tools are, and only the refusal of
// mounts keeps them out of reach.
func (d *Driver) distrustGroups() {
	if d.ordinary && !d.filters && len(d.controllers.parents()) > 0 {
		d.controllers = controllers{}
		d.missing = append(d.missing, "Control groups are not used because tools own them, and this kernel cannot refuse to mount them (CONFIG_SECCOMP_FILTER).")
	}
}

// rootIsInitial reports whether this process still lives in the file system that
// the kernel started with, as the first process of a guest may.
func rootIsInitial() bool {
	mounts, err := os.ReadFile("/proc/self/mounts")
	return err == nil && strings.HasPrefix(string(mounts), "rootfs / rootfs ")
}

// Close releases what the driver holds.
func (d *Driver) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.idmaps {
		f.Close()
	}
	clear(d.idmaps)
	return nil
}

// try boots machines, with less and less, to learn which parts of a world this
// host allows.
func (d *Driver) try() {
	dir, err := os.MkdirTemp("", "podium-try-*")
	if err != nil {
		d.bootErr = err
		return
	}
	defer os.RemoveAll(dir)
	type world struct {
		ordinary, overlay, own, freshProc bool
		missing                           string
	}
	const notOwn = "Runs of tools that work together can tell each other a word through locks on the host's files because overlays of them cannot be mounted"
	const noOverlay = "Each run gets a copy of the instance directory because an overlay cannot be mounted"
	const noProc = "Machines have no /proc because it cannot be mounted"
	root := os.Geteuid() == 0
	// The kernel keeps lists of names of a directory that is made of two, outside of the
	// limit of memory; in a guest they are memory of the machine.
	overlay := d.options.Alone
	own := d.view.shared
	worlds := []world{{!root, overlay, own, true, ""}}
	if root && !hostRoot() {
		worlds = append(worlds, world{true, overlay, own, true, "Machines are in user namespaces of their own because the engine is root in one only"})
	}
	// Tools are never root of the host, not even in a user namespace.
	nested := !root || !hostRoot()
	if own {
		worlds = append(worlds, world{nested, overlay, false, true, notOwn})
	}
	if overlay {
		worlds = append(worlds, world{nested, false, false, true, noOverlay})
	}
	worlds = append(worlds, world{nested, overlay, own, false, noProc}, world{nested, false, false, false, noProc + ", nor can overlays"})
	var first error
	for _, w := range worlds {
		d.ordinary, d.overlay, d.ownInodes, d.freshProc = w.ordinary, w.overlay, w.own, w.freshProc
		if d.bootErr = d.attempt(dir); d.bootErr == nil {
			if w.missing != "" {
				d.features = append(d.features, fmt.Sprintf("%s: %v.", w.missing, first))
			}
			return
		}
		if first == nil {
			first = d.bootErr
		}
	}
	d.bootErr, d.ordinary = first, !root
}

// hostRoot reports whether user 0 of this process is user 0 of the host. In a
// container without privileges it is an ordinary user of the host. The other
// root never runs tools: even without capabilities it owns too much.
func hostRoot() bool {
	b, err := os.ReadFile("/proc/self/uid_map")
	fields := strings.Fields(string(b))
	return err != nil || len(fields) < 3 || fields[1] == "0"
}

// attempt boots a machine that is of no use.
func (d *Driver) attempt(dir string) error {
	ctx, cancel := context.WithTimeout(context.Background(), bootPatience)
	defer cancel()
	m, err := d.boot(ctx, vm.Spec{Name: "try", Cores: 1, Tool: dir, Input: dir})
	if err != nil {
		return err
	}
	return m.Close()
}

var machineName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

// bootPatience is how long a machine may take to be ready. It is a matter of
// milliseconds.
const bootPatience = 30 * time.Second

// Boot makes the machine: its namespaces and its file system are there when it
// returns, and its first process waits for the job.
func (d *Driver) Boot(ctx context.Context, spec vm.Spec) (vm.Machine, error) {
	if d.bootErr != nil {
		return nil, &vm.BootError{Err: d.bootErr}
	}
	m, err := d.boot(ctx, spec)
	if err != nil {
		return nil, &vm.BootError{Err: err}
	}
	return m, nil
}

// checkSpec completes a request, or says what is wrong with it.
func checkSpec(spec *vm.Spec) error {
	if !machineName.MatchString(spec.Name) {
		return fmt.Errorf("machine name %q is not of 1 to 100 letters, digits, '.', '_' and '-'", spec.Name)
	}
	if spec.CPUs != nil && len(spec.CPUs) != spec.Cores {
		return fmt.Errorf("machine %s asks for %d cores and names %d", spec.Name, spec.Cores, len(spec.CPUs))
	}
	for _, c := range spec.CPUs {
		if c < 0 || c >= maker.MaxCPU {
			return fmt.Errorf("machine %s asks for core %d of the host", spec.Name, c)
		}
	}
	dirs := []struct {
		what string
		path *string
	}{{"tool", &spec.Tool}, {"instance", &spec.Input}}
	for _, dir := range dirs {
		if *dir.path == "" && (dir.what == "instance" || spec.Image != "") {
			continue
		}
		st, err := os.Stat(*dir.path)
		if err != nil {
			return fmt.Errorf("%s directory: %w", dir.what, err)
		}
		if !st.IsDir() {
			return fmt.Errorf("%s directory %s is not a directory", dir.what, *dir.path)
		}
		if *dir.path, err = filepath.Abs(*dir.path); err != nil {
			return err
		}
	}
	if len(spec.Writable) > vm.MaxWritable {
		return fmt.Errorf("machine %s asks for %d writable directories, more than %d", spec.Name, len(spec.Writable), vm.MaxWritable)
	}
	return nil
}

func (d *Driver) boot(ctx context.Context, spec vm.Spec) (*machine, error) {
	if err := checkSpec(&spec); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	view, err := d.viewOf(ctx, &spec)
	if err != nil {
		return nil, err
	}
	for _, dir := range spec.Writable {
		if err := vm.CheckWritable(spec.Tool, dir); err != nil {
			return nil, fmt.Errorf("writable directory of the tool: %w", err)
		}
	}
	m := &machine{driver: d, spec: spec, view: view, gone: make(chan struct{}), pidfd: -1, user: d.takeUser()}
	if err := m.start(ctx); err != nil {
		if closing := m.Close(); closing != nil {
			err = errors.Join(err, closing)
		}
		return nil, err
	}
	return m, nil
}

// viewOf returns what a machine sees: the file system of its image, where the tool is if
// it has no directory of its own, or what all machines see.
func (d *Driver) viewOf(ctx context.Context, spec *vm.Spec) (view, error) {
	switch {
	case spec.Image == "":
		return d.view, nil
	case d.options.Tree == nil:
		return view{}, fmt.Errorf("machine %s asks for the image %s, and this driver has no images", spec.Name, spec.Image)
	}
	root, err := d.options.Tree(ctx, spec.Image)
	if err != nil {
		return view{}, err
	}
	if spec.Tool == "" {
		// An image may come from anybody, and this path is one of the host.
		spec.Tool, err = realDir(filepath.Join(root, vm.ToolDir))
		real, failure := realDir(root)
		if err = errors.Join(err, failure); err == nil && !within(spec.Tool, real) {
			err = fmt.Errorf("its %s leads out of it", vm.ToolDir)
		}
		if err != nil {
			return view{}, fmt.Errorf("the image %s holds no tool: %w", spec.Image, err)
		}
	}
	return look(root, nil), nil
}

// start makes the group, starts the maker and waits until the machine is ready.
func (m *machine) start(ctx context.Context) (err error) {
	d := m.driver
	name := m.spec.Name + "-" + strconv.FormatInt(d.machines.Add(1), 10)
	if m.group, err = d.controllers.newGroup(groupName(d.identity, name), m.spec.CPUs != nil); err != nil {
		return err
	}
	files, err := m.openFiles()
	if err == nil {
		err = m.launch(files)
	}
	// Our copies of the ends are closed: while one is open, the reports never end.
	closeAll(files)
	if err != nil {
		return err
	}
	if err := m.awaitReady(ctx); err != nil {
		return err
	}
	if m.spec.Input != "" && m.world.Input == "" {
		return m.copyInput()
	}
	return nil
}

// openFiles makes the pipes of a machine, and returns the ends for the maker in the
// order of its descriptors.
func (m *machine) openFiles() (files []*os.File, err error) {
	stdin, err := m.openStdin()
	if err != nil {
		return nil, err
	}
	files = append(files, stdin)
	for _, ours := range []**os.File{&m.stdout, &m.stderr, &m.status} {
		r, w, err := os.Pipe()
		if err != nil {
			return files, err
		}
		*ours = r
		files = append(files, w)
	}
	if !m.driver.ordinary {
		// A tool may open /dev/stdout and /dev/stderr.
		for _, f := range files[1:3] {
			if err := f.Chown(m.user, m.user); err != nil {
				return files, err
			}
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return files, err
	}
	m.orders = w
	return append(files, r), nil
}

// openStdin returns a file of our own with what the job reads.
func (m *machine) openStdin() (*os.File, error) {
	if m.spec.Stdin == nil {
		return os.Open(os.DevNull)
	}
	fd, err := unix.FcntlInt(m.spec.Stdin.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	return os.NewFile(uintptr(fd), m.spec.Stdin.Name()), nil
}

// launch starts the maker from a thread that lives as long as it: the
// death signal follows the thread, not the engine.
func (m *machine) launch(files []*os.File) error {
	own, kept, err := m.describe(maker.FdFree)
	defer closeAll(own)
	if err != nil {
		return err
	}
	attr := &syscall.ProcAttr{Dir: "/", Sys: m.driver.processAttributes()}
	for _, f := range slices.Concat(files, own, kept) {
		attr.Files = append(attr.Files, f.Fd())
	}
	pidfd := -1
	attr.Sys.PidFD = &pidfd
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		pid, err := startMaker(attr)
		m.pid = pid
		if err == nil {
			m.pidfd = pidfd
		}
		started <- err
		if err != nil {
			return
		}
		for {
			if _, err := syscall.Wait4(pid, nil, 0, nil); err != syscall.EINTR {
				break
			}
		}
		close(m.gone)
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("start the maker of the machine: %w", err)
	}
	m.launched = true
	return nil
}

// startMaker starts this program as the maker of a machine. It lives for a moment before a
// job and sleeps during it: it needs no second core, and collects no garbage.
func startMaker(attr *syscall.ProcAttr) (pid int, err error) {
	attr.Env = []string{"GOMAXPROCS=1", "GOGC=off"}
	return syscall.ForkExec("/proc/self/exe", []string{maker.Name}, attr)
}

// processAttributes are the namespaces of a maker.
func (d *Driver) processAttributes() *syscall.SysProcAttr {
	const fresh = syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS | syscall.CLONE_NEWNET
	if !d.ordinary {
		return &syscall.SysProcAttr{Cloneflags: fresh, Setsid: true, Pdeathsig: syscall.SIGKILL}
	}
	// Note: with a user namespace the runtime forks without sharing memory, so
	// that this costs the engine's page tables, some milliseconds per gigabyte.
	return &syscall.SysProcAttr{
		Cloneflags: fresh | syscall.CLONE_NEWUSER, Setsid: true, Pdeathsig: syscall.SIGKILL,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: userToolID, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: userToolID, HostID: os.Getegid(), Size: 1}},
		// An overlay works with the rights of who mounted it, and needs those
		// over files.
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP, unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER},
	}
}

// awaitReady has the world made.
func (m *machine) awaitReady(ctx context.Context) error {
	deadline := time.Now().Add(bootPatience)
	if err := errors.Join(m.orders.SetWriteDeadline(deadline), m.status.SetReadDeadline(deadline)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, m.kill)
	defer stop()
	err := maker.Send(m.orders, &m.world)
	var report maker.Report
	if err == nil {
		err = maker.Receive(m.status, &report)
	}
	if err != nil {
		return cmp.Or(ctx.Err(), fmt.Errorf("the maker died before the machine was ready: %w", err))
	}
	return errors.Join(report.Err(), m.orders.SetWriteDeadline(time.Time{}), m.status.SetReadDeadline(time.Time{}))
}
