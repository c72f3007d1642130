package sentinel

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// kernel reads what the kernel shows of a core, below a directory that is / but for
// tests.
func kernel(root string, core int) Kernel {
	dir := filepath.Join(root, "sys/devices/system/cpu", fmt.Sprint("cpu", core))
	return Kernel{
		Stolen:    stolen(text(root, "proc/stat"), core),
		Throttled: number(text(dir, "thermal_throttle/core_throttle_count")),
		Waited:    waited(text(root, "proc/pressure/cpu")),
		Frequency: number(text(dir, "cpufreq/scaling_cur_freq")),
	}
}

func text(dir, file string) string {
	b, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return ""
	}
	return string(b)
}

func number(word string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// stolen finds the eighth figure of the core's line in /proc/stat, in hundredths of a
// second (proc(5)).
func stolen(stat string, core int) int64 {
	for line := range strings.Lines(stat) {
		if f := strings.Fields(line); len(f) > 8 && f[0] == fmt.Sprint("cpu", core) {
			if n := number(f[8]); n >= 0 {
				return n * 10_000
			}
		}
	}
	return -1
}

// waited finds "some ... total=N" (the kernel's documentation, accounting/psi).
func waited(pressure string) int64 {
	for line := range strings.Lines(pressure) {
		if _, total, ok := strings.Cut(line, "total="); ok && strings.HasPrefix(line, "some ") {
			return number(total)
		}
	}
	return -1
}
