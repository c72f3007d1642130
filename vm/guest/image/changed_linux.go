package image

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// changeMark is another text after each change of a file: device, inode and time of
// the last change.
func changeMark(info fs.FileInfo) (string, error) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", errors.New("this system does not tell when a file was changed")
	}
	return fmt.Sprintf("%d %d %d", st.Dev, st.Ino, st.Ctim.Nano()), nil
}
