package host

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"podium/internal/wording"
	"podium/vm/topology"
)

const cpuDir = "sys/devices/system/cpu/"

// cores counts cores and looks for those with several threads.
func (h *Host) cores(context.Context) []Check {
	c := Check{Subject: "cores", Verdict: OK}
	m, err := topology.Read(os.DirFS(h.Root))
	if err != nil {
		c.Verdict, c.Found, c.Means = Limited, "not shown: "+err.Error(), "Each processor counts as a core (E-5.2)."
		c.Advice = "Run on Linux, with /proc and /sys mounted."
		return []Check{c}
	}
	cores := m.Pool(topology.Wish{}, nil).Cores()
	c.Found, c.Means = m.Shape(), fmt.Sprintf("%s of one core, %d of four at a time, one core left to the host (E-5.2, E-5.3).", wording.Count(max(1, cores-1), "run", "runs"), (cores-1)/4)
	switch {
	case cores == 0:
		c.Verdict, c.Means = Limited, "Others may run on each core, on threads that are not for this process (E-5.2)."
		c.Advice = "Give podium whole cores, or say --share-threads in rehearsals."
	case cores < 5:
		c.Verdict = Limited
		c.Means = "A concurrent tool needs four cores, and the host one for itself (E-5.3): here runs share them."
		c.Advice = "Take a host with five cores or more, or ask for fewer cores in rehearsals."
	case m.Threads():
		c.Means += " A run has one thread of each of its cores, and the others stay idle."
	}
	return []Check{c}
}

// virtual reports whether the host is itself a guest, and what others took of its
// time.
func (h *Host) virtual(context.Context) []Check {
	c := Check{Subject: "host", Verdict: OK, Found: "not virtual", Means: "Nobody else takes time from the cores (E-5.1)."}
	if !slices.Contains(strings.Fields(field(h.read("proc/cpuinfo"), "flags")), "hypervisor") {
		return []Check{c}
	}
	c.Verdict, c.Found = Limited, "itself a virtual machine"
	if stolen, ok := h.stolen(); ok {
		c.Found += fmt.Sprintf(", %.2f %% of its time was stolen since it started", stolen)
	}
	c.Means = "What others do on the machine below changes times without being seen (E-5.1)."
	c.Advice = "Take a host of its own for the record."
	return []Check{c}
}

// stolen is the part of all time, in percent, that the machine below did not
// give (proc(5)).
func (h *Host) stolen() (float64, bool) {
	line, _, _ := strings.Cut(h.read("proc/stat"), "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, false
	}
	var sum, steal float64
	for i, f := range fields[1:9] {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return 0, false
		}
		sum += n
		if i == 7 {
			steal = n
		}
	}
	if sum == 0 {
		return 0, false
	}
	return 100 * steal / sum, true
}

// turbo reports whether the frequency depends on how many cores are busy.
func (h *Host) turbo(context.Context) []Check {
	const intel, boost = cpuDir + "intel_pstate/no_turbo", cpuDir + "cpufreq/boost"
	c := Check{Subject: "turbo", Verdict: OK, Found: "off", Means: "A core is as fast when others are busy (E-5.1)."}
	on := ""
	switch {
	case h.read(intel) == "0":
		on = "echo 1 > /" + intel
	case h.read(boost) == "1":
		on = "echo 0 > /" + boost
	case h.read(intel) == "" && h.read(boost) == "":
		c.Verdict, c.Found = Limited, "not shown by this kernel"
		c.Means = "Whether a core slows down when others are busy cannot be told (E-5.1)."
		c.Advice = "Look into the settings of the firmware."
	}
	if on != "" {
		c.Verdict, c.Found, c.Fix = Limited, "on", []string{on}
		c.Means = "A core slows down when others are busy, so that times depend on the neighbours (E-5.1)."
		c.Advice = "Switch it off for the record."
	}
	return []Check{c}
}

// governor tells who chooses the frequency.
func (h *Host) governor(context.Context) []Check {
	c := Check{Subject: "frequency", Verdict: OK, Found: "no governor is shown by this kernel", Means: "The frequency is not the host's to choose."}
	var names []string
	for _, f := range h.glob(cpuDir + "cpu[0-9]*/cpufreq/scaling_governor") {
		if g := h.read(f); g != "" && !slices.Contains(names, g) {
			names = append(names, g)
		}
	}
	if len(names) == 0 {
		return []Check{c}
	}
	c.Found, c.Means = "governor "+strings.Join(names, " "), "Cores always run at their full frequency, so that times can be compared (E-5.1)."
	if !slices.Equal(names, []string{"performance"}) {
		c.Verdict, c.Means = Limited, "The frequency follows the load, so that short runs seem slower (E-5.1)."
		c.Advice = "Choose the governor performance."
		c.Fix = []string{"for g in /" + cpuDir + "cpu[0-9]*/cpufreq/scaling_governor; do echo performance > $g; done"}
	}
	return []Check{c}
}

// clock tells what time is read from.
func (h *Host) clock(context.Context) []Check {
	const dir = "sys/devices/system/clocksource/clocksource0/"
	now := h.read(dir + "current_clocksource")
	c := Check{Subject: "clock", Verdict: OK, Found: now, Means: "Reading the time is cheap and exact."}
	switch now {
	case "tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter":
	case "":
		c.Found, c.Means = "unknown", "This kernel does not tell its clock."
	default:
		c.Verdict, c.Means = Limited, "Tools that read the time often pay for it."
		if strings.Contains(" "+h.read(dir+"available_clocksource")+" ", " tsc ") {
			c.Advice = "Choose the clock tsc, unless the kernel refused it as unstable."
			c.Fix = []string{"echo tsc > /" + dir + "current_clocksource"}
		} else {
			c.Advice = "The kernel offers no better one here."
		}
	}
	return []Check{c}
}
