//go:build linux && amd64

package sandbox

import (
	"fmt"
	"os"
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
	filter := refusalFilter()
	if len(filter) > 1000 {
		t.Errorf("%d instructions", len(filter))
	}
	for _, arch := range []struct {
		number uint32
		of     func(call) uint32
	}{{unix.AUDIT_ARCH_X86_64, func(c call) uint32 { return c.nr64 }}, {unix.AUDIT_ARCH_I386, func(c call) uint32 { return c.nr32 }}} {
		named := map[uint32]refusal{}
		for _, r := range refusals {
			want := unix.SECCOMP_RET_ERRNO | uint32(r.answer)
			for _, c := range r.calls {
				nr := arch.of(c)
				if nr == 0 {
					continue
				}
				if before, twice := named[nr]; twice && (before.when == nil || r.when == nil) {
					t.Errorf("the number %d of %s is there twice", nr, c.name)
				}
				named[nr] = r
				if r.when == nil {
					if got := ask(t, filter, arch.number, nr); got != want {
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
					if got := ask(t, filter, arch.number, nr, bad[:]...); got != want {
						t.Errorf("%s with %v: %#x, not %#x", c.name, bad, got, want)
					}
					if got := ask(t, filter, arch.number, nr, good[:]...); got != unix.SECCOMP_RET_ALLOW {
						t.Errorf("%s with %v: %#x", c.name, good, got)
					}
				}
			}
		}
		for nr := range uint32(lastCall + 1) {
			if _, known := named[nr]; !known && ask(t, filter, arch.number, nr) != unix.SECCOMP_RET_ALLOW {
				t.Errorf("call %d of %#x is refused", nr, arch.number)
			}
		}
		const x32 = 1 << 30
		for _, nr := range []uint32{lastCall + 1, x32, x32 | unix.SYS_READ, 1<<32 - 1} {
			if got := ask(t, filter, arch.number, nr); got != unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS) {
				t.Errorf("call %d of %#x: %#x", nr, arch.number, got)
			}
		}
	}
	if got := ask(t, filter, unix.AUDIT_ARCH_AARCH64, 1); got != unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS) {
		t.Errorf("another processor: %#x", got)
	}
}

// TestNumbersOfCalls compares the table with the kernel's headers.
func TestNumbersOfCalls(t *testing.T) {
	for _, width := range []struct {
		file string
		of   func(call) uint32
	}{{"unistd_64.h", func(c call) uint32 { return c.nr64 }}, {"unistd_32.h", func(c call) uint32 { return c.nr32 }}} {
		header, err := os.ReadFile("/usr/include/x86_64-linux-gnu/asm/" + width.file)
		if err != nil {
			t.Skip("not here: the headers of the kernel (package linux-libc-dev)")
		}
		numbers := map[string]uint32{}
		for line := range strings.Lines(string(header)) {
			var name string
			var nr uint32
			if n, _ := fmt.Sscanf(line, "#define __NR_%s %d", &name, &nr); n == 2 {
				numbers[name] = nr
			}
		}
		named := map[string][]uint32{}
		for _, r := range refusals {
			for _, c := range r.calls {
				named[c.name] = append(named[c.name], width.of(c))
			}
		}
		for name, list := range named {
			if nr, known := numbers[name]; known && !slices.Contains(list, nr) {
				t.Errorf("%s is %d in %s, not %v", name, nr, width.file, list)
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
