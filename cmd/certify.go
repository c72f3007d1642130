package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/internal/clock"
	"podium/internal/contest"
	"podium/internal/explorer"
	"podium/internal/witness"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/pnml/unfold"
)

// certifyOptions are the flags of certify.
type certifyOptions struct {
	out, against string
	exams        []string
	budget       time.Duration
	memory       byteSize
	again        bool
}

func newCertify(s *streams) *cobra.Command {
	o := certifyOptions{budget: time.Minute, memory: 8e9}
	cmd := &cobra.Command{
		Use:   "certify PATH... | CAMPAIGN",
		Short: "Decide what enumeration can decide, and compare known answers",
		Long: `Certify decides the examinations of instances exactly, each within the budget: P/T nets as they
are, coloured nets by their unfolding. What it cannot decide it leaves open; it never guesses.
It enumerates on all cores that the process may use (GOMAXPROCS); the budget is wall time,
that of the first examination also for reading and unfolding.
--out writes oracle files, a certificate that says how each value was proved, and witnesses for
` + "`podium replay`" + `. With the
directory of a campaign, its instances and examinations are certified and the certificate is
kept in CAMPAIGN/certified, where score, publish and explain find it. Called again, certify
goes on where it stopped; what was open is tried again with a larger budget only.

--against compares with other answers and counts those that agree and those that are
contradicted.

Exit codes: 0 nothing is contradicted, 2 usage, 3 some answers are contradicted, 4 invalid
input, 6 the campaign was made from other inputs, 130 interrupted and resumable.`,
		Example: `  podium certify INPUTS/ --budget 10s --out certified --against oracle/
  podium certify out/contest && podium score --certified out/contest`,
		Args: someArgs("instance directories or archives, or a campaign"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && contest.IsCampaign(args[0]) {
				c, err := campaign.Open(args[0])
				if err != nil {
					return err
				}
				if err := contest.CheckEdition(c); err != nil {
					return err
				}
			}
			return o.certify(cmd.Context(), s, args)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.out, "out", "o", "", "directory for certificate and oracle files")
	f.StringVar(&o.against, "against", "", "known answers: a directory of oracle files, or a table oracle_by_id.csv")
	f.StringSliceVarP(&o.exams, "examination", "x", nil, "only these examinations, separated by commas")
	f.DurationVar(&o.budget, "budget", o.budget, "wall time for each examination of each instance")
	f.Var((*memorySize)(&o.memory), "memory", "memory for the markings")
	f.BoolVar(&o.again, "again", false, "decide again what the certificate holds already")
	return cmd
}

// referee is certify at work.
type referee struct {
	*certifyOptions
	talk   *streams
	known  map[examinations.Key]examinations.Value // nil unless --against is a table
	before *oracle.Certificate                     // of an earlier call, nil without one
	file   *os.File                                // the certificate, nil without --out
	counts map[examinations.ID]*tally
	faults error // of formulas that make no sense
}

// tally counts the values of one examination.
type tally struct{ agree, contradict, decided, undecided int }

func (o *certifyOptions) certify(ctx context.Context, s *streams, args []string) error {
	instances, exams, err := o.inputs(args)
	if err != nil {
		return err
	}
	r := &referee{certifyOptions: o, talk: s, counts: map[examinations.ID]*tally{}}
	if filepath.Ext(o.against) == ".csv" {
		// One table holds every instance: it is read once.
		if r.known, err = (&outputOptions{oracle: o.against}).readOracle(asked{}); err != nil {
			return err
		}
	}
	for _, exam := range exams {
		r.counts[exam] = &tally{}
	}
	if err := r.open(); err != nil {
		return err
	}
	for _, i := range instances {
		if err = r.instance(ctx, i, exams); err != nil {
			break
		}
	}
	if r.file != nil {
		err = errors.Join(err, r.file.Close())
	}
	if ctx.Err() != nil && r.file != nil {
		fmt.Fprintln(s.err, "interrupted: the same command goes on")
	}
	if err != nil {
		return err
	}
	return errors.Join(r.faults, r.report(exams))
}

// inputs finds out what is to be certified; in a campaign, what it runs.
func (o *certifyOptions) inputs(args []string) ([]models.Instance, []examinations.ID, error) {
	exams := slices.DeleteFunc(slices.Clone(examinations.All), func(e examinations.ID) bool { return e == examinations.GlobalProperties })
	var c *campaign.Campaign
	if len(args) == 1 && contest.IsCampaign(args[0]) {
		var err error
		if c, err = campaign.Open(args[0]); err != nil {
			return nil, nil, err
		}
		exams = c.Plan.Examinations
		if o.out == "" {
			o.out = contest.CertifiedDir(c)
		}
		args = nil
		for _, i := range c.Plan.Instances {
			args = append(args, c.Path(i.Path))
		}
	}
	if len(o.exams) > 0 {
		exams = nil
		for _, name := range o.exams {
			exam, err := examinations.Parse(name)
			if err != nil {
				return nil, nil, usageError{err}
			}
			exams = append(exams, exam)
		}
	}
	opened, err := models.Open(args...)
	if err != nil || c == nil {
		return opened.Instances, exams, err
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

// open reads the certificate of an earlier call and prepares to append to it.
func (r *referee) open() error {
	if r.out == "" {
		return nil
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	path := filepath.Join(r.out, oracle.CertificateFile)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if r.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return err
	}
	if len(text) == 0 {
		return oracle.WriteCertificateHead(r.file)
	}
	before, found := oracle.ReadCertificate(bytes.NewReader(text), path)
	if err := sayWarnings(r.talk, found); err != nil {
		r.file.Close()
		return err
	}
	if !r.again {
		r.before = before
	}
	// What a crash has cut off is written over.
	whole := int64(bytes.LastIndexByte(text, '\n') + 1)
	if err := r.file.Truncate(whole); err != nil {
		return err
	}
	_, err = r.file.Seek(whole, io.SeekStart)
	return err
}

// instance decides the examinations of one instance. To read and to unfold it
// takes time from the first one that is decided.
func (r *referee) instance(ctx context.Context, i models.Instance, exams []examinations.ID) error {
	fmt.Fprintln(r.talk.err, i.ID)
	h := &hearing{referee: r, instance: i}
	h.begin(ctx)
	defer func() { h.stop() }()
	err := h.within(func(c *clock.Clock) error { return h.read(c, exams) })
	if errors.Is(err, context.DeadlineExceeded) {
		fmt.Fprintln(r.talk.err, "  left open: to read it takes longer than the budget")
		for _, exam := range exams {
			r.counts[exam].undecided++
		}
		return ctx.Err()
	}
	for k := 0; k < len(exams) && err == nil; k++ {
		err = h.examine(ctx, exams[k])
	}
	debug.FreeOSMemory() // the next net may need it outside of the heap
	return err
}

// hearing is an instance before the referee.
type hearing struct {
	*referee
	instance models.Instance
	digest   string
	files    *opened
	net      *refereed // nil until it is wanted

	limited context.Context // ends with the budget of the examination
	stop    context.CancelFunc
}

// begin begins the budget of the next examination.
func (h *hearing) begin(ctx context.Context) {
	if h.stop != nil {
		h.stop()
	}
	h.limited, h.stop = context.WithTimeout(ctx, h.budget)
}

// within does what has to be done within the budget.
func (h *hearing) within(do func(c *clock.Clock) error) error { return clock.Until(h.limited, do) }

// read reads the net and the files of formulas.
func (h *hearing) read(c *clock.Clock, exams []examinations.ID) (err error) {
	if h.digest, err = h.instance.Digest(); err != nil {
		return err
	}
	if h.files, err = openFiles(c, h.instance, exams); err != nil {
		return err
	}
	return h.files.found.Err()
}

// examine decides an examination, unless an earlier call has done so.
func (h *hearing) examine(ctx context.Context, exam examinations.ID) error {
	properties, err := h.properties(exam)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		fmt.Fprintf(h.talk.err, "  left open: to read %s takes longer than the budget\n", exam.FormulaFile())
		h.counts[exam].undecided++
		h.begin(ctx)
		return nil
	case err != nil:
		return err
	}
	proof, fresh := h.recall(h.instance.ID, h.digest, exam)
	if fresh {
		if err := h.view(ctx); err != nil {
			return err
		}
		h.net.witnesses = nil
		if proof, err = h.decide(ctx, h.limited, h.net, proof, properties); err != nil {
			return err
		}
		if err := clock.Until(ctx, func(c *clock.Clock) error { return h.leave(c, h.instance.ID, h.net, exam) }); err != nil {
			return err
		}
		if err := h.keep(h.instance.ID, proof, exam.Items(formula.IDs(properties))); err != nil {
			return err
		}
		h.begin(ctx)
	}
	return h.compare(h.instance.ID, proof, exam.Items(formula.IDs(properties)))
}

// properties reads the formulas of an examination; without a file of them the
// error is os.ErrNotExist.
func (h *hearing) properties(exam examinations.ID) (properties []formula.Property, err error) {
	if !exam.HasFormulas() {
		return nil, nil
	}
	text, ok := h.files.formulas[exam.FormulaFile()]
	if !ok {
		return nil, os.ErrNotExist
	}
	err = h.within(func(c *clock.Clock) error {
		var found diagnostic.List
		properties, found = formula.Read(c.Reader(bytes.NewReader(text)), filepath.Join(h.instance.Path, exam.FormulaFile()), exam)
		return found.Err()
	})
	return properties, err
}

// refereed is a net as the explorer sees it, and the witnesses of an examination.
type refereed struct {
	unfold.View        // without a Net when the net is too large
	why         string // there is none
	witnesses   []*witness.Witness
}

// view sees to the net as the explorer sees it.
func (h *hearing) view(ctx context.Context) error {
	if h.net != nil {
		return nil
	}
	h.net = &refereed{}
	var err error
	h.net.View, err = unfold.Of(h.files.doc, unfold.Limits{Arcs: uint64(h.memory) / 256, Context: h.limited})
	large := (*unfold.TooLarge)(nil)
	switch {
	case errors.As(err, &large):
		h.net.why = "the unfolding is too large"
		fmt.Fprintf(h.talk.err, "  left open: %v\n", large)
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		h.net.why = "the unfolding takes longer than the budget"
		fmt.Fprintf(h.talk.err, "  left open: %s\n", h.net.why)
	default:
		return err
	}
	return nil
}

// recall gives the proof of an earlier call; fresh says that there is none, or
// that a larger budget may find more.
func (r *referee) recall(id models.ID, digest string, exam examinations.ID) (p oracle.Proof, fresh bool) {
	if r.before != nil {
		p, ok := r.before.Find(id.String(), exam)
		enough := len(p.Values) == p.Asked || p.Budget >= r.budget.Microseconds() && p.Memory >= int64(r.memory)
		if ok && p.Digest == digest && enough {
			return p, false
		}
	}
	return oracle.Proof{Instance: id.String(), Digest: digest, Exam: exam, Version: Version(),
		Budget: r.budget.Microseconds(), Memory: int64(r.memory)}, true
}

// decide fills a proof, until the limited context ends.
func (r *referee) decide(ctx, limited context.Context, view *refereed, p oracle.Proof, properties []formula.Property) (oracle.Proof, error) {
	p.Asked = len(p.Exam.Items(formula.IDs(properties)))
	if view.Net == nil {
		p.Ended = view.why
		return p, nil
	}
	began := time.Now()
	deadline, _ := limited.Deadline()
	report, err := explorer.Decide(limited, view.View, p.Exam, properties,
		explorer.Options{Memory: int64(r.memory), SearchTime: max(deadline.Sub(began)*7/8, 1), Cores: runtime.GOMAXPROCS(0), Witnesses: true},
		func(a explorer.Answer) {
			if a.Witness.Length() > longestWitness {
				a.Witness = nil
			}
			p.Values = append(p.Values, provedBy(view.View, a))
			if a.Witness != nil {
				view.witnesses = append(view.witnesses, &witness.Witness{Instance: p.Instance, Exam: p.Exam,
					Claims: []witness.Claim{explorer.Claim(a.Item, a.Value)}, Runs: a.Witness.Runs()})
			}
		})
	if ctx.Err() != nil {
		return p, ctx.Err()
	}
	if err != nil {
		fmt.Fprintf(r.talk.err, "  %s: %v\n", p.Exam, err)
		r.faults = errors.Join(r.faults, diagnostic.List{{File: p.Instance, Code: "certify-formula", Message: err.Error()}})
	}
	p.Took, p.Markings, p.Firings, p.Ended = time.Since(began).Microseconds(), report.States, report.Firings, report.Stop.String()
	for i := range p.Values {
		p.Values[i].Markings = report.States
		if report.Stop == explorer.Complete && p.Values[i].By == oracle.BySomeMarkings {
			p.Values[i].By = oracle.ByAllMarkings
		}
	}
	if r.before == nil {
		return p, nil
	}
	earlier, ok := r.before.Find(p.Instance, p.Exam)
	if !ok || earlier.Digest != p.Digest {
		return p, nil
	}
	return p, p.Keep(earlier)
}

// Firings of the runs that a certificate spells out, and of a witness that is
// written: more would take longer than a second.
const (
	longestRun     = 2000
	longestWitness = 1 << 22
)

func provedBy(view unfold.View, a explorer.Answer) oracle.ProvedValue {
	v := oracle.ProvedValue{Item: a.Item, Text: a.Value.Text, By: oracle.BySomeMarkings}
	if a.Reduced {
		v.By = oracle.ByReduced
	}
	if a.Witness == nil || a.Value.Kind == examinations.Nat && a.Value != examinations.Infinite {
		return v // of a finite number, a run shows only that it is no less
	}
	v.By, v.Length = oracle.ByRun, a.Witness.Length()
	v.Runs = 1 + len(a.Witness.Further)
	if v.Runs == 1 && len(a.Witness.Inner) == 0 && v.Length <= longestRun { // the witness file has the others
		v.Run, v.Cycle = transitionNames(view.Net, a.Witness.Stem), transitionNames(view.Net, a.Witness.Cycle)
	}
	return v
}

func transitionNames(net *pnml.Net, run []uint32) []string {
	names := make([]string, len(run))
	for i, t := range run {
		names[i] = net.Transitions.At(int(t))
	}
	return names
}

// keep writes a proof to the certificate, and the oracle file of its values.
func (r *referee) keep(id models.ID, p oracle.Proof, items []string) error {
	if r.file == nil {
		return nil
	}
	if err := p.Write(r.file); err != nil || len(p.Values) == 0 {
		return err
	}
	return writeFile(filepath.Join(r.out, oracle.FileName(id, p.Exam)), func(w io.Writer) error {
		return oracle.Write(w, id, p.Exam, items, valuesOf(id, p), "PODIUM")
	})
}

// leave writes the witnesses of an examination into one file, for replay.
func (r *referee) leave(c *clock.Clock, id models.ID, view *refereed, exam examinations.ID) error {
	if r.file == nil || len(view.witnesses) == 0 {
		return nil
	}
	name := strings.TrimSuffix(oracle.FileName(id, exam), ".out") + witness.Suffix
	net := witness.NewNet(view.View)
	return writeFile(filepath.Join(r.out, name), func(w io.Writer) error {
		for _, proof := range view.witnesses {
			if err := net.Write(c.Writer(w), proof); err != nil {
				return err
			}
		}
		return nil
	})
}

func valuesOf(id models.ID, p oracle.Proof) map[examinations.Key]examinations.Value {
	values := map[examinations.Key]examinations.Value{}
	for _, v := range p.Values {
		values[examinations.Key{Instance: id, Exam: p.Exam, Item: v.Item}] = examinations.Value{Kind: p.Exam.Kind(), Text: v.Text}
	}
	return values
}

// compare counts the values of a proof against those known.
func (r *referee) compare(id models.ID, p oracle.Proof, items []string) error {
	known := r.known
	if known == nil {
		var err error
		if known, err = (&outputOptions{oracle: r.against}).readOracle(asked{id, p.Exam, items}); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	values, count := valuesOf(id, p), r.counts[p.Exam]
	for _, item := range items {
		key := examinations.Key{Instance: id, Exam: p.Exam, Item: item}
		got, want := values[key], known[key]
		switch {
		case got.IsZero():
			count.undecided++
		case want.IsZero():
			count.decided++
		case got == want:
			count.agree++
		default:
			count.contradict++
			fmt.Fprintf(r.talk.out, "contradicted: %s %s %s: %s is given, %s is proved\n", id, p.Exam, item, short(want.Text), short(got.Text))
		}
	}
	return nil
}

// report prints the table; a contradiction is the command's outcome.
func (r *referee) report(exams []examinations.ID) error {
	w := tabwriter.NewWriter(r.talk.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "examination\tagree\tcontradict\tnot known\tundecided\tdecided\t")
	contradictions := 0
	for _, exam := range exams {
		c := r.counts[exam]
		contradictions += c.contradict
		decided := c.agree + c.contradict + c.decided
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d of %d\t\n", exam, c.agree, c.contradict, c.decided, c.undecided, decided, decided+c.undecided)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if contradictions > 0 {
		return incompleteError{fmt.Sprintf("%d answers are contradicted", contradictions)}
	}
	return nil
}
