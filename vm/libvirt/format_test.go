package libvirt

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// qcow2Head is the header of a disk without content; vmdkHead that of one in a sparse file.
func qcow2Head(version uint32, change func([]byte)) []byte {
	head := make([]byte, 4096)
	copy(head, "QFI\xfb")
	binary.BigEndian.PutUint32(head[4:], version)
	if version == 3 {
		binary.BigEndian.PutUint32(head[100:], 104)
	}
	if change != nil {
		change(head)
	}
	return head
}

const oneExtent = "# Disk DescriptorFile\nversion=1\nCID=1\nparentCID=ffffffff\ncreateType=\"monolithicSparse\"\nRW 64 SPARSE \"disk.vmdk\"\n"

func vmdkHead(descriptor string, change func([]byte)) []byte {
	head := make([]byte, 64<<10)
	copy(head, "KDMV\x01\x00\x00\x00")
	binary.LittleEndian.PutUint64(head[12:], 64) // capacity
	binary.LittleEndian.PutUint64(head[28:], 1)  // descriptor, sectors
	binary.LittleEndian.PutUint64(head[36:], 20)
	binary.LittleEndian.PutUint64(head[56:], 21)
	copy(head[512:], descriptor)
	if change != nil {
		change(head)
	}
	return head
}

// footed puts the header of a vmdk again at its end, changed.
func footed(change func([]byte)) []byte {
	disk := vmdkHead(oneExtent, func(h []byte) { binary.LittleEndian.PutUint64(h[56:], ^uint64(0)) })
	footer := bytes.Clone(disk[:512])
	change(footer)
	return append(append(disk, footer...), make([]byte, 512)...)
}

func TestFormatOf(t *testing.T) {
	at := func(at int, mark string) []byte {
		disk := make([]byte, 4096)
		copy(disk[at:], mark)
		return disk
	}
	for _, c := range []struct {
		name      string
		disk      []byte
		form, err string
	}{
		{"qcow2", qcow2Head(3, nil), "qcow2", ""},
		{"qcow2 of version 2", qcow2Head(2, nil), "qcow2", ""},
		{"qcow2 that was in use", qcow2Head(3, func(h []byte) { h[79] = 1 }), "qcow2", ""},
		{"qcow", qcow2Head(1, nil), "", "version 1"},
		{"qcow2 with a backing file", qcow2Head(2, func(h []byte) { h[14] = 1 }), "", "other files"},
		{"qcow2 with the length of a backing file", qcow2Head(3, func(h []byte) { h[19] = 9 }), "", "other files"},
		{"qcow2 with a data file", qcow2Head(3, func(h []byte) { h[79] = 4 }), "", "other files"},
		{"qcow2 that names a data file", qcow2Head(3, func(h []byte) { copy(h[104:], "DATA\x00\x00\x00\x08") }), "", "other files"},
		{"qcow2 that names the format of a backing file", qcow2Head(2, func(h []byte) { copy(h[72:], "\xe2\x79\x2a\xca\x00\x00\x00\x03raw") }), "", "other files"},
		{"qcow2 with a table of names", qcow2Head(3, func(h []byte) { copy(h[104:], "\x68\x03\xf8\x57\x00\x00\x00\x30") }), "qcow2", ""},
		{"qcow2 that is encrypted", qcow2Head(3, func(h []byte) { h[35] = 2 }), "", "encrypted"},
		{"qcow2 with features of tomorrow", qcow2Head(3, func(h []byte) { h[78] = 1 }), "", "features"},
		{"qcow2 that is damaged", qcow2Head(3, func(h []byte) { h[79] = 2 }), "", "features"},
		{"qcow2 with a long header", qcow2Head(3, func(h []byte) { h[100] = 1 }), "", "header"},
		{"qcow2 that is cut off", qcow2Head(3, nil)[:100], "", "cut off"},
		{"vmdk", vmdkHead(oneExtent, nil), "vmdk", ""},
		{"vmdk as a stream", footed(func([]byte) {}), "vmdk", ""},
		{"vmdk with a flat extent", vmdkHead(strings.Replace(oneExtent, "SPARSE", "FLAT", 1), nil), "", "other files"},
		{"vmdk with a second extent", vmdkHead(oneExtent+"RW 64 SPARSE \"b.vmdk\"\n", nil), "", "other files"},
		{"vmdk with an extent of another kind", vmdkHead(strings.Replace(oneExtent, "SPARSE", "VMFS", 1), nil), "", "other files"},
		{"vmdk without an extent", vmdkHead("version=1\n", nil), "", "other files"},
		{"vmdk without a descriptor", vmdkHead(oneExtent, func(h []byte) { h[36] = 0 }), "", "describe"},
		{"vmdk with a parent", vmdkHead(oneExtent+"parentFileNameHint=\"/a\"\n", nil), "", "other files"},
		{"vmdk with a parent elsewhere", vmdkHead(oneExtent, func(h []byte) { copy(h[512*18:], "ParentFileNameHint=\"/a\"") }), "", "other files"},
		{"vmdk with the number of a parent", vmdkHead(strings.Replace(oneExtent, "ffffffff", "00000001", 1), nil), "", "other files"},
		{"vmdk of another type", vmdkHead(strings.Replace(oneExtent, "monolithicSparse", "custom", 1), nil), "", "other files"},
		{"vmdk without capacity", vmdkHead(oneExtent, func(h []byte) { h[12] = 0 }), "", "other files"},
		{"vmdk whose footer has no capacity", footed(func(f []byte) { f[12] = 0 }), "", "other files"},
		{"vmdk whose footer names another descriptor", footed(func(f []byte) { f[28] = 90 }), "", "other files"},
		{"vmdk without its footer", vmdkHead(oneExtent, func(h []byte) { binary.LittleEndian.PutUint64(h[56:], ^uint64(0)) }), "", "footer"},
		{"vmdk with a far descriptor", vmdkHead(oneExtent, func(h []byte) { h[33] = 1 }), "", "outside"},
		{"vmdk that is cut off", []byte("KDMV"), "", "cut off"},
		{"vmdk that is only described", at(0, oneExtent), "", "other files"},
		{"vmdk that is described without a comment", []byte("\nversion=1\nRW 64 FLAT \"a\" 0\n"), "", "other files"},
		{"COW", at(0, "COWD"), "", "ESX"}, {"QED", at(0, "QED\x00"), "", "QED"}, {"VDI", at(64, "\x7f\x10\xda\xbe"), "", "VDI"},
		{"VHDX", at(0, "vhdxfile"), "", "VHDX"}, {"VHD", at(0, "conectix"), "", "VHD"}, {"VHD, fixed", at(4096-512, "conectix"), "", "VHD"},
		{"Parallels", at(0, "WithoutFreeSpace"), "", "Parallels"}, {"Parallels of today", at(0, "WithouFreSpacExt"), "", "Parallels"},
		{"DMG", at(4096-512, "koly"), "", "DMG"}, {"LUKS", at(0, "LUKS\xba\xbe"), "", "LUKS"}, {"Bochs", at(0, "Bochs Virtual HD Image"), "", "Bochs"},
		{"cloop", at(0, "#!/bin/sh\n#V2.0 Format\n"), "", "cloop"},
		{"raw", at(0, "\xeb"), "raw", ""},
	} {
		form, err := formatOf(bytes.NewReader(c.disk), int64(len(c.disk)))
		if err == nil && form != c.form || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", c.name, form, err)
		}
	}
}

// FuzzFormatOf: no disk makes the reader panic, or read for long.
func FuzzFormatOf(f *testing.F) {
	f.Add(qcow2Head(3, nil))
	f.Add(vmdkHead(oneExtent, nil))
	f.Add(footed(func([]byte) {}))
	f.Fuzz(func(t *testing.T, disk []byte) {
		form, err := formatOf(bytes.NewReader(disk), int64(len(disk)))
		if err == nil && form != "raw" && bytes.Contains(disk[:min(len(disk), 4096)], []byte("parentFileNameHint=")) && form == "vmdk" {
			t.Errorf("%s with a parent was taken", form)
		}
	})
}
