//go:build linux

package maker

// What package syscall does not have, from the kernel's headers (include/uapi). The
// numbers of these calls are the same on all processors. The names of package unix are
// not used because that package is initialised late.
const (
	sysOpenTree     = 428
	sysMoveMount    = 429
	sysClone3       = 435
	sysCloseRange   = 436
	sysMountSetattr = 442

	atEmptyPath   = 0x1000
	atRecursive   = 0x8000
	openTreeClone = 1
	moveEmptyPath = 4

	mountReadOnly = 0x1
	mountNoSuid   = 0x2
	mountNoDev    = 0x4
	mountNoExec   = 0x8
	mountIDMap    = 0x100000

	cloneClearHandlers = 0x1_0000_0000
	cloneIntoGroup     = 0x2_0000_0000
	closeRangeCloexec  = 4

	prSetNoNewPrivs      = 38
	prCapAmbient         = 47
	prCapAmbientClearAll = 4
	capabilityVersion3   = 0x20080522

	seccompSetFilter = 1
	seccompSpecAllow = 4

	sigSetMask     = 2
	clockMonotonic = 1
	pollIn         = 1
)

// atCWD is AT_FDCWD as an argument.
const atCWD = ^uintptr(99)
