package campaign

import (
	"bufio"
	"bytes"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// thisMachine describes the host for the record; what cannot be found out is
// left empty.
func thisMachine() Machine {
	m := Machine{Cores: runtime.NumCPU(), Processor: firstField("/proc/cpuinfo", "model name")}
	var names unix.Utsname
	if unix.Uname(&names) == nil {
		m.System = unix.ByteSliceToString(names.Sysname[:]) + " " + unix.ByteSliceToString(names.Release[:])
	}
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		m.Memory = int64(info.Totalram) * int64(info.Unit)
	}
	return m
}

// firstField gives the value of the first line "name : value" of a file.
func firstField(path, name string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for in := bufio.NewScanner(bytes.NewReader(text)); in.Scan(); {
		key, value, ok := strings.Cut(in.Text(), ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
