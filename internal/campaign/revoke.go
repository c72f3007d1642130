package campaign

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

// Revoke sets all runs of a model aside, so that all are done again. It waits for
// nobody: a worker that holds the model loses its lease, and nothing that it writes
// later counts. The runs stay in the journals.
func (c *Campaign) Revoke(ctx context.Context, model, version string) error {
	log := newLog(c, true)
	if err := log.update(ctx); err != nil {
		return err
	}
	me, err := c.identity(time.Now(), thisNode(), DefaultLease)
	if err != nil {
		return err
	}
	l, err := c.seize(model, log, me)
	if err != nil {
		return err
	}
	err = c.writeRevocation(ctx, l, log, version)
	return errors.Join(err, c.release(l))
}

// seize takes the next lease of a model, whoever holds it now.
func (c *Campaign) seize(model string, log *Log, me Lease) (Lease, error) {
	for {
		n, err := c.lastNumber("claims", model)
		if err != nil {
			return Lease{}, err
		}
		l := me
		l.Model, l.Number = model, max(n, log.claims.last(model))+1
		if err := c.writeLease(l); !errors.Is(err, fs.ErrExist) {
			return l, err
		}
	}
}

// writeRevocation writes a journal that holds nothing but the fences.
func (c *Campaign) writeRevocation(ctx context.Context, l Lease, log *Log, version string) error {
	if err := log.update(ctx); err != nil {
		return err
	}
	over, err := c.fences(l, log)
	if err != nil {
		return err
	}
	journal, err := newJournal(filepath.Join(c.Dir, "journal", l.Worker+".jsonl"))
	if err != nil {
		return err
	}
	opened := Opened{Format: JournalFormat, Campaign: c.Digest, Worker: l.Worker, Host: l.Host, Node: l.Node, Version: version, At: l.At, Machine: thisMachine()}
	err = journal.Append(Record{Opened: &opened})
	if err == nil {
		err = journal.Append(Record{Claimed: &Claimed{l.Model, l.Number, log.revoke(l.Model, over), l.At}})
	}
	return errors.Join(err, journal.Close())
}

// Open counts the runs of each model that have no end; models that have none are
// not there.
func (l *Log) Open() map[string]int {
	open := map[string]int{}
	for _, model := range l.campaign.Plan.Units() {
		for run := range l.campaign.Plan.RunsOf(model) {
			if !l.Done(run) {
				open[model]++
			}
		}
	}
	return open
}

// Ended counts the runs of the plan that have an end, and of which nobody wants another one.
func (l *Log) Ended() int {
	n := l.campaign.Plan.Count()
	for _, open := range l.Open() {
		n -= open
	}
	return n
}

// Homes returns the name of the computer that each model is pinned to.
func (l *Log) Homes() map[string]string {
	homes := map[string]string{}
	for model, pin := range l.pins {
		homes[model] = pin.Host
	}
	return homes
}
