//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"context"

	"podium/vm/guest"
)

// fileSystem is that of our disks.
const fileSystem = "squashfs"

// equip gives the domain what it boots, and the disks of the run. The kernel and the agent
// measure the tool, so they are always podium's own: an image is no more than a file system.
func (m *machine) equip(ctx context.Context, d *domain) error {
	if image := m.spec.Image; image != "" {
		own, err := m.driver.store.System(ctx, image)
		if err != nil {
			return err
		}
		if own != nil {
			return m.equipSystem(ctx, d, own)
		}
		d.disks = append(d.disks, disk{guest.Disk{Serial: guest.RoleBase, Role: guest.RoleBase, Type: fileSystem}, image, ""})
	}
	d.kernel, d.initramfs = m.driver.boot.Kernel, m.driver.boot.Initramfs
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
