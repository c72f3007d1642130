package referee

import (
	"context"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer"
	"podium/internal/explorer/directed"
)

// cover looks for runs on which every transition fires, or every place changes.
func (h *hearing) cover(ctx context.Context, p *oracle.Proof) {
	value := examinations.True
	if p.Exam == examinations.StableMarking {
		value = examinations.False
	}
	var runs [][]uint32
	found := false
	err := clock.Until(ctx, func(c *clock.Clock) error {
		groups := h.net.TransitionGroups()
		if p.Exam == examinations.StableMarking {
			groups = explorer.Changing(c, h.net.Net, h.net.PlaceGroups())
		}
		runs, found = directed.Cover(c, h.net.View, groups)
		return nil
	})
	if err != nil || !found || len(runs) == 0 {
		return
	}
	way := &explorer.Witness{Stem: runs[0], Further: runs[1:]}
	if way.Length() <= longestWitness && way.Prove(h.limited, h.net.View, p.Exam, nil, value) == nil {
		h.keepAnswer(p, explorer.Answer{Item: string(p.Exam), Value: value, Witness: way})
	}
}
