//go:build linux && !amd64

package vmtest

import "syscall"

// call32 is there for processors that have programs of 32 bits.
func call32(nr, a, b, c uint32) error { return syscall.ENOSYS }
