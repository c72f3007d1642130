package referee

import (
	"context"
	"slices"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer/diagram"
	"podium/internal/witness"
)

// drawing is the reachable markings of the net of a hearing as decision diagrams, or what
// is known on the way to them. All examinations of the instance share it: each spends a
// part of its budget on it as long as it is not complete.
type drawing struct {
	search *diagram.Search  // nil until the first examination that wants it
	space  *diagram.Space   // nil until it is complete
	set    *witness.Diagram // the same for proofs, nil until one asks for it
	spent  time.Duration
	small  bool // the markings were enumerated: diagrams may help with formulas only
	none   bool // nothing will come of it
}

// bytes is what it holds.
func (d *drawing) bytes() int64 {
	if d.search == nil {
		return 0
	}
	return int64(d.search.Bytes())
}

// drawEarly goes on with the diagrams, and decides nothing.
func (h *hearing) drawEarly(ctx context.Context, _ *oracle.Proof) { h.draw(ctx) }

// draw goes on with the diagrams in half of the time that is left.
func (h *hearing) draw(ctx context.Context) {
	x := &h.drawing
	if x.none || x.space != nil {
		return
	}
	ctx, cancel := clock.Part(ctx, 2)
	defer cancel()
	before, _ := clock.Left(ctx)
	if x.search == nil {
		x.search = diagram.NewSearch(ctx, h.net.View, int(h.Memory/2))
	}
	x.space = x.search.Explore(ctx, h.Cores)
	after, _ := clock.Left(ctx)
	x.spent += before - after
	if x.space == nil && (x.search.Over() || x.spent > 2*h.Budget) {
		x.none, x.search = true, nil
	}
}

// drawRest decides what is still open of an examination by decision diagrams, each value
// in a fair share of the time.
func (h *hearing) drawRest(ctx context.Context, p *oracle.Proof) {
	if slices.ContainsFunc(p.Values, func(v oracle.ProvedValue) bool { return v.Text == examinations.Infinite.Text }) {
		h.drawing.none, h.drawing.search = true, nil // a net without bound has no end
	}
	if h.draw(ctx); h.drawing.space == nil {
		return
	}
	share(ctx, h.openItems(p), func(ctx context.Context, item string) {
		f, _ := lookup(h.properties)(item)
		var value examinations.Value
		var ok bool
		err := clock.Until(ctx, func(c *clock.Clock) error {
			value, ok = h.drawing.space.Decide(c, p.Exam, item, f)
			return nil
		})
		if err == nil && ok {
			h.found(p, oracle.ProvedValue{Item: item, Text: value.Text, By: oracle.ByDiagrams})
		}
	})
}

// openItems are the items of an examination that have no value.
func (h *hearing) openItems(p *oracle.Proof) []string {
	return slices.DeleteFunc(p.Exam.Items(formula.IDs(h.properties)), func(item string) bool {
		return slices.ContainsFunc(p.Values, func(v oracle.ProvedValue) bool { return v.Item == item })
	})
}
