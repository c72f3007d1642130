package vmtest

import "syscall"

func enter32(nr, a, b, c uint32) int32

// call32 is a system call of a 32-bit program, which any program can make.
func call32(nr, a, b, c uint32) error {
	if r := enter32(nr, a, b, c); r < 0 {
		return syscall.Errno(-r)
	}
	return nil
}
