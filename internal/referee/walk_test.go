package referee

import (
	"context"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// TestWalksDecideTheRest: runs that are far away, and cycles, are found on a net whose
// markings nobody enumerates, and the witnesses are confirmed.
func TestWalksDecideTheRest(t *testing.T) {
	view := unfold.Plain(nettest.Ring(8, 300))
	h := heard(t, view, time.Minute, nil)
	tokens := func(place string, n uint64) formula.Formula {
		return &formula.LessEqual{Left: &formula.Number{N: n}, Right: &formula.TokensCount{Places: []string{place}}}
	}
	bounds := []formula.Property{{ID: "bound", Formula: &formula.Bound{Places: []string{"p5"}}}}
	runs := []formula.Property{{ID: "far", Formula: &formula.AllPaths{F: &formula.Finally{F: tokens("p7", 2)}}}}
	reach := []formula.Property{{ID: "all", Formula: &formula.ExistsPath{F: &formula.Finally{F: tokens("p4", 300)}}}}
	for _, q := range []struct {
		exam       examinations.ID
		properties []formula.Property
		decide     func(*hearing, context.Context, *oracle.Proof)
		want       string
	}{
		{examinations.UpperBounds, bounds, (*hearing).proveBounds, "300"},
		{examinations.LTLCardinality, runs, (*hearing).walks, "FALSE"},
		{examinations.ReachabilityCardinality, reach, (*hearing).proveRest, "TRUE"},
	} {
		p := &oracle.Proof{Exam: q.exam}
		h.ask(q.properties)
		if q.decide(h, h.limited, p); len(p.Values) != 1 || p.Values[0].Text != q.want || len(h.net.witnesses) != 1 {
			t.Errorf("%s: %v, %d witnesses", q.exam, p.Values, len(h.net.witnesses))
			continue
		}
		if got := replay.NewNet(view).Check(t.Context(), h.net.witnesses[0], lookup(q.properties))[0]; got.State != witness.Confirmed {
			t.Errorf("%s: %+v", q.exam, got)
		}
	}
}
