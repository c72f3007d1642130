package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"podium/edition"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/results"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// source says where answers come from and how they are judged: a campaign, or a
// published file of results.
type source struct {
	judged.Options
	classes, families string
	outOfCompetition  []string
	changes           []string
	only              string // a selection of the runs that are shown; empty: all

	// forOthers tells that what is made of the source leaves the organisers' hands,
	// so that models under an embargo are not named (M-6).
	forOthers bool

	// What load has found.
	proofs *judged.Certificate // nil without a referee
	// techniques are those of the runs of a file, by their order; nil where it says none.
	techniques []string
	of         *judged.Campaign // nil where the source is no campaign
}

func (o *source) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.Edition, "edition", "e", o.Edition, "edition: an `ID` or a file of your own (default: that of the campaign)")
	o.registerFiles(cmd)
}

// registerFiles is the flags of what files of results do not say.
func (o *source) registerFiles(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.classes, "classes", "", "CSV file instance,class (known, stripped or surprise), for files that do not say it")
	f.StringVar(&o.families, "families", "", "CSV file tool,family: variants of one submission (E-4.5)")
	f.StringSliceVar(&o.outOfCompetition, "out-of-competition", nil, "tools that vote but are not ranked")
}

const sourceHelp = `The source is the directory of a campaign, or a file: raw-result-analysis.csv as the contest
publishes it, an answers CSV (` + results.AnswersHeader + `), or result XML
of BenchExec. A file may be packed as .zip, .gz, .tar.gz or .bz2. Several XML files are one source;
a directory with files named *.results.*xml* stands for these.`

// defaultCampaign is where `podium contest` makes a campaign, and what commands take
// where none is named.
var defaultCampaign = filepath.Join("out", "contest")

// ofCampaign is what a command does with the campaign in the directory that its first argument names.
func ofCampaign(run func(cmd *cobra.Command, c *campaign.Campaign) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, err := campaign.Open(args[0])
		if err != nil {
			return err
		}
		return run(cmd, c)
	}
}

// orContest lets a command that takes a campaign do without its name. others says how many arguments
// may follow the campaign (default: none).
func orContest(cmd *cobra.Command, others ...int) *cobra.Command {
	named := func(args []string) []string {
		if others == nil && len(args) == 0 || slices.Contains(others, len(args)) {
			return append([]string{defaultCampaign}, args...)
		}
		return args
	}
	check, run := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, args []string) error { return check(cmd, named(args)) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd, named(args)) }
	words := strings.Fields(cmd.Use)
	operand := strings.TrimSuffix(words[1], "...")
	words[1] = "[" + words[1] + "]"
	cmd.Use = strings.Join(words, " ")
	text, codes, _ := strings.Cut(cmd.Long, "Exit codes:")
	cmd.Long = strings.TrimRight(text, "\n") + "\n\nWithout " + operand + " it takes " + defaultCampaign + "."
	if codes != "" {
		cmd.Long += "\n\nExit codes:" + codes
	}
	return cmd
}

// inputs are the files and directories that are read: the sources, and what flags name.
func (o *source) inputs(paths []string) []string {
	list := slices.Clone(paths)
	for _, path := range []string{o.classes, o.families, o.Edition} { // an edition may be an id
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			list = append(list, path)
		}
	}
	if o.Certificate != "" && o.Certificate != ownCertificate {
		list = append(list, o.Certificate)
	}
	return list
}

// sourceIsDir tells a campaign from a file of results.
func sourceIsDir(path string) (bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, diagnostic.List{{File: path, Code: "source-missing", Message: "there is neither a campaign nor a file of results here",
			Hint: campaign.Elsewhere(path, "name one, or make a campaign: `podium contest` makes one in "+defaultCampaign)}}
	} else if err != nil {
		return false, err
	}
	if info.IsDir() && !campaign.Is(path) {
		if some := resultFiles(path); some != "" {
			return false, diagnostic.List{{File: path, Code: "source-directory", Message: "this directory is no campaign, and holds files of results", Hint: "name the files: " + some}}
		}
	}
	return info.IsDir(), nil
}

// resultFiles returns a pattern of files in a directory that are results by their names, empty
// where there are none.
func resultFiles(dir string) string {
	entries, _ := os.ReadDir(dir)
	for _, ending := range []string{".xml.bz2", ".xml.gz", ".xml", ".csv.zip", ".csv"} {
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ending) && !e.IsDir() {
				return filepath.Join(dir, "*"+ending)
			}
		}
	}
	return ""
}

// load returns the answers, what is proved of them, and the edition that judges them.
func (o *source) load(ctx context.Context, s *streams, paths ...string) (*scoring.Contest, *edition.Edition, error) {
	paths, err := judged.ResultFiles(paths)
	if err != nil {
		return nil, nil, err
	}
	if isDir, err := sourceIsDir(paths[0]); err != nil {
		return nil, nil, err
	} else if isDir {
		return o.loadCampaign(ctx, s, paths)
	}
	return o.loadFiles(s, paths)
}

// ofFiles scores files of results; it returns nil for a campaign.
func (o *source) ofFiles(s *streams, paths []string) (*judged.Files, error) {
	paths, err := judged.ResultFiles(paths)
	if err != nil {
		return nil, err
	}
	if isDir, err := sourceIsDir(paths[0]); err != nil {
		return nil, err
	} else if isDir {
		return nil, o.onlyCampaign(paths)
	}
	c, ed, err := o.loadFiles(s, paths)
	if err != nil {
		return nil, err
	}
	f := judged.OfFiles(c, o.techniques, ed, o.proofs)
	return f, f.Name(paths)
}

func (o *source) loadFiles(s *streams, paths []string) (*scoring.Contest, *edition.Edition, error) {
	ed, err := o.loadEdition()
	if err != nil {
		return nil, nil, err
	}
	p, err := o.participants()
	if err != nil {
		return nil, nil, err
	}
	c, techniques, found, err := judged.FromResults(paths, ed, p)
	if err != nil {
		return nil, nil, err
	}
	if err := sayWarnings(s, found); err != nil {
		return nil, nil, err
	}
	o.techniques = techniques
	if err := judged.CheckTools(c, o.outOfCompetition); err != nil || o.Certificate == "" {
		return c, ed, err
	}
	if o.Certificate == ownCertificate {
		return nil, nil, usageError{fmt.Errorf("a file of results has no certificate of its own: name one with --certified=DIR")}
	}
	if o.proofs, err = judged.OpenCertificate(o.Certificate, s.say); err != nil {
		return nil, nil, err
	}
	return c.WithCertified(o.proofs.Values), ed, nil
}

// judged returns the contest as the edition judges it.
func (o *source) judged(ctx context.Context, s *streams, paths ...string) (*judged.Contest, error) {
	c, ed, err := o.load(ctx, s, paths...)
	switch {
	case err != nil:
		return nil, err
	case o.of == nil && o.only != "":
		return nil, usageError{fmt.Errorf("--only chooses runs of a campaign, and %s is a file of results", paths[0])}
	case o.of == nil:
		return &judged.OfFiles(c, o.techniques, ed, o.proofs).Contest, nil
	}
	j := o.of.Contest
	j.Edition = ed
	switch {
	case o.only != "":
		j.Result, err = o.of.Only(o.only)
	case len(o.changes) > 0:
		j.Result = ed.Score(c)
	}
	return &j, err
}

func (o *source) loadCampaign(ctx context.Context, s *streams, paths []string) (*scoring.Contest, *edition.Edition, error) {
	if err := o.onlyCampaign(paths); err != nil {
		return nil, nil, err
	}
	c, err := campaign.Open(paths[0])
	if err != nil {
		return nil, nil, err
	}
	if err := o.mindEmbargo(s, c); err != nil {
		return nil, nil, err
	}
	j, err := judge(ctx, s, c, o.Options)
	if err != nil {
		return nil, nil, err
	}
	if other := j.OtherEdition(); other != "" {
		fmt.Fprintln(s.err, other)
	}
	o.proofs, o.of = j.Proofs, j
	ed, err := o.change(j.Edition)
	return j.Result.Contest, ed, err
}

// onlyCampaign refuses what does not go with the directory of a campaign.
func (o *source) onlyCampaign(paths []string) error {
	if len(paths) > 1 {
		return usageError{fmt.Errorf("%s is a campaign: name it alone", paths[0])}
	}
	if o.classes != "" || o.families != "" || len(o.outOfCompetition) > 0 {
		return usageError{fmt.Errorf("%s is a campaign, which knows its models and tools: --classes, --families and --out-of-competition are for files of results; out_of_competition of an edition of your own names tools without a place", paths[0])}
	}
	return nil
}

func (o *source) loadEdition() (*edition.Edition, error) {
	if o.Edition == "" {
		return nil, usageError{fmt.Errorf("a file of results does not say its rules: name them with --edition, one of %s", strings.Join(edition.Names(), ", "))}
	}
	ed, _, err := judged.LoadEdition(o.Edition)
	if err != nil {
		return nil, err
	}
	return o.change(ed)
}

// change applies --change.
func (o *source) change(ed *edition.Edition) (*edition.Edition, error) {
	var list []edition.Change
	for _, text := range o.changes {
		c, err := edition.ParseChange(text)
		if err != nil {
			return nil, usageError{err}
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return ed, nil
	}
	changed, err := ed.With(list...)
	if err != nil {
		return nil, usageError{err}
	}
	return changed, nil
}

// participants is what the flags say of tools and instances.
func (o *source) participants() (results.Participants, error) {
	p, err := judged.Participants(o.classes, o.families)
	p.OutOfCompetition = o.outOfCompetition
	return p, err
}

// sayWarnings prints warnings and gives the list when there are errors.
func sayWarnings(s *streams, found diagnostic.List) error {
	if err := found.Err(); err != nil {
		return err
	}
	return found.WriteGrouped(s.err, "")
}

func registerCertified(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "certified", "", "certificate that podium prove wrote to `DIR` (default: the campaign's own, if it has one)")
}

// registerWithoutSurprise is the flag of commands that write for others.
func registerWithoutSurprise(cmd *cobra.Command, leave *bool) {
	cmd.Flags().BoolVar(leave, "without-surprise", false, "leave surprise models out, as if they were not there, until their embargo ends")
}

// mindEmbargo refuses to write of a campaign for others while models may not be
// named, unless they are left out (M-6). Who only prints for organisers is told
// that it is for them.
func (o *source) mindEmbargo(s *streams, c *campaign.Campaign) error {
	err := judged.Nameable(c, time.Now())
	switch {
	case err == nil:
		return nil
	case o.WithoutEmbargoed:
		fmt.Fprintf(s.err, "%v: they are left out\n", err)
	case o.forOthers:
		return fmt.Errorf("nothing is exported: %w; --without-surprise exports the rest", err)
	default:
		fmt.Fprintf(s.err, "%v: what is printed is for organisers only\n", err)
	}
	return nil
}
