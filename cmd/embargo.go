package cmd

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/models"
)

// nameable is nil when all models of a campaign may be named now, else a
// *[models.EmbargoError].
func nameable(c *campaign.Campaign, now time.Time) error {
	return embargoOf(c).Check(plannedOnes(c), now)
}

func embargoOf(c *campaign.Campaign) models.Embargo { return models.Embargo{Until: c.Plan.Embargo} }

// registerWithoutSurprise is the flag of commands that write for others.
func registerWithoutSurprise(cmd *cobra.Command, leave *bool) {
	cmd.Flags().BoolVar(leave, "without-surprise", false, "leave surprise models out, as if they were not there, until their embargo ends")
}

// mindEmbargo refuses to write of a campaign for others while models may not be
// named, unless they are left out (M-6). Who only prints for organisers is told
// that it is for them.
func (o *source) mindEmbargo(s *streams, c *campaign.Campaign) error {
	err := nameable(c, time.Now())
	switch {
	case err == nil:
		return nil
	case o.withoutEmbargoed:
		fmt.Fprintf(s.err, "%v: they are left out\n", err)
	case o.forOthers:
		return fmt.Errorf("nothing is exported: %w; --without-surprise exports the rest", err)
	default:
		fmt.Fprintf(s.err, "%v: what is printed is for organisers only\n", err)
	}
	return nil
}

// embargoed gives the names of the instances that may not be published yet.
func embargoed(c *campaign.Campaign, now time.Time) map[string]bool {
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
		list[k].ID, _ = models.ParseID(i.ID) // validated when the plan was read
		list[k].Class, _ = models.ParseClass(i.Class)
	}
	return list
}
