package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The first process of a machine.
//
// A pid namespace needs a first process that prepares the machine, starts the
// tool as its child, reaps orphans and reports the end. Starting the engine's
// own binary again for that would pay for the initialisation of all its
// packages in every run (docs/first-process.md has the figures), and a fork of the
// engine without exec would keep a copy of its memory. So the first process is an executable of a few hundred
// bytes, made here and kept in a memory file: its text is the assembler
// function interpret, which does nothing but run a list of system calls, and
// the lists are written in Go (type program).
//
// It is an ordinary statically linked ELF file with two segments:
//
//	textAddress   the ELF header, the program headers and interpret
//	dataAddress   the report block, the failure program and the first program
//
// and behind the first program two free areas: one for the program that
// prepares the machine, one for the program that runs the job. The first
// program reads the former from a file descriptor and goes on there.
const (
	textAddress    = 0x10000000
	dataAddress    = 0x10010000 // BLOCK in init_linux_amd64.s
	scratchAddress = dataAddress + 0x1f8
	failureAddress = dataAddress + 0x200 // FAILURE
	firstAddress   = dataAddress + 0x400 // FIRST
	bootAddress    = dataAddress + 0x1000
	bootLimit      = 128 << 10
	jobAddress     = bootAddress + bootLimit
	jobLimit       = 1 << 20
	dataEnd        = jobAddress + jobLimit

	elfHeaderSize = 64 + 3*56
)

// The report block: what the first process tells the engine at a failure and
// at the end. The block begins with the word blockMark.
const (
	blockFailedOp     = 8   // address of the operation that failed, or 0
	blockFailedResult = 16  // its negated error number
	blockStatus       = 24  // wait status of the command
	blockStarted      = 32  // timespec, monotonic clock
	blockEnded        = 48  // timespec
	blockUsage        = 64  // rusage of all children that were waited for
	blockFileSystem   = 208 // statfs of the private file systems
	blockLeft         = 328 // timespec; zero when the command left nothing running
	blockSize         = 344

	blockMark = 2
	bootMark  = 1 // the word that is written when the machine is ready
	startMark = 3 // the word that is written when the job starts
)

// File descriptors of the first process. Those from fdFree on are opened by
// the engine or by the program itself.
const (
	fdStatus  = 3 // reports are written here
	fdGo      = 4 // one byte starts the job; end of file ends the machine
	fdProgram = 5 // the programs
	fdFree    = 6
)

// interpreterStart is where the text of the first process begins.
func interpreterStart() *byte

// interpreterText is the machine code of interpret.
func interpreterText() []byte {
	const limit = 1 << 10
	text := unsafe.Slice(interpreterStart(), limit)
	// The mark is put together here, so that the search does not find this constant.
	mark := append([]byte{0xfe}, "podium\xff"...)
	return text[:bytes.Index(text, mark)]
}

// initExecutable is the ELF file of the first process.
func initExecutable() ([]byte, error) {
	failure, first := program{}, program{}
	failure.call("report a failure", unix.SYS_WRITE, fdStatus, dataAddress, blockSize).tolerate = tolerateAll
	failure.call("exit", unix.SYS_EXIT_GROUP, 127)
	first.call("read the program", unix.SYS_PREAD64, fdProgram, bootAddress, bootLimit, 0)
	first.jump(bootAddress)

	data := make([]byte, firstAddress-dataAddress)
	binary.LittleEndian.PutUint64(data, blockMark)
	image, err := failure.link(failureAddress, firstAddress-failureAddress)
	if err != nil {
		return nil, err
	}
	copy(data[failureAddress-dataAddress:], image)
	if image, err = first.link(firstAddress, bootAddress-firstAddress); err != nil {
		return nil, err
	}
	data = append(data, image...)
	return elfFile(interpreterText(), data), nil
}

// elfFile puts text and data into a static executable for x86-64.
func elfFile(text, data []byte) []byte {
	le := binary.LittleEndian
	textEnd := elfHeaderSize + len(text)
	dataAt := (textEnd + 0xfff) &^ 0xfff // the segments must not share a page

	f := append([]byte(nil), "\x7fELF\x02\x01\x01"...) // 64 bits, little endian, version 1
	f = append(f, make([]byte, 9)...)
	f = le.AppendUint16(f, 2)                         // executable
	f = le.AppendUint16(f, 62)                        // x86-64
	f = le.AppendUint32(f, 1)                         // version
	f = le.AppendUint64(f, textAddress+elfHeaderSize) // entry
	f = le.AppendUint64(f, 64)                        // program headers follow
	f = le.AppendUint64(f, 0)                         // no sections
	f = le.AppendUint32(f, 0)                         // flags
	for _, half := range []uint16{64, 56, 3, 64, 0, 0} {
		f = le.AppendUint16(f, half)
	}
	segment := func(kind, flags uint32, offset, address, size, memory uint64) {
		f = le.AppendUint32(f, kind)
		f = le.AppendUint32(f, flags)
		for _, w := range []uint64{offset, address, address, size, memory, 0x1000} {
			f = le.AppendUint64(f, w)
		}
	}
	const load, stack, executable, writable, readable = 1, 0x6474e551, 1, 2, 4
	segment(load, readable|executable, 0, textAddress, uint64(textEnd), uint64(textEnd))
	segment(load, readable|writable, uint64(dataAt), dataAddress, uint64(len(data)), dataEnd-dataAddress)
	segment(stack, readable|writable, 0, 0, 0, 0)
	f = append(f, text...)
	f = append(f, make([]byte, dataAt-len(f))...)
	return append(f, data...)
}

// newInitFile writes the executable into a memory file that can only be read
// and executed from then on.
func newInitFile() (*os.File, error) {
	image, err := initExecutable()
	if err != nil {
		return nil, err
	}
	f, err := memoryFile("podium-init", unix.MFD_ALLOW_SEALING|unix.MFD_EXEC)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(image); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	const seals = unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE
	if _, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		return nil, errors.Join(fmt.Errorf("seal the first process: %w", err), f.Close())
	}
	return f, nil
}

// memoryFile makes an anonymous file. Kernels before 6.3 do not know the flag
// MFD_EXEC, and allow what it says.
func memoryFile(name string, flags int) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|flags)
	if err == unix.EINVAL && flags&unix.MFD_EXEC != 0 {
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC|flags&^unix.MFD_EXEC)
	}
	if err != nil {
		return nil, fmt.Errorf("make a memory file: %w", err)
	}
	return os.NewFile(uintptr(fd), name), nil
}
