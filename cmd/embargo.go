package cmd

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/contest"
)

// registerWithoutSurprise is the flag of commands that write for others.
func registerWithoutSurprise(cmd *cobra.Command, leave *bool) {
	cmd.Flags().BoolVar(leave, "without-surprise", false, "leave surprise models out, as if they were not there, until their embargo ends")
}

// mindEmbargo refuses to write of a campaign for others while models may not be
// named, unless they are left out (M-6). Who only prints for organisers is told
// that it is for them.
func (o *source) mindEmbargo(s *streams, c *campaign.Campaign) error {
	err := contest.Nameable(c, time.Now())
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
