package benchmark

import (
	"time"

	"podium/models/task"
)

// Definition is the content of a benchmark definition.
type Definition struct {
	File  string
	Tool  string // module of BenchExec that knows the tool: cbmc, benchexec.tools.cbmc
	Title string // empty: none
	Limits
	Runs []RunDefinition
}

// Limits of each run; zero where there is none.
type Limits struct {
	CPU, Wall time.Duration
	Memory    int64 // bytes
	Cores     int
}

// RunDefinition is a configuration of the tool.
type RunDefinition struct {
	Name      string // may be empty
	Line, Col int
	Sets      []Set
}

// Set is a set of tasks with the options of the tool on them.
type Set struct {
	task.Choice
	Options []string // words of the command; variables of the task are placeholders of manifests
}

// Choices are the sets of tasks of all run definitions.
func (d *Definition) Choices() (list []task.Choice) {
	for _, r := range d.Runs {
		for _, s := range r.Sets {
			list = append(list, s.Choice)
		}
	}
	return list
}
