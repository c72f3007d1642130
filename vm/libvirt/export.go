//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
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
	form, err := soundDisk(ctx, file)
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

// soundDisk returns the format of a contestant's disk image, which is whole: qemu-img
// reads zeros behind the end of one that was cut off.
func soundDisk(ctx context.Context, file string) (string, error) {
	form, err := diskFormat(file)
	if err != nil || form == "raw" {
		return form, err
	}
	path, err := filepath.Abs(file) // a name with a colon would be one of a protocol
	if err != nil {
		return "", err
	}
	const leaks = 3 // room that nothing uses, which harms nobody
	var exit *exec.ExitError
	if err := qemuImg(ctx, "check", "-q", "-f", form, path); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == leaks) {
		return "", &DiskError{file, fmt.Errorf("the disk is damaged or was cut off: %w", err)}
	}
	return form, nil
}

// diskFormat tells what kind of disk image a file is. A file that refers to other files
// of the host is none.
func diskFormat(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	form, err := formatOf(f, info.Size())
	if form == "raw" && info.Size() < 1024 {
		err = fmt.Errorf("it has %d bytes, which is no disk image", info.Size())
	}
	if err != nil {
		return "", &DiskError{file, err}
	}
	return form, nil
}
