//go:build linux && amd64

package sandbox

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// op is one operation of a program: a system call and what follows from its
// result. The words have the order and the width that the interpreter in
// init_linux_amd64.s knows.
type op struct {
	call     uint64
	args     [6]uint64
	store    uint64 // address that receives the result
	equal    uint64 // when the result is this ...
	then     uint64 // ... go on there,
	equal2   uint64
	then2    uint64
	tolerate uint64 // negated error number that is no failure, or tolerateAll
	store2   uint64 // another address that receives the result
}

const (
	opSize      = 14 * 8
	tolerateAll = 1
	// never is the result that no system call gives.
	never = 0x7fff_ffff_ffff_ffff
)

// Addresses that are not known before the program is linked carry a tag in
// their upper half.
const (
	tagMask = 0xffff_ffff_0000_0000
	tagOp   = 0x5ca1_ab1e_0000_0000 // index of an operation, and above it the word in it
	tagData = 0x0dd5_ea50_0000_0000 // offset in the data
)

// program is a list of system calls for the first process of a machine. It is
// built with the methods below and linked for the address that it is loaded at.
type program struct {
	ops    []op
	labels []string // what each operation is for, in error messages
	data   []byte
	relocs []int // offsets of addresses in the data
}

// call appends a system call that must succeed.
func (p *program) call(label string, nr uint64, args ...uint64) *op {
	o := op{call: nr, store: scratchAddress, store2: scratchAddress, equal: never, equal2: never}
	copy(o.args[:], args)
	p.ops = append(p.ops, o)
	p.labels = append(p.labels, label)
	return &p.ops[len(p.ops)-1]
}

// open appends a call that gives a file descriptor, and moves that to the
// number fd, so that later operations can name it.
func (p *program) open(label string, fd uint64, nr uint64, args ...uint64) {
	o := p.call(label, nr, args...)
	// The first argument of the next operations.
	o.store, o.store2 = opWord(len(p.ops), 1), opWord(len(p.ops)+1, 1)
	p.call(label, unix.SYS_DUP3, 0, fd, unix.O_CLOEXEC)
	p.call(label, unix.SYS_CLOSE, 0)
}

// jump goes on at another operation: it makes a call that no kernel knows.
func (p *program) jump(to uint64) {
	o := p.call("jump", ^uint64(0))
	o.equal, o.then = negative(unix.ENOSYS), to
}

// here is the address of the next operation.
func (p *program) here() uint64 { return opWord(len(p.ops), 0) }

func opWord(index, word int) uint64 { return tagOp | uint64(word)<<16 | uint64(index) }

// negative is an error number as a system call returns it.
func negative(e unix.Errno) uint64 { return -uint64(e) }

// str places a zero-terminated string in the data and returns its address.
func (p *program) str(s string) uint64 {
	at := uint64(len(p.data))
	p.data = append(append(p.data, s...), 0)
	return tagData | at
}

// words places 64-bit words, which are no addresses, in the data and returns
// their address.
func (p *program) words(ws ...uint64) uint64 {
	p.align()
	at := uint64(len(p.data))
	for _, w := range ws {
		p.data = binary.LittleEndian.AppendUint64(p.data, w)
	}
	return tagData | at
}

// strs places a zero-terminated vector of strings in the data.
func (p *program) strs(list []string) uint64 {
	addresses := make([]uint64, 0, len(list)+1)
	for _, s := range list {
		addresses = append(addresses, p.str(s))
	}
	return p.linked(append(addresses, 0)...)
}

// linked places words, some of which are addresses, in the data.
func (p *program) linked(ws ...uint64) uint64 {
	p.align()
	for i := range ws {
		p.relocs = append(p.relocs, len(p.data)+8*i)
	}
	return p.words(ws...)
}

func (p *program) align() {
	for len(p.data)%8 != 0 {
		p.data = append(p.data, 0)
	}
}

// link returns the bytes of the program for a load address: operations, then
// data.
func (p *program) link(base uint64, limit int) ([]byte, error) {
	dataBase := base + uint64(len(p.ops)*opSize)
	resolve := func(w uint64) uint64 {
		switch w & tagMask {
		case tagOp:
			return base + w&0xffff*opSize + w>>16&0xffff*8
		case tagData:
			return dataBase + w&^tagMask
		}
		return w
	}
	size := len(p.ops)*opSize + len(p.data)
	if size > limit {
		return nil, fmt.Errorf("command and environment need %d bytes, more than the %d that a machine takes: %w", size, limit, unix.E2BIG)
	}
	image := make([]byte, 0, size)
	for i := range p.ops {
		for _, w := range p.ops[i].wordsOf() {
			image = binary.LittleEndian.AppendUint64(image, resolve(w))
		}
	}
	image = append(image, p.data...)
	data := image[len(p.ops)*opSize:]
	for _, at := range p.relocs {
		w := binary.LittleEndian.Uint64(data[at:])
		binary.LittleEndian.PutUint64(data[at:], resolve(w))
	}
	return image, nil
}

func (o *op) wordsOf() [14]uint64 {
	return [14]uint64{o.call, o.args[0], o.args[1], o.args[2], o.args[3], o.args[4], o.args[5],
		o.store, o.equal, o.then, o.equal2, o.then2, o.tolerate, o.store2}
}
