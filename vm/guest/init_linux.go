//go:build linux

package guest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/sandbox"
)

const mountsDir = "/mnt"

// Main runs the agent as the first process of a guest. It returns an exit code
// when it runs as any other process.
func Main() int {
	if os.Getpid() != 1 {
		fmt.Fprintln(os.Stderr, "agent: this program is the first process of a guest, which podium starts")
		return 2
	}
	if err := live(); err != nil && !errors.Is(err, errHostGone) {
		fmt.Println("agent:", err)
	}
	unix.Sync()
	unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
	return 1
}

// sinceBoot is the time since the kernel started.
func sinceBoot() time.Duration {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts) != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}

// live makes the guest usable and serves its host.
func live() error {
	timeline := []Event{{"agent started", sinceBoot()}}
	for _, m := range []struct{ kind, at string }{{"devtmpfs", "/dev"}, {"proc", "/proc"}, {"sysfs", "/sys"}, {"cgroup2", "/sys/fs/cgroup"}} {
		if err := os.MkdirAll(m.at, 0o755); err != nil {
			return err
		}
		if err := unix.Mount(m.kind, m.at, m.kind, unix.MS_NOSUID|unix.MS_NOEXEC, ""); err != nil && err != unix.EBUSY {
			return fmt.Errorf("mount %s: %w", m.at, err)
		}
	}
	if err := os.MkdirAll("/tmp", 0o700); err != nil {
		return err
	}
	if err := loadModules(); err != nil {
		return err
	}
	port, err := openPort(10 * time.Second)
	if err != nil {
		return err
	}
	defer port.Close()
	timeline = append(timeline, Event{"modules loaded", sinceBoot()})
	g := &guestPlaces{}
	if err := g.open(); err != nil {
		return err
	}
	timeline = append(timeline, Event{"sandbox tried", sinceBoot()})
	return serve(port, Hello{Uptime: sinceBoot(), Timeline: timeline}, sinceBoot, g.prepare)
}

// loadModules loads the kernel modules that the image brings.
func loadModules() error {
	list, err := os.ReadFile(ModulesList)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, name := range strings.Fields(string(list)) {
		f, err := os.Open(filepath.Join(ModulesDir, name))
		if err != nil {
			return err
		}
		flags := 0
		if !strings.HasSuffix(name, ".ko") {
			flags = unix.MODULE_INIT_COMPRESSED_FILE
		}
		err = unix.FinitModule(int(f.Fd()), "", flags)
		f.Close()
		if err != nil && err != unix.EEXIST {
			return fmt.Errorf("load kernel module %s: %w", name, err)
		}
	}
	return nil
}

// openPort waits for the port of the wire, which the kernel finds on its own
// time.
func openPort(patience time.Duration) (*os.File, error) {
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		names, err := filepath.Glob("/sys/class/virtio-ports/*/name")
		if err != nil {
			return nil, err
		}
		for _, file := range names {
			if b, err := os.ReadFile(file); err == nil && strings.TrimSpace(string(b)) == PortName {
				return os.OpenFile(filepath.Join("/dev", filepath.Base(filepath.Dir(file))), os.O_RDWR, 0)
			}
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("the guest has no serial port %s", PortName)
		}
	}
}

// findDisk returns the device of a disk.
func findDisk(serial string, patience time.Duration) (string, error) {
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		files, err := filepath.Glob("/sys/block/*/serial")
		if err != nil {
			return "", err
		}
		for _, file := range files {
			if b, err := os.ReadFile(file); err == nil && strings.TrimSpace(string(b)) == serial {
				return filepath.Join("/dev", filepath.Base(filepath.Dir(file))), nil
			}
		}
		if time.Now().After(deadline) {
			return "", fmt.Errorf("the guest has no disk %s", serial)
		}
	}
}

// guestPlaces makes the place of the run. What takes time and does not depend on
// the run is done before the guest says hello, so that it is done once for all
// guests that are restored from there.
type guestPlaces struct {
	driver *sandbox.Driver
	host   toHost
}

func (g *guestPlaces) open() (err error) {
	g.driver, err = sandbox.Open(sandbox.Options{Root: BaseDir, User: User, Alone: true,
		Tree:    func(_ context.Context, image string) (string, error) { return image, nil }, // where its disk is mounted
		Results: func(name string, size int64, from io.Reader) error { return g.host.result(name, size, from) },
		AtLimit: func(used time.Duration) time.Duration { return g.host.atLimit(used) }})
	return err
}

// prepare makes the guest one that differs from all others, and mounts what the
// run needs.
func (g *guestPlaces) prepare(s Setup, host toHost) (*place, error) {
	if !s.Time.IsZero() {
		ts := unix.NsecToTimespec(s.Time.UnixNano())
		if err := unix.ClockSettime(unix.CLOCK_REALTIME, &ts); err != nil {
			return nil, fmt.Errorf("set the clock: %w", err)
		}
	}
	if err := addEntropy(s.Entropy); err != nil {
		return nil, fmt.Errorf("seed the random numbers: %w", err)
	}
	g.host = host
	p := &place{driver: g.driver, spec: vm.Spec{Name: s.Name, Cores: 1, Memory: s.Memory, Writable: s.Writable}, usage: guestUsage}
	for _, d := range s.Disks {
		at, err := mountDisk(d)
		if err != nil {
			return nil, err
		}
		switch d.Role {
		case RoleTool:
			p.spec.Tool = at
		case RoleInput:
			p.spec.Input = at
		case RoleBase:
			p.spec.Image = at
		default:
			return nil, fmt.Errorf("disk %s has the unknown role %q", d.Serial, d.Role)
		}
	}
	p.steps = append(p.steps, Event{"disks mounted", sinceBoot()})
	return p, nil
}

// mountDisk mounts a disk, read-only.
func mountDisk(d Disk) (string, error) {
	device, err := findDisk(d.Serial, 10*time.Second)
	if err != nil {
		return "", err
	}
	if err := forgetDisk(device); err != nil {
		return "", err
	}
	at := filepath.Join(mountsDir, d.Role)
	if err := os.MkdirAll(at, 0o755); err != nil {
		return "", err
	}
	if err := unix.Mount(device, at, d.Type, unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, ""); err != nil {
		return "", fmt.Errorf("mount the %s disk: %w", d.Role, err)
	}
	return at, nil
}

// forgetDisk drops what the kernel may have read of a disk before the guest was
// saved, when another one was in its place.
func forgetDisk(device string) error {
	f, err := os.Open(device)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, _, e := unix.Syscall(unix.SYS_IOCTL, f.Fd(), unix.BLKFLSBUF, 0); e != 0 {
		return fmt.Errorf("forget %s: %w", device, e)
	}
	return nil
}

// addEntropy gives the kernel random numbers of the host, and lets it use them
// at once.
func addEntropy(seed []byte) error {
	if len(seed) == 0 {
		return nil
	}
	f, err := os.OpenFile("/dev/random", os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	// struct rand_pool_info: bits, bytes, the bytes.
	info := make([]uint32, 2+(len(seed)+3)/4)
	info[0], info[1] = uint32(8*len(seed)), uint32(len(seed))
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&info[2])), len(seed)), seed)
	for _, request := range []uintptr{unix.RNDADDENTROPY, unix.RNDRESEEDCRNG} {
		if _, _, e := unix.Syscall(unix.SYS_IOCTL, f.Fd(), request, uintptr(unsafe.Pointer(&info[0]))); e != 0 {
			return e
		}
	}
	return nil
}

// guestUsage reads the counters of the job's control group.
func guestUsage() Beat {
	var b Beat
	groups, err := filepath.Glob("/sys/fs/cgroup/podium-*")
	if err != nil {
		return b
	}
	for _, g := range groups {
		stat, err := os.ReadFile(filepath.Join(g, "cpu.stat"))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(stat)) {
			if v, ok := strings.CutPrefix(line, "usage_usec "); ok {
				n, _ := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
				b.CPUTime += time.Duration(n) * time.Microsecond
			}
		}
		if peak, err := os.ReadFile(filepath.Join(g, "memory.peak")); err == nil {
			n, _ := strconv.ParseInt(strings.TrimSpace(string(peak)), 10, 64)
			b.Memory += n
		}
	}
	return b
}
