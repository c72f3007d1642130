package guest

import (
	"errors"
	"fmt"
	"io"

	"podium/vm"
)

// unpacker unpacks what is written to it.
type unpacker struct {
	*io.PipeWriter
	done chan error
}

func newUnpacker(job *vm.Job) *unpacker {
	r, w := io.Pipe()
	u := &unpacker{w, make(chan error, 1)}
	go func() {
		err := unpack(r, job)
		if err == nil {
			// The padding of the archive.
			_, err = io.Copy(io.Discard, io.LimitReader(r, 1<<20))
		}
		r.CloseWithError(errors.Join(err, io.ErrClosedPipe))
		u.done <- err
	}()
	return u
}

// finish waits until everything is on the disk.
func (u *unpacker) finish() error {
	return errors.Join(u.Close(), <-u.done)
}

// unpack writes the results of a job. Our agent sends no more than the job's limits
// allow: a guest that does has been taken over, and its results are refused.
func unpack(from io.Reader, job *vm.Job) error {
	results, err := vm.OpenResults(job)
	if err != nil {
		return err
	}
	defer results.Close()
	if err := results.AddTar(from); err != nil {
		return err
	}
	if err := results.Refused(); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	return nil
}
