//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"

	"podium/vm/guest"
)

// fileSystem is that of our disks.
const fileSystem = "squashfs"

// equip gives the domain what it boots, and the disks of the run.
func (m *machine) equip(ctx context.Context, d *domain) error {
	boot := m.driver.boot
	if image := m.spec.Image; image != "" {
		var err error
		if boot, err = m.driver.store.ImageBoot(ctx, image); err != nil {
			return err
		}
		if boot.System != nil {
			return m.equipSystem(ctx, d, boot.System)
		}
		d.disks = append(d.disks, disk{guest.Disk{Serial: guest.RoleBase, Role: guest.RoleBase, Type: fileSystem}, image, ""})
	}
	d.kernel, d.initramfs = boot.Kernel, boot.Initramfs
	for _, one := range []struct{ role, dir string }{{guest.RoleTool, m.spec.Tool}, {guest.RoleInput, m.spec.Input}} {
		if one.dir == "" {
			continue
		}
		file, err := m.driver.store.Disk(ctx, one.dir)
		if err != nil {
			return err
		}
		d.disks = append(d.disks, disk{guest.Disk{Serial: one.role, Role: one.role, Type: fileSystem}, file, ""})
	}
	return nil
}
