package files

import (
	"os"
	"syscall"
)

// ErrLocked says that another process has a lock.
const ErrLocked = syscall.EWOULDBLOCK

// TryLock locks a file for this process. The error is [ErrLocked] where another one has
// the lock. Closing the file, or the end of the process, gives it back.
func TryLock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
