package libvirt

import "time"

// Options say how machines are made; the zero value is right for an ordinary
// host.
type Options struct {
	// URI is the hypervisor: "" for an embedded one, qemu:///system or
	// qemu:///session for a running libvirtd.
	URI string
	// Dir is where the state of machines is kept while they live, with a short
	// path; "" for /run/podium, or that of the user.
	Dir string
	// Store is the directory of disks and kernels that are made once; "" for
	// the user's cache.
	Store string
	// Accelerator is "kvm" or "tcg"; "" for KVM where it works.
	Accelerator string
	// Start is StartCold or StartTemplate; "" for whichever is faster.
	Start string
	// BootPatience is how long a machine may take to be ready; 0 for a minute
	// with KVM and five without, thrice that where a disk boots its own system.
	BootPatience time.Duration
}

// The ways to start machines.
const (
	StartCold     = "cold"     // each boots its kernel
	StartTemplate = "template" // each is restored from one that was booted and saved before it knew of a run
)

// DiskError is a fault of a contestant's disk.
type DiskError struct {
	File string
	Err  error
}

func (e *DiskError) Error() string { return e.File + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *DiskError) Unwrap() error { return e.Err }
