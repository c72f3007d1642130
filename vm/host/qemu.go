package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const qemuProgram = "qemu-system-x86_64"

var versionNumber = regexp.MustCompile(`\d+\.\d+(\.\d+)?`)

// qemu looks for the emulator.
func (h *Host) qemu(ctx context.Context) []Check {
	c := Check{Subject: "QEMU", Verdict: Missing, Found: "no " + qemuProgram,
		Means:  "No virtual machines (E-5.1); the sandbox does not need it.",
		Advice: "Install the emulator.",
		Fix:    []string{"apt-get install --no-install-recommends qemu-system-x86 qemu-utils"}}
	program := h.Find(qemuProgram)
	if program == "" {
		return []Check{c}
	}
	out, err := h.Run(ctx, program, "--version")
	if err != nil {
		c.Found = fmt.Sprintf("%s does not run: %v", program, err)
		return []Check{c}
	}
	return []Check{{Subject: c.Subject, Verdict: OK, Found: "version " + versionNumber.FindString(out), Means: "Virtual machines are possible (E-5.1)."}}
}

// kvm reports whether guests run on the processor itself, by booting one: a
// device node proves nothing.
func (h *Host) kvm(ctx context.Context) []Check {
	c := Check{Subject: "KVM", Verdict: Limited,
		Means:  "Virtual machines are emulated: many times slower, for rehearsals, not for the record (E-5.1).",
		Advice: "Take a host whose processor offers virtualisation; in a virtual host, nested virtualisation must be on and work."}
	program := h.Find(qemuProgram)
	_, err := os.Stat(h.path("dev/kvm"))
	switch {
	case err != nil:
		c.Found = "no /dev/kvm"
		c.Fix = []string{"modprobe kvm_intel || modprobe kvm_amd"}
	case program == "":
		c.Found, c.Advice = "not tried without QEMU", "Install QEMU."
	default:
		if f, err := os.OpenFile(h.path("dev/kvm"), os.O_RDWR, 0); err != nil {
			c.Found, c.Advice = oneLine(err.Error()), "Join the group kvm, and log in again."
			c.Fix = []string{"usermod -a -G kvm \"$SUDO_USER\""}
			break
		} else {
			f.Close()
		}
		took, err := BootKVM(ctx, program, h.Kernel, h.BootPatience)
		if err != nil {
			c.Found = "/dev/kvm opens, but " + oneLine(err.Error())
			break
		}
		c = Check{Subject: c.Subject, Verdict: OK, Found: fmt.Sprintf("a guest booted in %.1f s", took.Seconds()),
			Means: "Virtual machines run on the processor itself (E-5.1)."}
	}
	return []Check{c}
}

// bootSector ends the emulator through the port of its device isa-debug-exit.
var bootSector = [512]byte{
	0xb0, 0x21, // mov al, 0x21
	0xe6, 0xf4, // out 0xf4, al
	0xf4,       // hlt
	0xeb, 0xfd, // jmp back to hlt
	510: 0x55, 511: 0xaa,
}

// sectorExit is the emulator's exit code for it.
const sectorExit = 0x21<<1 | 1

// BootKVM boots two guests on the processor itself: firmware and a boot sector,
// then a kernel up to where it misses its disk; a kernel of "" is left out. Each
// has the given time. It tells how long they took together.
//
// Note: a guest without firmware, whose first instruction ends it, also runs on
// hosts where all others hang.
func BootKVM(ctx context.Context, qemu, kernel string, patience time.Duration) (time.Duration, error) {
	dir, err := os.MkdirTemp("", "podium-kvm-*")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	disk := filepath.Join(dir, "disk")
	if err := errors.Join(os.WriteFile(disk, bootSector[:], 0o644), os.Truncate(disk, 1<<20)); err != nil {
		return 0, err
	}
	machine := []string{"-accel", "kvm", "-machine", "pc", "-m", "256", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"}
	began := time.Now()
	out, err := runFor(ctx, patience, qemu, append(machine, "-drive", "file="+disk+",format=raw",
		"-device", "isa-debug-exit,iobase=0xf4,iosize=4")...)
	if exitCode(err) != sectorExit {
		return 0, guestError("firmware and a boot sector", out, err, patience)
	}
	if kernel == "" {
		return time.Since(began), nil
	}
	out, err = runFor(ctx, patience, qemu, append(machine, "-kernel", kernel, "-append", "console=ttyS0 panic=-1", "-serial", "stdio")...)
	if err != nil || !strings.Contains(out, "Kernel panic") {
		return 0, guestError("a kernel", out, err, patience)
	}
	return time.Since(began), nil
}

func exitCode(err error) int {
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

func guestError(what, printed string, err error, patience time.Duration) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("a guest (%s) hangs: it did not end within %v", what, patience)
	case err == nil:
		return fmt.Errorf("a guest (%s) ended too early", what)
	}
	lines := strings.Split(strings.TrimSpace(printed), "\n")
	return fmt.Errorf("a guest (%s) does not start: %w: %s", what, err, lines[len(lines)-1])
}

// libvirt looks for the client library, the driver for a libvirt without a
// daemon, and a daemon.
func (h *Host) libvirt(ctx context.Context) []Check {
	library := Check{Subject: "libvirt", Verdict: Missing, Found: "no libvirt.so.0",
		Means:  "No virtual machines (E-5.1); the sandbox does not need it.",
		Advice: "Install the client library, and the driver for QEMU.",
		Fix:    []string{"apt-get install --no-install-recommends libvirt-daemon-system"}}
	files := append(h.glob("usr/lib/*/libvirt.so.0.*"), h.glob("usr/lib*/libvirt.so.0.*")...)
	if len(files) == 0 {
		return []Check{library}
	}
	all := []Check{{Subject: library.Subject, Verdict: OK, Found: "client library " + soVersion(path.Base(files[0])),
		Means: "Virtual machines are possible where there is a driver or a daemon (E-5.1)."}}
	embedded := Check{Subject: "libvirt embedded", Verdict: OK, Found: "driver for QEMU is there",
		Means: "Virtual machines live and die with their worker, without a daemon (E-5.1)."}
	if len(append(h.glob("usr/lib/*/libvirt/connection-driver/libvirt_driver_qemu.so"), h.glob("usr/lib*/libvirt/connection-driver/libvirt_driver_qemu.so")...)) == 0 {
		embedded.Verdict, embedded.Found, embedded.Fix = Missing, "no libvirt_driver_qemu.so", library.Fix
		embedded.Means = "Virtual machines need a running daemon, and can outlive a worker that crashes (E-5.1)."
		embedded.Advice = "Install the driver for QEMU."
	}
	return append(all, embedded, h.daemon(ctx))
}

// daemon is no matter where libvirt is embedded.
func (h *Host) daemon(ctx context.Context) Check {
	c := Check{Subject: "libvirt daemon", Verdict: OK, Found: "none", Means: "Not needed where libvirt is embedded."}
	for _, program := range []string{"libvirtd", "virtqemud"} {
		if found := h.Find(program); found != "" {
			out, err := h.Run(ctx, found, "--version")
			if err != nil {
				continue
			}
			c.Found = program + " " + versionNumber.FindString(out) + ", not running"
			if len(append(h.glob("run/libvirt/libvirt-sock"), h.glob("run/libvirt/virtqemud-sock")...)) > 0 {
				c.Found = program + " " + versionNumber.FindString(out) + ", with a socket"
				h.sharedKVM(&c)
			}
			break
		}
	}
	return c
}

// sharedKVM adds to what was found of a running daemon whether its machines may
// open /dev/kvm. A daemon asks QEMU what it can do with the rights of root, and
// then, with those of its machines, doubts the answer at every call.
func (h *Host) sharedKVM(c *Check) {
	info, err := os.Stat(h.path("dev/kvm"))
	if err != nil || info.Mode()&0o060 == 0o060 || info.Mode()&0o006 == 0o006 {
		return
	}
	c.Verdict = Limited
	c.Found += "; /dev/kvm opens for its owner alone"
	c.Means = "Where libvirt is not embedded, the daemon asks QEMU again at every call what it can do, which takes seconds."
	c.Advice = "Give /dev/kvm to the group kvm, as udev does."
	c.Fix = []string{"chgrp kvm /dev/kvm && chmod 660 /dev/kvm"}
}

// soVersion reads libvirt.so.0.MAJOR*1000+MINOR.RELEASE.
func soVersion(name string) string {
	parts := strings.Split(strings.TrimPrefix(name, "libvirt.so.0."), ".")
	n, err := strconv.Atoi(parts[0])
	if err != nil || len(parts) < 2 {
		return "of unknown version"
	}
	return fmt.Sprintf("%d.%d.%s", n/1000, n%1000, parts[1])
}

// kernel reports whether guests have one.
func (h *Host) kernel(context.Context) []Check {
	if h.Kernel != "" {
		return []Check{{Subject: "guest kernel", Verdict: OK, Found: h.Kernel, Means: "Virtual machines boot our kernel and agent (E-5.1)."}}
	}
	return []Check{{Subject: "guest kernel", Verdict: Missing, Found: "no kernel with modules that guests need",
		Means:  "No virtual machines (E-5.1); the sandbox does not need it.",
		Advice: "Unpack a kernel for guests where no boot loader finds it, as the user who runs podium.",
		Fix: []string{
			`mkdir -p "${XDG_CACHE_HOME:-$HOME/.cache}/podium/kernel" && cd "${XDG_CACHE_HOME:-$HOME/.cache}/podium/kernel"`,
			`apt-get download "$(apt-cache depends linux-image-cloud-amd64 | awk '/Depends: linux-image-/ { print $2; exit }')"`,
			`dpkg-deb -x linux-image-*.deb . && rm linux-image-*.deb && { [ -e lib ] || ln -s usr/lib lib; }`,
			`/sbin/depmod -b . "$(ls lib/modules)"`,
		}}}
}
