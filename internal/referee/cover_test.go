package referee

import (
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/nettest"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// TestCover: every transition fires and every place changes on runs that a replay confirms,
// on a net whose markings nobody enumerates.
func TestCover(t *testing.T) {
	view := unfold.Plain(nettest.Philosophers(60))
	for exam, want := range map[examinations.ID]string{examinations.QuasiLiveness: "TRUE", examinations.StableMarking: "FALSE"} {
		h := heard(t, view, time.Minute, nil)
		p := &oracle.Proof{Exam: exam}
		h.cover(h.limited, p)
		got := ""
		for _, v := range p.Values {
			got += v.Text
		}
		if got != want {
			t.Errorf("%s: %q, not %q", exam, got, want)
		}
		for _, w := range h.net.witnesses {
			if got := replay.NewNet(view).Check(t.Context(), w, nil)[0]; got.State != witness.Confirmed {
				t.Errorf("%s: %+v", exam, got)
			}
		}
	}
}
