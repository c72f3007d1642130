package image

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"podium/internal/files"
)

// Kernel is a kernel for guests.
type Kernel struct {
	Image   string // the compressed kernel, as in /boot
	Release string // as uname -r says
	Modules string // directory of its modules
}

// KernelPackage is the Debian package with a kernel for guests.
const KernelPackage = "linux-image-cloud-amd64"

// FindKernel takes the newest kernel below /boot that has modules; kernels for the
// cloud are preferred since they start sooner.
// After /boot it looks into the user's cache, where `make setup` unpacks one that
// the host is not meant to boot.
func FindKernel() (Kernel, error) {
	k, err := findKernelBelow("/")
	if err != nil {
		if k, err := findKernelBelow(filepath.Join(files.Cache(), "kernel")); err == nil {
			return k, nil
		}
	}
	return k, err
}

func findKernelBelow(root string) (Kernel, error) {
	images, err := filepath.Glob(filepath.Join(root, "boot/vmlinuz-*"))
	if err != nil {
		return Kernel{}, err
	}
	slices.SortFunc(images, func(a, b string) int {
		if ca, cb := strings.Contains(a, "cloud"), strings.Contains(b, "cloud"); ca != cb {
			if ca {
				return -1
			}
			return 1
		}
		return compareReleases(b, a)
	})
	var failures []error
	for _, image := range images {
		k, err := kernelAt(image)
		if err == nil {
			return k, nil
		}
		failures = append(failures, err)
	}
	failures = append(failures, fmt.Errorf("there is no kernel for guests in %s: install one (on Debian: apt-get install %s; `podium doctor --fix-commands` shows how to unpack one instead), or name one",
		filepath.Join(root, "boot"), KernelPackage))
	return Kernel{}, errors.Join(failures...)
}

// kernelAt finds the modules that belong to a kernel: below the root that
// holds its boot directory, or the host's.
func kernelAt(image string) (Kernel, error) {
	f, err := os.Open(image)
	if err != nil {
		return Kernel{}, err
	}
	f.Close()
	_, release, ok := strings.Cut(filepath.Base(image), "-")
	if !ok {
		return Kernel{}, fmt.Errorf("%s does not say its release: its name must be vmlinuz-RELEASE", image)
	}
	root := filepath.Dir(filepath.Dir(image))
	for _, dir := range []string{filepath.Join(root, "lib/modules", release), filepath.Join(root, "usr/lib/modules", release), filepath.Join("/lib/modules", release)} {
		if _, err := os.Stat(filepath.Join(dir, "modules.dep")); err == nil {
			return Kernel{image, release, dir}, nil
		}
	}
	return Kernel{}, fmt.Errorf("kernel %s has no modules in %s: %w", image, filepath.Join(root, "lib/modules", release), fs.ErrNotExist)
}

var releasePart = regexp.MustCompile(`[0-9]+|[^0-9]+`)

// compareReleases orders names with their numbers as numbers.
func compareReleases(a, b string) int {
	as, bs := releasePart.FindAllString(a, -1), releasePart.FindAllString(b, -1)
	for i := range min(len(as), len(bs)) {
		x, err1 := strconv.Atoi(as[i])
		y, err2 := strconv.Atoi(bs[i])
		c := strings.Compare(as[i], bs[i])
		if err1 == nil && err2 == nil {
			c = x - y
		}
		if c != 0 {
			return c
		}
	}
	return len(as) - len(bs)
}
