package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/energy"
	"podium/vm/sandbox"
	"podium/vm/vmtest"
)

// tree makes a host of files.
func tree(t *testing.T, files map[string]string) *Host {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	h := &Host{Root: root, Find: func(string) string { return "" }}
	h.complete()
	return h
}

const twoThreads = "processor\t: 0\nflags\t\t: fpu sse\n\nprocessor\t: 1\nflags\t\t: fpu sse\n"

func siblings(lists ...string) map[string]string {
	files := map[string]string{cpuDir + "online": fmt.Sprintf("0-%d\n", len(lists)-1)}
	for i, l := range lists {
		files[cpuDir+"cpu"+string(rune('0'+i))+"/topology/thread_siblings_list"] = l + "\n"
	}
	return files
}

func TestProbesOfTrees(t *testing.T) {
	const clockDir = "sys/devices/system/clocksource/clocksource0/"
	for _, c := range []struct {
		name    string
		probe   func(*Host, context.Context) []Check
		files   map[string]string
		verdict Verdict
		found   string // is part of what is found, meant or advised
		fix     string // is part of a command, "" if there must be none
	}{
		{"no swap", (*Host).swap, map[string]string{"proc/meminfo": "SwapTotal:       0 kB\n"}, OK, "none", ""},
		{"swap", (*Host).swap, map[string]string{"proc/meminfo": "SwapTotal: 2097152 kB\n"}, Limited, "2.0 GB", "swapoff"},
		{"memory for one", (*Host).memory, map[string]string{"proc/meminfo": "MemTotal: 33554432 kB\nMemAvailable: 20971520 kB\n"}, OK, "One machine of 16 GB", ""},
		{"memory for three", (*Host).memory, map[string]string{"proc/meminfo": "MemTotal: 67108864 kB\nMemAvailable: 60000000 kB\n"}, OK, "3 machines of 16 GB", ""},
		{"little memory", (*Host).memory, map[string]string{"proc/meminfo": "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n"}, Limited, "4.0 GB free of 8.0 GB", ""},
		{"two cores", (*Host).cores, siblings("0", "1"), Limited, "1 package, 2 cores", ""},
		{"nine cores", (*Host).cores, siblings("0", "1", "2", "3", "4", "5", "6", "7", "8"), OK, "8 runs of one core, 2 of four", ""},
		{"hyper-threads", (*Host).cores, siblings("0,4", "1,5", "2,6", "3,7", "0,4", "1,5", "2,6", "3,7"), Limited, "1 package, 4 cores, 8 threads", ""},
		{"hyper-threads on five cores", (*Host).cores, siblings("0,5", "1,6", "2,7", "3,8", "4,9", "0,5", "1,6", "2,7", "3,8", "4,9"), OK, "the others stay idle", ""},
		{"no topology", (*Host).cores, map[string]string{cpuDir + "online": "0-1\n"}, Limited, "2 processors; the kernel shows no cores", ""},
		{"no processors", (*Host).cores, nil, Limited, "online names no processor", ""},
		{"threads of others", (*Host).cores, map[string]string{cpuDir + "online": "0-1\n", cpuDir + "cpu0/topology/core_cpus_list": "0-1\n", cpuDir + "cpu1/topology/core_cpus_list": "0-1\n", "proc/self/status": "Cpus_allowed_list:\t1\n"}, Limited, "say --share-threads", ""},
		{"bare", (*Host).virtual, map[string]string{"proc/cpuinfo": twoThreads}, OK, "not virtual", ""},
		{"guest", (*Host).virtual, map[string]string{"proc/cpuinfo": "flags : fpu hypervisor sse\n", "proc/stat": "cpu  50 0 25 20 0 0 0 5 0 0\ncpu0 1\n"}, Limited, "5.00 % of its time", ""},
		{"guest without steal", (*Host).virtual, map[string]string{"proc/cpuinfo": "flags : hypervisor\n", "proc/stat": "cpu  x\n"}, Limited, "itself a virtual machine", ""},
		{"turbo of Intel", (*Host).turbo, map[string]string{cpuDir + "intel_pstate/no_turbo": "0\n"}, Limited, "on", "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"},
		{"turbo off", (*Host).turbo, map[string]string{cpuDir + "intel_pstate/no_turbo": "1\n"}, OK, "off", ""},
		{"boost of AMD", (*Host).turbo, map[string]string{cpuDir + "cpufreq/boost": "1\n"}, Limited, "on", "echo 0 > /sys/devices/system/cpu/cpufreq/boost"},
		{"turbo unknown", (*Host).turbo, nil, Limited, "not shown", ""},
		{"governors", (*Host).governor, map[string]string{cpuDir + "cpu0/cpufreq/scaling_governor": "performance\n", cpuDir + "cpu1/cpufreq/scaling_governor": "powersave\n"}, Limited, "governor performance powersave", "echo performance"},
		{"governor performance", (*Host).governor, map[string]string{cpuDir + "cpu0/cpufreq/scaling_governor": "performance\n"}, OK, "governor performance", ""},
		{"no governor", (*Host).governor, nil, OK, "no governor", ""},
		{"clock tsc", (*Host).clock, map[string]string{clockDir + "current_clocksource": "tsc\n"}, OK, "tsc", ""},
		{"clock hpet", (*Host).clock, map[string]string{clockDir + "current_clocksource": "hpet\n", clockDir + "available_clocksource": "tsc hpet acpi_pm\n"}, Limited, "hpet", "echo tsc"},
		{"only hpet", (*Host).clock, map[string]string{clockDir + "current_clocksource": "hpet\n", clockDir + "available_clocksource": "hpet acpi_pm\n"}, Limited, "no better one", ""},
		{"no control groups", (*Host).controlGroups, nil, Missing, "none that can be used", "Delegate"},
		{"version 2, delegated", (*Host).controlGroups, map[string]string{
			"proc/self/mountinfo":                     "30 20 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n",
			"proc/self/cgroup":                        "0::/me\n",
			"sys/fs/cgroup/me/cgroup.controllers":     "cpuset cpu memory pids\n",
			"sys/fs/cgroup/me/cgroup.subtree_control": "cpuset memory pids\n",
		}, OK, "version 2, writable: cpu memory pids cpuset", ""},
		{"version 2, not delegated", (*Host).controlGroups, map[string]string{
			"proc/self/mountinfo":                     "30 20 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n",
			"proc/self/cgroup":                        "0::/me\n",
			"sys/fs/cgroup/me/cgroup.controllers":     "cpu\n",
			"sys/fs/cgroup/me/cgroup.subtree_control": "\n",
		}, Missing, "version 2, writable: cpu", "Delegate"},
		{"no KVM", (*Host).kvm, nil, Limited, "no /dev/kvm", "modprobe"},
		{"KVM without QEMU", (*Host).kvm, map[string]string{"dev/kvm": ""}, Limited, "not tried", ""},
		{"no QEMU", (*Host).qemu, nil, Missing, "no qemu-system-x86_64", "apt-get install"},
		{"no libvirt", (*Host).libvirt, nil, Missing, "no libvirt.so.0", "apt-get install"},
		{"libvirt, client only", (*Host).libvirt, map[string]string{"usr/lib/x86_64-linux-gnu/libvirt.so.0.10000.3": ""}, OK, "client library 10.0.3", ""},
		{"energy", (*Host).energy, map[string]string{
			"sys/class/powercap/intel-rapl:0/name":       "package-0\n",
			"sys/class/powercap/intel-rapl:0/energy_uj":  "12\n",
			"sys/class/powercap/intel-rapl:0:0/name":     "core\n",
			cpuDir + "cpu0/topology/physical_package_id": "0\n",
		}, OK, "package-0 (1 processors): package", ""},
		{"no energy", (*Host).energy, nil, Missing, "no counters of energy", "modprobe intel_rapl_msr"},
		{"no guest kernel", (*Host).kernel, nil, Missing, "no kernel", "linux-image"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.probe(tree(t, c.files), t.Context())[0]
			if got.Verdict != c.verdict || !strings.Contains(got.Found+" "+got.Means+" "+got.Advice, c.found) {
				t.Errorf("%+v, want %s and %q", got, c.verdict, c.found)
			}
			if fix := strings.Join(got.Fix, "\n"); (c.fix == "") != (fix == "") || !strings.Contains(fix, c.fix) {
				t.Errorf("the commands are %q, want %q", got.Fix, c.fix)
			}
			checkWords(t, got)
		})
	}
}

// TestEnergyIsNoRule: counters that may not be read can be opened, and a host without any
// is fit for the record of nets all the same.
func TestEnergyIsNoRule(t *testing.T) {
	c := energyCheck(nil, "intel-rapl:0/energy_uj: permission denied", energy.OpenFiles)
	if c.Verdict != Limited || !strings.Contains(strings.Join(c.Fix, "\n"), "chgrp podium") {
		t.Errorf("%+v", c)
	}
	checkWords(t, c)
	r := Report{Checks: []Check{{Subject: machinesOf + "x", Verdict: OK}, {Subject: disk, Verdict: OK}, c}}
	if r.judge(); !r.Record {
		t.Error("no energy, no record")
	}
}

// checkWords wants texts that a person can read and a terminal can show.
func checkWords(t *testing.T, c Check) {
	t.Helper()
	if c.Subject == "" || c.Found == "" || !strings.HasSuffix(c.Means, ".") {
		t.Errorf("%+v does not say what it found and means", c)
	}
	if c.Verdict != OK && c.Advice == "" {
		t.Errorf("%s: nothing is advised", c.Subject)
	}
	for _, s := range append([]string{c.Found, c.Means, c.Advice}, c.Fix...) {
		if strings.ContainsAny(s, "\n\x1b") || strings.Contains(s, "%!") {
			t.Errorf("%s: %q is not one line", c.Subject, s)
		}
	}
}

func TestEmbeddedLibvirt(t *testing.T) {
	h := tree(t, map[string]string{
		"usr/lib64/libvirt.so.0.9000.0":                              "",
		"usr/lib64/libvirt/connection-driver/libvirt_driver_qemu.so": "",
		"run/libvirt/libvirt-sock":                                   "",
	})
	h.Find = func(p string) string { return "/sbin/" + p }
	h.Run = func(_ context.Context, program string, _ ...string) (string, error) {
		return program + " (libvirt) 9.0.0\n", nil
	}
	for i, want := range []string{"9.0.0", "is there", "libvirtd 9.0.0, with a socket"} {
		got := h.libvirt(t.Context())[i]
		if got.Verdict != OK || !strings.Contains(got.Found, want) {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}

func TestDaemonWithoutKVM(t *testing.T) {
	h := tree(t, map[string]string{"dev/kvm": "", "run/libvirt/libvirt-sock": ""})
	h.Find = func(p string) string { return "/sbin/" + p }
	h.Run = func(context.Context, string, ...string) (string, error) { return "libvirtd (libvirt) 9.0.0\n", nil }
	for mode, want := range map[os.FileMode]Verdict{0o600: Limited, 0o640: Limited, 0o660: OK, 0o606: OK} {
		if err := os.Chmod(h.path("dev/kvm"), mode); err != nil {
			t.Fatal(err)
		}
		got := h.daemon(t.Context())
		if got.Verdict != want || (want == Limited) != strings.Contains(strings.Join(got.Fix, "\n"), "chgrp kvm") {
			t.Errorf("%o: %+v, want %s", mode, got, want)
		}
		checkWords(t, got)
	}
}

func TestStore(t *testing.T) {
	for _, c := range []struct {
		free    int64
		sync    time.Duration
		verdict Verdict
	}{
		{100 << 30, time.Millisecond, OK}, {10 << 30, time.Millisecond, Limited},
		{1 << 20, time.Millisecond, Missing}, {100 << 30, time.Second, Limited},
	} {
		got := judgeStore("/campaigns", c.free, c.sync)
		if got.Verdict != c.verdict {
			t.Errorf("%+v, want %s", got, c.verdict)
		}
		checkWords(t, got)
	}
	h := tree(t, map[string]string{"file": ""})
	h.Store = filepath.Join(h.Root, "not", "yet")
	if got := h.store(t.Context())[0]; got.Verdict == Missing {
		t.Errorf("%+v", got)
	}
	if left, err := os.ReadDir(h.Root); err != nil || len(left) != 1 {
		t.Errorf("the probe left %v, %v", left, err)
	}
	h.Store = filepath.Join(h.Root, "file")
	if got := h.store(t.Context())[0]; got.Verdict != Missing {
		t.Errorf("a file as a store gives %+v", got)
	}
}

func TestDrivers(t *testing.T) {
	for _, c := range []struct {
		name    string
		open    func() (vm.Driver, error)
		verdict Verdict
	}{
		{"fit", func() (vm.Driver, error) { return &vmtest.Fake{Capabilities: vm.Capabilities{ForRecord: true}}, nil }, OK},
		{"limited", func() (vm.Driver, error) {
			return &vmtest.Fake{Capabilities: vm.Capabilities{Unenforced: []string{"It is emulated."}}}, nil
		}, Limited},
		{"broken", func() (vm.Driver, error) { return nil, errors.New("two\nlines") }, Missing},
	} {
		h := Host{Drivers: map[string]func() (vm.Driver, error){c.name: c.open}}
		got := h.machines(t.Context())[0]
		if got.Verdict != c.verdict {
			t.Errorf("%+v, want %s", got, c.verdict)
		}
		checkWords(t, got)
	}
}

func TestConclusion(t *testing.T) {
	machine, place := Check{Subject: machinesOf + "x", Verdict: OK}, Check{Subject: disk, Verdict: OK}
	bad := func(c Check, v Verdict) Check { c.Verdict = v; return c }
	for _, c := range []struct {
		checks             []Check
		rehearsals, record bool
	}{
		{[]Check{machine, place}, true, true},
		{[]Check{bad(machine, Limited), place}, true, false},
		{[]Check{bad(machine, Missing), machine, place}, true, false},
		{[]Check{bad(machine, Missing), place}, false, false},
		{[]Check{machine, bad(place, Missing)}, false, false},
		{nil, false, false},
	} {
		r := Report{Checks: c.checks}
		r.judge()
		if r.Rehearsals != c.rehearsals || r.Record != c.record {
			t.Errorf("%+v, want %v, %v", r, c.rehearsals, c.record)
		}
	}
}

// TestThisHost examines the host that the test runs on.
func TestThisHost(t *testing.T) {
	r := Host{Store: t.TempDir(), BootPatience: 3 * time.Second, Drivers: map[string]func() (vm.Driver, error){
		"sandbox": func() (vm.Driver, error) { return sandbox.Open(sandbox.Options{}) }}}.Examine(t.Context())
	var subjects []string
	for _, c := range r.Checks {
		t.Logf("%s: %s: %s", c.Verdict, c.Subject, c.Found)
		subjects = append(subjects, c.Subject)
		checkWords(t, c)
	}
	for _, s := range []string{"machines of sandbox", "control groups", "KVM", "QEMU", "memory", "cores", "swap", "turbo", "clock", "disk"} {
		if !slices.Contains(subjects, s) {
			t.Errorf("nothing is said of %s: %q", s, subjects)
		}
	}
}

// TestBootGuest boots the boot sector without KVM: where that works and the
// probe fails, it is KVM that does not.
func TestBootGuest(t *testing.T) {
	qemu, err := exec.LookPath(qemuProgram)
	if err != nil {
		t.Skip("QEMU is not installed")
	}
	emulate := filepath.Join(t.TempDir(), "qemu")
	script := "#!/bin/sh\nshift 2\nexec " + qemu + " -accel tcg \"$@\"\n"
	if err := os.WriteFile(emulate, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if took, err := BootKVM(t.Context(), emulate, "", time.Minute); err != nil || took <= 0 {
		t.Errorf("%v, %v", took, err)
	}
}

// TestBootKVMEnds gives emulators that misbehave.
func TestBootKVMEnds(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"hangs":         {"exec sleep 600", "hangs"},
		"refuses":       {"echo no such accelerator >&2; exit 1", "no such accelerator"},
		"ends early":    {"exit 0", "ended too early"},
		"ignores TERM":  {"trap '' TERM; sleep 600 & wait; sleep 600", "hangs"},
		"leaves a pipe": {"sleep 600 &", "hangs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), "qemu")
			if err := os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			_, err := BootKVM(t.Context(), program, "", 300*time.Millisecond)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if took := time.Since(began); took > 4*time.Minute {
				t.Errorf("it took %v", took)
			}
		})
	}
}
