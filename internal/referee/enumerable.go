package referee

import (
	"context"
	"slices"
	"strconv"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/enumeration"
)

// size says whether a replay can visit all markings of a net.
type size uint8

const (
	notCounted size = iota
	small
	large // or not counted in time
)

// mostClaims is the number of values that one witness may have.
const mostClaims = 64

// enumerable leaves a witness by enumeration for the values that no run and no proof
// shows, where the net has few enough markings.
func (h *hearing) enumerable(_ context.Context, p *oracle.Proof) {
	if p.Exam == examinations.StateSpace && len(p.Values) > 0 {
		h.count(p)
	}
	var claims []witness.Claim
	for i := range p.Values {
		v := &p.Values[i]
		if v.Shown() != oracle.NotShown || v.Text == examinations.Infinite.Text {
			continue // an earlier call may have shown it
		}
		if h.count(p); h.size != small {
			return
		}
		v.Enumerate = true
		claims = append(claims, witness.Claim{Item: v.Item, Value: examinations.Value{Kind: p.Exam.Kind(), Text: v.Text}})
	}
	for part := range slices.Chunk(claims, mostClaims) {
		h.net.witnesses = append(h.net.witnesses, &witness.Witness{Instance: p.Instance, Exam: p.Exam, Claims: part, Enumerate: true})
	}
}

// count finds out how many markings the net has: as StateSpace says or, within what is
// left of the budget, by enumeration.
func (h *hearing) count(p *oracle.Proof) {
	if h.size != notCounted {
		return
	}
	h.size = large
	if drawn := h.drawing.space; drawn != nil {
		h.within(func(c *clock.Clock) error { // its end says that the net is large
			v, ok := drawn.Decide(c, examinations.StateSpace, examinations.StateSpaceItems[0], nil)
			if n, err := strconv.Atoi(v.Text); ok && err == nil && n <= enumeration.Small.Markings {
				h.size = small
			}
			return nil
		})
		return
	}
	known := *p
	if p.Exam != examinations.StateSpace {
		known, _ = h.earlier(p.Instance, h.digest, examinations.StateSpace)
	}
	for _, v := range known.Values {
		if v.Item == examinations.StateSpaceItems[0] {
			if n, err := strconv.Atoi(v.Text); err == nil && n <= enumeration.Small.Markings {
				h.size = small
				return
			}
			if h.net.Merging == nil { // else the net may have fewer
				return
			}
		}
	}
	limits := enumeration.Small
	limits.Memory = int(min(int64(limits.Memory), h.Memory))
	// Its end, by a limit or the budget, says that the net is large.
	h.within(func(c *clock.Clock) error {
		if _, err := enumeration.Explore(c, h.net.View, limits); err == nil {
			h.size = small
		}
		return nil
	})
}
