//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"podium/internal/files"
	"podium/vm"
	"podium/vm/proc"
)

// kvmState is what is known of KVM on this host.
type kvmState struct {
	works  bool
	reason string // a clause that says why not
}

// accelerator is what machines run on.
func (d *Driver) accelerator() string {
	if d.kvm.works {
		return "kvm"
	}
	return "tcg"
}

// kvmPatience is how long a trial boot with KVM may take; it takes a fraction of
// a second where KVM works.
const kvmPatience = 15 * time.Second

// chooseAccelerator finds out whether KVM works, by booting a machine: there are
// hosts where the device is there, and every guest hangs. The finding is kept
// until the host restarts or the kernel of guests changes.
func (d *Driver) chooseAccelerator() error {
	switch d.options.Accelerator {
	case "kvm":
		d.kvm.works = true
		return nil
	case "tcg":
		d.kvm.reason = "the options say so"
		return nil
	case "":
	default:
		return fmt.Errorf("%q is no accelerator: kvm and tcg are", d.options.Accelerator)
	}
	f, err := os.OpenFile("/dev/kvm", os.O_RDWR, 0)
	if err != nil {
		d.kvm.reason = "KVM cannot be used: " + err.Error()
		return nil
	}
	f.Close()
	kept := d.store.Path("kvm-" + d.boot.Release)
	host, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return err
	}
	if finding, err := os.ReadFile(kept); err == nil {
		if reason, ok := strings.CutPrefix(string(finding), string(host)); ok {
			d.kvm = kvmState{reason == "", reason}
			return nil
		}
	}
	d.kvm = d.tryKVM()
	return files.Replace(kept, files.Bytes([]byte(string(host)+d.kvm.reason))) // cut off, it would say that KVM can be used
}

// tryKVM boots a machine of no use.
func (d *Driver) tryKVM() kvmState {
	ctx, cancel := context.WithTimeout(context.Background(), kvmPatience)
	defer cancel()
	m, err := d.attempt(ctx, vm.Spec{Name: "try-kvm", Cores: 1, Memory: 256 << 20, Tool: d.dir}, "kvm", errCold)
	if err == nil {
		err = m.Close()
	}
	if err != nil {
		reason, _, _ := strings.Cut(err.Error(), "\n")
		return kvmState{reason: fmt.Sprintf("a trial boot with KVM failed (%s)", reason)}
	}
	return kvmState{works: true}
}

// Probe tells what was found out when the driver was opened.
func (d *Driver) Probe(ctx context.Context) (vm.Capabilities, error) {
	c := vm.Capabilities{Driver: "libvirt", Measured: "guest:cgroup2", Cores: proc.Cores(), Memory: proc.FreeMemory()}
	if d.bootErr != nil {
		return c, fmt.Errorf("this host cannot run virtual machines: %w", d.bootErr)
	}
	how := "embedded"
	if d.options.URI != "" {
		how = "at " + d.options.URI
	}
	c.Enforced = append(c.Enforced,
		fmt.Sprintf("Each run boots a fresh virtual machine with kernel %s, by libvirt %s; no machine has a network device or a disk that it can write to, but those of images that boot the system on a contestant's disk: these have a copy of it, and a network device that reaches nothing but podium.", d.boot.Release, how),
		"CPU time, memory and processes are measured and limited by control groups of the guest; the figures of the machine's process are recorded beside them, and disagreements are flagged.",
		"Cores are bound by the affinity of the virtual processors.",
		"Wall time is limited again by the host, whatever the guest does.")
	how = "Machines are restored from one that was booted and saved before it knew of any run; their clock and random numbers are set again."
	if reason := d.templates.reason(); reason != nil {
		how = "Each machine boots its kernel, since " + reason.Error() + "."
	} else if d.options.Start == StartCold {
		how = "Each machine boots its kernel."
	}
	c.Enforced = append(c.Enforced, how)
	if !d.kvm.works {
		c.Unenforced = append(c.Unenforced, "Processors are emulated in software, so that times are no record: "+d.kvm.reason+".")
	}
	c.ForRecord, c.Emulated = d.kvm.works, !d.kvm.works
	return c, ctx.Err()
}
