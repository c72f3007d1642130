//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// ask runs a filter as the kernel does, and returns its answer.
func ask(t *testing.T, filter []uint64, arch, number uint32, args ...uint64) uint32 {
	t.Helper()
	var a [6]uint64
	copy(a[:], args)
	var accumulator uint32
	for at := 0; at < len(filter); at++ {
		code, yes, no, k := uint16(filter[at]), int(filter[at]>>16&0xff), int(filter[at]>>24&0xff), uint32(filter[at]>>32)
		test := false
		switch code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			switch {
			case k == dataNumber:
				accumulator = number
			case k == dataArch:
				accumulator = arch
			default:
				accumulator = uint32(a[(k-dataArgs)/8])
			}
			continue
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			accumulator &= k
			continue
		case unix.BPF_RET | unix.BPF_K:
			return k
		case unix.BPF_JMP | unix.BPF_JA:
			at += int(k)
			continue
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			test = accumulator == k
		case unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K:
			test = accumulator > k
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			test = accumulator&k != 0
		default:
			t.Fatalf("instruction %d has the unknown code %#x", at, code)
		}
		if test {
			at += yes
		} else {
			at += no
		}
	}
	t.Fatal("the filter has no end")
	return 0
}

// TestRefusalFilter asks about every row of the table, and about the calls that
// are in none.
func TestRefusalFilter(t *testing.T) {
	for processor, kinds := range programKinds {
		filter := filterFor(kinds)
		if len(filter) > 1000 {
			t.Errorf("%d instructions", len(filter))
		}
		for _, k := range kinds {
			askAbout(t, filter, k)
		}
		for _, arch := range []uint32{unix.AUDIT_ARCH_X86_64, unix.AUDIT_ARCH_I386, unix.AUDIT_ARCH_AARCH64, unix.AUDIT_ARCH_ARM} {
			known := slices.ContainsFunc(kinds, func(k programKind) bool { return k.arch == arch })
			if got := ask(t, filter, arch, 4); got != unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS) && !known {
				t.Errorf("a program for %#x on %s: %#x", arch, processor, got)
			}
		}
	}
	if text := refusalFilter(); len(text) != 8*len(filterFor(programKinds[runtime.GOARCH])) {
		t.Errorf("the filter has %d bytes", len(text))
	}
}

// askAbout asks about the calls of one kind of programs.
func askAbout(t *testing.T, filter []uint64, k programKind) {
	named := map[uint32]refusal{}
	for _, r := range refusals {
		want := unix.SECCOMP_RET_ERRNO | uint32(r.answer)
		for _, c := range r.calls {
			if k.number(c) == none {
				continue
			}
			nr := uint32(k.number(c))
			if before, twice := named[nr]; twice && (before.when == nil || r.when == nil) {
				t.Errorf("the number %d of %s is there twice", nr, c.name)
			}
			named[nr] = r
			if r.when == nil {
				if got := ask(t, filter, k.arch, nr); got != want {
					t.Errorf("%s: %#x, not %#x", c.name, got, want)
				}
			}
			for _, w := range r.when {
				var bad, good [6]uint64
				bad[w.arg], good[w.arg] = uint64(w.value)|1<<40, 1<<40
				switch w.kind {
				case differs:
					bad[w.arg], good[w.arg] = bad[w.arg]+1, bad[w.arg]
				case masked:
					good[w.arg] |= uint64(w.mask)
				}
				if got := ask(t, filter, k.arch, nr, bad[:]...); got != want {
					t.Errorf("%s with %v: %#x, not %#x", c.name, bad, got, want)
				}
				if got := ask(t, filter, k.arch, nr, good[:]...); got != unix.SECCOMP_RET_ALLOW {
					t.Errorf("%s with %v: %#x", c.name, good, got)
				}
			}
		}
	}
	for nr := range uint32(lastCall + 1) {
		if _, known := named[nr]; !known && ask(t, filter, k.arch, nr) != unix.SECCOMP_RET_ALLOW {
			t.Errorf("call %d of %#x is refused", nr, k.arch)
		}
	}
	const x32 = 1 << 30
	for _, nr := range []uint32{lastCall + 1, x32, x32 | unix.SYS_READ, 1<<32 - 1} {
		if got := ask(t, filter, k.arch, nr); got != unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS) {
			t.Errorf("call %d of %#x: %#x", nr, k.arch, got)
		}
	}
}

// TestNumbersOfCalls compares the table with the kernel's headers.
func TestNumbersOfCalls(t *testing.T) {
	const asm, generic = "/usr/include/x86_64-linux-gnu/asm/", "/usr/include/asm-generic/unistd.h"
	x86, arm := programKinds["amd64"], programKinds["arm64"]
	for _, kind := range []struct {
		file string
		of   func(call) int32
	}{{asm + "unistd_64.h", x86[0].number}, {asm + "unistd_32.h", x86[1].number}, {generic, arm[0].number}} {
		header, err := os.ReadFile(kind.file)
		if err != nil {
			t.Skip("not here: the headers of the kernel (package linux-libc-dev)")
		}
		numbers := map[string]int32{}
		for line := range strings.Lines(strings.ReplaceAll(string(header), "__NR3264_", "__NR_")) {
			var name string
			var nr int32
			if n, _ := fmt.Sscanf(line, "#define __NR_%s %d", &name, &nr); n == 2 {
				numbers[name] = nr
			}
		}
		if kind.file == generic {
			delete(numbers, "clock_settime64") // of its processors of 32 bits only
		}
		named := map[string][]int32{}
		for _, r := range refusals {
			for _, c := range r.calls {
				named[c.name] = append(named[c.name], kind.of(c))
			}
		}
		for name, list := range named {
			if nr, known := numbers[name]; known && !slices.Contains(list, nr) {
				t.Errorf("%s is %d in %s, not %v", name, nr, kind.file, list)
			}
		}
	}
}

// TestTableOfRefusals holds the page against the table.
func TestTableOfRefusals(t *testing.T) {
	page, err := os.ReadFile("../../docs/lab/machines.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range refusals {
		var names []string
		for _, c := range r.calls {
			if !slices.Contains(names, c.name) {
				names = append(names, c.name)
			}
		}
		want = append(want, fmt.Sprintf("| %s | %s | %s | %s |", r.what, strings.Join(names, ", "), unix.ErrnoName(r.answer), r.why))
	}
	_, rest, _ := strings.Cut(string(page), "| what | system calls | answer | why |\n|---|---|---|---|\n")
	table, _, _ := strings.Cut(rest, "\n\n")
	if got := strings.Split(table, "\n"); !slices.Equal(got, want) {
		t.Errorf("the table of refused calls in docs/lab/machines.md has to be:\n%s", strings.Join(want, "\n"))
	}
}

func TestUncountedKernel(t *testing.T) {
	for line, want := range map[string]bool{
		"quiet cgroup.memory=nokmem\n":                   true,
		"cgroup.memory=nosocket,nokmem root=/dev/vda":    true,
		"cgroup.memory=nosocket":                         false,
		"root=/dev/vda init=/cgroup.memory=nokmem quiet": false,
	} {
		if uncountedKernel(line) != want {
			t.Errorf("%q: not %v", line, want)
		}
	}
}
