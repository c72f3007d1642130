package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
)

// TestPathMessage: what the system says of a path becomes a sentence with the next step, and
// the exit code says whose the mistake is; what a command said itself stays as it is.
func TestPathMessage(t *testing.T) {
	at := func(err error) error { return &fs.PathError{Op: "open", Path: "there", Err: err} }
	for _, c := range []struct {
		err  error
		code int
		want string
	}{
		{at(syscall.ENOENT), ExitInvalid, "there: there is no such file or directory"},
		{at(syscall.ENOTDIR), ExitUsage, "there: a file stands where this path needs a directory; name another place"},
		{at(syscall.EACCES), ExitHost, "there: permission denied; ask the owner for it, or name another place"},
		{at(syscall.EROFS), ExitHost, at(syscall.EROFS).Error()},
		{at(syscall.EIO), ExitInternal, at(syscall.EIO).Error()},
		{fmt.Errorf("the key: %w", at(syscall.EACCES)), ExitHost, "the key: " + at(syscall.EACCES).Error()},
		{usageError{errors.New("a word")}, ExitUsage, "a word"},
	} {
		if got := pathMessage(c.err); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
		if got := exitCode(t.Context(), c.err); got != c.code {
			t.Errorf("%v: exit code %d, not %d", c.err, got, c.code)
		}
	}
}
