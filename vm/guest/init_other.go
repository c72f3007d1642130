//go:build !linux

package guest

import (
	"fmt"
	"os"
)

// Main says that guests run Linux.
func Main() int {
	fmt.Fprintln(os.Stderr, "agent: guests run Linux")
	return 2
}
