package image

import (
	"bytes"
	"compress/gzip"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxKernel bounds the size of an unpacked kernel in bytes.
const maxKernel = 256 << 20

// unpackKernel returns the ELF file inside a compressed kernel, which QEMU starts
// without the time for unpacking, where it is made for that: where the kernel
// has the entry that Xen's PVH machines use.
func unpackKernel(image []byte) ([]byte, error) {
	// Offsets of the kernel's boot protocol.
	const setupSectors, magic, payloadOffset, payloadLength, headerEnd = 0x1f1, 0x202, 0x248, 0x24c, 0x250
	if len(image) < headerEnd || string(image[magic:magic+4]) != "HdrS" {
		return nil, errors.New("no kernel for x86")
	}
	sectors := int(image[setupSectors])
	if sectors == 0 {
		sectors = 4
	}
	from := (sectors+1)*512 + int(binary.LittleEndian.Uint32(image[payloadOffset:]))
	size := int(binary.LittleEndian.Uint32(image[payloadLength:]))
	if from > len(image) || size > len(image)-from || size < 8 {
		return nil, errors.New("the kernel is cut off")
	}
	kernel, err := unpackPayload(image[from : from+size])
	if err != nil {
		return nil, err
	}
	if !hasEntry(kernel) {
		return nil, errors.New("the kernel cannot be started unpacked")
	}
	return kernel, nil
}

// unpackPayload knows the compressions that distributions use.
func unpackPayload(b []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(b, []byte{0x02, 0x21, 0x4c, 0x18}):
		return unpackLZ4(b[4 : len(b)-4])
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		r, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		r.Multistream(false)
		return readKernel(r)
	case bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		r, err := zstd.NewReader(bytes.NewReader(b[:len(b)-4]), zstd.WithDecoderMaxMemory(maxKernel), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return readKernel(r)
	}
	return nil, fmt.Errorf("the kernel is packed in an unknown way (%x)", b[:4])
}

func readKernel(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxKernel+1))
	if err == nil && len(b) > maxKernel {
		err = errors.New("the unpacked kernel is too large")
	}
	return b, err
}

var errLZ4 = errors.New("the packed kernel is damaged")

// unpackLZ4 reads blocks with their sizes before them ("legacy frames").
func unpackLZ4(b []byte) ([]byte, error) {
	var out []byte
	for len(b) > 4 {
		size := int(binary.LittleEndian.Uint32(b))
		if b = b[4:]; size > len(b) {
			return nil, errLZ4
		}
		var err error
		if out, err = lz4Block(out, b[:size]); err != nil {
			return nil, err
		}
		b = b[size:]
	}
	return out, nil
}

// lz4Block appends an unpacked block.
func lz4Block(out, b []byte) ([]byte, error) {
	start := len(out)
	length := func(n int) (int, bool) {
		if n < 15 {
			return n, true
		}
		for len(b) > 0 && n <= maxKernel {
			c := b[0]
			b, n = b[1:], n+int(c)
			if c != 255 {
				return n, true
			}
		}
		return 0, false
	}
	for len(b) > 0 {
		token := int(b[0])
		b = b[1:]
		literals, ok := length(token >> 4)
		if !ok || literals > len(b) || len(out)+literals > maxKernel {
			return nil, errLZ4
		}
		out, b = append(out, b[:literals]...), b[literals:]
		if len(b) == 0 {
			return out, nil
		}
		if len(b) < 2 {
			return nil, errLZ4
		}
		back := int(b[0]) | int(b[1])<<8
		b = b[2:]
		match, ok := length(token & 15)
		match += 4
		if !ok || back == 0 || back > len(out)-start || len(out)+match > maxKernel {
			return nil, errLZ4
		}
		for from := len(out) - back; match > 0; match-- {
			out = append(out, out[from])
			from++
		}
	}
	return out, nil
}

// hasEntry looks for the note PHYS32_ENTRY of Xen.
func hasEntry(kernel []byte) bool {
	f, err := elf.NewFile(bytes.NewReader(kernel))
	if err != nil {
		return false
	}
	for _, p := range f.Progs {
		if p.Type != elf.PT_NOTE {
			continue
		}
		notes, err := io.ReadAll(io.LimitReader(p.Open(), 1<<20))
		if err == nil && findNote(notes, "Xen\x00", 18) {
			return true
		}
	}
	return false
}

func findNote(b []byte, name string, kind uint32) bool {
	le := binary.LittleEndian
	for len(b) >= 12 {
		nameSize, size, k := uint64(le.Uint32(b)), uint64(le.Uint32(b[4:])), le.Uint32(b[8:])
		if b = b[12:]; uint64(len(b)) < (nameSize+3)&^3+(size+3)&^3 {
			return false
		}
		if string(b[:nameSize]) == name && k == kind {
			return true
		}
		b = b[(nameSize+3)&^3+(size+3)&^3:]
	}
	return false
}
