package ask

import (
	"slices"
	"strings"
	"time"

	"podium/scoring"
)

// Way is a question whose rankings readers of contests look for.
type Way struct {
	Name     string // such as Within 60 s
	Question Question
}

// The time and the memory within which tools are ranked besides.
const (
	soon  = time.Minute
	small = 1_000_000_000 // bytes
)

// Ways returns the ways to rank a contest besides its own, those that leave out something: the
// classes of models apart, values TRUE and FALSE apart, and what was said within a minute of CPU time
// or a gigabyte of memory.
func Ways(c *scoring.Contest) (list []Way) {
	classes := distinct(c.Instances, classOf)
	slices.Sort(classes)
	for _, class := range classes {
		if len(classes) > 1 {
			list = append(list, Way{"Only " + class + " models", Question{Classes: []string{class}}})
		}
	}
	if slices.ContainsFunc(c.Runs, func(r scoring.Run) bool { return r.CPU > soon.Microseconds() }) {
		list = append(list, Way{"Within 60 s of CPU time", Question{CPU: soon}})
	}
	if slices.ContainsFunc(c.Runs, func(r scoring.Run) bool { return r.Memory > small }) {
		list = append(list, Way{"Within 1 GB of memory", Question{Memory: small}})
	}
	for _, truth := range []string{"TRUE", "FALSE"} {
		var values []string // of tasks, FALSE may name a part of the property
		for _, v := range c.Values {
			if v.Text == truth || strings.HasPrefix(v.Text, truth+"(") {
				values = append(values, v.Text)
			}
		}
		if len(values) > 0 {
			list = append(list, Way{"Only values " + truth, Question{Values: values}})
		}
	}
	return list
}
