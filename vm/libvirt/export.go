//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"libvirt.org/go/libvirt"

	"podium/vm"
	"podium/vm/guest"
	"podium/vm/guest/image"
)

// exportMemory is that of a machine that reads a disk, in bytes.
const exportMemory = 512 << 20

// Export reads a contestant's disk image (qcow2, vmdk or raw) in a machine and
// writes the file system with the tool's directory as an archive (tar).
func (d *Driver) Export(ctx context.Context, file string, to io.Writer) (err error) {
	if d.bootErr != nil {
		return &vm.BootError{Err: d.bootErr}
	}
	form, err := diskFormat(file)
	if err != nil {
		return err
	}
	name := file
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	boot, err := d.store.Boot(image.DiskModules...)
	if err != nil {
		return err
	}
	m := d.newMachine("export")
	defer func() { err = errors.Join(err, m.Close()) }()
	one := disk{Disk: guest.Disk{Serial: "import"}, file: file, format: form}
	dom := &domain{kernel: boot.Kernel, initramfs: boot.Initramfs, accelerator: d.accelerator(), cores: 1, memory: exportMemory, disks: []disk{one}}
	timed, cancel := context.WithTimeout(ctx, d.patience(dom.accelerator))
	defer cancel()
	if err := m.prepare(dom); err != nil {
		return err
	}
	if err := m.create(timed, dom, libvirt.DOMAIN_NONE); err != nil {
		return &vm.BootError{Err: err, Console: m.lastWords()}
	}
	if _, err := m.host.Hello(timed); err != nil {
		return &vm.BootError{Err: err, Console: m.lastWords()}
	}
	if err := m.host.Export(ctx, one.Disk, to); err != nil {
		return &DiskError{name, err}
	}
	return nil
}

// diskFormat tells what kind of disk image a file is, by its first bytes. A
// file that refers to other files of the host is none.
func diskFormat(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, 1024)
	n, err := io.ReadFull(f, head)
	if err != nil {
		return "", &DiskError{file, fmt.Errorf("it has %d bytes, which is no disk image: %w", n, err)}
	}
	form, err := formatOf(head)
	if err != nil {
		return "", &DiskError{file, err}
	}
	return form, nil
}
