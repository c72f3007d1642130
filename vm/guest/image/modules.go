package image

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// neededModules are what a guest needs of its kernel, built in or as modules.
var neededModules = []string{"virtio_pci", "virtio_blk", "virtio_console", "squashfs", "overlay"}

// module is a kernel module as it is put into an initial file system.
type module struct {
	name string // file name
	data []byte
}

// DiskModules are the kernel modules for the file systems of contestants'
// disks.
var DiskModules = []string{"crc32c_generic", "crc32c_intel", "ext4", "xfs", "btrfs"}

// modules reads the modules of a kernel, each after those that it needs.
func (k Kernel) modules(wanted, extra []string) ([]module, error) {
	dep, err := os.ReadFile(filepath.Join(k.Modules, "modules.dep"))
	if err != nil {
		return nil, err
	}
	builtin, err := os.ReadFile(filepath.Join(k.Modules, "modules.builtin"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	order, err := moduleOrder(string(dep), string(builtin), wanted, extra)
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", k.Release, err)
	}
	var list []module
	for _, file := range order {
		data, err := os.ReadFile(filepath.Join(k.Modules, file))
		if err != nil {
			return nil, err
		}
		list = append(list, module{filepath.Base(file), unsigned(data)})
	}
	return list, nil
}

// moduleName is the name of a module by that of its file.
func moduleName(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".ko")
	return strings.ReplaceAll(name, "-", "_")
}

// moduleOrder reads the lists of a kernel and returns the files of the modules
// that are wanted, those that others need before them; the extra ones need not be there.
func moduleOrder(dep, builtin string, wanted, extra []string) ([]string, error) {
	files, needs := map[string]string{}, map[string][]string{}
	for line := range strings.Lines(dep) {
		file, rest, ok := strings.Cut(line, ":")
		if ok {
			files[moduleName(file)], needs[file] = file, strings.Fields(rest)
		}
	}
	inside := map[string]bool{}
	for _, file := range strings.Fields(builtin) {
		inside[moduleName(file)] = true
	}
	var order []string
	var add func(file string, depth int) error
	add = func(file string, depth int) error {
		if depth > 50 {
			return fmt.Errorf("module %s needs itself", file)
		}
		if slices.Contains(order, file) {
			return nil
		}
		for _, other := range needs[file] {
			if err := add(other, depth+1); err != nil {
				return err
			}
		}
		order = append(order, file)
		return nil
	}
	for i, name := range slices.Concat(wanted, extra) {
		file, ok := files[name]
		switch {
		case ok:
			if err := add(file, 0); err != nil {
				return nil, err
			}
		case !inside[name] && i < len(wanted):
			return nil, fmt.Errorf("it has no %s, which guests need", name)
		}
	}
	return order, nil
}

const signatureMark = "~Module signature appended~\n"

// unsigned takes the signature from a module: checking it takes the guest
// longer than loading the module, and the image has its own digest.
func unsigned(data []byte) []byte {
	const trailer = 12 // struct module_signature; the last four bytes are the length, big endian
	body, ok := bytes.CutSuffix(data, []byte(signatureMark))
	if !ok || len(body) < trailer {
		return data
	}
	l := body[len(body)-4:]
	n := int(l[0])<<24 | int(l[1])<<16 | int(l[2])<<8 | int(l[3])
	if n < 0 || n+trailer > len(body) {
		return data
	}
	return body[:len(body)-trailer-n]
}
