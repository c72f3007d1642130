package cmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"podium/internal/ask"
	"podium/internal/campaign"
	"podium/internal/carried"
	"podium/internal/fault"
	"podium/internal/judged"
	"podium/internal/publish"
	"podium/models"
)

// publishing is what `podium publish` and `contest` write.
type publishing struct {
	source
	earlier               earlierContests
	out, figures, licence string
	nets                  []string // of files of results
	toolFacts             string   // of files of results, a file
}

func newPublish(s *streams) *cobra.Command {
	var o publishing
	var bench string
	var previous []string
	cmd := &cobra.Command{
		Use:   "publish SOURCE...",
		Short: "Write the pages, plots and CSV files of a campaign or of results",
		Long: `Publish writes DIR/published from the journal: a static site that needs no server and no
network, CSV files, and provenance.json with the digest of every file. It may be called at any
time, also while a worker runs. Surprise models under an embargo (podium plan --embargo) are
not named: without --without-surprise nothing is written then. After ` + "`podium prove DIR`" + ` a page of the site names the
reference values that are refuted, with the evidence.

` + sourceHelp + ` Pages made from files show what the files
say; --out names the directory, and --models those of the nets, whose sizes, structure and
pictures are shown, too (of files up to 1 MiB).

With --previous EDITION=FILE, places, points and values of an earlier edition are shown beside those
of the contest, on the front page and on the pages of tools and categories. Its own rules judge
it. The flag may be repeated. Where the file does not say classes of instances or families of
tools, name them: --previous mcc2017=answers-2017.csv.gz,classes=classes-2017.csv.

Exit codes: 0 done, also while runs are missing, 1 internal failure, 2 usage, 3 outputs that cannot be read are left
out, 4 invalid input, 5 the pages cannot be written, 6 the campaign was made with another edition, 130 interrupted.`,
		Example: "  podium publish out/contest\n  podium publish --edition mcc2016 --out elsewhere out/contest\n  podium publish --edition svcomp2019 --out site results/*.xml.bz2\n  podium publish --figures paper/figures out/contest\n  podium publish --previous mcc2019=raw-result-analysis-2019.csv.zip out/contest",
		Args:    someArgs("a campaign or files of results"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if bench != "" {
				return publishWorkbench(cmd.Context(), s, bench)
			}
			if o.figures != "" && len(previous) > 0 {
				return usageError{fmt.Errorf("the figures show no earlier edition: leave out --previous, or --figures")}
			}
			ofFiles, err := o.readFiles(s, args, previous)
			if err != nil {
				return err
			}
			if ofFiles != nil {
				return o.publishFiles(cmd.Context(), s, ofFiles)
			}
			if len(o.nets) > 0 {
				return usageError{fmt.Errorf("%s is a campaign, which has its models: --models is for files of results", args[0])}
			}
			if o.toolFacts != "" {
				return usageError{fmt.Errorf("%s is a campaign, whose tools have manifests: --tools-facts is for files of results", args[0])}
			}
			c, err := campaign.Open(args[0])
			if err != nil {
				return err
			}
			return o.publishCampaign(cmd.Context(), s, c)
		},
	}
	o.registerFiles(cmd)
	registerCertified(cmd, &o.Certificate)
	cmd.Flags().StringVarP(&o.Edition, "edition", "e", "", "score under this edition instead of the campaign's")
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "directory that is written (default: DIR/published of a campaign)")
	cmd.Flags().StringVar(&bench, "workbench", "", "write only the page that checks models, formulas, outputs and witnesses in the browser, into this `DIR`")
	cmd.Flags().StringVar(&o.figures, "figures", "", "write only the figures, each as SVG, PDF and PNG, into this `DIR`")
	cmd.Flags().StringArrayVarP(&o.nets, "models", "m", nil, "of files of results: show sizes, structure and pictures of the nets in this `PATH`; may be repeated")
	cmd.Flags().StringVar(&o.licence, "licence", "", "licence of the data, an address or a `NAME` such as CC-BY-4.0, which the page Data shows")
	cmd.Flags().StringVar(&o.toolFacts, "tools-facts", "", "of files of results: a YAML `FILE` that says who made the tools: NAME: {authors: ..., version: ..., about: ..., home: ..., licence: ..., archive: ...}")
	registerPrevious(cmd, &previous)
	registerWithoutSurprise(cmd, &o.WithoutEmbargoed)
	return cmd
}

// publishWorkbench writes the page that looks at files of its reader.
func publishWorkbench(ctx context.Context, s *streams, dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return usageError{fmt.Errorf("%s is a file: name a directory for the page", dir)}
	}
	program, err := pagesProgram()
	if err != nil {
		return hostError{err}
	}
	if err := publish.WriteWorkbench(ctx, dir, Version(), program); err != nil {
		return err
	}
	return s.published(publishReply{Directory: dir, Page: filepath.Join(dir, "index.html")}, nil)
}

// published says what was published: by its document, or else by what show prints.
func (s *streams) published(document publishReply, show func() error) error {
	if s.asJSON {
		return s.reply(document)
	}
	if show != nil {
		if err := show(); err != nil {
			return err
		}
	}
	if document.Page == "" {
		fmt.Fprintf(s.err, "figures: %s\n", document.Directory)
	} else {
		fmt.Fprintf(s.err, "published: %s\n", document.Page)
	}
	return nil
}

// pagesProgram returns the program that pages run.
func pagesProgram() (*publish.Program, error) {
	wasm, err := carried.Packed(carried.Pages)
	if err != nil {
		return nil, err
	}
	glue, err := carried.Glue()
	if err != nil {
		return nil, err
	}
	return &publish.Program{Wasm: wasm, Glue: glue}, nil
}

// publishCampaign writes the site and prints the podium.
func (o *publishing) publishCampaign(ctx context.Context, s *streams, c *campaign.Campaign) error {
	if err := judged.Nameable(c, time.Now()); err != nil && !o.WithoutEmbargoed {
		return fmt.Errorf("nothing is published: %w; --without-surprise publishes the rest", err)
	} else if err != nil {
		fmt.Fprintf(s.err, "%v: they are left out\n", err)
	}
	defer withinMemory(c.Plan.Count())()
	j, err := judge(ctx, s, c, o.Options)
	if err != nil {
		return err
	}
	if o.figures != "" {
		return writeFigures(ctx, s, o.figures, view(j))
	}
	out := cmp.Or(o.out, filepath.Join(c.Dir, "published"))
	if err := o.writeSite(ctx, s, out, pagesOf(j), &j.Contest); err != nil {
		return err
	}
	return s.unread(j.Unread())
}

// The memory that publishing may take before garbage is collected more often than usual:
// 5.5 kB for a run, and at least as much as 250,000 runs have.
const (
	memoryOfRun = 5500
	leastLimit  = 1300 << 20
)

// withinMemory collects garbage more often where the contest would take more memory than it
// needs, until the function that it returns is called. A limit that a person set stays.
func withinMemory(runs int) (end func()) {
	before := debug.SetMemoryLimit(-1) // asks only
	debug.SetMemoryLimit(min(before, max(leastLimit, int64(runs)*memoryOfRun)))
	return func() { debug.SetMemoryLimit(before) }
}

// pagesOf shows a judged campaign as its site does.
func pagesOf(j *judged.Campaign) *publish.Contest {
	shown := view(j)
	shown.Describe(j)
	return shown
}

// readFiles reads the earlier editions, and then the contest, where it comes from files.
func (o *publishing) readFiles(s *streams, args, previous []string) (*judged.Files, error) {
	defer withinMemory(0)()
	var err error
	if o.earlier, err = readEarlier(s, previous); err != nil {
		return nil, err
	}
	return o.ofFiles(s, args)
}

// publishFiles writes the site of a contest that was read from files.
func (o *publishing) publishFiles(ctx context.Context, s *streams, f *judged.Files) error {
	defer withinMemory(len(f.Result.Contest.Runs))()
	if o.figures != "" {
		return writeFigures(ctx, s, o.figures, publish.OfFiles(f))
	}
	if o.out == "" {
		return usageError{fmt.Errorf("files of results have no place for pages of their own: name a directory with --out")}
	}
	shown := publish.OfFiles(f)
	var instances []models.Instance
	if len(o.nets) > 0 {
		collection, err := s.open(o.nets...)
		if err != nil {
			return err
		}
		instances = collection.Instances
	}
	if err := shown.DescribeFiles(instances); err != nil {
		return err
	}
	if o.toolFacts != "" {
		if err := shown.DescribeTools(o.toolFacts); err != nil {
			return err
		}
	}
	return o.writeSite(ctx, s, o.out, shown, &f.Contest)
}

// writeFigures writes the figures of a contest for papers.
func writeFigures(ctx context.Context, s *streams, dir string, shown *publish.Contest) error {
	defer s.upkeep.hold()() // a directory half written
	if err := publish.WriteFigures(ctx, dir, shown); err != nil {
		return err
	}
	return s.published(publishReply{Directory: dir}, nil)
}

func (o *publishing) writeSite(ctx context.Context, s *streams, out string, shown *publish.Contest, scored *judged.Contest) error {
	o.earlier.addTo(shown)
	shown.Licence = o.licence
	defer s.upkeep.hold()() // a directory half written
	err := writePages(ctx, out, shown, scored)
	if failed := (*fault.Error)(nil); err != nil && !errors.As(err, &failed) {
		return err
	}
	document := publishReply{Directory: out, Page: filepath.Join(out, "index.html"), Scores: ask.NewScores(scored.Result, scored.Edition)}
	return errors.Join(err, s.published(document, func() error {
		if err := publish.Summary(s.out, shown, width(s.out)); err != nil {
			return err
		}
		if shown.Program == nil {
			s.say("note: the site lacks the pages Ask and Workbench, which compute in the browser: this podium does not carry their program; `make build` makes one that does")
		}
		return nil
	}))
}

// writePages writes the site of a contest.
func writePages(ctx context.Context, out string, shown *publish.Contest, scored *judged.Contest) error {
	if err := makeCompute(shown, scored); err != nil {
		return err
	}
	return publish.Write(ctx, out, shown)
}

// makeCompute gives the site the program that its pages run, where this podium
// carries it: to build one for each site would take longer than the site.
func makeCompute(shown *publish.Contest, scored *judged.Contest) error {
	if !carried.Computes {
		return nil
	}
	program, err := pagesProgram()
	if err != nil {
		return err
	}
	var answers bytes.Buffer
	if err := ask.Write(&answers, scored.Result.Contest, scored.Edition); err != nil {
		return err
	}
	shown.Program, shown.Answers = program, answers.Bytes()
	return nil
}
