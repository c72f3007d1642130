package contest

import (
	"time"

	"podium/internal/campaign"
	"podium/models"
)

// Nameable is nil when all models of a campaign may be named now, else a
// *[models.EmbargoError] (M-6).
func Nameable(c *campaign.Campaign, now time.Time) error {
	return embargoOf(c).Check(plannedOnes(c), now)
}

func embargoOf(c *campaign.Campaign) models.Embargo { return models.Embargo{Until: c.Plan.Embargo} }

// Embargoed gives the names of the instances that may not be published yet.
func Embargoed(c *campaign.Campaign, now time.Time) map[string]bool {
	hidden := map[string]bool{}
	for _, i := range plannedOnes(c) {
		if embargoOf(c).Covers(i.Class, now) {
			hidden[i.ID.String()] = true
		}
	}
	return hidden
}

func plannedOnes(c *campaign.Campaign) []models.Instance {
	list := make([]models.Instance, len(c.Plan.Instances))
	for k, i := range c.Plan.Instances {
		list[k].ID = models.ParseAnyID(i.ID)
		list[k].Class, _ = models.ParseClass(i.Class)
	}
	return list
}
