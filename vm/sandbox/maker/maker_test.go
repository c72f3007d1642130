//go:build linux

package maker

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestMessages writes each message, with all fields set, and reads it again.
func TestMessages(t *testing.T) {
	var world World
	var job Job
	var report Report
	for _, m := range []message{&world, &job, &report, &Stop{}} {
		fill(reflect.ValueOf(m).Elem(), 1)
		var sent bytes.Buffer
		if err := Send(&sent, m); err != nil {
			t.Fatal(err)
		}
		frame := bytes.Clone(sent.Bytes())
		got := reflect.New(reflect.TypeOf(m).Elem())
		if err := Receive(&sent, got.Interface().(message)); err != nil || !reflect.DeepEqual(got.Interface(), m) {
			t.Errorf("%+v came as %+v, %v", m, got, err)
		}
		for n := range frame {
			err := Receive(bytes.NewReader(frame[:n]), reflect.New(reflect.TypeOf(m).Elem()).Interface().(message))
			if err == nil || errors.Is(err, io.EOF) && n > 0 && !errors.Is(err, errMessage) {
				t.Errorf("%d of %d bytes: %v", n, len(frame), err)
			}
		}
	}
}

// TestBrokenMessages: lengths inside of a message are not believed.
func TestBrokenMessages(t *testing.T) {
	var sent bytes.Buffer
	if err := Send(&sent, &World{Places: []Place{{Path: "bin"}}}); err != nil {
		t.Fatal(err)
	}
	for at := 8; at+8 <= sent.Len(); at += 8 {
		for _, length := range []byte{0x7f, 0xff} {
			frame := bytes.Clone(sent.Bytes())
			copy(frame[at:], bytes.Repeat([]byte{length}, 8))
			var w World
			if err := Receive(bytes.NewReader(frame), &w); err != nil && !errors.Is(err, errMessage) {
				t.Errorf("%#x at %d: %v", length, at, err)
			}
		}
	}
	endless := append(bytes.Repeat([]byte{0xff}, 7), 0x7f)
	if err := Receive(bytes.NewReader(endless), &World{}); !errors.Is(err, errMessage) {
		t.Errorf("a message without end: %v", err)
	}
}

// fill sets all fields of a value to something, of which no two are the same.
func fill(v reflect.Value, n int64) int64 {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			n = fill(v.Field(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		n = fill(v.Index(1), fill(v.Index(0), n))
	case reflect.String:
		v.SetString(strings.Repeat("x", int(n)))
	case reflect.Bool:
		v.SetBool(true)
	default:
		v.SetInt(-n)
	}
	return n + 1
}

func FuzzReceive(f *testing.F) {
	for _, m := range []message{&World{Places: []Place{{Path: "bin"}}}, &Job{Command: []string{"a", ""}}, &Report{Step: "x"}, &Stop{}} {
		var sent bytes.Buffer
		Send(&sent, m)
		f.Add(sent.Bytes())
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		for _, m := range []message{&World{}, &Job{}, &Report{}, &Stop{}} {
			var again bytes.Buffer
			if Receive(bytes.NewReader(frame), m) == nil && Send(&again, m) == nil && again.Len() > len(frame) {
				t.Errorf("%d bytes became %d", len(frame), again.Len())
			}
		}
	})
}

// TestLargestJob: there is room for the largest command, whatever its strings are.
func TestLargestJob(t *testing.T) {
	for _, size := range []int{0, 1, 7, 1000, MaxWords - PerWord} {
		f, err := newFirst(&World{InstanceDir: "home/mcc/execution"})
		if err != nil {
			t.Fatal(err)
		}
		words := make([]string, MaxWords/(size+PerWord))
		for i := range words {
			words[i] = strings.Repeat("x", size)
		}
		if err := f.begin(&Job{Command: words, CPUs: []int{MaxCPU - 1}, Filter: strings.Repeat("x", 8<<10)}); err != nil {
			t.Error(err)
		}
		args := unsafe.Slice((*uintptr)(unsafe.Pointer(&f.memory[f.job.args-uintptr(unsafe.Pointer(&f.memory[0]))])), len(words)+1)
		if args[0] != f.job.file || args[len(words)] != 0 || f.job.filter.size != 1<<10 {
			t.Errorf("%d words of %d bytes: %+v", len(words), size, f.job)
		}
		for _, fd := range []int{f.orders, f.goOn, f.events, f.news} {
			unix.Close(fd)
		}
		if err := syscall.Munmap(f.memory); err != nil {
			t.Error(err)
		}
	}
}

// TestInitialisedEarly: what this package imports decides how many packages are
// initialised before it, in every machine anew.
func TestInitialisedEarly(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, late := range []string{"fmt", "reflect", "strings", "unicode", "golang.org/x/sys/unix"} {
		if slices.Contains(strings.Fields(string(out)), late) {
			t.Errorf("the package needs %s", late)
		}
	}
}

// TestNumbers compares the kernel's numbers with those of package unix.
func TestNumbers(t *testing.T) {
	for name, n := range map[string][2]uint64{
		"open_tree": {sysOpenTree, unix.SYS_OPEN_TREE}, "move_mount": {sysMoveMount, unix.SYS_MOVE_MOUNT}, "clone3": {sysClone3, unix.SYS_CLONE3},
		"close_range": {sysCloseRange, unix.SYS_CLOSE_RANGE}, "mount_setattr": {sysMountSetattr, unix.SYS_MOUNT_SETATTR}, "seccomp": {sysSeccomp, unix.SYS_SECCOMP},
		"AT_EMPTY_PATH": {atEmptyPath, unix.AT_EMPTY_PATH}, "AT_RECURSIVE": {atRecursive, unix.AT_RECURSIVE}, "OPEN_TREE_CLONE": {openTreeClone, unix.OPEN_TREE_CLONE},
		"MOVE_MOUNT_F_EMPTY_PATH": {moveEmptyPath, unix.MOVE_MOUNT_F_EMPTY_PATH}, "MOUNT_ATTR_RDONLY": {mountReadOnly, unix.MOUNT_ATTR_RDONLY},
		"MOUNT_ATTR_NOSUID": {mountNoSuid, unix.MOUNT_ATTR_NOSUID}, "MOUNT_ATTR_NODEV": {mountNoDev, unix.MOUNT_ATTR_NODEV},
		"MOUNT_ATTR_NOEXEC": {mountNoExec, unix.MOUNT_ATTR_NOEXEC}, "MOUNT_ATTR_IDMAP": {mountIDMap, unix.MOUNT_ATTR_IDMAP},
		"CLONE_CLEAR_SIGHAND": {cloneClearHandlers, unix.CLONE_CLEAR_SIGHAND}, "CLONE_INTO_CGROUP": {cloneIntoGroup, unix.CLONE_INTO_CGROUP},
		"CLOSE_RANGE_CLOEXEC": {closeRangeCloexec, unix.CLOSE_RANGE_CLOEXEC}, "PR_SET_NO_NEW_PRIVS": {prSetNoNewPrivs, unix.PR_SET_NO_NEW_PRIVS},
		"PR_CAP_AMBIENT": {prCapAmbient, unix.PR_CAP_AMBIENT}, "PR_CAP_AMBIENT_CLEAR_ALL": {prCapAmbientClearAll, unix.PR_CAP_AMBIENT_CLEAR_ALL},
		"_LINUX_CAPABILITY_VERSION_3": {capabilityVersion3, unix.LINUX_CAPABILITY_VERSION_3}, "SECCOMP_SET_MODE_FILTER": {seccompSetFilter, unix.SECCOMP_SET_MODE_FILTER},
		"SECCOMP_FILTER_FLAG_SPEC_ALLOW": {seccompSpecAllow, unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW}, "SIG_SETMASK": {sigSetMask, unix.SIG_SETMASK},
		"CLOCK_MONOTONIC": {clockMonotonic, unix.CLOCK_MONOTONIC}, "POLLIN": {pollIn, unix.POLLIN},
	} {
		if n[0] != n[1] {
			t.Errorf("%s is %#x, not %#x", name, n[1], n[0])
		}
	}
}
