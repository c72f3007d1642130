// Package libvirt is the driver whose machines are virtual (E-5.1): a fresh
// libvirt domain for every run, which boots a kernel and our agent (package
// guest) from memory in a second or two, sees its tool and its instance as
// read-only disks, has no network device, and is destroyed with the run.
//
// # Vocabulary
//
// A domain is libvirt's word for a virtual machine; it is transient, so that
// libvirt forgets it with its process. Embedded means that this process is the
// hypervisor's daemon itself (qemu:///embed): nothing has to be installed as a
// service, and machines belong to the process that runs them. The alternative is
// a running libvirtd (qemu:///system, qemu:///session). The accelerator is KVM
// where a trial boot proves that it works, else TCG, which emulates the processor
// in software and is good for rehearsals only.
//
// A system is what a contestant's disk boots by itself, in a machine without our
// agent, where the tool is run by ssh.
//
// # What is left after a crash
//
// Domains are named podium-PID-START-DRIVER-MACHINE-NAME: the process that made them, the
// number of the driver in it, the number of the machine, and its name. Everything that
// belongs to a driver lies in one directory, PID-START-DRIVER. A daemon destroys the domains
// of a connection that breaks. An embedded driver that is killed leaves processes whose agents notice and switch
// their guests off; what is still there is found by name and removed when the
// next driver is opened.
package libvirt
