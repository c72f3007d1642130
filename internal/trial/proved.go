package trial

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"podium/examinations"
	"podium/internal/explorer"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// What is small enough to be decided beside a run. The time only ends what would take
// long in spite of the other limits.
const (
	smallFile   = 1 << 20 // bytes of the net
	smallArcs   = 50_000  // of the unfolding
	smallStates = 20_000
	smallMemory = 256 << 20
	shortTime   = 5 * time.Second // for all examinations of an instance
)

// prover decides questions on small nets. It keeps the net of the last one.
type prover struct {
	dir string       // of the instance
	net *unfold.View // nil when it is not small

	left time.Duration // of shortTime
}

// proved returns the values of a question that enumeration decides at once on a small net,
// as the referee would (`podium prove`); nil where the net is large.
func (p *prover) proved(ctx context.Context, q Question, read *pnml.Document) (map[examinations.Key]examinations.Value, error) {
	fresh := p.dir != q.InputDir
	if fresh {
		p.dir, p.net, p.left = q.InputDir, nil, shortTime
	}
	limited, stop := context.WithTimeout(ctx, p.left)
	defer stop()
	defer func(begun time.Time) { p.left -= time.Since(begun) }(time.Now())
	if fresh {
		p.net = small(limited, q, read)
	}
	if p.net == nil {
		return nil, ctx.Err()
	}
	values := map[examinations.Key]examinations.Value{}
	// An error names formulas that make no sense, which have no value.
	explorer.Decide(limited, *p.net, q.Run.Exam, q.formulas, explorer.Options{Memory: smallMemory, MaxStates: smallStates}, func(a explorer.Answer) {
		values[examinations.Key{Instance: q.Instance.ID, Exam: q.Run.Exam, Item: a.Item}] = a.Value
	})
	return values, ctx.Err()
}

// small unfolds a net; nil when it is not small.
func small(ctx context.Context, q Question, read *pnml.Document) *unfold.View {
	info, err := os.Stat(filepath.Join(q.InputDir, models.ModelFile))
	if err != nil || info.Size() > smallFile {
		return nil
	}
	net, err := unfold.Of(ctx, read, unfold.Limits{Arcs: smallArcs})
	if err != nil {
		return nil
	}
	return &net
}
