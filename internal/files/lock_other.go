//go:build !linux

package files

import (
	"errors"
	"os"
)

// ErrLocked says that another process has a lock.
var ErrLocked = errors.New("locked")

// TryLock locks nothing here.
func TryLock(*os.File) error { return errors.ErrUnsupported }
