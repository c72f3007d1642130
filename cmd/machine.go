package cmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"podium/internal/files"
	"podium/pnml/diagnostic"
	"podium/vm"
	"podium/vm/guest/image"
	"podium/vm/host"
	"podium/vm/libvirt"
)

func newMachine(s *streams) *cobra.Command {
	return group("machine", "Measure the machines that runs get", newMachineProbe(s))
}

// probeOptions are the flags of machine probe.
type probeOptions struct {
	driver string
	cores  int
	memory byteSize
	input  string
	image  string
	runs   int
}

func newMachineProbe(s *streams) *cobra.Command {
	o := probeOptions{driver: "libvirt", cores: 1, memory: 1 << 30, runs: 3}
	cmd := &cobra.Command{
		Use:   "probe",
		Short: "Boot machines, and print the time of each step",
		Long: `Probe boots machines one after the other, runs a short tool in each, and prints how many
seconds after the machine was asked for each step was done: the median of all machines. Virtual machines
are made in two ways, in two columns: booted, and restored from a template (the time to make the
template is not included). Where one way fails, the reason is printed below the figures of the other. A
driver that has one way only has one column, and so have images that boot the system on a
contestant's disk.

Exit codes: 0 done, 2 usage, 5 no machine could be had, 130 interrupted.`,
		Example: `  podium machine probe
  podium machine probe --memory 16GB --input AirplaneLD-PT-0010
  podium machine probe --image mytool/mytool.img
  podium machine probe --driver sandbox`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.probe(cmd.Context(), s) },
	}
	f := cmd.Flags()
	f.StringVar(&o.driver, "driver", o.driver, "kind of machine that a run gets: "+strings.Join(driverNames(), ", "))
	f.IntVar(&o.cores, "cores", o.cores, "cores of a machine")
	f.Var((*memorySize)(&o.memory), "memory", "memory of a machine")
	f.StringVar(&o.input, "input", "", "instance directory that machines get (default: none)")
	f.StringVar(&o.image, "image", "", "image that machines boot (default: the driver's own)")
	f.IntVar(&o.runs, "runs", o.runs, "machines of each kind")
	return cmd
}

// waysOf lists what can be compared.
func waysOf(driver string) []host.Way {
	if driver != "libvirt" {
		return []host.Way{{Name: driver, Open: func() (vm.Driver, error) { return openDriver(driver) }}}
	}
	var ways []host.Way
	for _, start := range []string{libvirt.StartCold, libvirt.StartTemplate} {
		ways = append(ways, host.Way{Name: map[string]string{libvirt.StartCold: "booted", libvirt.StartTemplate: "restored"}[start],
			Open: func() (vm.Driver, error) { return libvirt.Open(libvirt.Options{Start: start}) }})
	}
	return ways
}

func (o *probeOptions) probe(ctx context.Context, s *streams) error {
	if o.runs < 1 || o.cores < 1 {
		return usageError{fmt.Errorf("--runs and --cores are at least 1")}
	}
	defer s.upkeep.hold()()
	scratch, err := files.NewScratch("", "probe")
	if err != nil {
		return err
	}
	defer scratch.Close()
	tool := scratch.Path("tool")
	if err := os.Mkdir(tool, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(tool, "BenchKit_head.sh"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		return err
	}
	spec := vm.Spec{Cores: o.cores, Memory: int64(o.memory), Image: o.image, Tool: tool, Input: o.input}
	ways := waysOf(o.driver)
	if o.image != "" && o.driver == "libvirt" {
		own, err := image.SystemOf(ctx, o.image)
		if err != nil {
			return diagnostic.List{{File: o.image, Code: "image", Message: err.Error()}}
		}
		if own != nil {
			ways = ways[:1] // the disk's system is always booted
		}
	}
	all, err := host.Try(ctx, s.say, ways, spec, o.runs)
	if err != nil {
		return err
	}
	if s.asJSON {
		return s.reply(probeReply{all})
	}
	return host.WriteLives(s.out, all)
}
