package campaign

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// TooSmallError says that a computer cannot give what each run of a tool needs.
type TooSmallError struct {
	what string // what is needed, and what there is
	step string // how it can be planned so that it fits
}

func (e *TooSmallError) Error() string { return e.what + "; " + e.step }

// Fits refuses a plan whose runs need more cores or memory than are given; 0 bytes of memory
// are not compared.
func (c *Campaign) Fits(cores int, memory int64) error {
	step := "plan again into another directory with "
	if c.Plan.Validates() {
		step = fmt.Sprintf("remove %s and plan the validation again with ", filepath.Clean(c.Dir))
	}
	for _, t := range c.Plan.Tools {
		for _, need := range c.Plan.confinements(t) {
			if need.Cores > cores {
				return &TooSmallError{fmt.Sprintf("each run of tool %s needs %d cores, and there are %d", t.Name, need.Cores, cores), fmt.Sprintf("%s--cores %d", step, cores)}
			}
			if memory > 0 && need.Memory > memory {
				return &TooSmallError{fmt.Sprintf("each run of tool %s needs %d MB of memory, and there are %d MB", t.Name, need.Memory/1e6, memory/1e6), fmt.Sprintf("%s--memory %dMB", step, roundMemory(memory))}
			}
		}
	}
	return nil
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
