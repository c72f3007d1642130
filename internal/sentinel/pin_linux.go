package sentinel

import "golang.org/x/sys/unix"

// pin binds this thread to a core, and returns what undoes it.
func pin(core int) (back func() error, err error) {
	var before, only unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return nil, err
	}
	only.Set(core)
	if err := unix.SchedSetaffinity(0, &only); err != nil {
		return nil, err
	}
	return func() error { return unix.SchedSetaffinity(0, &before) }, nil
}
