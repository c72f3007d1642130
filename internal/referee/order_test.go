package referee

import (
	"slices"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/nettest"
	"podium/pnml/unfold"
)

// TestOrder: every examination but the one that nets never ask has steps that decide it, with shares of
// the time; what looks for evidence is said to do so.
func TestOrder(t *testing.T) {
	for _, exam := range examinations.All() {
		n := 0
		for _, s := range order {
			if s.share <= 0 || s.share > 1 {
				t.Errorf("%s gets %v of the time", s.technique, s.share)
			}
			if !s.shows && (s.of == nil || slices.Contains(s.of, exam)) {
				n++
			}
		}
		if want := 3; n < want && exam != examinations.GlobalProperties {
			t.Errorf("%s has %d steps", exam, n)
		}
	}
}

// TestEvidenceAfterTheEnd: a value that was decided on a small net is shown by enumeration, also
// when the budget has ended: nothing has to be counted any more.
func TestEvidenceAfterTheEnd(t *testing.T) {
	h := heard(t, unfold.Plain(nettest.Ring(3, 2)), 0, nil)
	h.size = small
	p := &oracle.Proof{Instance: "Ring-PT-1", Exam: examinations.Liveness, Values: []oracle.ProvedValue{{Item: "Liveness", Text: "TRUE", By: oracle.ByAllMarkings}}}
	if clock.Ended(h.limited); h.limited.Err() == nil {
		t.Fatal("the budget has not ended")
	}
	h.follow(p, order)
	h.follow(p, evidenceOrder)
	if !p.Values[0].Enumerate || len(h.net.witnesses) != 1 {
		t.Errorf("%+v, %d witnesses", p.Values[0], len(h.net.witnesses))
	}
}

// TestWithout: a technique that is left out has no turn, and others decide in its place.
func TestWithout(t *testing.T) {
	decide := func(without ...string) (p *oracle.Proof, h *hearing) {
		h = heard(t, unfold.Plain(nettest.Ring(3, 2)), 5*time.Second, nil)
		h.Without, p = without, &oracle.Proof{Instance: "Ring-PT-1", Exam: examinations.ReachabilityDeadlock}
		h.follow(p, order)
		return p, h
	}
	p, h := decide()
	if first := h.Works()[0]; len(p.Values) != 1 || first.Technique != "few markings" || first.Turns != 1 || first.Decided != 1 {
		t.Errorf("%v by %+v", p.Values, h.Works())
	}
	p, h = decide("few markings")
	if len(p.Values) != 1 || slices.ContainsFunc(h.Works(), func(w Work) bool { return w.Technique == "few markings" }) {
		t.Errorf("%v by %+v", p.Values, h.Works())
	}
}
