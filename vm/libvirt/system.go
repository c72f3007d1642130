//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/beevik/etree"
	"golang.org/x/crypto/ssh"
	"libvirt.org/go/libvirt"

	"podium/internal/programs"
	"podium/vm"
	"podium/vm/guest/image"
)

// Systems.
//
// An image may be a contestant's disk that boots its own system, with its own
// boot loader and kernel, as BenchKit had it. Such a machine has no agent of
// ours: the instance goes in, and what the tool prints comes out, by ssh. It has
// one network device, which reaches a port of this host's loopback and nothing
// else. The disk is read-only below a copy-on-write file that goes with the
// machine. Nothing in it is trusted to measure, so CPU time and memory are those
// of the machine's process.

// system is what a machine has that boots its own system.
type system struct {
	*image.System
	dir     string // of the overlay
	address string // of its ssh, on this host
	client  *ssh.Client
	given   time.Time // when the instance began to go in: the system may work on it from then on
	before  hostTimes // of the machine's process, then
	words   string    // last ones, of a machine that is gone

	stopped chan libvirt.DomainEventStoppedDetailType // how libvirt saw the machine stop
	events  int                                       // the number of the callback for that
}

func (s *system) overlay() string { return filepath.Join(s.dir, "overlay.qcow2") }

// ownPatience is by how much a distribution may take longer to boot than our
// kernel and agent; Debian 12 took four minutes, emulated on a busy host.
const ownPatience = 3

func ownSystem(ctx context.Context, spec vm.Spec) (bool, error) {
	if spec.Image == "" {
		return false, nil
	}
	own, err := image.SystemOf(ctx, spec.Image)
	return own != nil, err
}

// equipSystem gives the domain a disk of its own above that of the image.
func (m *machine) equipSystem(ctx context.Context, d *domain, own *image.System) error {
	// Who made the image made the disk in it.
	if form, err := diskFormat(own.Disk); err != nil {
		return err
	} else if form != "qcow2" {
		return &DiskError{own.Disk, fmt.Errorf("the disk in an image is qcow2, not %s", form)}
	}
	s := &system{System: own, dir: m.driver.store.Path(fmt.Sprintf("%s-%d-overlay", m.driver.name, m.driver.machines.Add(1))),
		stopped: make(chan libvirt.DomainEventStoppedDetailType, 1), events: -1}
	m.system, d.system = s, s
	// As BenchKit does: the machine has the memory of the run, for all that is
	// in it.
	d.memory = wholeMegabytes(cmp.Or(m.spec.Memory, memoryDefault))
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		return err
	}
	return qemuImg(ctx, "create", "-q", "-f", "qcow2", "-F", "qcow2", "-b", s.Disk, s.overlay())
}

// qemuImg works on disk images.
func qemuImg(ctx context.Context, args ...string) error {
	out, err := programs.Command(ctx, "qemu-img", args...).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("disks that boot their own system need qemu-img (%w): on Debian, apt-get install qemu-utils", err)
	}
	if strings.Contains(string(out), "No space left") {
		err = errors.Join(syscall.ENOSPC, err)
	}
	if err != nil {
		return fmt.Errorf("qemu-img %s: %w: %s", args[0], err, printable(out))
	}
	return nil
}

// Where devices are, for systems that name what they find there: old ones after
// the address of the card, which the rules of udev leave alone if it is QEMU's
// first; later ones after the slot (ens3), which is QEMU's, and VirtualBox's,
// too. The screen is where it is elsewhere, so that nothing else takes its place.
const (
	screenSlot, networkSlot, diskSlot = 2, 3, 4
	networkAddress                    = "52:54:00:12:34:56"
)

// addDevices describes what a machine that boots its own system has in the place of
// ours.
func (s *system) addDevices(devices *etree.Element) {
	disk := add(devices, "disk", "type", "file", "device", "disk")
	// Whatever is on the disk does not outlive the machine, so nothing waits for
	// it to be written. Without room for it, the machine stops.
	add(disk, "driver", "name", "qemu", "type", "qcow2", "cache", "unsafe", "error_policy", "stop")
	add(disk, "source", "file", s.overlay())
	switch s.Bus {
	case "virtio":
		add(disk, "target", "dev", "vda", "bus", "virtio")
		addSlot(disk, diskSlot)
	case "sata":
		add(disk, "target", "dev", "sda", "bus", "sata")
		addSlot(add(devices, "controller", "type", "sata", "index", "0"), diskSlot)
	default:
		add(disk, "target", "dev", "hda", "bus", "ide")
	}
	video := add(devices, "video")
	add(video, "model", "type", "vga")
	addSlot(video, screenSlot)
	// A kernel that dies says so here, if it knows how to.
	add(devices, "panic", "model", "isa")
}

// addSlot places a device.
func addSlot(device *etree.Element, slot int) {
	add(device, "address", "type", "pci", "slot", fmt.Sprint(slot))
}

// networkArguments are QEMU's for the one network device. Libvirt does not know
// how to restrict it.
func (s *system) networkArguments() []string {
	model := map[string]string{"e1000": "e1000", "virtio": "virtio-net-pci"}[s.Network]
	return []string{"-netdev", "user,id=podium,restrict=on,ipv6=off,hostfwd=tcp:127.0.0.1:0-:22",
		"-device", fmt.Sprintf("%s,netdev=podium,mac=%s,bus=pci.0,addr=0x%x,romfile=", model, networkAddress, networkSlot)}
}

// bootSystem starts the machine, waits for its ssh, and brings what the run needs.
func (m *machine) bootSystem(ctx context.Context, d *domain) (err error) {
	defer func() {
		if err != nil {
			m.system.words = m.screen()
		}
	}()
	if err := m.prepare(d); err != nil {
		return err
	}
	if err := m.create(ctx, d, libvirt.DOMAIN_NONE); err != nil {
		return err
	}
	if err := m.hearStop(); err != nil {
		return err
	}
	if m.system.address, err = m.forwarded(); err != nil {
		return err
	}
	if m.system.client, err = m.login(ctx); err != nil {
		return err
	}
	m.step("ssh there")
	if tool := m.spec.Tool; tool != "" { // else it is on the disk
		if err := m.system.bring(ctx, tool, vm.ToolDir); err != nil {
			return fmt.Errorf("copy the tool to %s: %w", vm.ToolDir, err)
		}
	}
	m.system.given = time.Now()
	if m.system.before, err = timesOf(m.pid); err != nil {
		return err
	}
	if err := m.system.bring(ctx, m.spec.Input, vm.InstanceDir, vm.ResultDir); err != nil {
		return fmt.Errorf("copy the instance to %s: %w", vm.InstanceDir, err)
	}
	m.step("instance there")
	m.start = vm.Booted
	return nil
}

var forwardedPort = regexp.MustCompile(`TCP\[HOST_FORWARD\]\s+\d+\s+127\.0\.0\.1\s+(\d{1,5})\s`)

// forwarded asks QEMU which port it was given.
func (m *machine) forwarded() (string, error) {
	var table string
	if err := m.monitor("human-monitor-command", map[string]any{"command-line": "info usernet"}, &table); err != nil {
		return "", err
	}
	found := forwardedPort.FindStringSubmatch(table)
	if found == nil {
		return "", fmt.Errorf("QEMU forwards no port: %s", table)
	}
	return "127.0.0.1:" + found[1], nil
}

// errNoLoader says that a disk starts nothing.
var errNoLoader = errors.New("the disk has no boot loader that starts: is it a whole disk, with its partitions, and not only a file system? (without --own-system its file system is enough)")

// errOff says that a guest ended its machine.
var errOff = errors.New("the disk's system switched its machine off or restarted it")

// hearStop has libvirt say how the machine stops: switched off by its system, or because its
// process is gone. Afterwards nothing tells the one from the other.
func (m *machine) hearStop() (err error) {
	stopped := m.system.stopped
	m.system.events, err = m.driver.conn.DomainEventLifecycleRegister(m.domain, func(_ *libvirt.Connect, _ *libvirt.Domain, e *libvirt.DomainEventLifecycle) {
		if e.Event == libvirt.DOMAIN_EVENT_STOPPED {
			select {
			case stopped <- libvirt.DomainEventStoppedDetailType(e.Detail):
			default:
			}
		}
	})
	return err
}

// hopeless says why a machine will not get any further.
func (m *machine) hopeless() error {
	switch state, reason, err := m.domain.GetState(); {
	case err != nil:
		select {
		case how := <-m.system.stopped:
			m.system.stopped <- how // for who asks again
			if how == libvirt.DOMAIN_EVENT_STOPPED_SHUTDOWN {
				return errOff
			}
		case <-time.After(time.Second):
		}
		return fmt.Errorf("the process of the machine is gone (%w)", err)
	case state == libvirt.DOMAIN_CRASHED:
		return errPanic
	case state == libvirt.DOMAIN_PAUSED && reason == int(libvirt.DOMAIN_PAUSED_IOERROR):
		return fmt.Errorf("what the machine writes to its disk finds no room in %s: %w", m.system.dir, syscall.ENOSPC)
	}
	return nil
}

// unbootable says why a machine will not boot.
func (m *machine) unbootable() error {
	if strings.Contains(m.console.tail(), "No bootable device") {
		return errNoLoader
	}
	return m.hopeless()
}

// errPanic says that the kernel of a guest died.
var errPanic = errors.New("the kernel of the disk's system died")

// screen is what a machine that boots its own system shows: the end of what its
// console said, and its screen, if that is one of text.
func (m *machine) screen() string {
	if m.console == nil || m.domain == nil {
		return ""
	}
	words := m.console.tail()
	file := filepath.Join(m.dir, "screen")
	if m.monitor("pmemsave", map[string]any{"val": screenMemory, "size": screenColumns * screenRows * 2, "filename": file}, nil) == nil {
		if b, err := os.ReadFile(file); err == nil {
			words = addLines(words, screenText(b))
		}
	}
	return strings.TrimSpace(words)
}

// close ends what a machine has that boots its own system.
func (s *system) close() error {
	if s.client != nil {
		// Who it talks to is gone.
		_ = s.client.Close()
	}
	return os.RemoveAll(s.dir)
}

// ImportSystem makes an image of a contestant's disk (qcow2, vmdk or raw) that
// boots its own system, boots it to see that it can be logged in to, and returns
// the digest of the image. The disk's faults are of type *DiskError.
func (d *Driver) ImportSystem(ctx context.Context, file string, sys image.System, out string) (digest string, err error) {
	if d.bootErr != nil {
		return "", &vm.BootError{Err: d.bootErr}
	}
	sys.Format = image.SystemFormat
	if err := sys.Check(); err != nil {
		return "", err
	}
	if _, err := loginConfig(&sys); err != nil {
		return "", err
	}
	form, err := soundDisk(ctx, file)
	if err != nil {
		return "", err
	}
	dir := d.store.Path(fmt.Sprintf("%s-%d-import", d.name, d.machines.Add(1)))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	sys.Disk = filepath.Join(dir, "disk.qcow2")
	if err := qemuImg(ctx, "convert", "-f", form, "-O", "qcow2", file, sys.Disk); err != nil {
		return "", &DiskError{file, err}
	}
	if digest, err = image.SystemImage(ctx, sys, out); err != nil {
		return "", err
	}
	if err := d.trySystem(ctx, out); err != nil {
		return "", errors.Join(&DiskError{file, err}, os.Remove(out))
	}
	return digest, nil
}

// trySystem boots an image and looks for the tool's directory.
func (d *Driver) trySystem(ctx context.Context, file string) (err error) {
	m, err := d.Boot(ctx, vm.Spec{Name: "import", Cores: 1, Image: file})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	var said strings.Builder
	look := vm.Job{Command: []string{"/bin/ls", "-d", vm.ToolDir + "/."}, Limits: vm.Limits{WallTime: time.Minute, Output: 1 << 10}, Stdout: io.Discard, Stderr: &said}
	o, err := m.Exec(ctx, look)
	if err == nil && (o.Termination != vm.Exited || o.ExitCode != 0) {
		err = fmt.Errorf("the disk's system has no directory %s that the user may see: %s", vm.ToolDir, printable([]byte(said.String())))
	}
	return err
}
