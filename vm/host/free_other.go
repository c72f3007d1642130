//go:build !(linux || darwin)

package host

import (
	"errors"
	"runtime"
)

func freeSpace(string) (int64, error) {
	return 0, errors.New("runs need Linux, this is " + runtime.GOOS)
}
