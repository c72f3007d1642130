package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/referee"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
)

// proveOptions are the flags of prove.
type proveOptions struct {
	referee.Options
	against    string
	exams      []string
	values     bool
	techniques bool
	untaken    error                // why some inputs are left out
	compared   []referee.Comparison // known answers that are refuted, or one tool's alone
	proved     []certifiedValue     // with values
}

func newProve(s *streams) *cobra.Command {
	o := proveOptions{Options: referee.Options{Budget: time.Minute, Memory: 8e9}}
	cmd := &cobra.Command{
		Use:   "prove PATH... | CAMPAIGN",
		Short: "Prove values without a vote, and compare known answers",
		Long: `Prove decides the examinations of instances, and never guesses: what it cannot prove within
the budget stays open. A coloured net is asked without its colours first, and then unfolded. The budget
is processor time for each examination, of all cores together, and on a busy host at most eight times as
much wall time; reading and unfolding count for the first one. All cores are used that the process may
use (GOMAXPROCS).

--out writes oracle files, a certificate that says how each value was proved, and witnesses for
` + "`podium check witness`" + `. A second table counts values by the technique that decided them, and how many the
witnesses show: by a run, by a proof, or by enumeration of at most 10^6 markings. Enumeration is also
that of reduced nets, and with stubborn sets. What stays open is left to the vote.

--values lists the proved values, each with the evidence that decided it. Where oracle files name the
tools behind a value, values of one tool alone are counted, and listed with --values.

--techniques prints what each technique did: processor time, values decided, and values that got
evidence. --without leaves some techniques out, to see what they are worth; nothing is kept then.

With --replay another table shows, for each examination, how long it took to find the runs and proofs
of its witness files, and how long a replay of them takes.

With the directory of a campaign, it takes its instances and examinations, and keeps the
certificate in CAMPAIGN/certified, where score, publish and explain find it. Called again, it goes on
where it stopped. What stayed open is tried again only with a larger budget.

--against compares with other answers and counts those that agree and those that are
contradicted.

What cannot be read stays open, and so does what fails inside podium, whose stack is then in a
file; everything else is decided, and the end says what is missing.

Exit codes: 0 nothing is contradicted, 1 something failed inside podium, 2 usage, 3 some answers
are contradicted, 4 some input is invalid, 6 the campaign was made from other inputs,
130 interrupted and resumable.`,
		Example: `  podium prove MyModel-PT-01 --values
  podium prove INPUTS/ --budget 10s --out certified --against oracle/
  podium prove out/contest && podium score --certified out/contest`,
		Args: someArgs("instances (directories, archives or nets), or a campaign"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && judged.IsCampaign(args[0]) {
				c, err := campaign.Open(args[0])
				if err != nil {
					return err
				}
				if err := judged.CheckEdition(c); err != nil {
					return err
				}
			}
			return o.certify(cmd.Context(), s, args)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.Dir, "out", "o", "", "directory for certificate and oracle files")
	f.StringVar(&o.against, "against", "", "known answers: a directory of oracle files, or a table oracle_by_id.csv")
	f.StringSliceVarP(&o.exams, "examination", "x", nil, "only these examinations, separated by commas")
	f.DurationVar(&o.Budget, "budget", o.Budget, "processor time for each examination of each instance")
	f.Var((*memorySize)(&o.Memory), "memory", "memory for the markings")
	f.BoolVar(&o.Again, "again", false, "decide again what the certificate holds already")
	f.BoolVar(&o.values, "values", false, "list the values that are proved")
	f.BoolVar(&o.techniques, "techniques", false, "print what each technique did, and in what time")
	f.StringSliceVar(&o.Without, "without", nil, "leave out these techniques, separated by commas")
	f.BoolVar(&o.Replay, "replay", false, "replay the runs and proofs that are written, and print how long that takes")
	return cmd
}

func (o *proveOptions) certify(ctx context.Context, s *streams, args []string) error {
	instances, exams, err := o.inputs(s, args)
	if err != nil {
		return err
	}
	if o.Replay && o.Dir == "" {
		return usageError{errors.New("--replay replays the witnesses that --out DIR writes: name a directory")}
	}
	for _, name := range o.Without {
		if all := referee.Techniques(); !slices.Contains(all, name) {
			return usageError{fmt.Errorf("there is no technique %s%s", diagnostic.Excerpt(name), diagnostic.Instead(name, all))}
		}
	}
	if len(o.Without) > 0 && o.Dir != "" {
		return usageError{errors.New("--without shows what techniques are worth, and its results are not kept: name instances, and leave --out out")}
	}
	known, err := oracle.Open(o.against)
	if err != nil {
		return err
	}
	o.Cores, o.Version, o.Known, o.Say = runtime.GOMAXPROCS(0), Version(), known, s.say
	o.Compared = func(c referee.Comparison) {
		o.compared = append(o.compared, c)
		if c.Refuted() && !s.asJSON {
			fmt.Fprintf(s.out, "contradicted: %s %s %s: %s is given%s, %s is proved\n", c.Key.Instance, c.Key.Exam, c.Key.Item, diagnostic.ShortNumber(c.Given), by(c.By), diagnostic.ShortNumber(c.Proved))
		}
	}
	if o.values {
		o.Proved = o.list
	}
	r, err := referee.New(o.Options)
	if err != nil {
		return err
	}
	if most := o.Budget * time.Duration(len(instances)*len(exams)); most > 5*time.Minute {
		fmt.Fprintf(s.err, "%s, %s each: at most %s of processor time, as --budget %s says for each examination; it may be interrupted, and goes on with --out\n",
			wording.Count(len(instances), "instance", "instances"), wording.Count(len(exams), "examination", "examinations"), wording.Brief(most), wording.Brief(o.Budget))
	}
	for k := 0; k < len(instances) && err == nil; k++ {
		fmt.Fprintln(s.err, instances[k].ID)
		err = r.Instance(ctx, instances[k], exams)
	}
	if ctx.Err() != nil && o.Dir != "" {
		fmt.Fprintln(s.err, "interrupted: the same command goes on")
	}
	amiss := errors.Join(o.untaken, r.Close())
	if err != nil {
		return errors.Join(err, amiss)
	}
	if rows, _ := tallied(r, exams); amiss != nil && rows[len(rows)-1].Decided() == 0 && !s.asJSON {
		return amiss // findings alone: nothing is counted
	}
	if err := o.printTally(s, r, exams); err != nil {
		return errors.Join(amiss, err)
	}
	if o.Dir == "" && o.against == "" && !o.values && !s.asJSON {
		fmt.Fprintln(s.err, "the values are counted only: --values lists them, --out DIR writes them")
	}
	return amiss
}

// list keeps the proved values of an examination for the list.
func (o *proveOptions) list(p oracle.Proof) {
	values := slices.Clone(p.Values)
	if p.Exam.HasFormulas() {
		slices.SortFunc(values, func(a, b oracle.ProvedValue) int { return strings.Compare(a.Item, b.Item) })
	}
	for _, v := range values {
		o.proved = append(o.proved, certifiedValue{p.Instance, string(p.Exam), v.Item, v.Text, string(v.By)})
	}
}

// inputs finds out what is to be certified; in a campaign, what it runs.
func (o *proveOptions) inputs(s *streams, args []string) ([]models.Instance, []examinations.ID, error) {
	exams := slices.DeleteFunc(examinations.All(), func(e examinations.ID) bool { return e == examinations.GlobalProperties })
	var c *campaign.Campaign
	if len(args) == 1 && judged.IsCampaign(args[0]) {
		var err error
		if c, err = campaign.Open(args[0]); err != nil {
			return nil, nil, err
		}
		exams = c.Plan.NetExaminations()
		if len(exams) == 0 {
			return nil, nil, usageError{fmt.Errorf("the referee decides nets, and %s is a contest on tasks, whose verdicts are given", args[0])}
		}
		if o.Dir == "" {
			o.Dir = judged.CertifiedDir(c)
		}
		args = nil
		for i := range c.Plan.Nets() {
			args = append(args, c.Path(i.Path))
		}
	}
	if len(o.exams) > 0 {
		exams = nil
		for _, name := range o.exams {
			exam, err := examinations.ParseID(name)
			if err != nil {
				return nil, nil, usageError{err}
			}
			exams = append(exams, exam)
		}
	}
	opened, err := s.open(args...)
	if len(opened.Instances) == 0 {
		return nil, nil, err
	}
	if o.untaken = err; err != nil {
		fmt.Fprintf(s.err, "%s cannot be taken; the others are decided, and the end says why\n", wording.Count(opened.Findings.Count(diagnostic.Error), "path", "paths"))
	}
	if c == nil {
		return opened.Instances, exams, nil
	}
	for _, i := range opened.Instances {
		digest, err := i.Digest()
		if err != nil {
			return nil, nil, err
		}
		if planned, ok := c.Plan.Instance(i.ID.String()); ok && planned.Digest != digest {
			return nil, nil, &campaign.ChangedError{What: "instance " + planned.ID}
		}
	}
	return opened.Instances, exams, nil
}

// printTally prints what was decided, and below it by which evidence; a contradiction is the command's outcome.
func (o *proveOptions) printTally(s *streams, r *referee.Referee, exams []examinations.ID) error {
	out := s.out
	if s.asJSON {
		return o.printJSON(s, r, exams)
	}
	if len(o.proved) > 0 {
		w := wording.Table(out)
		fmt.Fprintln(w, "instance\texamination\titem\tvalue\tdecided by")
		for _, v := range o.proved {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", v.Instance, v.Exam, v.Item, diagnostic.ShortNumber(v.Value), v.By)
		}
		if err := w.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	rows, contradictions := tallied(r, exams)
	w := wording.Numbers(out)
	compared := "agree\tcontradict\tnot known\t"
	if o.against == "" {
		compared = ""
	}
	fmt.Fprintf(w, "examination\tdecided\tof\t%svote only\t\n", compared)
	for _, c := range rows {
		if compared != "" {
			compared = fmt.Sprintf("%d\t%d\t%d\t", c.Agree, c.Contradict, c.New)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s%s\t\n", c.name, c.Decided(), c.asked(), compared, wording.Percent(c.Undecided, c.asked()))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\ndecided by\trun\tproof\tenumeration\tdiagrams\twalks\tsimplification\tshown by replay\t")
	for _, c := range rows {
		f := c.Found
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", c.name, f.Run, f.Proof, f.Enumeration, f.Diagrams, f.Walks, f.Simplification, c.Shown())
	}
	if o.Replay {
		fmt.Fprintln(w, "\nreplayed\tfiles\tvalues\tnot confirmed\tfound in\treplayed in\tover twice\t")
		for _, c := range rows {
			t := c.Took
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.2fs\t%.2fs\t%d\t\n", c.name, t.Files, t.Values, t.Unconfirmed, float64(t.Finding)/1e6, float64(t.Replaying)/1e6, t.Slow)
		}
	}
	if o.techniques {
		fmt.Fprintln(w, "\ntechnique\tturns\tCPU time\tdecided\tgot evidence\t")
		for _, t := range r.Works() {
			fmt.Fprintf(w, "%s\t%d\t%.1fs\t%d\t%d\t\n", t.Technique, t.Turns, float64(t.CPU)/1e6, t.Decided, t.Shown)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := o.printAlone(out); err != nil {
		return err
	}
	return contradictedError(contradictions)
}

// printAlone says how many known values rest on one tool alone, and which.
func (o *proveOptions) printAlone(out io.Writer) error {
	alone := slices.DeleteFunc(slices.Clone(o.compared), func(c referee.Comparison) bool { return c.Alone() == "" })
	if len(alone) == 0 {
		return nil
	}
	type count struct{ all, agree, refuted int }
	counts := map[string]*count{}
	w := wording.Table(out)
	if o.values {
		fmt.Fprintln(w, "\nof one tool alone\tinstance\texamination\titem\tvalue\tproved")
	}
	for _, c := range alone {
		tool := diagnostic.Cut(c.Alone())
		if counts[tool] == nil {
			counts[tool] = &count{}
		}
		n := counts[tool]
		n.all++
		proved := diagnostic.ShortNumber(c.Proved)
		switch {
		case c.Refuted():
			n.refuted++
		case c.Proved != "":
			n.agree++
		default:
			proved = "-"
		}
		if o.values {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", tool, c.Key.Instance, c.Key.Exam, c.Key.Item, diagnostic.ShortNumber(c.Given), proved)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	w = wording.Numbers(out)
	fmt.Fprintln(w, "\nof one tool alone\tvalues\tagree\tcontradict\tundecided\t")
	for _, tool := range slices.Sorted(maps.Keys(counts)) {
		n := counts[tool]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", tool, n.all, n.agree, n.refuted, n.all-n.agree-n.refuted)
	}
	return w.Flush()
}

// by names the tools that gave a known value, where that is known.
func by(tools []string) string {
	switch len(tools) {
	case 0:
		return ""
	case 1:
		return " by " + diagnostic.Cut(tools[0]) + " alone"
	}
	return " by " + diagnostic.Cut(strings.Join(tools, ", "))
}

// row is what was counted of an examination, or of all.
type row struct {
	name string
	referee.Tally
}

// asked is the number of values that were asked.
func (r *row) asked() int { return r.Decided() + r.Undecided }

// tallied returns a row for each examination and, of several, one for all.
func tallied(r *referee.Referee, exams []examinations.ID) (rows []row, contradictions int) {
	all := row{name: "all"}
	for _, exam := range exams {
		c := row{string(exam), *r.Tally(exam)}
		rows = append(rows, c)
		all.Add(c.Tally)
	}
	if len(rows) > 1 {
		rows = append(rows, all)
	}
	return rows, all.Contradict
}

func contradictedError(n int) error {
	if n > 0 {
		return incompleteError{wording.Count(n, "answer is contradicted", "answers are contradicted")}
	}
	return nil
}

func (o *proveOptions) printJSON(s *streams, r *referee.Referee, exams []examinations.ID) error {
	document := proveReply{Values: o.proved}
	if o.techniques {
		document.Techniques = r.Works()
	}
	for _, c := range o.compared {
		said := contradiction{c.Key.Instance.String(), string(c.Key.Exam), c.Key.Item, c.Given, c.Proved, c.By}
		if c.Refuted() {
			document.Contradicted = append(document.Contradicted, said)
		}
		if c.Alone() != "" {
			document.Alone = append(document.Alone, said)
		}
	}
	contradictions := 0
	for _, exam := range exams {
		c := r.Tally(exam)
		contradictions += c.Contradict
		x := certifiedExam{Exam: exam, Tally: *c, Decided: c.Decided()}
		if o.Replay {
			x.Replayed = &c.Took
		}
		document.Exams = append(document.Exams, x)
	}
	return errors.Join(s.reply(document), contradictedError(contradictions))
}
