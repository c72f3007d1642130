package host

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"podium/internal/programs"
	"podium/vm"
	"podium/vm/topology"
)

// Verdict is the short form of a check.
type Verdict string

// The verdicts.
const (
	OK      Verdict = "ok"
	Limited Verdict = "limited" // good for rehearsals, not as the rules want it
	Missing Verdict = "missing"
)

// Check is what one probe found. All texts are clauses or sentences without a
// line break.
type Check struct {
	Subject string   `json:"subject"`
	Verdict Verdict  `json:"verdict"`
	Found   string   `json:"found"`            // what is there
	Means   string   `json:"means"`            // for a contest, with the rule
	Advice  string   `json:"advice,omitempty"` // what to do about it; "" when nothing has to be done
	Fix     []string `json:"fix,omitempty"`    // shell commands that do it, for root unless the advice says otherwise
}

// Report is what all probes found.
type Report struct {
	Checks []Check `json:"checks"`
	// Rehearsals says that a contest can be run here at all; Record, that
	// nothing was found that makes its times and memory less than the rules
	// want.
	Rehearsals bool `json:"rehearsals"`
	Record     bool `json:"record"`
	// Topology is the shape of the processors, nil where it is not known, and Holders are
	// the processes that hold cores for their runs.
	Topology *topology.Machine `json:"topology"`
	Holders  []topology.Holder `json:"holders"`
}

// Host is where the probes look. The zero value is this host.
type Host struct {
	Root    string                               // directory that holds /proc, /sys, /dev and /usr; "" is "/"
	Store   string                               // directory where campaigns would be, or the next one above that exists; "" is "."
	Kernel  string                               // bootable kernel for guests; "" when none was found
	Locks   topology.Locks                       // of cores; none where it is empty
	Drivers map[string]func() (vm.Driver, error) // machines to be tried, by name
	Find    func(program string) (path string)   // "" when it is not there; nil looks in PATH
	// Run returns what a program printed; nil runs it.
	Run func(ctx context.Context, program string, args ...string) (string, error)
	// BootPatience is how long a guest under KVM may take; 0 is 5 s, many times
	// what it needs.
	BootPatience time.Duration
}

// probes are asked in this order. A probe that has nothing to say gives none.
var probes = []func(*Host, context.Context) []Check{
	(*Host).machines, (*Host).controlGroups, (*Host).qemu, (*Host).kvm, (*Host).libvirt, (*Host).kernel,
	(*Host).memory, (*Host).swap, (*Host).cores, (*Host).virtual, (*Host).turbo, (*Host).governor, (*Host).clock,
	(*Host).energy, (*Host).store,
}

// Examine runs all probes.
func (h Host) Examine(ctx context.Context) Report {
	h.complete()
	var r Report
	for _, p := range probes {
		if ctx.Err() == nil {
			r.Checks = append(r.Checks, p(&h, ctx)...)
		}
	}
	r.judge()
	if m, err := topology.Read(os.DirFS(h.Root)); err == nil {
		r.Topology = m
	}
	r.Holders = h.Locks.Holders()
	return r
}

// judge draws the conclusion: a contest needs one kind of machine and a place
// for its campaign.
func (r *Report) judge() {
	machine, place := false, false
	r.Record = true
	for _, c := range r.Checks {
		if c.Verdict != OK && c.Subject != energyOf {
			r.Record = false
		}
		switch {
		case c.Verdict == Missing:
		case strings.HasPrefix(c.Subject, machinesOf):
			machine = true
		case c.Subject == disk:
			place = true
		}
	}
	r.Rehearsals = machine && place
	r.Record = r.Record && r.Rehearsals
}

func (h *Host) complete() {
	if h.Root == "" {
		h.Root = "/"
	}
	if h.Store == "" {
		h.Store = "."
	}
	if h.BootPatience == 0 {
		h.BootPatience = 5 * time.Second
	}
	if h.Find == nil {
		h.Find = func(program string) string {
			for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), "/usr/sbin", "/sbin", "/usr/libexec") {
				if path, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
					return path
				}
			}
			return ""
		}
	}
	if h.Run == nil {
		h.Run = func(ctx context.Context, program string, args ...string) (string, error) {
			return runFor(ctx, 10*time.Second, program, args...)
		}
	}
}

// runFor returns what a program printed. It comes back when the time is over,
// even if the program cannot be killed.
func runFor(ctx context.Context, patience time.Duration, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	type result struct {
		out []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		cmd := programs.Command(ctx, program, args...)
		cmd.WaitDelay = time.Second
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		done <- result{out, err}
	}()
	select {
	case r := <-done:
		return string(r.out), r.err
	case <-time.After(patience + 2*time.Second):
		return "", context.DeadlineExceeded
	}
}

// path is where a file of the host is.
func (h *Host) path(name string) string { return filepath.Join(h.Root, name) }

// read returns a short file without the space around it, "" if it is not there.
func (h *Host) read(name string) string {
	text, err := os.ReadFile(h.path(name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// glob returns the files of a pattern, as names of the host, in order.
func (h *Host) glob(pattern string) []string {
	found, err := filepath.Glob(h.path(pattern))
	if err != nil {
		return nil
	}
	for i, f := range found {
		found[i] = strings.TrimPrefix(f, strings.TrimSuffix(h.Root, "/"))
	}
	return found
}

// field returns the value of the first line "name : value" of a text.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
