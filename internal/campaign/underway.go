package campaign

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// UnderWay is a run that a living worker is doing.
type UnderWay struct {
	Run     Run
	Attempt int
	Worker  string
	Host    string // its name, for people
	Since   time.Time
}

// Update takes in what was appended to the journals since they were read. An error
// says that the log is of no use any more.
func (l *Log) Update(ctx context.Context) error { return l.update(ctx) }

// UnderWay lists the runs that were begun, have no end, and whose worker still holds
// the lease that they were begun under; the longest first. The other runs in
// Doubt will be done again.
func (l *Log) UnderWay() ([]UnderWay, error) {
	var list []UnderWay
	holders := map[string]*Lease{}
	here := thisNode()
	for run, s := range l.Doubt {
		model := s.made.model
		holder, known := holders[model]
		if !known {
			var err error
			if holder, _, err = l.campaign.holder(model, here); err != nil {
				return nil, err
			}
			holders[model] = holder
		}
		if holder != nil && holder.Worker == s.made.by.Worker && holder.Number == s.Lease {
			list = append(list, UnderWay{run, s.Attempt, holder.Worker, holder.Host, s.At})
		}
	}
	slices.SortFunc(list, func(a, b UnderWay) int { return cmp.Or(a.Since.Compare(b.Since), a.Run.Compare(b.Run)) })
	return list, nil
}

// Stopped counts the runs in Doubt whose worker ended in order, as after Ctrl-C, and gave back
// the lease that they were begun under. The others were left by a crash, or are under way.
func (l *Log) Stopped(of func(Run) bool) (n int) {
	for run, s := range l.Doubt {
		lease := Lease{Model: s.made.model, Number: s.Lease}
		if of(run) && readSmall(l.campaign.leasePath(lease), LeaseFormat, &lease) == nil && lease.Worker == s.made.by.Worker && l.campaign.released(lease) {
			n++
		}
	}
	return n
}
