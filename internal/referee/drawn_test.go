package referee

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/pnml/unfold"
)

// TestShowDrawn: on random nets, values that decision diagrams decide get proofs by them, in all
// examinations; a replay confirms each, and enumeration says that each value is right. 100 nets;
// with PODIUM_SOAK=1, 5,000.
func TestShowDrawn(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 17))
	shown := map[examinations.ID]int{}
	for drawn, plain := range nettest.RandomNets(rng, nettest.Cases(400)/4) {
		view := unfold.Plain(drawn)
		truth := truthOf(plain)
		for exam, properties := range questions(rng, drawn) {
			h := heard(t, view, time.Minute, properties) // nothing takes as long
			p := &oracle.Proof{Instance: "N-PT-1", Exam: exam}
			h.drawRest(h.limited, p)
			short, stop := clock.Within(h.limited, 2*patience)
			h.showDrawn(short, p)
			stop()
			right(t, "showDrawn", truth, h, p, properties)
			for _, w := range h.net.witnesses {
				if w.Proof != nil && slices.ContainsFunc(w.Proof.Diagrams, func(d *witness.Diagram) bool { return len(d.Nodes) > 0 }) {
					shown[exam] += len(w.Claims)
				}
			}
		}
	}
	t.Log(shown)
	if len(shown) != 13 {
		t.Errorf("proofs by diagrams in %d examinations: %v", len(shown), shown)
	}
}
