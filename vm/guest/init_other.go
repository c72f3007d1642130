//go:build !linux

package guest

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Main says that guests run Linux.
func Main() int {
	fmt.Fprintln(os.Stderr, "agent: guests run Linux")
	return 2
}

func exportDisk(Setup, io.Writer) error { return errors.New("guests run Linux") }
