package energy

import (
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/vm"
)

// Use is what a run had of the host.
type Use struct {
	CPUs    []int         // logical processors that it was pinned to; nil: any
	CPUTime time.Duration // of all its processes, as the host counts; 0 where it was not measured
}

// tick is the unit of /proc/stat (USER_HZ is 100 on every system that Podium runs on).
const tick = 10 * time.Millisecond

// End ends the span and returns the energy of a run that lasted over it.
func (s *Span) End(u Use) vm.Energy {
	close(s.stop)
	s.ended.Wait()
	if s.meter.why != "" {
		return vm.Energy{Why: s.meter.why}
	}
	if s.by != nil {
		s.packs = s.by.end(s.meter.packs)
	} else {
		s.read()
	}
	touched, owned, strange := s.meter.touched(u.CPUs)
	if strange {
		return vm.Energy{Why: "some processors of the run belong to no package with a counter"}
	}
	var e vm.Energy
	for p, into := range []*int64{whole: &e.Package, core: &e.Core, uncore: &e.Uncore, dram: &e.DRAM} {
		used, why := s.used(part(p), touched)
		if *into = used; why != "" {
			e.Why = joined(e.Why, why)
		}
	}
	if owned || e.Package+e.Core+e.Uncore+e.DRAM == 0 {
		return e
	}
	return s.shared(e, u, touched)
}

// touched returns the packages with processors of a run, whether it has all of these, and
// whether it has others, which no counter knows.
func (m *Meter) touched(cpus []int) (list []int, owned, strange bool) {
	owned = cpus != nil
	known := 0
	for i, p := range m.packs {
		n := both(p.cpus, cpus)
		if known += n; cpus == nil || n > 0 {
			list = append(list, i)
			owned = owned && n == len(p.cpus)
		}
	}
	return list, owned, known < len(cpus)
}

func both(a, b []int) int {
	n := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return n
}

// used adds up a part over packages: 0 with the reason where a counter said nothing, and
// 0 without one where the host has no such counter.
func (s *Span) used(p part, packs []int) (sum int64, why string) {
	for _, i := range packs {
		at := slices.IndexFunc(s.packs[i], func(t *total) bool { return t.zone.part == p })
		if at < 0 {
			return 0, ""
		}
		t := s.packs[i][at]
		switch {
		case t.broken != "":
			return 0, t.broken + " (" + s.meter.packs[i].name + ")"
		case t.used == 0:
			return 0, "the counter of " + partNames[p] + " did not move (" + s.meter.packs[i].name + ")"
		}
		sum += int64(t.used)
	}
	return sum, ""
}

// shared returns the part of an energy that the CPU time of a run is of all CPU time on its
// packages.
func (s *Span) shared(e vm.Energy, u Use, packs []int) vm.Energy {
	after := s.meter.busy()
	busy := uint64(0)
	for _, i := range packs {
		for _, cpu := range s.meter.packs[i].cpus {
			if b, known := s.busy[cpu]; known && after[cpu] > b {
				busy += after[cpu] - b
			}
		}
	}
	all := time.Duration(busy) * tick
	switch {
	case u.CPUTime <= 0:
		return vm.Energy{Why: joined(e.Why, "the run shared its packages, and its CPU time, which its share goes by, was not measured")}
	case busy == 0:
		return vm.Energy{Why: joined(e.Why, "the run shared its packages, and was too short for a share by CPU time")}
	}
	for _, figure := range []*int64{&e.Package, &e.Core, &e.Uncore, &e.DRAM} {
		if u.CPUTime < all {
			n := new(big.Int).Mul(big.NewInt(*figure), big.NewInt(int64(u.CPUTime)))
			*figure = n.Quo(n, big.NewInt(int64(all))).Int64()
		}
	}
	if e.Package+e.Core+e.Uncore+e.DRAM == 0 {
		return vm.Energy{Why: joined(e.Why, "the run shared its packages, and its share rounds to nothing")}
	}
	e.Estimate = true
	e.Why = joined(e.Why, fmt.Sprintf("an estimate: %.0f %% of the packages' energy, by CPU time", 100*min(1, float64(u.CPUTime)/float64(all))))
	return e
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// busy returns the time that each processor has worked, in ticks (proc(5)).
func (m *Meter) busy() map[int]uint64 {
	text, err := m.read(filepath.Join(m.root, "proc/stat"))
	if err != nil {
		return nil
	}
	list := map[int]uint64{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 8 || !strings.HasPrefix(f[0], "cpu") {
			continue
		}
		cpu, err := strconv.Atoi(f[0][len("cpu"):])
		if err != nil {
			continue // all of them together
		}
		for i, field := range f[1:8] {
			if n, err := strconv.ParseUint(field, 10, 64); err == nil && i != 3 && i != 4 { // idle, iowait
				list[cpu] += n
			}
		}
	}
	return list
}
