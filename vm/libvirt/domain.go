//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"os"
	"strings"

	"podium/vm/guest"
)

// machineType is the board that is emulated. Boot times differ little between
// pc and q35; libvirt has no microvm.
const machineType = "pc"

// kernelArguments: quiet, since a serial line is slow; a panic ends the guest at
// once, and an interrupt that the host may send (NMI) is one; memory is not
// cleared twice, and comes in huge pages where a program asks for them only, lest
// a tool is charged two megabytes for a byte; timers are not checked, since a busy
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
	var b strings.Builder
	put := func(format string, args ...any) {
		for i, a := range args {
			if s, ok := a.(string); ok {
				args[i] = escape(s)
			}
		}
		fmt.Fprintf(&b, format+"\n", args...)
	}
	onCrash := "destroy"
	if d.system != nil {
		onCrash = "preserve" // until we have seen it
	}
	kind, cpu := "qemu", "<cpu mode='maximum'><feature policy='disable' name='la57'/></cpu>"
	if d.accelerator == "kvm" {
		kind, cpu = "kvm", "<cpu mode='host-passthrough' migratable='off'/>"
	}
	put("<domain type='%s' xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'><name>%s</name>", kind, d.name)
	put("<memory unit='KiB'>%d</memory>", d.memory>>10)
	d.putCores(put)
	put("<os><type arch='x86_64' machine='%s'>hvm</type>", machineType)
	if d.system == nil {
		put("<kernel>%s</kernel><initrd>%s</initrd><cmdline>%s</cmdline></os>", d.kernel, d.initramfs, kernelArguments)
	} else {
		put("<boot dev='hd'/><bios useserial='yes'/></os>")
	}
	b.WriteString("<features><acpi/><apic/></features>" + cpu + "\n")
	put("<clock offset='utc'><timer name='hpet' present='no'/></clock>")
	put("<on_poweroff>destroy</on_poweroff><on_reboot>destroy</on_reboot><on_crash>%s</on_crash>", onCrash)
	put("<devices><controller type='usb' model='none'/><memballoon model='none'/>")
	for i, one := range d.disks {
		put("<disk type='file' device='disk'><driver name='qemu' type='%s'/><source file='%s'/>", cmp.Or(one.format, "raw"), one.file)
		put("<target dev='vd%s' bus='virtio'/><readonly/><shareable/><serial>%s</serial></disk>", string(rune('a'+i)), one.Serial)
	}
	if d.system == nil {
		put("<channel type='unix'><source mode='connect' path='%s'/><target type='virtio' name='%s'/></channel>", d.agentSocket, guest.PortName)
	} else {
		d.putSystem(put)
	}
	put("<serial type='unix'><source mode='connect' path='%s'/><target port='0'/></serial>", d.consoleSocket)
	put("</devices>")
	if d.privileged {
		// It may be a daemon: machines run as we do, and our files stay ours.
		put("<seclabel type='static' model='dac' relabel='no'><label>+%d:+%d</label></seclabel>", os.Geteuid(), os.Getegid())
	}
	put("<qemu:commandline>")
	for _, a := range d.arguments() {
		put("<qemu:arg value='%s'/>", a)
	}
	put("</qemu:commandline>")
	put("</domain>")
	return b.String()
}

// arguments are those of QEMU that libvirt has no words for.
func (d *domain) arguments() (args []string) {
	if d.ram != nil {
		args = append(args, d.ram.arguments(d.memory)...)
	}
	if d.system != nil {
		args = append(args, d.system.networkArguments()...)
	}
	return args
}

// putCores describes the processors and binds each to one of the host's.
func (d *domain) putCores(put func(string, ...any)) {
	put("<vcpu placement='static'>%d</vcpu>", d.cores)
	if len(d.cpus) == 0 {
		return
	}
	all := make([]string, len(d.cpus))
	put("<cputune>")
	for i, c := range d.cpus {
		all[i] = fmt.Sprint(c)
		put("<vcpupin vcpu='%d' cpuset='%d'/>", i, c)
	}
	put("<emulatorpin cpuset='%s'/></cputune>", strings.Join(all, ","))
}

// escape makes text safe inside of XML, in attributes, too.
func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return ""
	}
	return b.String()
}
