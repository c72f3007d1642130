package libvirt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The disk images that are taken. A disk comes from a contestant, and QEMU would follow
// what it names: so each is read here first, and what QEMU would read must be in the
// file itself.
//
// Sources: docs/interop/qcow2.txt of QEMU, and VMware's Virtual Disk Format 1.1.
var errOtherFiles = errors.New("the disk takes its content from other files: hand in one file, made by qemu-img convert -O qcow2")

// foreign are marks of formats that QEMU knows and that are not taken.
var foreign = []struct {
	at   int64 // from the end where it is negative
	mark string
	name string
}{
	{0, "COWD", "a VMware ESX disk"}, {0, "QED\x00", "QED"}, {64, "\x7f\x10\xda\xbe", "VDI"}, {0, "vhdxfile", "VHDX"},
	{0, "conectix", "VHD"}, {-512, "conectix", "VHD"}, {0, "WithoutFreeSpace", "Parallels"}, {0, "WithouFreSpacExt", "Parallels"},
	{-512, "koly", "DMG"}, {0, "LUKS\xba\xbe", "LUKS"}, {0, "Bochs Virtual HD Image", "Bochs"}, {0, "#!/bin/sh\n#V2.0 Format", "cloop"},
}

// formatOf returns the format of a disk image: qcow2, vmdk or raw. It refuses other
// formats, and disks that take their content from other files.
func formatOf(disk io.ReaderAt, size int64) (string, error) {
	d := &diskReader{disk, size}
	for _, f := range foreign {
		at := f.at
		if at < 0 {
			at += size
		}
		if d.has(at, f.mark) {
			return "", fmt.Errorf("the disk is %s, which is not taken: convert it by qemu-img convert -O qcow2", f.name)
		}
	}
	switch head := string(d.bytes(0, 512)); {
	case strings.HasPrefix(head, "QFI\xfb"):
		return "qcow2", d.qcow2()
	case strings.HasPrefix(head, "KDMV"):
		return "vmdk", d.vmdk()
	case strings.HasPrefix(strings.TrimLeft(head, " \t\r\n"), "#") || strings.Contains(strings.ToLower(head), "version=") && !strings.Contains(head, "\x00"):
		return "", errOtherFiles // the descriptor of a vmdk
	}
	return "raw", nil
}

// diskReader reads parts of a disk image. What lies beyond its end is empty.
type diskReader struct {
	io.ReaderAt
	size int64
}

// bytes returns at most n bytes from an offset.
func (d *diskReader) bytes(at int64, n int) []byte {
	if at < 0 || at >= d.size {
		return nil
	}
	part := make([]byte, min(int64(n), d.size-at))
	got, _ := d.ReadAt(part, at)
	return part[:got]
}

func (d *diskReader) has(at int64, mark string) bool {
	return string(d.bytes(at, len(mark))) == mark
}

// The incompatible features of qcow2 that change nothing of where content comes from.
const qcow2Features = 1 | 8 | 16 // dirty, compression type, extended L2 entries

func (d *diskReader) qcow2() error {
	head := d.bytes(0, 112)
	if len(head) < 112 {
		return errors.New("the header of qcow2 is cut off")
	}
	version, length := binary.BigEndian.Uint32(head[4:]), uint32(72)
	switch {
	case version != 2 && version != 3:
		return fmt.Errorf("the disk is of qcow version %d, and versions 2 and 3 are taken", version)
	case binary.BigEndian.Uint64(head[8:]) != 0 || binary.BigEndian.Uint32(head[16:]) != 0: // a backing file
		return errOtherFiles
	case binary.BigEndian.Uint32(head[32:]) != 0:
		return errors.New("the disk is encrypted")
	case version == 3:
		features := binary.BigEndian.Uint64(head[72:])
		if features&4 != 0 { // a data file
			return errOtherFiles
		}
		if features&^qcow2Features != 0 {
			return fmt.Errorf("the disk has features %#x, which are not taken", features)
		}
		if length = binary.BigEndian.Uint32(head[100:]); length < 104 || length > 4096 {
			return fmt.Errorf("the header says that it has %d bytes", length)
		}
	}
	const backingFormat, dataFile = 0xe2792aca, 0x44415441
	for at, n := int64(length), 0; ; n++ { // extensions of the header
		e := d.bytes(at, 8)
		if len(e) < 8 {
			return errors.New("the header of qcow2 is cut off")
		}
		kind, size := binary.BigEndian.Uint32(e), binary.BigEndian.Uint32(e[4:])
		switch {
		case kind == 0:
			return nil
		case kind == backingFormat || kind == dataFile:
			return errOtherFiles
		case n == 64 || size > 1<<16:
			return errors.New("the header of qcow2 has more extensions than any writes")
		}
		at += 8 + (int64(size)+7)/8*8
	}
}

// vmdk checks the header of a disk in one sparse file, the header that may stand again at
// its end, and the descriptors that it holds, at the place that the header names and at the
// one where QEMU looks for a parent.
func (d *diskReader) vmdk() error {
	const sector, atEnd = 512, ^uint64(0)
	heads := [][]byte{d.bytes(0, sector)}
	if len(heads[0]) < sector {
		return errors.New("the header of vmdk is cut off")
	}
	if binary.LittleEndian.Uint64(heads[0][56:]) == atEnd {
		footer := d.bytes(d.size-2*sector, sector)
		if len(footer) < sector || !bytes.HasPrefix(footer, []byte("KDMV")) {
			return errors.New("the footer of vmdk is missing")
		}
		heads = append(heads, footer)
	}
	described := false
	for _, head := range heads {
		capacity, at, length := binary.LittleEndian.Uint64(head[12:]), binary.LittleEndian.Uint64(head[28:]), binary.LittleEndian.Uint64(head[36:])
		switch {
		case capacity == 0: // QEMU goes by the descriptor alone
			return errOtherFiles
		case at > uint64(d.size)/sector || length > 1<<11:
			return errors.New("the descriptor of vmdk lies outside of the file")
		case at != 0 && length != 0:
			described = true
			if err := ofOneFile(d.bytes(int64(at)*sector, int(length)*sector)); err != nil {
				return err
			}
		}
	}
	if !described {
		return errors.New("the disk does not describe itself")
	}
	if bytes.Contains(bytes.ToLower(d.bytes(sector, 20*sector)), []byte("parentfilenamehint")) {
		return errOtherFiles
	}
	return nil
}

// ofOneFile checks the descriptor within a vmdk: one sparse extent, which is the file
// itself, and no parent.
func ofOneFile(text []byte) error {
	text, _, _ = bytes.Cut(text, []byte{0})
	extents := 0
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		key, value, _ := strings.Cut(strings.ToLower(strings.Join(words, "")), "=")
		switch {
		case len(words) > 2 && (words[0] == "RW" || words[0] == "RDONLY" || words[0] == "NOACCESS"):
			if extents++; words[2] != "SPARSE" {
				return errOtherFiles
			}
		case key == "parentfilenamehint", key == "parentcid" && value != "ffffffff":
			return errOtherFiles
		case key == "createtype" && value != `"monolithicsparse"` && value != `"streamoptimized"`:
			return errOtherFiles
		}
	}
	if extents != 1 {
		return errOtherFiles
	}
	return nil
}
