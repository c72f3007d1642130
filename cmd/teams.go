package cmd

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/publish"
)

func newTeams(s *streams) *cobra.Command {
	var o judged.Options
	var tool, out string
	var all bool
	cmd := &cobra.Command{
		Use:   "teams DIR --tool NAME | --all",
		Short: "Write for each team what it may see before publication",
		Long: `Teams writes pages and CSV files for the team of a tool: the runs of all its variants with their
logs, answers and points, the reason for each point, the reference values of these runs, and the
decisions about them. Nothing is said of other tools: no name, answer, vote, figure, rank or
place. The pages need no server and no network. Surprise models under an embargo are not named:
without --without-surprise nothing is written then.`,
		Example: "  podium teams campaign --tool lola --out for-lola\n  podium teams campaign --all --out approval",
		Args:    exactArgs(1, "the directory of a campaign"),
		RunE: ofCampaign(func(cmd *cobra.Command, c *campaign.Campaign) error {
			if all == (tool != "") || out == "" {
				return usageError{errors.New("teams needs --out DIR, and either --tool NAME or --all")}
			}
			teams, err := judged.Teams(c, tool)
			if err != nil {
				return err
			}
			if err := judged.Nameable(c, time.Now()); err != nil && !o.WithoutEmbargoed {
				return fmt.Errorf("no package is written: %w; --without-surprise leaves them out", err)
			}
			j, err := judge(cmd.Context(), s, c, o)
			if err != nil {
				return err
			}
			shown := view(j)
			defer s.upkeep.hold()() // a directory half written
			written := []writtenPackage{}
			var batch publish.Batch
			defer batch.Discard()
			for _, team := range teams {
				dir := out
				if all {
					dir = filepath.Join(out, team.Name)
				}
				if err := batch.Add(cmd.Context(), dir, shown.ForTeam(team.Name, team.Tools)); err != nil {
					return err
				}
				written = append(written, writtenPackage{team.Name, slices.Sorted(slices.Values(team.Tools)), filepath.Join(dir, "index.html")})
			}
			if err := batch.Commit(); err != nil {
				return err
			}
			if s.asJSON {
				return errors.Join(s.reply(teamsReply{written}), s.unread(j.Unread()))
			}
			for _, p := range written {
				fmt.Fprintf(s.out, "%s: %s\n", strings.Join(p.Tools, ", "), p.Page)
			}
			return s.unread(j.Unread())
		}),
	}
	f := cmd.Flags()
	f.StringVarP(&tool, "tool", "t", "", "`NAME` of a tool of the team")
	f.BoolVar(&all, "all", false, "a package for each team, in a directory of its name")
	f.StringVarP(&out, "out", "o", "", "directory that is written")
	f.StringVarP(&o.Edition, "edition", "e", "", "score under this edition instead of the campaign's")
	registerCertified(cmd, &o.Certificate)
	registerWithoutSurprise(cmd, &o.WithoutEmbargoed)
	return cmd
}
