package campaign

import (
	"maps"
	"slices"
)

// Without returns the campaign as if some instances were not in its plan. It is for showing: journals
// name the others, too, and are read with the campaign as it is.
func (c *Campaign) Without(gone func(instance string) bool) *Campaign {
	rest := *c
	rest.Plan.Instances = slices.DeleteFunc(slices.Clone(c.Plan.Instances), func(i PlannedInstance) bool { return gone(i.ID) })
	return &rest
}

// Forget removes all that the log says of some instances. The log cannot be updated afterwards.
func (l *Log) Forget(gone func(instance string) bool) {
	of := func(r Run) bool { return gone(r.Instance) }
	maps.DeleteFunc(l.Finished, func(r Run, _ *Finished) bool { return of(r) })
	maps.DeleteFunc(l.Void, func(r Run, _ Voided) bool { return of(r) })
	maps.DeleteFunc(l.Doubt, func(r Run, _ Started) bool { return of(r) })
	maps.DeleteFunc(l.Attempts, func(r Run, _ int) bool { return of(r) })
	maps.DeleteFunc(l.Further, func(r Run, _ []*Finished) bool { return of(r) })
}
