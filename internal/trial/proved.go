package trial

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"podium/examinations"
	"podium/internal/explorer"
	"podium/models"
	"podium/pnml/unfold"
)

// What is small enough to be decided beside a run. The time only ends what would take
// long in spite of the other limits.
const (
	smallFile   = 2 << 20 // bytes of the net
	smallArcs   = 200_000 // of the unfolding
	smallStates = 50_000
	smallMemory = 256 << 20
	shortTime   = 10 * time.Second
)

// proved gives the values of a question that enumeration decides at once on a small net,
// as the referee would (`podium certify`); nil where the net is large.
func proved(ctx context.Context, q Question) (map[examinations.Key]examinations.Value, error) {
	info, err := os.Stat(filepath.Join(q.Dir, models.ModelFile))
	if err != nil || info.Size() > smallFile {
		return nil, nil
	}
	document, err := q.Instance.Document()
	if err != nil {
		return nil, nil // the tool has to say so
	}
	limited, stop := context.WithTimeout(ctx, shortTime)
	defer stop()
	net, err := unfold.Of(document, unfold.Limits{Arcs: smallArcs, Context: limited})
	if err != nil {
		return nil, ctx.Err()
	}
	values := map[examinations.Key]examinations.Value{}
	// An error names formulas that make no sense, which have no value.
	explorer.Decide(limited, net, q.Exam, q.formulas, explorer.Options{Memory: smallMemory, MaxStates: smallStates}, func(a explorer.Answer) {
		values[examinations.Key{Instance: q.Instance.ID, Exam: q.Exam, Item: a.Item}] = a.Value
	})
	return values, ctx.Err()
}
