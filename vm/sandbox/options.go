package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"podium/vm/sandbox/maker"
)

// Options say how machines are made. The zero value is right for an ordinary
// host.
type Options struct {
	// Root is a tree of its own for the machines, whose bin, etc, lib, opt, usr
	// and the like they see; without it they see a part of the host.
	Root string
	// Tree returns the directory with the file system of an image, which the machine sees
	// then instead of Root or the host; nil where there are no images.
	Tree func(ctx context.Context, image string) (dir string, err error)
	// Show are paths of the host that machines see beside the usual ones; see
	// CheckShow.
	Show []string
	// NoControlGroups measures and limits as on a host without them.
	NoControlGroups bool
	// User is the number, as user and as group, that tools have under an engine
	// that is root; 0 for numbers that nobody has, another one for each machine.
	User int
	// Results takes the regular files that a job leaves in BK_RESULT_DIR, if
	// the job's SideOut is not empty, instead of that directory. It reads size
	// bytes, or fails.
	Results func(name string, size int64, from io.Reader) error
	// AtLimit is asked when a job has used its CPU time, and returns how much more
	// it may use, by a better clock than this kernel's; nil stops the job.
	AtLimit func(used time.Duration) time.Duration
	// Alone says that this kernel runs nothing but the job, as in a guest: when it
	// has no memory left, that is the job's doing. The instance is an overlay then, and
	// no copy.
	Alone bool
}

// errSystem is why no machine can be made on other systems.
var errSystem = errors.New("the sandbox needs Linux on x86-64 or arm64, this is " + runtime.GOOS + " on " + runtime.GOARCH)

// ownPlaces are the machine's own.
var ownPlaces = []string{maker.PrivateDir, "dev", "home", "proc", "tmp", "var"}

// CheckShow gives an error when one of the paths cannot be in Options.Show.
func CheckShow(paths []string) error {
	for _, path := range paths {
		clean := filepath.Clean(path)
		if !filepath.IsAbs(path) || clean == "/" {
			return fmt.Errorf("%q is no absolute path below /", path)
		}
		if top, _, _ := strings.Cut(clean[1:], "/"); slices.Contains(ownPlaces, top) {
			return fmt.Errorf("%s cannot be shown, since /%s is the machine's own", path, top)
		}
	}
	return nil
}
