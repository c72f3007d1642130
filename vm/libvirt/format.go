//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// formatOf knows disk images by their first kilobyte. It refuses those that
// take their content from other files, which could be any of the host's.
func formatOf(head []byte) (string, error) {
	switch {
	case bytes.HasPrefix(head, []byte("QFI\xfb")):
		// Header of qcow2: magic, version, offset of the backing file's name;
		// in version 3 the second bit of the features means an external data
		// file.
		if binary.BigEndian.Uint64(head[8:]) != 0 || binary.BigEndian.Uint32(head[4:]) >= 3 && head[79]&4 != 0 {
			return "", errors.New("the disk takes its content from another file: convert it by qemu-img convert -O qcow2")
		}
		return "qcow2", nil
	case bytes.HasPrefix(head, []byte("KDMV")):
		return "vmdk", nil
	case bytes.HasPrefix(head, []byte("# Disk DescriptorFile")):
		return "", errors.New("the file only describes a disk that is in other files: convert it by qemu-img convert -O qcow2")
	}
	return "raw", nil
}
