package cmd

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/contest"
	"podium/internal/publish"
)

func newPublish(s *streams) *cobra.Command {
	var o contest.Options
	var out string
	cmd := &cobra.Command{
		Use:   "publish DIR",
		Short: "Write the pages, plots and CSV files of a campaign",
		Long: `Publish writes DIR/published from the journal: a static site that needs no server and no
network, CSV files, and provenance.json with the digest of every file. It may be called at any
time, also while a worker runs. Surprise models under an embargo (podium plan --embargo) are
not named: without --without-surprise nothing is written then. After ` + "`podium certify DIR`" + ` a page of the site names the
reference values that are refuted, with the evidence.

` + exitCodes,
		Example: "  podium publish out/contest\n  podium publish --edition mcc2016 --out elsewhere out/contest",
		Args:    exactArgs(1, "the directory of a campaign"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			return publishCampaign(cmd.Context(), s, c, o, out)
		},
	}
	registerCertified(cmd, &o.Certificate)
	cmd.Flags().StringVarP(&o.Edition, "edition", "e", "", "score under this edition instead of the campaign's")
	cmd.Flags().StringVarP(&out, "out", "o", "", "directory that is written (default: DIR/published)")
	registerWithoutSurprise(cmd, &o.WithoutEmbargoed)
	return cmd
}

// publishCampaign writes the site and prints the podium.
func publishCampaign(ctx context.Context, s *streams, c *campaign.Campaign, by contest.Options, out string) error {
	if err := contest.Nameable(c, time.Now()); err != nil && !by.WithoutEmbargoed {
		return fmt.Errorf("nothing is published: %w; --without-surprise publishes the rest", err)
	} else if err != nil {
		fmt.Fprintf(s.err, "%v: they are left out\n", err)
	}
	judged, err := judge(ctx, s, c, by)
	if err != nil {
		return err
	}
	shown := view(judged)
	if out == "" {
		out = filepath.Join(c.Dir, "published")
	}
	defer s.upkeep.hold()() // a directory half written
	if err := publish.Write(ctx, out, shown); err != nil {
		return err
	}
	if err := publish.Summary(s.out, shown, width(s.out)); err != nil {
		return err
	}
	fmt.Fprintf(s.err, "published: %s\n", filepath.Join(out, "index.html"))
	return nil
}
