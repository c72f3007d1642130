package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/energy"
	"podium/vm/vmtest"
)

// TestEnergyInTheJournal: every end says what the run used, read from the counters of a
// made host, or why that is not known.
func TestEnergyInTheJournal(t *testing.T) {
	root, joules := t.TempDir(), 0
	write := func(name, text string) {
		path := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text+"\n"), 0o644))
	}
	const zone = "sys/class/powercap/intel-rapl:0/"
	write(zone+"name", "package-0")
	write(zone+"max_energy_range_uj", "262143328850")
	write(zone+"energy_uj", "0")
	write("sys/devices/system/cpu/cpu0/topology/physical_package_id", "0")
	fake := func() *vmtest.Fake {
		return &vmtest.Fake{OnExec: func(context.Context, vm.Spec, vm.Job) (vm.Outcome, error) {
			joules += 2
			write(zone+"energy_uj", fmt.Sprintf("%d000000", joules))
			return vm.Outcome{Termination: vm.Exited, Started: time.Now(), Measured: "cgroup2"}, nil
		}}
	}
	for where, want := range map[string]vm.Energy{root: {Package: 2_000_000}, t.TempDir(): {Why: "this host shows no counters of energy (powercap)"}} {
		c := small(t)
		_, err := c.Work(t.Context(), Options{Driver: energy.Metered(fake(), energy.Find(where)), Cores: cores(0)})
		must(t, err)
		log, err := c.Read(t.Context())
		must(t, err)
		if len(log.Finished) != c.Plan.Count() {
			t.Fatalf("%d of %d runs", len(log.Finished), c.Plan.Count())
		}
		for run, f := range log.Finished {
			if f.Outcome.Energy == nil || *f.Outcome.Energy != want {
				t.Errorf("%s: %+v, want %+v", run, f.Outcome.Energy, want)
			}
		}
	}
}
