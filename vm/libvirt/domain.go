//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/beevik/etree"

	"podium/vm/guest"
)

// machineType is the board that is emulated. Boot times differ little between
// pc and q35; libvirt has no microvm.
const machineType = "pc"

// kernelArguments: quiet, since a serial line is slow; a panic ends the guest at
// once, and an interrupt that the host may send (NMI) is one; memory is not
// cleared twice, and comes in huge pages only where a program asks for them, since
// a tool would be charged two megabytes for a byte; timers are not checked, since a busy
// host can keep an emulated one from ticking. What is left out (tests of ciphers,
// keys, probes, IPv6) takes a third of the boot under emulation.
const kernelArguments = "console=ttyS0 quiet panic=-1 oops=panic unknown_nmi_panic no5lvl no_timer_check init_on_alloc=0 nokaslr cryptomgr.notests ipv6.disable=1 transparent_hugepage=madvise " +
	"initcall_blacklist=load_system_certificate_list,init_kprobe_trace,cubictcp_register"

// disk is a read-only disk of a domain.
type disk struct {
	guest.Disk
	file   string
	format string // of the file, "" for raw
}

// domain describes a virtual machine.
type domain struct {
	name, kernel, initramfs string
	accelerator             string // "kvm" or "tcg"
	cores                   int
	cpus                    []int
	nodes                   []int // of the host's memory, nil for any
	memory                  int64 // bytes, whole MiB
	disks                   []disk
	agentSocket             string  // where we listen for the wire
	consoleSocket           string  // and for what the kernel prints
	privileged              bool    // the hypervisor is root's
	ram                     *ram    // nil for memory that is in no file
	system                  *system // nil unless it boots its own
}

// xml describes the domain to libvirt.
func (d *domain) xml() string {
	doc := etree.NewDocument()
	kind := "qemu"
	if d.accelerator == "kvm" {
		kind = "kvm"
	}
	root := add(&doc.Element, "domain", "type", kind, "xmlns:qemu", "http://libvirt.org/schemas/domain/qemu/1.0")
	add(root, "name").SetText(d.name)
	add(root, "memory", "unit", "KiB").SetText(fmt.Sprint(d.memory >> 10))
	d.addCores(root)
	d.addBoot(root)
	d.addProcessor(root)
	d.addLife(root)
	d.addDevices(add(root, "devices"))
	if d.privileged {
		// It may be a daemon: machines run as we do, and our files stay ours.
		add(add(root, "seclabel", "type", "static", "model", "dac", "relabel", "no"), "label").
			SetText(fmt.Sprintf("+%d:+%d", os.Geteuid(), os.Getegid()))
	}
	commandLine := add(root, "qemu:commandline")
	for _, a := range d.arguments() {
		add(commandLine, "qemu:arg", "value", a)
	}
	// Libvirt would ask for each of the 400 properties of a processor by itself, which takes a
	// third of a short run. Without this ability of QEMU it asks for all at once.
	add(add(root, "qemu:capabilities"), "qemu:del", "capability", "cpu-unavailable-features")
	var b strings.Builder
	_, _ = doc.WriteTo(&b) // to memory
	return b.String()
}

// add makes an element with attributes, each a name and a value.
func add(in *etree.Element, tag string, attributes ...string) *etree.Element {
	e := in.CreateElement(tag)
	for i := 0; i < len(attributes); i += 2 {
		e.CreateAttr(attributes[i], attributes[i+1])
	}
	return e
}

// addCores describes how many processors there are, and binds each to one of the
// host's, and the memory to its nodes.
func (d *domain) addCores(root *etree.Element) {
	add(root, "vcpu", "placement", "static").SetText(fmt.Sprint(d.cores))
	if len(d.cpus) == 0 {
		return
	}
	all := make([]string, len(d.cpus))
	tune := add(root, "cputune")
	for i, c := range d.cpus {
		all[i] = fmt.Sprint(c)
		add(tune, "vcpupin", "vcpu", fmt.Sprint(i), "cpuset", all[i])
	}
	add(tune, "emulatorpin", "cpuset", strings.Join(all, ","))
	if len(d.nodes) > 0 {
		nodes := strings.Join(strings.Fields(strings.Trim(fmt.Sprint(d.nodes), "[]")), ",")
		add(add(root, "numatune"), "memory", "mode", "strict", "nodeset", nodes)
	}
}

// addBoot describes what is booted: our kernel, or what is on the disk.
func (d *domain) addBoot(root *etree.Element) {
	boot := add(root, "os")
	add(boot, "type", "arch", "x86_64", "machine", machineType).SetText("hvm")
	if d.system != nil {
		add(boot, "boot", "dev", "hd")
		add(boot, "bios", "useserial", "yes")
		return
	}
	add(boot, "kernel").SetText(d.kernel)
	add(boot, "initrd").SetText(d.initramfs)
	add(boot, "cmdline").SetText(kernelArguments)
}

// addProcessor describes what a processor can do.
func (d *domain) addProcessor(root *etree.Element) {
	features := add(root, "features")
	add(features, "acpi")
	add(features, "apic")
	if d.accelerator == "kvm" {
		add(root, "cpu", "mode", "host-passthrough", "migratable", "off")
		return
	}
	add(add(root, "cpu", "mode", "maximum"), "feature", "policy", "disable", "name", "la57")
}

// addLife describes the clock, and what ends the machine.
func (d *domain) addLife(root *etree.Element) {
	add(add(root, "clock", "offset", "utc"), "timer", "name", "hpet", "present", "no")
	add(root, "on_poweroff").SetText("destroy")
	add(root, "on_reboot").SetText("destroy")
	onCrash := "destroy"
	if d.system != nil {
		onCrash = "preserve" // until we have seen it
	}
	add(root, "on_crash").SetText(onCrash)
}

func (d *domain) addDevices(devices *etree.Element) {
	add(devices, "controller", "type", "usb", "model", "none")
	add(devices, "memballoon", "model", "none")
	for i, one := range d.disks {
		disk := add(devices, "disk", "type", "file", "device", "disk")
		add(disk, "driver", "name", "qemu", "type", cmp.Or(one.format, "raw"))
		add(disk, "source", "file", one.file)
		add(disk, "target", "dev", "vd"+string(rune('a'+i)), "bus", "virtio")
		add(disk, "readonly")
		add(disk, "shareable")
		add(disk, "serial").SetText(one.Serial)
	}
	if d.system == nil {
		channel := add(devices, "channel", "type", "unix")
		add(channel, "source", "mode", "connect", "path", d.agentSocket)
		add(channel, "target", "type", "virtio", "name", guest.PortName)
	} else {
		d.system.addDevices(devices)
	}
	serial := add(devices, "serial", "type", "unix")
	add(serial, "source", "mode", "connect", "path", d.consoleSocket)
	add(serial, "target", "port", "0")
}

// arguments are those of QEMU that libvirt has no words for. Libvirt has QEMU wait
// when a guest has switched itself off, and ends it then; where libvirt died with its
// worker nobody would, so QEMU ends at once. A machine that boots its own system waits:
// we look whether its kernel died.
func (d *domain) arguments() []string {
	var args []string
	if d.ram != nil {
		args = append(args, d.ram.arguments(d.memory)...)
	}
	if d.system != nil {
		return append(args, d.system.networkArguments()...)
	}
	return append(args, "-action", "shutdown=poweroff")
}
