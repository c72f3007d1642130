package campaign

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"podium/vm/topology"
)

// TooSmallError says that a computer cannot give what each run of a tool needs.
type TooSmallError struct {
	what string // what is needed, and what there is
	step string // how it can be planned so that it fits
}

func (e *TooSmallError) Error() string { return e.what + "; " + e.step }

// Fits refuses a plan whose runs need more cores or memory than are given; 0 bytes of memory
// are not compared.
func (c *Campaign) Fits(cores *topology.Pool, memory int64) error {
	step := "plan again into another directory with "
	if c.Plan.Validates() {
		step = fmt.Sprintf("remove %s and plan the validation again with ", filepath.Clean(c.Dir))
	}
	for _, t := range c.Plan.Tools {
		for _, need := range c.Plan.confinements(t) {
			if n := cores.Cores(); n < need.Cores {
				next := fmt.Sprintf("%s--cores %d", step, n)
				if n == 0 {
					next = "a run needs a core of its own"
				}
				return &TooSmallError{fmt.Sprintf("each run of tool %s needs %s", t.Name, cores.Refuses(need.Cores, 0)), next}
			}
			if memory == 0 {
				continue
			}
			if why := cores.Refuses(need.Cores, need.Memory); why != "" && need.Memory <= memory {
				return &TooSmallError{fmt.Sprintf("each run of tool %s needs %s", t.Name, why), step + "less --memory"}
			}
			if need.Memory > memory {
				return &TooSmallError{fmt.Sprintf("each run of tool %s needs %d MB of memory, and there are %d MB", t.Name, need.Memory/1e6, memory/1e6), fmt.Sprintf("%s--memory %dMB", step, roundMemory(memory))}
			}
		}
	}
	return nil
}

// Largest returns the most cores and the most memory that a run of the plan has.
func (p *Plan) Largest() (cores int, memory int64) {
	for _, t := range p.Tools {
		for _, need := range p.confinements(t) {
			cores, memory = max(cores, need.Cores), max(memory, need.Memory)
		}
	}
	return cores, memory
}

// Given says what runs of the plan have: cores, memory and times.
func (p *Plan) Given() string {
	var list []string
	for _, t := range p.Tools {
		for _, c := range p.confinements(t) {
			if text := strings.Join(c.parts()[:4], ", "); !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return strings.Join(list, ", or ")
}

// roundMemory returns a round number of megabytes that is not more than the memory.
func roundMemory(memory int64) int64 {
	mb := memory / 1e6
	for _, unit := range []int64{1000, 100} {
		if mb >= 2*unit {
			return mb / unit * unit
		}
	}
	return mb
}
