package campaign

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// voice is what a copy of the campaign may speak of when it is merged. A shard speaks of
// its models, by workers of its own. A copy that knows all shards which the campaign has
// shipped, as `cp -r` makes it, is the organisers' own and speaks of all.
type voice struct {
	all           bool
	models        map[string]bool
	marks         []string // of the workers' names
	earliest, now time.Time
}

// What may be wrong with what a copy says, and is not: clocks of computers differ by so
// much, and nobody claims a model so often.
const (
	clocksDiffer = 24 * time.Hour
	maxLease     = 1 << 40
	maxAttempts  = 1 << 20
)

// voiceOf finds out what a copy may speak of.
func (c *Campaign) voiceOf(other *Campaign) (*voice, error) {
	known, err := c.shards()
	if err != nil {
		return nil, err
	}
	itself, err := other.Shard()
	if err != nil {
		return nil, err
	}
	v := &voice{earliest: c.begun.Add(-clocksDiffer), now: time.Now(), models: map[string]bool{}}
	if len(known) == 0 && itself != nil { // shipped from another copy
		v.of(itself)
		return v, nil
	}
	shown := 0
	for _, s := range known {
		is, err := other.shows(s)
		if err != nil {
			return nil, err
		}
		if is {
			v.of(s)
			shown++
		}
	}
	v.all = itself == nil && shown == len(known)
	if shown == 0 && !v.all {
		return nil, diagnostic.List{{File: filepath.Join(other.Dir, shardFile), Code: "merge-foreign", Message: "the campaign " + c.Dir + " has not shipped this copy: it knows " + wording.Count(len(known), "shard", "shards") + ", and the copy is none of them",
			Hint: "merge a shard into the campaign that shipped it; into a copy of the campaign that you made before that yourself, copy the directory " + filepath.Join(c.Dir, shippedDir)}}
	}
	return v, nil
}

// of lets the copy speak of the models of a shard.
func (v *voice) of(s *Shard) {
	for _, model := range s.Models {
		v.models[model] = true
	}
	v.marks = append(v.marks, s.mark())
}

// speaksOf says why the copy may not speak of a model.
func (v *voice) speaksOf(model string) error {
	if v.all || v.models[model] {
		return nil
	}
	return fmt.Errorf("it is about the model %s, which this copy was not given", diagnostic.Excerpt(model))
}

// speaksBy says why the copy may not speak for a worker.
func (v *voice) speaksBy(worker string) error {
	if v.all || slices.ContainsFunc(v.marks, func(mark string) bool { return strings.HasSuffix(worker, mark) }) {
		return nil
	}
	return fmt.Errorf("worker %s is none of this shard: the names of its workers end with %s", diagnostic.Excerpt(worker), strings.Join(v.marks, " or "))
}

// inTime says why a time cannot be one of the campaign.
func (v *voice) inTime(what string, at time.Time) error {
	switch {
	case at.Before(v.earliest):
		return fmt.Errorf("%s is %s, and the campaign was planned later", what, at.Format(time.RFC3339))
	case at.After(v.now.Add(clocksDiffer)):
		return fmt.Errorf("%s is %s, which lies in the future", what, at.Format(time.RFC3339))
	}
	return nil
}

// pin says why the copy may not pin a model; last is the number of the last pin here.
func (v *voice) pin(p Pin, number, last int64) error {
	if number > last+1 {
		return fmt.Errorf("it has the number %d, and the last pin of the model has %d", number, last)
	}
	return cmp.Or(v.speaksOf(p.Model), v.speaksBy(p.Worker), v.inTime("its time", p.At))
}

// record says why a record of a journal may not come from the copy.
func (v *voice) record(c *Campaign, from *source, r *Record) error {
	about := from.opened.About
	if about && (r.Again == nil || r.Again.Decision == "") && r.Reread == nil && r.Opened == nil {
		return errors.New("a journal about other ends holds nothing else")
	}
	ofRun := func(run Run, worker string, lease int64, attempt int) error {
		model, err := c.Plan.model(run)
		if err != nil {
			return err
		}
		switch {
		case worker != from.opened.Worker && !v.imported(from):
			return fmt.Errorf("it was made by worker %s, and the journal is that of %s", diagnostic.Excerpt(worker), from.opened.Worker)
		case attempt < 0 || attempt > maxAttempts:
			return fmt.Errorf("attempt %d cannot be", attempt)
		}
		return cmp.Or(v.speaksOf(model), inLeases(lease))
	}
	switch {
	case r.Opened != nil:
		if about && !v.all {
			return errors.New("it holds records about ends in other journals, which only the campaign itself makes (`podium logs --reread --take`, `podium decide redo`)")
		}
		return cmp.Or(v.speaksBy(r.Opened.Worker), v.inTime("its time", r.Opened.At))
	case r.Claimed != nil:
		for _, f := range r.Claimed.Over {
			if err := inLeases(f.Lease); err != nil || f.Bytes < 0 {
				return fmt.Errorf("a fence of worker %s at byte %d of lease %d cannot be", diagnostic.Excerpt(f.Worker), f.Bytes, f.Lease)
			}
		}
		return cmp.Or(v.speaksOf(r.Claimed.Model), inLeases(r.Claimed.Lease), v.inTime("its time", r.Claimed.At))
	case r.Started != nil:
		return cmp.Or(ofRun(r.Started.Run, from.opened.Worker, r.Started.Lease, r.Started.Attempt), v.inTime("its start", r.Started.At))
	case r.Finished != nil:
		return cmp.Or(ofRun(r.Finished.Run, r.Finished.Worker, r.Finished.Lease, r.Finished.Attempt), v.end(from, r.Finished))
	case r.Voided != nil:
		return cmp.Or(ofRun(r.Voided.Run, r.Voided.Worker, r.Voided.Lease, r.Voided.Attempt), v.inTime("its time", r.Voided.At))
	case r.Sentinel != nil:
		for _, reading := range r.Sentinel.Readings {
			if err := v.inTime("a reading's time", reading.At); err != nil {
				return err
			}
		}
	case r.Again != nil:
		if !about && r.Again.Decision != "" {
			return errors.New("it asks for runs by a decision, and the journal is that of a worker")
		}
		for _, e := range r.Again.Ends {
			if model, err := c.Plan.model(e.Run); err != nil || model != r.Again.Model {
				return fmt.Errorf("it asks for runs of the model %s, and %s is none of them", diagnostic.Excerpt(r.Again.Model), diagnostic.Excerpt(e.Run.String()))
			}
		}
		return cmp.Or(v.speaksOf(r.Again.Model), v.inTime("its time", r.Again.At))
	case r.Reread != nil:
		if !about {
			return errors.New("it holds new answers of an end, and the journal is that of a worker")
		}
		return v.inTime("its time", r.Reread.At)
	}
	return nil
}

// imported reports whether a journal of the organisers' own may hold ends that were made
// elsewhere.
func (v *voice) imported(from *source) bool { return v.all && from.opened.Driver == "" }

func inLeases(n int64) error {
	if n < 0 || n > maxLease {
		return fmt.Errorf("the lease %d cannot be", n)
	}
	return nil
}

// end says what else is wrong with the end of a run. Those that were done elsewhere and
// imported into the organisers' own campaign have their own times.
func (v *voice) end(from *source, f *Finished) error {
	for _, ref := range f.outputs() {
		switch {
		case *ref == PackRef{}:
		case ref.Pack != from.opened.Worker+".zst":
			return fmt.Errorf("its output is in the pack %s, and that of the worker is %s.zst", diagnostic.Excerpt(ref.Pack), from.opened.Worker)
		case ref.Offset < 0 || ref.Length < 0 || ref.Size < 0 || ref.Offset+ref.Length < 0:
			return errors.New("the place of its output cannot be")
		}
	}
	if v.imported(from) {
		return nil
	}
	if f.Outcome.WallTime < 0 || f.Outcome.CPUTime < 0 || f.Outcome.MemoryPeak < 0 {
		return errors.New("it took less than nothing")
	}
	return v.inTime("its start", f.Outcome.Started)
}

// outputs are the places of what is kept of a run.
func (f *Finished) outputs() []*PackRef {
	return []*PackRef{&f.Stdout, &f.Stderr, &f.Left, &f.Curve}
}
