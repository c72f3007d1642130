package campaign

import (
	"bufio"
	"bytes"
	"os"
	"runtime"
	"strings"
)

// thisMachine describes the host for the record; what cannot be found out is
// left empty.
func thisMachine() Machine {
	system, memory := systemNameAndMemory()
	return Machine{Cores: runtime.NumCPU(), Processor: firstField("/proc/cpuinfo", "model name"), System: system, Memory: memory}
}

// firstField returns the value of the first line "name : value" of a file.
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
