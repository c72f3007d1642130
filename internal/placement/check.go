package placement

import (
	"errors"
	"fmt"
	"math"
)

// Limits of what is placed: they keep every sum of times within an int64.
const (
	maxSlots = 1 << 16
	maxWork  = math.MaxInt64 / 4 // microseconds, of all runs together
)

// checkHosts refuses hosts, sorted by name, on which a contest would not be fair.
func checkHosts(hosts []Host) error {
	if len(hosts) == 0 {
		return errors.New("there are no hosts")
	}
	hardware := map[string]*Host{} // by class: the first host that says what it is
	declared := hosts[0].Class != ""
	for i := range hosts {
		h := &hosts[i]
		switch {
		case h.Name == "":
			return errors.New("a host has no name")
		case i > 0 && hosts[i-1].Name == h.Name:
			return fmt.Errorf("host %s stands twice", h.Name)
		case h.Slots < 1 || h.Slots > maxSlots:
			return fmt.Errorf("host %s has %d slots, and 1 to %d are possible", h.Name, h.Slots, maxSlots)
		case (h.Class != "") != declared:
			return fmt.Errorf("one of the hosts %s and %s has a class and the other none: declare a class for every host, or for none", hosts[0].Name, h.Name)
		case h.Hardware == "":
			continue
		}
		first := hardware[h.Class]
		if first == nil {
			hardware[h.Class] = h
		} else if first.Hardware != h.Hardware {
			return differs(first, h)
		}
	}
	return nil
}

// differs says that two hosts cannot be used as if they were equal.
func differs(a, b *Host) error {
	if a.Class == "" {
		return fmt.Errorf("hosts %s (%s) and %s (%s) have different hardware: declare a class for each host, so that every model stays within one", a.Name, a.Hardware, b.Name, b.Hardware)
	}
	return fmt.Errorf("hosts %s (%s) and %s (%s) of class %s have different hardware: give one of them another class", a.Name, a.Hardware, b.Name, b.Hardware, a.Class)
}

// checkUnits refuses units, sorted by name, that cannot be added up.
func checkUnits(units []Unit) error {
	var total int64
	for i := range units {
		u := &units[i]
		switch {
		case u.Name == "":
			return errors.New("a model has no name")
		case i > 0 && units[i-1].Name == u.Name:
			return fmt.Errorf("%s stands twice", u.Name)
		}
		for _, t := range u.Runs {
			if t < 0 || t > maxWork-total {
				return fmt.Errorf("a run of %s takes %d µs, which cannot be: times are not negative, and all together at most %d µs", u.Name, t, int64(maxWork))
			}
			total += t
		}
	}
	return nil
}
