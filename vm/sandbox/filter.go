//go:build linux

package sandbox

import (
	"encoding/binary"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The filter that the kernel asks about every system call of a tool is a program
// for the classic packet filter (seccomp(2)), made from the table refusals. It
// has a part for each kind of program that the processor runs. In a part, the calls
// that depend on their arguments come first: the kernel remembers of all others
// that they are always allowed.

// programKind is a kind of programs, whose system calls have numbers of their own.
type programKind struct {
	arch   uint32 // as the kernel names it
	number func(call) int32
}

// programKinds are those that run on a processor. Programs of another kind meet ENOSYS in
// every call: so do those of 32 bits on arm64.
var programKinds = map[string][]programKind{
	"amd64": {{unix.AUDIT_ARCH_X86_64, func(c call) int32 { return c.amd64 }}, {unix.AUDIT_ARCH_I386, func(c call) int32 { return c.i386 }}},
	"arm64": {{unix.AUDIT_ARCH_AARCH64, func(c call) int32 { return c.arm64 }}},
}

// lastCall is the last system call that was looked at. A later one is answered as
// by a kernel that does not have it.
const lastCall = unix.SYS_RSEQ_SLICE_YIELD

// Where the filter finds what it looks at (struct seccomp_data).
const (
	dataNumber, dataArch, dataArgs = 0, 4, 16
)

// instruction packs the fields of one: code, how many to skip if true and if
// false, operand.
func instruction(code, yes, no int, operand uint32) uint64 {
	return uint64(code) | uint64(yes)<<16 | uint64(no)<<24 | uint64(operand)<<32
}

func load(at uint32) uint64 { return instruction(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, 0, 0, at) }

func jump(test, yes, no int, operand uint32) uint64 {
	return instruction(unix.BPF_JMP|unix.BPF_K|test, yes, no, operand)
}

func give(action uint32) uint64 { return instruction(unix.BPF_RET|unix.BPF_K, 0, 0, action) }

func answer(e unix.Errno) uint64 { return give(unix.SECCOMP_RET_ERRNO | uint32(e)) }

// refusalFilter is the filter of the table, as the kernel takes it.
var refusalFilter = sync.OnceValue(func() string {
	var bytes []byte
	for _, instruction := range filterFor(programKinds[runtime.GOARCH]) {
		bytes = binary.NativeEndian.AppendUint64(bytes, instruction)
	}
	return string(bytes)
})

// filterFor is the filter of some kinds of programs.
func filterFor(kinds []programKind) []uint64 {
	filter := []uint64{load(dataArch)}
	for _, k := range kinds {
		part := filterPart(k.number)
		filter = append(filter, jump(unix.BPF_JEQ, 1, 0, k.arch), jump(unix.BPF_JA, 0, 0, uint32(len(part))))
		filter = append(filter, part...)
	}
	return append(filter, answer(unix.ENOSYS))
}

// filterPart is the filter of one kind of program. The calls of the x32 kind have
// numbers beyond the last.
func filterPart(number func(call) int32) []uint64 {
	var order []uint32
	var conditional, always []uint64
	conditions := map[uint32][]uint64{} // by call, of all rows that name it
	for _, r := range refusals {
		for _, c := range r.calls {
			if number(c) == none {
				continue
			}
			nr := uint32(number(c))
			if r.when == nil {
				always = append(always, jump(unix.BPF_JEQ, 0, 1, nr), answer(r.answer))
				continue
			}
			if conditions[nr] == nil {
				order = append(order, nr)
			}
			conditions[nr] = append(conditions[nr], r.conditions()...)
		}
	}
	for _, nr := range order {
		block := append(conditions[nr], give(unix.SECCOMP_RET_ALLOW))
		conditional = append(append(conditional, jump(unix.BPF_JEQ, 0, len(block), nr)), block...)
	}
	part := append([]uint64{load(dataNumber), jump(unix.BPF_JGT, 0, 1, lastCall), answer(unix.ENOSYS)}, conditional...)
	return append(append(part, always...), give(unix.SECCOMP_RET_ALLOW))
}

// conditions answers if one is met, and goes on otherwise.
func (r refusal) conditions() []uint64 {
	var list []uint64
	for _, c := range r.when {
		list = append(list, load(dataArgs+8*c.arg))
		switch c.kind {
		case hasBits:
			list = append(list, jump(unix.BPF_JSET, 0, 1, c.value))
		case equals:
			list = append(list, jump(unix.BPF_JEQ, 0, 1, c.value))
		case differs:
			list = append(list, jump(unix.BPF_JEQ, 1, 0, c.value))
		case masked:
			list = append(list, instruction(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, 0, 0, c.mask), jump(unix.BPF_JEQ, 0, 1, c.value))
		}
		list = append(list, answer(r.answer))
	}
	return list
}

// filters reports whether the kernel can filter system calls.
func filters() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, e := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return e == 0
}

// leaks are sentences about memory that tools can hold and that is not counted on
// this host, where system calls are filtered or not.
func leaks(filtered bool) []string {
	var all []string
	if !filtered {
		all = append(all, "Tools can hold memory that is not counted, because this kernel cannot filter system calls (CONFIG_SECCOMP_FILTER).")
	}
	if line, err := os.ReadFile("/proc/cmdline"); err == nil && uncountedKernel(string(line)) {
		all = append(all, "Tools can hold memory that is not counted, because this kernel was started with cgroup.memory=nokmem.")
	}
	return all
}

// uncountedKernel reports whether a kernel was told not to count its own memory as
// that of control groups.
func uncountedKernel(commandLine string) bool {
	return slices.ContainsFunc(strings.Fields(commandLine), func(option string) bool {
		list, ok := strings.CutPrefix(option, "cgroup.memory=")
		return ok && slices.Contains(strings.Split(list, ","), "nokmem")
	})
}
