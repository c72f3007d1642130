package judged

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/models"
)

// Shown is what of a campaign may be shown. Whatever shows a campaign to others than its organisers
// asks here; nothing else looks at embargoes.
type Shown struct {
	whole  *campaign.Campaign
	hidden map[string]bool // instances that may not be named yet
	names  []string        // of what is hidden, folded
}

// Public is what everybody may see at a moment: all but surprise models under an embargo (M-6).
func Public(c *campaign.Campaign, now time.Time) *Shown {
	s, open := &Shown{whole: c, hidden: map[string]bool{}}, map[string]bool{}
	for _, i := range plannedOnes(c) {
		if embargoOf(c).Covers(i.Class, now) {
			s.hidden[i.ID.String()] = true
		} else {
			open[i.ID.Family] = true
		}
	}
	for _, i := range c.Plan.Instances {
		if !s.hidden[i.ID] {
			continue
		}
		s.names = append(s.names, folded(i.ID))
		if !open[i.Family] {
			s.names = append(s.names, folded(i.Family))
		}
	}
	return s
}

// Nameable is nil when all models of a campaign may be named now, else a
// *[models.EmbargoError] (M-6).
func Nameable(c *campaign.Campaign, now time.Time) error {
	return embargoOf(c).Check(plannedOnes(c), now)
}

func embargoOf(c *campaign.Campaign) models.Embargo { return models.Embargo{Until: c.Plan.Embargo} }

func plannedOnes(c *campaign.Campaign) []models.Instance {
	list := make([]models.Instance, len(c.Plan.Instances))
	for k, i := range c.Plan.Instances {
		list[k].ID = models.ParseAnyID(i.ID)
		list[k].Class, _ = models.ParseClass(i.Class)
	}
	return list
}

// Complete reports whether nothing is hidden.
func (s *Shown) Complete() bool { return len(s.hidden) == 0 }

// Hides reports whether an instance may not be named.
func (s *Shown) Hides(instance string) bool { return s.hidden[instance] }

// Campaign returns the campaign as if what is hidden were not in it.
func (s *Shown) Campaign() *campaign.Campaign {
	if s.Complete() {
		return s.whole
	}
	c := s.whole.Without(s.Hides)
	if s.mentions(c.Plan.Name) {
		c.Plan.Name = "contest"
	}
	return c
}

// log removes what is hidden from a log.
func (s *Shown) log(l *campaign.Log) {
	if !s.Complete() {
		l.Forget(s.Hides)
	}
}

// proofs returns a certificate without what it proves of hidden instances; both may be nil.
func (s *Shown) proofs(c *Certificate) *Certificate {
	if c == nil || s.Complete() {
		return c
	}
	rest := *c
	rest.Certificate = c.Certificate.Without(s.Hides)
	rest.Values = rest.Certificate.Values()
	for key := range rest.Values {
		if _, holds := c.Values[key]; !holds {
			delete(rest.Values, key)
		}
	}
	return &rest
}

// decided returns the decisions as they may be shown: without the texts of those that are about
// hidden instances, or name them. All are in force as before.
func (s *Shown) decided(r *decisions.Record) *decisions.Record {
	if s.Complete() {
		return r
	}
	hidden := slices.DeleteFunc(slices.Clone(s.whole.Plan.Instances), func(i campaign.PlannedInstance) bool { return !s.Hides(i.ID) })
	return r.Withhold(hidden, s.mentions)
}

// mentions reports whether a text names what is hidden, whatever stands between its words: also
// "towers of Hanoi" names TowersOfHanoi.
func (s *Shown) mentions(text string) bool {
	text = folded(text)
	return slices.ContainsFunc(s.names, func(name string) bool { return strings.Contains(text, name) })
}

// folded is a text in small letters and digits alone.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
