//go:build linux

package sandbox

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"podium/vm"
	"podium/vm/proc"
)

// Probe tells what was found out when the driver was opened.
func (d *Driver) Probe(ctx context.Context) (vm.Capabilities, error) {
	c := vm.Capabilities{Driver: "sandbox", Measured: d.controllers.measured(), Cores: proc.Cores(), Memory: proc.FreeMemory()}
	if d.bootErr == errSystem {
		return c, errSystem
	}
	if d.bootErr != nil {
		return c, fmt.Errorf("this host cannot run machines in the sandbox: %w%s", d.bootErr, advice(d.ordinary))
	}
	where := "of the kernel's version " + strings.TrimPrefix(c.Measured, "cgroup") + " control groups"
	enforce := func(ok bool, sentence string) {
		if ok {
			c.Enforced = append(c.Enforced, sentence)
		}
	}
	k := d.controllers
	c.Enforced = append(c.Enforced,
		"Each run has fresh mount, pid, ipc, uts and network namespaces, and no network.",
		"Tools run without capabilities and cannot get new ones.",
		"Killing a run kills every descendant, because its pid namespace ends.",
		"Wall time, output and disk space are limited.")
	enforce(k.cpu.known(), "CPU time of all descendants is measured and limited by the counters "+where+".")
	enforce(k.memory.known(), "Memory of all descendants is measured and limited by the counters "+where+".")
	enforce(k.processes.known(), "The number of processes is limited for the run as a whole.")
	enforce(k.cores.known(), "Cores are bound by a cpuset that the tool cannot leave.")
	enforce(d.view.shared, "Tools see named places of the host, read-only, and nothing of the contest but their own inputs.")
	enforce(d.ownInodes, "Locks and pipes of files that several runs see are each run's own.")
	enforce(d.overlay, "Inputs are read-only layers below a private overlay.")
	enforce(!d.overlay, "Each run works in a copy of its instance.")
	c.Unenforced = append(append(c.Unenforced, d.missing...), d.features...)
	if !k.cpu.known() {
		c.Unenforced = append(c.Unenforced, "CPU time is limited per process by the kernel and for the run by looking fifty times a second.")
	}
	if !k.memory.known() {
		c.Unenforced = append(c.Unenforced, "Memory is limited by looking fifty times a second, so that a run may exceed its limit for a moment; the peak is the greatest sum that was seen.")
	}
	if k.memory.known() && hostHasSwap() {
		c.Unenforced = append(c.Unenforced, "The host has swap space in use; switch it off (swapoff -a) for times that can be compared.")
	}
	c.Unenforced = append(c.Unenforced, d.leaks...)
	enforce(d.filters, "Tools are refused the system calls that no tool needs: namespaces, mounts, sockets other than local ones, huge pages and more.")
	c.ForRecord = c.Measured != vm.ByRlimit && len(d.leaks) == 0
	return c, ctx.Err()
}

// advice is the next step of somebody whose host refuses namespaces.
func advice(ordinary bool) string {
	if !ordinary {
		return "; namespaces and mounts must be allowed, which most containers do only with --privileged"
	}
	return "; an ordinary user needs user namespaces: see the settings user.max_user_namespaces, " +
		"kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns"
}

// coresOfHost is the number of cores that a run can be busy on at most.
func coresOfHost() int { return max(len(proc.Cores()), runtime.NumCPU()) }
