package referee

import (
	"context"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/explorer/naive"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// TestCover: every transition fires and every place changes on runs that a replay confirms,
// on a net whose markings nobody enumerates.
func TestCover(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	view := unfold.Plain(naive.Philosophers(60))
	for exam, want := range map[examinations.ID]string{examinations.QuasiLiveness: "TRUE", examinations.StableMarking: "FALSE", examinations.Liveness: ""} {
		h := &hearing{Referee: &Referee{Options: Options{Memory: 1 << 28, Budget: time.Minute, Cores: 1}}, net: &net{View: view}, limited: ctx}
		p := &oracle.Proof{Exam: exam}
		h.cover(p, time.Minute)
		got := ""
		for _, v := range p.Values {
			got += v.Text
		}
		if got != want {
			t.Errorf("%s: %q, not %q", exam, got, want)
		}
		for _, w := range h.net.witnesses {
			if got := replay.NewNet(view).Check(ctx, w, nil)[0]; got.State != witness.Confirmed {
				t.Errorf("%s: %+v", exam, got)
			}
		}
	}
}
