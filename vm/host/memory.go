package host

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// machineMemory is the memory of a machine in a contest (E-5.2, E-5.3).
const machineMemory = 16 << 30

// memory compares what is free with what one machine has.
func (h *Host) memory(context.Context) []Check {
	info := h.read("proc/meminfo")
	free, total := kilobytes(info, "MemAvailable"), kilobytes(info, "MemTotal")
	c := Check{Subject: "memory", Verdict: OK, Found: fmt.Sprintf("%s free of %s", gigabytes(free), gigabytes(total)),
		Means: fmt.Sprintf("%d machines of 16 GB at a time (E-5.2, E-5.3).", free/machineMemory)}
	if free < machineMemory {
		c.Verdict, c.Means = Limited, "Less than the 16 GB of one machine (E-5.2): rehearsals with less memory only."
		c.Advice = "Free memory, take a larger host, or give --memory a smaller size."
	} else if free < 2*machineMemory {
		c.Means = "One machine of 16 GB at a time (E-5.2, E-5.3)."
	}
	return []Check{c}
}

// swap reports whether memory can turn into disk.
func (h *Host) swap(context.Context) []Check {
	c := Check{Subject: "swap", Verdict: OK, Found: "none", Means: "Memory of a run is memory (E-5.2)."}
	if n := kilobytes(h.read("proc/meminfo"), "SwapTotal"); n > 0 {
		c.Verdict, c.Found = Limited, gigabytes(n)
		c.Means = "A run can be slowed by the disk when others need memory, and has more than its 16 GB (E-5.2)."
		c.Advice, c.Fix = "Switch swap off while a contest runs.", []string{"swapoff -a"}
	}
	return []Check{c}
}

// kilobytes reads a line "name: N kB" and returns bytes.
func kilobytes(text, name string) int64 {
	n, err := strconv.ParseInt(strings.TrimSuffix(field(text, name), " kB"), 10, 53)
	if err != nil {
		return 0
	}
	return n << 10
}

// gigabytes is a size for people.
func gigabytes(n int64) string { return fmt.Sprintf("%.1f GB", float64(n)/(1<<30)) }
