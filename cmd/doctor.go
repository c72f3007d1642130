package cmd

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"podium/vm"
	"podium/vm/guest/image"
	"podium/vm/host"
)

// hostError says that the host cannot do what was asked.
type hostError struct{ error }

func newDoctor(s *streams) *cobra.Command {
	var fix bool
	h := host.Host{Drivers: maps.Clone(drivers), Locks: coreLocks()}
	// A daemon is no more than another way to the same machines, and cannot be
	// asked by a process that has a hypervisor of its own.
	maps.DeleteFunc(h.Drivers, func(name string, _ func() (vm.Driver, error)) bool { return strings.HasPrefix(name, "libvirt-") })
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check what this host can do for a contest, and how to improve it",
		Long: `Doctor looks at this host as a contest would use it: machines, control groups, KVM by
booting a guest, memory, cores, clock, disk. Each check has a verdict (ok; limited: good for
rehearsals; missing), what it means for a contest, with the rule, and what to do about it. It
changes nothing; --fix-commands prints commands for you to judge and run.

Then it draws the processors by package, node of memory and cache. A core is its threads, joined
by +; * is a core that a run of podium has now. It says how many runs of some sizes fit at a time,
and how many of them before two share a cache or a package.

Exit codes: 0 a contest can be rehearsed here, 2 usage, 5 it cannot, 130 interrupted.`,
		Example: `  podium doctor
  podium doctor --fix-commands > fix.sh
  podium doctor --json | jq '.checks[] | select(.verdict != "ok")'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fix && s.asJSON {
				return usageError{errors.New("--fix-commands and --json exclude each other: the JSON has the commands")}
			}
			defer s.upkeep.hold()()
			if kernel, err := image.FindKernel(); err == nil {
				h.Kernel = kernel.Image
			}
			r := h.Examine(cmd.Context())
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			if err := printChecks(s, r, fix); err != nil {
				return err
			}
			if !r.Rehearsals {
				return hostError{errors.New("no contest can be rehearsed here")}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&fix, "fix-commands", false, "print shell commands that would improve the host, mostly for root; nothing is run")
	f.StringVar(&h.Store, "store", ".", "directory where campaigns would be")
	return cmd
}

func printChecks(s *streams, r host.Report, fix bool) error {
	w := s.out
	switch {
	case s.asJSON:
		return s.reply(r)
	case fix:
		for _, c := range r.Checks {
			if len(c.Fix) == 0 {
				continue
			}
			fmt.Fprintf(w, "%s\n%s\n", indent("# ", c.Subject+": "+c.Found+". "+c.Advice), strings.Join(c.Fix, "\n"))
		}
		return nil
	}
	for _, c := range r.Checks {
		fmt.Fprintf(w, "%-9s%s\n", c.Verdict, strings.TrimLeft(indent(margin, c.Subject+": "+c.Found), " "))
		fmt.Fprintln(w, indent(margin, c.Means))
		if c.Advice != "" {
			fmt.Fprintln(w, indent(margin, "To do: "+c.Advice))
		}
	}
	if r.Topology != nil {
		fmt.Fprintln(w)
		for _, line := range r.Topology.Picture(r.Holders) {
			fmt.Fprintln(w, line)
		}
	}
	conclusion := "No contest can be rehearsed here."
	switch {
	case r.Record:
		conclusion = "Fit for the record of a contest."
	case r.Rehearsals:
		conclusion = "Fit for rehearsals; what is not ok above stands between this host and a contest's record."
	}
	_, err := fmt.Fprintf(w, "\n%s\n", fill(conclusion, helpWidth))
	return err
}

// margin stands below the verdicts.
const margin = "         "

// indent fills a text into lines that begin with a prefix.
func indent(prefix, text string) string {
	lines := strings.Split(fill(text, helpWidth-len(prefix)), "\n")
	return prefix + strings.Join(lines, "\n"+prefix)
}
