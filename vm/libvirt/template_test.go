//go:build linux && cgo && libvirt_dlopen

package libvirt_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/libvirt"
)

// telltale prints what must differ from machine to machine, and what must not.
const telltale = `cat /proc/sys/kernel/random/boot_id; od -An -N16 -tx8 /dev/urandom; echo at $(sed -n 's/-.* \[stack\]//p' /proc/self/maps)
date +%s; ls -A /tmp /home/mcc/execution /home/mcc/results; echo leave > /tmp/left; echo leave > left; cat marker`

// runOnce boots a machine with an input of its own and returns what a script
// prints.
func runOnce(t testing.TB, d vm.Driver, spec vm.Spec, marker, script string) string {
	t.Helper()
	printed, _ := runIn(t, d, spec, marker, script)
	return printed
}

// runIn returns what became of the script, too.
func runIn(t testing.TB, d vm.Driver, spec vm.Spec, marker, script string) (string, vm.Outcome) {
	t.Helper()
	spec.Input = t.TempDir()
	if err := os.WriteFile(filepath.Join(spec.Input, "marker"), []byte(marker), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := d.Boot(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, s := range m.(vm.Timed).Timeline() {
		t.Logf("%s %-15s %.3f s", spec.Name, s.What, s.At.Seconds())
	}
	var out, failed bytes.Buffer
	job := vm.Job{Command: []string{"/bin/sh", "-c", script}, Stdout: &out, Stderr: &failed, Limits: vm.Limits{WallTime: 5 * time.Minute}}
	got, err := m.Exec(context.Background(), job)
	if err != nil || got.ExitCode != 0 || got.Termination != vm.Exited {
		t.Fatalf("%+v, %v: %s", got, err, &failed)
	}
	return out.String(), got
}

// TestRestoredMachinesAreFresh runs several machines of one template.
func TestRestoredMachinesAreFresh(t *testing.T) {
	t.Parallel()
	needMachines(t)
	store := t.TempDir()
	seen := map[string]int{}
	for process := range 2 { // the second finds the template of the first
		d := open(t, libvirt.Options{Dir: libvirt.StateDir(), Store: store, Start: libvirt.StartTemplate})
		for n := range 2 {
			n += 2 * process
			spec := vm.Spec{Name: fmt.Sprint("fresh-", n), Cores: 1, Memory: 256 << 20, Tool: t.TempDir()}
			marker := fmt.Sprintf("input %d", n)
			asked := time.Now().Unix()
			out := runOnce(t, d, spec, marker, telltale)
			now := time.Now().Unix()
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if len(lines) < 4 {
				t.Fatalf("%q", out)
			}
			for _, l := range lines[:3] {
				if seen[l]++; seen[l] > 1 {
					t.Errorf("two machines have %q", l)
				}
			}
			var then int64
			if _, err := fmt.Sscan(lines[3], &then); err != nil || then > now || then < asked {
				t.Errorf("the machine's time is %q, the host's %d to %d", lines[3], asked, now)
			}
			if !strings.HasSuffix(out, marker) || strings.Contains(out, "left") {
				t.Errorf("the machine has files of another: %q", out)
			}
		}
		c, err := d.Probe(t.Context())
		if err != nil || !strings.Contains(strings.Join(c.Enforced, " "), "restored") {
			t.Errorf("%q, %v", c.Enforced, err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	if found, err := filepath.Glob(filepath.Join(store, "template-*")); err != nil || len(found) != 1 {
		t.Errorf("templates %q, %v", found, err)
	}
}

// TestTemplateOfDecimalMemory restores a machine whose memory is no whole number of
// MiB, as people write it.
func TestTemplateOfDecimalMemory(t *testing.T) {
	t.Parallel()
	needMachines(t)
	d := open(t, libvirt.Options{Dir: libvirt.StateDir(), Store: t.TempDir(), Start: libvirt.StartTemplate})
	defer d.Close()
	spec := vm.Spec{Name: "decimal", Cores: 1, Memory: 2_000_000_000, Tool: t.TempDir()}
	if out := runOnce(t, d, spec, "input", "cat marker"); out != "input" {
		t.Errorf("%q", out)
	}
}

// TestStartIsRecorded wants the outcome to say how the machine came about: booted
// where that is wanted; restored; and booted for a reason where the template is
// damaged.
func TestStartIsRecorded(t *testing.T) {
	t.Parallel()
	needMachines(t)
	store, spec := t.TempDir(), vm.Spec{Name: "start", Cores: 1, Memory: 256 << 20, Tool: t.TempDir()}
	for _, c := range []struct {
		start   string
		damaged bool
		want    vm.Start
	}{{libvirt.StartCold, false, vm.Booted}, {"", false, vm.Restored}, {"", true, vm.Booted}} {
		d := open(t, libvirt.Options{Dir: libvirt.StateDir(), Store: store, Start: c.start})
		if c.damaged {
			states, err := filepath.Glob(filepath.Join(store, "template-*", "state"))
			if err != nil || len(states) != 1 {
				t.Fatalf("saved states %q, %v", states, err)
			}
			if err := os.Truncate(states[0], 100_000); err != nil {
				t.Fatal(err)
			}
		}
		_, out := runIn(t, d, spec, "input", "true")
		if out.Start != c.want || c.damaged != (out.WhyBooted != "") || strings.Contains(out.WhyBooted, "\n") {
			t.Errorf("%+v: %q, %q", c, out.Start, out.WhyBooted)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}
