package host

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"podium/vm/sandbox"
)

// machinesOf begins the subject of the check of a driver.
const machinesOf = "machines of "

// machines tries the drivers.
func (h *Host) machines(ctx context.Context) []Check {
	var all []Check
	for _, name := range slices.Sorted(maps.Keys(h.Drivers)) {
		all = append(all, h.driver(ctx, name))
	}
	return all
}

func (h *Host) driver(ctx context.Context, name string) Check {
	c := Check{Subject: machinesOf + name, Verdict: Missing,
		Means:  "Runs with --driver " + name + " are not possible (E-5.1).",
		Advice: "The other lines say what is missing."}
	d, err := h.Drivers[name]()
	if err != nil {
		c.Found = oneLine(err.Error())
		return c
	}
	defer d.Close()
	can, err := d.Probe(ctx)
	switch {
	case err != nil:
		c.Found = oneLine(err.Error())
		return c
	case !can.ForRecord:
		c.Verdict, c.Means = Limited, "Fresh machines for rehearsals; not for the record (E-5.1)."
	case len(can.Unenforced) > 0:
		c.Verdict, c.Means = Limited, "Fresh machines, but not everything is enforced (E-5.1)."
	default:
		c.Verdict, c.Means = OK, "Each run can have a fresh machine, measured exactly (E-5.1)."
	}
	c.Found, c.Advice = "measured by "+can.Measured, ""
	if c.Verdict != OK {
		c.Means, c.Advice = strings.Join(append([]string{c.Means}, can.Unenforced...), " "), "The other lines say what would help."
	}
	return c
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// delegate gives an ordinary user's sessions the controllers that podium uses.
var delegate = []string{
	"mkdir -p /etc/systemd/system/user@.service.d",
	`printf '[Service]\nDelegate=cpu cpuset io memory pids\n' > /etc/systemd/system/user@.service.d/delegate.conf`,
	"systemctl daemon-reload",
}

// controlGroups tells by what usage is measured.
func (h *Host) controlGroups(context.Context) []Check {
	s := sandbox.SurveyControlGroups(h.Root)
	c := Check{Subject: "control groups", Verdict: OK, Means: "CPU time and peak memory of all processes of a run are exact, not sampled (E-5.1)."}
	c.Found = "none that can be used"
	if len(s.Writable) > 0 {
		c.Found = fmt.Sprintf("%s, writable: %s", s.Kind, strings.Join(s.Writable, " "))
	} else if s.Kind != "none" {
		c.Found = s.Kind + ", none writable"
	}
	if len(s.Missing) == 0 {
		return []Check{c}
	}
	c.Verdict, c.Means = Limited, "Some limits of a run are watched from outside instead of kept by the kernel (E-5.1)."
	if !slices.Contains(s.Writable, "cpu") || !slices.Contains(s.Writable, "memory") {
		c.Verdict, c.Means = Missing, "CPU time of children can be missed, and peaks of memory are only seen when somebody looks (E-5.1): not for the record."
	}
	c.Advice = strings.Join(s.Missing, " ") + " Give podium a group of its own, or run it as root."
	c.Fix = delegate
	return []Check{c}
}
