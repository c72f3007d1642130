package cmd

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/planning"
	"podium/internal/qualify"
	"podium/internal/stripped"
	"podium/internal/wording"
	"podium/models"
)

// strippedOptions are the flags of runs on stripped copies.
type strippedOptions struct {
	copies, sample int
}

func (o *strippedOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&o.copies, "stripped", 0, "compare instances with `N` stripped copies of each kind, instead of qualifying")
	f.IntVar(&o.sample, "sample", 0, "with --stripped: `N` instances, drawn at random by the seed (default: the smallest of each model)")
}

// examine compares tools on instances and on stripped copies.
func (o *strippedOptions) examine(ctx context.Context, s *streams, dir string, plan planning.Options, instances []models.Instance, run func(*campaign.Campaign) (*campaign.Log, error)) error {
	chosen := qualify.Smallest(instances)
	if o.sample > 0 {
		chosen = slices.Clone(instances)
		rand.New(rand.NewPCG(plan.Seed, 0)).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		chosen = chosen[:min(o.sample, len(chosen))]
	}
	report, err := stripped.Plan{Dir: dir, Campaign: plan, Copies: o.copies, Run: run}.Examine(ctx, chosen)
	if err != nil {
		return err
	}
	if err := files.Replace(filepath.Join(dir, "stripped.json"), func(out io.Writer) error { return s.document(out, report) }); err != nil {
		return err
	}
	if err := s.print(report, report.WriteText); err != nil {
		return err
	}
	s.say("this judges names only; without --stripped, podium qualify says whether tools are fit")
	if n := report.Doubtful(); n > 0 {
		return incompleteError{wording.Part(n, len(report.Tools), "tools is to be looked at", "tools are to be looked at")}
	}
	fmt.Fprintf(s.err, "report: %s\n", filepath.Join(dir, "stripped.json"))
	return nil
}
