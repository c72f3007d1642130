package referee

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/explorer/naive"
	"podium/internal/witness"
	"podium/pnml/unfold"
)

// TestShowDrawn: on random nets, values that decision diagrams decide get proofs by them, in all
// examinations; a replay confirms each, and enumeration says that each value is right. 100 nets;
// with PODIUM_SOAK=1, 5,000.
func TestShowDrawn(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 17))
	shown := map[examinations.ID]int{}
	for drawn, plain := range naive.RandomNets(rng, naive.Cases(400)/4) {
		view := unfold.Plain(drawn)
		truth := truthOf(t, plain)
		for exam, properties := range questions(rng, plain) {
			ctx, stop := context.WithTimeout(t.Context(), time.Minute) // nothing takes as long
			h := &hearing{Referee: &Referee{Options: Options{Memory: 1 << 26, Budget: patience, Cores: 1, Say: func(string) {}}}, net: &net{View: view}, limited: ctx, given: properties}
			p := &oracle.Proof{Instance: "N-PT-1", Exam: exam}
			h.drawRest(p, properties)
			h.showDrawn(p, 2*patience)
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
