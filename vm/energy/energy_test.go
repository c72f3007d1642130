package energy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/vmtest"
)

// host is a made tree of the files of a host: their form is that of kernel 6.1, no
// computer at hand has such counters.
type host struct {
	t    *testing.T
	root string
}

// newHost has two packages of two processors each: an Intel host.
func newHost(t *testing.T) host {
	h := host{t, t.TempDir()}
	for p := range 2 {
		h.zone(fmt.Sprintf("intel-rapl:%d", p), fmt.Sprintf("package-%d", p), 1_000_000)
		h.zone(fmt.Sprintf("intel-rapl:%d:0", p), "core", 400_000)
		h.zone(fmt.Sprintf("intel-rapl:%d:1", p), "dram", 50_000)
	}
	h.zone("intel-rapl:0:2", "uncore", 10_000)
	h.zone("intel-rapl-mmio:0", "package-0", 7) // the same again
	h.zone("intel-rapl:2", "psys", 9)           // the whole computer
	for cpu := range 4 {
		h.write(fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu), fmt.Sprint(cpu/2))
	}
	h.stat(0, 0, 0, 0)
	return h
}

func (h host) write(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text+"\n"), 0o644)); err != nil {
		h.t.Fatal(err)
	}
}

func (h host) zone(dir, name string, microjoules int) {
	h.write(filepath.Join(powercap, dir, "name"), name)
	h.write(filepath.Join(powercap, dir, "max_energy_range_uj"), "262143328850")
	h.count(dir, microjoules)
}

func (h host) count(dir string, microjoules int) {
	h.write(filepath.Join(powercap, dir, "energy_uj"), fmt.Sprint(microjoules))
}

// stat says how many ticks each processor has worked.
func (h host) stat(ticks ...int) {
	text := "cpu  1 2 3 4 5 6 7 8 0 0\n"
	for cpu, n := range ticks {
		text += fmt.Sprintf("cpu%d %d 0 %d 99999 99 0 0 0 0 0\n", cpu, n, n) // half user, half system
	}
	h.write("proc/stat", text)
}

// after lets every counter go on: package 8 J, core 5 J, dram 1 J, uncore 1 J.
func (h host) after() {
	for p := range 2 {
		h.count(fmt.Sprintf("intel-rapl:%d", p), 9_000_000)
		h.count(fmt.Sprintf("intel-rapl:%d:0", p), 5_400_000)
		h.count(fmt.Sprintf("intel-rapl:%d:1", p), 1_050_000)
	}
	h.count("intel-rapl:0:2", 1_010_000)
}

// TestOwnedPackages: a run on all processors of its packages has their energy.
func TestOwnedPackages(t *testing.T) {
	for _, tc := range []struct {
		cpus []int
		want vm.Energy
	}{
		{[]int{0, 1}, vm.Energy{Package: 8_000_000, Core: 5_000_000, Uncore: 1_000_000, DRAM: 1_000_000}},
		{[]int{3, 2}, vm.Energy{Package: 8_000_000, Core: 5_000_000, DRAM: 1_000_000}},
		{[]int{0, 1, 2, 3}, vm.Energy{Package: 16_000_000, Core: 10_000_000, DRAM: 2_000_000}}, // no uncore of both
	} {
		h := newHost(t)
		s := Find(h.root).Begin()
		h.after()
		if got := s.End(Use{CPUs: tc.cpus}); got != tc.want || got.State() != "measured" {
			t.Errorf("%v: %+v", tc.cpus, got)
		}
	}
}

// TestShares: a run that shares packages has the part of their energy that its CPU time
// is of all CPU time there, and it is called an estimate.
func TestShares(t *testing.T) {
	for name, tc := range map[string]struct {
		use  Use
		want int64 // microjoules of the packages
		why  string
	}{
		"one of two processors": {Use{[]int{0}, time.Second}, 2_000_000, "25 %"},        // of 4 s on package 0
		"two halves":            {Use{[]int{1, 2}, 4 * time.Second}, 8_000_000, "50 %"}, // of 8 s on both
		"not pinned":            {Use{nil, 2 * time.Second}, 4_000_000, "25 %"},
		"more than all":         {Use{[]int{0}, time.Minute}, 8_000_000, "100 %"},
		"no CPU time":           {Use{[]int{0}, 0}, 0, "was not measured"},
		"strange processor":     {Use{[]int{0, 9}, time.Second}, 0, "no package with a counter"},
	} {
		h := newHost(t)
		s := Find(h.root).Begin()
		h.after()
		h.stat(100, 100, 200, 0) // 2 s, 2 s, 4 s
		got := s.End(tc.use)
		state := "estimate"
		if tc.want == 0 {
			state = "not measured"
		}
		if got.Package != tc.want || got.Estimate != (tc.want > 0) || !strings.Contains(got.Why, tc.why) || got.State() != state {
			t.Errorf("%s: %+v", name, got)
		}
	}
	h := newHost(t)
	s := Find(h.root).Begin()
	h.after()
	if got := s.End(Use{[]int{0}, time.Millisecond}); got.Package != 0 || !strings.Contains(got.Why, "too short for a share") {
		t.Errorf("%+v", got)
	}
}

// TestWraparound: a counter that begins again, between or at the readings.
func TestWraparound(t *testing.T) {
	h := newHost(t)
	h.count("intel-rapl:0", 262143328000)
	m := Find(h.root)
	s := m.Begin()
	h.count("intel-rapl:0", 150)
	s.read()
	h.after()
	if got := s.End(Use{CPUs: []int{0, 1}}); got.Package != 9_000_850 {
		t.Errorf("%+v", got)
	}
	h = newHost(t)
	if err := os.Remove(filepath.Join(h.root, powercap, "intel-rapl:0/max_energy_range_uj")); err != nil {
		t.Fatal(err)
	}
	s = Find(h.root).Begin()
	h.after()
	h.count("intel-rapl:0", 1)
	if got := s.End(Use{CPUs: []int{0, 1}}); got.Package != 0 || got.Core != 5_000_000 || !strings.Contains(got.Why, "the counter of package went back, and its range is not known (package-0)") {
		t.Errorf("%+v", got)
	}
}

// TestReadTooRarely: where a counter may have begun again unseen, it says nothing.
func TestReadTooRarely(t *testing.T) {
	h := newHost(t)
	m := Find(h.root)
	now := time.Unix(0, 0)
	m.now = func() time.Time { return now }
	s := m.Begin()
	now = now.Add(262 * time.Second) // at 1000 W a counter of 262 kJ begins again after that
	s.read()
	now = now.Add(time.Second)
	h.after()
	if got := s.End(Use{CPUs: []int{0, 1}}); got.Package != 8_000_000 {
		t.Errorf("%+v", got)
	}
	s = m.Begin()
	now = now.Add(263 * time.Second)
	h.count("intel-rapl:0", 10_000_000)
	if got := s.End(Use{CPUs: []int{0, 1}}); got.Package != 0 || !strings.Contains(got.Why, "the counter of package was not read for 4m23s") {
		t.Errorf("%+v", got)
	}
}

// TestCountersThatSayNothing: a zone that vanishes, stands still, or holds no number; the
// others go on.
func TestCountersThatSayNothing(t *testing.T) {
	for name, tc := range map[string]struct {
		spoil func(host) error
		want  vm.Energy
	}{
		"vanished": {func(h host) error { return os.RemoveAll(filepath.Join(h.root, powercap, "intel-rapl:0:1")) },
			vm.Energy{Package: 8_000_000, Core: 5_000_000, Uncore: 1_000_000, Why: "the counter of dram has vanished (package-0)"}},
		"stands still": {func(h host) error { h.count("intel-rapl:0", 1_000_000); return nil },
			vm.Energy{Core: 5_000_000, Uncore: 1_000_000, DRAM: 1_000_000, Why: "the counter of package did not move (package-0)"}},
		"no number": {func(h host) error { h.write(powercap+"/intel-rapl:0:0/energy_uj", "many"); return nil },
			vm.Energy{Package: 8_000_000, Uncore: 1_000_000, DRAM: 1_000_000, Why: "the counter of core cannot be read: energy_uj of intel-rapl:0:0 is no number (package-0)"}},
	} {
		h := newHost(t)
		s := Find(h.root).Begin()
		h.after()
		if err := tc.spoil(h); err != nil {
			t.Fatal(err)
		}
		if got := s.End(Use{CPUs: []int{0, 1}}); got != tc.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestHostsWithoutCounters say why, and what would help.
func TestHostsWithoutCounters(t *testing.T) {
	empty := t.TempDir()
	m := Find(empty)
	if why, fix := m.Why(); !strings.Contains(why, "shows no counters of energy") || fix != LoadDriver {
		t.Errorf("%q, %d", why, fix)
	}
	if got := m.Begin().End(Use{CPUs: []int{0}, CPUTime: time.Second}); got != (vm.Energy{Why: "this host shows no counters of energy (powercap)"}) || got.State() != "not measured" {
		t.Errorf("%+v", got)
	}
	h := newHost(t)
	closed := func(path string) ([]byte, error) { // also to root, who may read every file
		if strings.HasSuffix(path, "intel-rapl:1/energy_uj") {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
		}
		return os.ReadFile(path)
	}
	if why, fix := find(h.root, closed).Why(); !strings.Contains(why, "intel-rapl:1/energy_uj: permission denied") || fix != OpenFiles {
		t.Errorf("%q, %d", why, fix)
	}
}

// TestOtherHosts: an AMD host has packages and cores, and a package may have several dies.
func TestOtherHosts(t *testing.T) {
	h := host{t, t.TempDir()}
	h.zone("intel-rapl:0", "package-0-die-0", 1)
	h.zone("intel-rapl:0:0", "core", 1)
	h.zone("intel-rapl:1", "package-0-die-1", 1)
	for cpu := range 4 {
		h.write(fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu), "0")
		h.write(fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/die_id", cpu), fmt.Sprint(cpu%2))
	}
	h.write("sys/devices/system/cpu/cpu4/online", "0") // a processor that is off has no topology
	m := Find(h.root)
	if got := fmt.Sprint(m.Parts()); got != "[package-0-die-0 (2 processors): package, core package-0-die-1 (2 processors): package]" {
		t.Error(got)
	}
	s := m.Begin()
	h.count("intel-rapl:1", 4)
	if got := s.End(Use{CPUs: []int{1, 3}}); got != (vm.Energy{Package: 3}) {
		t.Errorf("%+v", got)
	}
}

// TestMetered: machines of a driver measure their jobs, and shares go by the CPU time
// that the host counted.
func TestMetered(t *testing.T) {
	h := newHost(t)
	var outcome vm.Outcome
	d := Metered(&vmtest.Fake{OnExec: func(context.Context, vm.Spec, vm.Job) (vm.Outcome, error) {
		h.after()
		h.stat(100, 100, 200, 0)
		return outcome, nil
	}}, Find(h.root))
	for _, tc := range []struct {
		outcome vm.Outcome
		want    int64
	}{
		{vm.Outcome{CPUTime: vm.Took(time.Second), Measured: "cgroup2"}, 2_000_000},
		{vm.Outcome{CPUTime: vm.Took(time.Second), HostCPUTime: vm.Took(2 * time.Second), Measured: "guest:cgroup2"}, 4_000_000},
		{vm.Outcome{CPUTime: vm.Took(time.Second), Measured: vm.ByRlimit}, 0},
	} {
		h.stat(0, 0, 0, 0)
		h.count("intel-rapl:0", 1_000_000)
		m, err := d.Boot(t.Context(), vm.Spec{Name: "one", Cores: 1, CPUs: []int{0}})
		if err != nil {
			t.Fatal(err)
		}
		outcome = tc.outcome
		o, err := m.Exec(t.Context(), vm.Job{Command: []string{"tool"}})
		if err != nil || o.Energy == nil || o.Energy.Package != tc.want {
			t.Errorf("%+v: %+v, %v", tc.outcome, o.Energy, err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestCPUEnergyMeter: where counters cannot be read, cpu-energy-meter measures if it is
// there, and what it prints belongs to runs as counters do.
func TestCPUEnergyMeter(t *testing.T) {
	h := host{t, t.TempDir()}
	for cpu := range 4 {
		h.write(fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu), fmt.Sprint(cpu/2))
	}
	h.stat(0, 0, 0, 0)
	bin := t.TempDir()
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	// It measures raw only, as it is asked to, and says by a file that it has begun, so that
	// nobody interrupts it too early.
	install := func(prints string) {
		t.Helper()
		text := "#!/bin/sh\n[ \"$*\" = -r ] || { echo cpu0_package_joules=999; exit 2; }\ntrap 'cat <<END\n" + prints + "\nEND\nexit 0' INT\n: > \"" + bin + "/begun\"\nwhile :; do sleep 0.01; done\n"
		if err := os.WriteFile(filepath.Join(bin, Program), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const both = "cpu_count=2\nduration_seconds=1.5\ncpu0_package_joules=8.250000\ncpu0_core_joules=5\ncpu0_dram_joules=1.5\ncpu1_package_joules=4\ncpu1_psys_joules=9"
	for name, tc := range map[string]struct {
		prints string
		use    Use
		want   vm.Energy
	}{
		"one package":     {both, Use{CPUs: []int{0, 1}}, vm.Energy{Package: 8_250_000, Core: 5_000_000, DRAM: 1_500_000}},
		"both":            {both, Use{CPUs: []int{0, 1, 2, 3}}, vm.Energy{Package: 12_250_000}},
		"a share":         {both, Use{CPUs: []int{2}, CPUTime: time.Second}, vm.Energy{Package: 1_000_000, Estimate: true, Why: "an estimate: 25 % of the packages' energy, by CPU time"}},
		"other shares":    {both, Use{CPUs: []int{0, 1, 2}, CPUTime: 3 * time.Second}, vm.Energy{Package: 4_593_750, Estimate: true, Why: "an estimate: 38 % of the packages' energy, by CPU time"}},
		"twelve digits":   {"cpu0_package_joules=999999999999.999999", Use{CPUs: []int{0, 1}}, vm.Energy{Package: 999_999_999_999_999_999}},
		"too many digits": {"cpu0_package_joules=18446744073710", Use{CPUs: []int{0, 1}}, vm.Energy{Why: "cpu-energy-meter says nothing of it (package-0)"}},
		"nothing printed": {"", Use{CPUs: []int{0, 1}}, vm.Energy{Why: "cpu-energy-meter says nothing of it (package-0)"}},
		"one is missing":  {"cpu0_package_joules=1", Use{CPUs: []int{2, 3}}, vm.Energy{Why: "cpu-energy-meter says nothing of it (package-1)"}},
		"no number":       {"cpu0_package_joules=NaN\ncpu1_package_joules=-1", Use{CPUs: []int{2, 3}}, vm.Energy{Why: "cpu-energy-meter says nothing of it (package-1)"}},
	} {
		install(tc.prints)
		h.stat(0, 0, 0, 0)
		m := Find(h.root)
		if why, _ := m.Why(); why != "" || len(m.Parts()) != 2 || m.Parts()[0] != "package-0 (2 processors): by cpu-energy-meter" {
			t.Fatalf("%q, %q", why, m.Parts())
		}
		if err := os.RemoveAll(filepath.Join(bin, "begun")); err != nil {
			t.Fatal(err)
		}
		s := m.Begin()
		for tries := 0; ; tries++ {
			if _, err := os.Stat(filepath.Join(bin, "begun")); err == nil {
				break
			} else if tries > 20_000 {
				t.Fatalf("%s: %v: the program was not begun", name, err)
			}
			time.Sleep(time.Millisecond)
		}
		h.stat(100, 100, 100, 100)
		if got := s.End(tc.use); got != tc.want {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
	}
	if err := os.WriteFile(filepath.Join(bin, Program), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := Find(h.root).Begin()
	if got := s.End(Use{CPUs: []int{0, 1}}); got.State() != "not measured" || !strings.Contains(got.Why, "cpu-energy-meter cannot measure: it printed nothing") {
		t.Errorf("%+v", got)
	}
}
