package host

import (
	"context"
	"strings"

	"podium/vm/energy"
)

// energyOf is the subject of what a host can say of energy. The rules of the contest on
// nets do not ask for it, so that a host without it is fit for their record all the same.
const energyOf = "energy"

// energy looks for counters of the processor packages.
func (h *Host) energy(context.Context) []Check {
	m := energy.Find(h.Root)
	why, fix := m.Why()
	return []Check{energyCheck(m.Parts(), why, fix)}
}

// energyCheck says what counters there are, or why there are none and what would help.
func energyCheck(parts []string, why string, fix energy.Fix) Check {
	c := Check{Subject: energyOf, Verdict: OK, Found: strings.Join(parts, "; "),
		Means: "A run that is pinned to whole packages has their energy; others get a share by CPU time, called an estimate (SV-COMP's ranking Green)."}
	if why == "" {
		return c
	}
	c.Verdict, c.Found, c.Means = Missing, why, "Every run says 'not measured', with this reason; only rankings by energy need more."
	switch fix {
	case energy.LoadDriver:
		c.Advice = "On a host of its own, not a virtual machine, load the kernel's driver, for Intel and AMD alike."
		c.Fix = []string{"modprobe intel_rapl_msr"}
	case energy.OpenFiles:
		c.Verdict = Limited
		c.Advice = "Run workers as root, or let their group read the counters; not everybody, since they tell of what other programs compute (CVE-2020-8694)."
		c.Fix = []string{"groupadd -f podium", "chgrp podium /sys/class/powercap/intel-rapl:*/energy_uj && chmod g+r /sys/class/powercap/intel-rapl:*/energy_uj"}
	}
	return c
}
