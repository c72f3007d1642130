package referee

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/files"
	"podium/internal/witness"
	"podium/internal/witness/replay"
)

// Took compares, over witness files with runs, proofs or branches, how long it took to find
// these with how long it takes to replay them. Enumeration is left out: it is the same work
// twice.
type Took struct {
	Files       int   `json:"files"`
	Values      int   `json:"values"`        // that were replayed
	Unconfirmed int   `json:"not_confirmed"` // of them
	Finding     int64 `json:"found_us"`      // processor time until the last of a file was found, from the beginning of the budget on
	Replaying   int64 `json:"replayed_us"`   // the same of the file, with reading it
	Slow        int   `json:"over_twice"`    // files whose replay takes more than twice the time of finding
}

// Add adds the counts of another examination.
func (t *Took) Add(o Took) {
	t.Files, t.Finding, t.Replaying = t.Files+o.Files, t.Finding+o.Finding, t.Replaying+o.Replaying
	t.Slow, t.Values, t.Unconfirmed = t.Slow+o.Slow, t.Values+o.Values, t.Unconfirmed+o.Unconfirmed
}

// replay replays what the witness file of an examination shows, but for enumeration, from the
// file alone.
func (h *hearing) replay(ctx context.Context, p oracle.Proof, properties []formula.Property) error {
	if !h.Replay || h.file == nil {
		return nil
	}
	path := h.witnessFile(h.instance.ID, p.Exam)
	began := clock.ProcessorTime()
	in, err := files.Open(filepath.Dir(path), filepath.Base(path))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer in.Close()
	net := h.opened()
	reader := replay.NewReader(in, net, replay.Options{File: path, Instance: p.Instance, Exam: p.Exam})
	took, items := Took{Files: 1}, map[string]bool{}
	for reader.Scan() {
		w := reader.Witness()
		if w.Enumerate {
			continue
		}
		for _, result := range net.Check(ctx, w, lookup(properties)) {
			items[result.Claim.Item] = true
			if took.Values++; result.State != witness.Confirmed {
				took.Unconfirmed++
				h.sayf("  a replay does not confirm %s: %s", result.Claim, result.Detail)
			}
		}
	}
	took.Replaying = (clock.ProcessorTime() - began).Microseconds()
	for _, v := range p.Values {
		if items[v.Item] {
			took.Finding = max(took.Finding, v.After)
		}
	}
	if took.Values == 0 {
		return errors.Join(reader.Err(), ctx.Err())
	}
	if took.Replaying > 2*took.Finding {
		took.Slow = 1
		h.sayf("  %s: the replay takes %v, and finding took %v", p.Exam, time.Duration(took.Replaying)*time.Microsecond, time.Duration(took.Finding)*time.Microsecond)
	}
	h.Tally(p.Exam).Took.Add(took)
	return errors.Join(reader.Err(), ctx.Err())
}
