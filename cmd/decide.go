package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/judged"
)

// decideVerbs are the kinds of decisions, with their flags.
var decideVerbs = []struct {
	kind                 decisions.Kind
	short, long, example string
	flags                []string
}{
	{decisions.Disqualify, "Take the points and the votes of a tool away",
		"The runs that are chosen have no points and no bonus, and their answers are no votes. Without --examination and --instance these are all runs of the tool.",
		"--tool lola --examination 'CTL*' --reason 'it reads the names of instances'", []string{"tool", "examination", "instance"}},
	{decisions.Withdraw, "Take a tool out of the contest and all results (P-4)",
		"The tool is in no result any more, as if it had not taken part. With --keep-votes its answers still count as votes.",
		"--tool lola --reason 'asked by its authors'", []string{"tool", "keep-votes"}},
	{decisions.OutOfCompetition, "Let a tool be scored but not ranked",
		"The tool is scored, its answers are votes, and it is on no podium.",
		"--tool gold2025 --reason 'it is there for comparison'", []string{"tool"}},
	{decisions.Exclude, "Leave instances, examinations or values out of the scores",
		"What is chosen earns nobody points and costs nobody any. The runs stay in the record.",
		"--instance Angiogenesis-PT-05 --examination UpperBounds --reason 'two formulas are ill-formed'", []string{"examination", "instance", "item"}},
	{decisions.Correct, "Set the reference of a value, or choose who votes on it",
		"The reference is the one that --value gives, or the one that the referee proved (--proved), or what is elected without some votes (--without-family).",
		"--instance Kanban-PT-0005 --examination OneSafe --value FALSE --reason 'shown by hand'",
		[]string{"examination", "instance", "item", "value", "proved", "without-family"}},
	{decisions.Redo, "Have runs done again by the next podium run",
		"The runs that are chosen are done again. Their earlier ends count until there are new ones, and stay in the record.",
		"--only 'tool=lola host=node3' --reason 'the host was faulty'", []string{"only"}},
}

func newDecide(s *streams) *cobra.Command {
	cmd := group("decide", "Record decisions of the jury, and show what they change")
	cmd.Long = `Decide writes decisions on a campaign: each has an author, a date, a reason and an effect. They are
kept in the campaign's directory decisions, and none is ever deleted: a decision is revoked by another
one. Score, publish, explain, export and whatif follow the decisions in force and name them beside the
numbers they change. Names may be patterns: * is any text. docs/decisions.md says more.`
	cmd.Example = "  podium decide exclude campaign --instance Broken-PT-1 --author Ada --reason 'not 1-safe as declared' --dry-run\n  podium decide list campaign"
	for _, verb := range decideVerbs {
		d := &decisions.Decision{Kind: verb.kind}
		below := newDecision(s, d, string(verb.kind)+" DIR", verb.short, verb.long, verb.example, 1)
		for _, flag := range verb.flags {
			registerDecision(below, d, flag)
			if one := map[string]string{"examination": "`NAME` of the examination", "instance": "`NAME` of the instance"}[flag]; one != "" && verb.kind == decisions.Correct {
				below.Flags().Lookup(flag).Usage = one // a reference is of one value
			}
		}
		cmd.AddCommand(below)
	}
	cmd.AddCommand(newDecision(s, &decisions.Decision{Kind: decisions.Revoke}, "revoke DIR NUMBER", "Take an earlier decision back",
		"The decision of this number is no longer in force. It stays in the record, with the one that revoked it.",
		"3 --reason 'the authors showed that it was our mistake'", 2), newDecideList(s))
	return cmd
}

func registerDecision(cmd *cobra.Command, d *decisions.Decision, flag string) {
	f := cmd.Flags()
	switch flag {
	case "tool":
		f.StringVar(&d.Tool, flag, "", "`NAME` of a tool, or a pattern")
	case "examination":
		f.StringVar(&d.Examination, flag, "", "`NAME` of an examination, or a pattern (default: all)")
	case "instance":
		f.StringVar(&d.Instance, flag, "", "`NAME` of an instance, or a pattern (default: all)")
	case "item":
		f.StringVar(&d.Item, flag, "", "`NAME` of a value: the id of a formula, or STATES (default: all)")
	case "value":
		f.StringVar(&d.Value, flag, "", "the right `VALUE`")
	case "proved":
		f.BoolVar(&d.Proved, flag, false, "take the value that podium prove proved")
	case "without-family":
		f.StringVar(&d.WithoutFamily, flag, "", "elect without the votes of this `FAMILY` of tools")
	case "only":
		registerOnly(cmd, &d.Only)
	case "keep-votes":
		f.BoolVar(&d.KeepsVotes, flag, false, "its answers go on to count as votes; it is not ranked")
	}
}

// newDecision is the verb that takes one decision.
func newDecision(s *streams, d *decisions.Decision, use, short, long, example string, args int) *cobra.Command {
	var dry, published, all bool
	name, what := string(d.Kind), "the directory of a campaign"
	if args == 2 {
		what += " and the number of a decision"
	}
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long,
		Example: "  podium decide " + name + " campaign " + example + " --author 'Ada Lovelace'",
		Args:    exactArgs(args, what),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				n, err := strconv.Atoi(args[1])
				if err != nil {
					return usageError{fmt.Errorf("%q is no number of a decision: podium decide list %s", args[1], args[0])}
				}
				d.Revokes = n
			}
			if err := d.Missing(); err != nil {
				return usageError{err}
			}
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			if _, err := os.Stat(filepath.Join(c.Dir, "published", "provenance.json")); err == nil && !published && !dry {
				return usageError{fmt.Errorf("the results are published in %s: --dry-run shows what the decision would change, --after-publication takes it all the same; publish again then", filepath.Join(c.Dir, "published"))}
			}
			j, err := judge(cmd.Context(), s, c, judged.Options{Brief: true})
			if err != nil {
				return err
			}
			if err := judged.Nameable(c, time.Now()); err != nil {
				fmt.Fprintf(s.err, "%v: until then, a decision that names one is shown without its text; write nothing else that tells which it is\n", err)
			}
			d.At = time.Now().UTC().Truncate(time.Second)
			considered, err := j.Consider(cmd.Context(), *d)
			if err != nil {
				return err
			}
			if !s.asJSON {
				if err := folded(s.out, func(out io.Writer) error { return considered.WriteEffect(out, all) }); err != nil {
					return err
				}
			}
			taken := considered.Record.Decisions[len(considered.Record.Decisions)-1]
			if dry && s.asJSON {
				return s.reply(decideReply{decideForm, false, taken})
			} else if dry {
				fmt.Fprintf(s.err, "nothing is written: this would be decision %d: %s\n", taken.Number, taken.Text())
				return nil
			}
			defer s.upkeep.hold()()
			if err := considered.Write(cmd.Context(), Version()); err != nil {
				return err
			}
			if s.asJSON {
				return s.reply(decideReply{decideForm, true, taken})
			}
			fmt.Fprintf(s.err, "decision %d: %s\n", taken.Number, taken.Text())
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&d.Author, "author", "", "`NAME` of who decides")
	f.StringVar(&d.Reason, "reason", "", "`WHY`, in a sentence that everybody may read")
	f.StringVar(&d.Link, "link", "", "`ADDRESS` of a page that says more")
	f.BoolVar(&dry, "dry-run", false, "show what would change, and write nothing")
	f.BoolVar(&all, "all", false, "show every reference value that changes, not the first 40")
	f.BoolVar(&published, "after-publication", false, "decide although the results are published")
	return orContest(cmd, args-1)
}

func newDecideList(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use: "list DIR", Short: "List the decisions on a campaign", Long: "List the decisions on a campaign.",
		Example: "  podium decide list campaign",
		Args:    exactArgs(1, "the directory of a campaign"),
		RunE: ofCampaign(func(_ *cobra.Command, c *campaign.Campaign) error {
			record, err := decisions.Read(c.Dir)
			if err != nil {
				return err
			}
			if s.asJSON {
				return s.reply(decisionsReply{record.Decisions})
			}
			return folded(s.out, record.WriteList)
		}),
	}
	return orContest(cmd)
}
