package judged

import (
	"errors"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/models"
)

// embargoed is a campaign with a hidden model, and a hidden instance of one that is shown.
func embargoed() *campaign.Campaign {
	p := campaign.Plan{Name: "contest", Embargo: time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC), Examinations: []examinations.ID{"OneSafe"}}
	for _, i := range [][2]string{{"Hidden-PT-1", "surprise"}, {"Hidden-COL-1", "surprise"}, {"Ring-PT-1", "known"}, {"Ring-PT-2", "surprise"}} {
		family, _, _ := strings.Cut(i[0], "-")
		p.Instances = append(p.Instances, campaign.PlannedInstance{ID: i[0], Family: family, Class: i[1]})
	}
	p.Sort()
	return &campaign.Campaign{Plan: p}
}

// TestMentions: a text names what is hidden however it is written, and nothing else does.
func TestMentions(t *testing.T) {
	c := embargoed()
	s := Public(c, c.Plan.Embargo.Add(-time.Second))
	for text, want := range map[string]bool{
		"Hidden-PT-1": true, "about hidden": true, "HIDDEN_pt_1": true, "H i d d e n": true, "the net hid-den is broken": true, "https://example.org/Hidden.html": true,
		"Ring-PT-2": true, "ring pt 2": true, "Ring": false, "Ring-PT-1": false, "Ring-PT-12": false, "": false, "hid": false, "surprise models": false,
	} {
		if got := s.mentions(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestPublic: what may be shown is decided by the class and the moment, and the campaign that is
// shown has no trace of the rest.
func TestPublic(t *testing.T) {
	c := embargoed()
	for offset, hidden := range map[time.Duration]int{-time.Hour: 3, -1: 3, 0: 0, time.Hour: 0} {
		now := c.Plan.Embargo.Add(offset)
		s := Public(c, now)
		if n := len(c.Plan.Instances) - len(s.Campaign().Plan.Instances); n != hidden || s.Complete() != (hidden == 0) || s.Hides("Ring-PT-2") != (hidden > 0) || s.Hides("Ring-PT-1") {
			t.Errorf("%v after the end, %d instances are hidden", offset, n)
		}
		var list *models.EmbargoError
		if err := Nameable(c, now); errors.As(err, &list) != (hidden > 0) {
			t.Errorf("%v after the end: %v", offset, err)
		}
	}
	c.Plan.Name = "with hidden models"
	if name := Public(c, time.Time{}).Campaign().Plan.Name; name != "contest" || c.Plan.Name == name {
		t.Errorf("it is shown as %q, and called %q", name, c.Plan.Name)
	}
}
