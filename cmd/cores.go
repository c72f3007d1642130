package cmd

import (
	"context"
	"os"

	"github.com/spf13/pflag"

	"podium/vm/topology"
)

// locksVariable names a directory in which cores are locked, instead of the kernel's, or is "off".
const locksVariable = "PODIUM_CORE_LOCKS"

func coreLocks() topology.Locks {
	switch dir := os.Getenv(locksVariable); dir {
	case "":
		return topology.KernelLocks
	case "off":
		return topology.NoLocks
	default:
		return topology.Locks(dir)
	}
}

// coresOf returns the shape of this computer, with the processors that a driver can pin runs to. It
// says so where runs may share threads.
func coresOf(s *streams, able []int, share bool) *topology.Machine {
	m, err := topology.Read(os.DirFS("/"))
	if err != nil {
		s.say("note: each processor counts as a core, because the shape of this computer is not known: " + err.Error())
		return topology.Plain(able...)
	}
	if share && m.Threads() {
		s.say("note: runs may share cores (--share-threads): their times depend on each other and are no record")
	}
	return m.Only(able)
}

// claimCores gives this process cores for its runs.
func claimCores(ctx context.Context, s *streams, m *topology.Machine, w topology.Wish) (*topology.Pool, error) {
	p, err := m.Claim(ctx, coreLocks(), w, func(sentence string) { s.say("note: " + sentence) })
	if err != nil && ctx.Err() == nil {
		return nil, hostError{err}
	}
	return p, err
}

func registerShareThreads(f *pflag.FlagSet, share *bool) {
	f.BoolVar(share, "share-threads", false, "count each thread of a core as a core, so that runs share cores; the results say so")
}

// mostCores is how many cores this computer can give a run; 0 where that is not known.
func mostCores(share bool) int {
	m, err := topology.Read(os.DirFS("/"))
	if err != nil {
		return 0
	}
	return m.Pool(topology.Wish{Threads: share}, nil).Cores()
}
