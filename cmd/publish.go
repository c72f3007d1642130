package cmd

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"podium/confidence"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/edition"
	"podium/internal/publish"
	"podium/models"
	"podium/scoring"
	"podium/vm"
)

func newPublish(s *streams) *cobra.Command {
	var o judgement
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
	registerCertified(cmd, &o.certified)
	cmd.Flags().StringVarP(&o.edition, "edition", "e", "", "score under this edition instead of the campaign's")
	cmd.Flags().StringVarP(&out, "out", "o", "", "directory that is written (default: DIR/published)")
	registerWithoutSurprise(cmd, &o.withoutEmbargoed)
	return cmd
}

// publishCampaign writes the site and prints the podium.
func publishCampaign(ctx context.Context, s *streams, c *campaign.Campaign, by judgement, out string) error {
	if err := nameable(c, time.Now()); err != nil && !by.withoutEmbargoed {
		return fmt.Errorf("nothing is published: %w; --without-surprise publishes the rest", err)
	} else if err != nil {
		fmt.Fprintf(s.err, "%v: they are left out\n", err)
	}
	judged, err := score(ctx, s, c, by)
	if err != nil {
		return err
	}
	view := judged.view()
	if out == "" {
		out = filepath.Join(c.Dir, "published")
	}
	if err := publish.Write(ctx, out, view); err != nil {
		return err
	}
	if err := publish.Summary(s.out, view, width(s.out)); err != nil {
		return err
	}
	fmt.Fprintf(s.err, "published: %s\n", filepath.Join(out, "index.html"))
	return nil
}

// view shows a scored campaign as the pages do.
func (j *scored) view() *publish.Contest {
	defer frugally()()
	p := &j.campaign.Plan
	v := &publish.Contest{
		Title:   p.Name,
		Version: p.Version,
		Edition: publish.Edition{ID: j.edition.ID, Title: j.edition.Title, Digest: j.edition.Digest, Sources: j.edition.Sources},
		Digests: []publish.Named{{Name: "campaign.json", Text: j.campaign.Digest}, {Name: "edition", Text: j.edition.Digest}},
		Facts: []publish.Named{
			{Name: "driver", Text: p.Driver},
			{Name: "limits of sequential tools", Text: p.Sequential.String()},
			{Name: "limits of concurrent tools", Text: p.Concurrent.String()},
			{Name: "seed", Text: fmt.Sprint(p.Seed)},
		},
	}
	if other := j.otherEdition(); other != "" {
		v.Warnings = append(v.Warnings, other)
	}
	j.viewWorkers(v)
	j.viewInputs(v)
	weights := make([]*big.Rat, len(j.result.Confidence))
	for tool, confidence := range j.result.Confidence {
		weights[tool] = confidence.Rat()
	}
	for sheet := range j.result.Contest.Sheets {
		for tool := range j.result.Contest.Tools {
			j.viewRun(v, sheet, tool)
		}
		j.viewReferences(v, sheet, weights)
	}
	j.viewDoubts(v)
	j.viewReferee(v)
	for tool, share := range j.result.Shares {
		v.Confidences = append(v.Confidences, publish.Confidence{Tool: j.result.Contest.Tools[tool].Name, Agree: share.Agree, Answered: share.Answered})
		v.Consistent = share.Consistent
	}
	if left := p.Count() - len(j.log.Finished) - len(j.log.Void); left > 0 {
		v.Warnings = append(v.Warnings, fmt.Sprintf("%d of %d runs are not done: these results are provisional.", left, p.Count()))
	}
	if n := j.log.SetAside(); n > 0 {
		v.Warnings = append(v.Warnings, fmt.Sprintf("%d runs were set aside: they were made before their models were moved to another computer, and all runs of a model belong on one (E-5.1). `podium status --repeated` names them.", n))
	}
	if n := len(j.log.Void); n > 0 {
		v.Warnings = append(v.Warnings, fmt.Sprintf("%d runs are void by faults that are not the tools'; they count for nobody.", n))
	}
	return v
}

// doubtWords say what each doubt means for a contest as a whole.
var doubtWords = []struct {
	doubt scoring.Doubt
	text  string
}{
	{scoring.SingleTool, "reference values were decided by one tool alone"},
	{scoring.OneFamily, "reference values were decided by the variants of one tool"},
	{scoring.NearMargin, "reference values were elected by less than the error of the confidences"},
	{scoring.Break, "reference values cannot be true together with another one"},
}

// viewDoubts lets the warnings about reference values travel with them.
func (j *scored) viewDoubts(v *publish.Contest) {
	at := map[examinations.Key]int{}
	for i, ref := range v.References {
		at[ref.Key] = i
	}
	c := j.result.Contest
	count := map[scoring.Doubt]int{}
	for _, w := range j.result.Warnings(j.edition.Twinning()) {
		s := c.Sheets[w.Sheet]
		key := examinations.Key{Instance: c.Instances[s.Instance].ID, Exam: c.Exams[s.Exam].ID, Item: c.Items[w.Value]}
		if i, ok := at[key]; ok {
			v.References[i].Doubts = append(v.References[i].Doubts, w.Text)
			count[w.Doubt]++
		}
	}
	for _, d := range doubtWords {
		if n := count[d.doubt]; n > 0 {
			v.Warnings = append(v.Warnings, fmt.Sprintf("%d %s; the table of references names them.", n, d.text))
		}
	}
}

// viewWorkers says when and where the runs were done.
func (j *scored) viewWorkers(v *publish.Contest) {
	v.ForRecord = len(j.log.Workers) > 0 && j.limitsOfEdition()
	hosts := map[[2]string]int{} // two hosts may have one name
	for _, w := range j.log.Workers {
		v.ForRecord = v.ForRecord && w.Record
		host := [2]string{w.Host, w.Node.Machine}
		at, known := hosts[host]
		if !known {
			at = len(v.Machines)
			hosts[host] = at
			v.Machines = append(v.Machines, publish.Machine{Name: w.Host, System: w.Machine.System, Processor: w.Machine.Processor,
				Cores: w.Machine.Cores, Memory: w.Machine.Memory})
		}
		v.Machines[at].Emulated = v.Machines[at].Emulated || w.Emulated
	}
	for _, f := range j.log.Finished {
		start, end := f.Outcome.Started, f.Outcome.Started.Add(f.Outcome.WallTime)
		if v.Started.IsZero() || start.Before(v.Started) {
			v.Started = start
		}
		if end.After(v.Finished) {
			v.Finished = end
		}
	}
}

// limitsOfEdition tells whether the runs had the machines and the time that the
// edition demands (E-5); anything else is a rehearsal.
func (j *scored) limitsOfEdition() bool {
	p, l := &j.campaign.Plan, j.edition.Limits
	return sameLimits(p.Sequential, l.Sequential) && sameLimits(p.Concurrent, l.Concurrent)
}

func sameLimits(c campaign.Confinement, l edition.Confinement) bool {
	return c.Cores == l.Cores && c.Memory == l.Memory && c.CPUTime == l.CPU.Microseconds()
}

// viewInputs shows tools, instances, examinations and categories.
func (j *scored) viewInputs(v *publish.Contest) {
	p := &j.campaign.Plan
	for _, t := range p.Tools {
		kind := publish.Sequential
		if t.Concurrent {
			kind = publish.Concurrent
		}
		v.Tools = append(v.Tools, publish.Tool{Name: t.Name, Family: t.Family, Version: t.Version, Digest: t.Digest, Kind: kind, About: t.Title})
	}
	for _, i := range p.Instances {
		if j.hidden[i.ID] {
			continue
		}
		id, _ := models.ParseID(i.ID)
		class, _ := models.ParseClass(i.Class)
		v.Instances = append(v.Instances, publish.Instance{ID: id, Class: class, Digest: i.Digest})
	}
	for _, e := range j.result.Contest.Exams {
		if slices.Contains(p.Examinations, e.ID) {
			v.Examinations = append(v.Examinations, publish.Examination{ID: e.ID, Category: e.Category})
		}
	}
	for _, c := range j.result.Categories {
		v.Categories = append(v.Categories, publish.Category{Name: c.Name, Standings: j.standings(c)})
	}
}

// standings lists every tool of a category: those on the podium's ranking have
// their place, the others say why they have none (E-4.5).
func (j *scored) standings(c scoring.Category) []publish.Standing {
	list := make([]publish.Standing, len(c.Tallies))
	tools := j.result.Contest.Tools
	for tool, tally := range c.Tallies {
		list[tool] = publish.Standing{Tool: tools[tool].Name, Points: j.accounts.Points(tally.Points)}
		switch {
		case tools[tool].OutOfCompetition:
			list[tool].Note = "out of competition"
		case tally.Runs == 0:
			list[tool].Note = "no answer"
		default:
			list[tool].Note = "another variant of its family is better"
		}
	}
	for _, place := range c.Places {
		s := &list[place.Tool]
		s.Rank, s.Note = place.Rank, ""
		switch {
		case place.Rank > 3:
		case c.Tallies[place.Tool].Points > 0:
			s.Place = place.Rank
		default:
			s.Note = "a place on the podium needs points above 0"
		}
	}
	return list
}

// techniques lists the words of an answer. The list is not to be changed.
func (j *scored) techniques(words string) []string {
	if _, known := j.lists[words]; !known {
		j.lists[words] = strings.Fields(words)
	}
	return j.lists[words]
}

func (j *scored) runOf(sheet, tool int) campaign.Run {
	c := j.result.Contest
	s := c.Sheets[sheet]
	return campaign.Run{Tool: c.Tools[tool].Name, Instance: c.Instances[s.Instance].Name, Exam: c.Exams[s.Exam].ID}
}

// viewRun shows one run: what was measured, said and booked.
func (j *scored) viewRun(v *publish.Contest, sheet, tool int) {
	run := j.runOf(sheet, tool)
	id := j.result.Contest.Instances[j.result.Contest.Sheets[sheet].Instance].ID
	r := publish.Run{Tool: run.Tool, Instance: id, Exam: run.Exam, Participation: publish.CannotCompute}
	if void, ok := j.log.Void[run]; ok {
		r.Void, r.Attempts = void.Reason, void.Attempt
		r.NoScore = j.result.NoScore(sheet, tool)
		v.Runs = append(v.Runs, r)
		return
	}
	f, ok := j.log.Finished[run]
	if !ok {
		return
	}
	o := f.Outcome
	worker := j.workerOf(f)
	r.Attempts, r.Machine, r.Emulated, r.Origin = f.Attempt, worker.Host, worker.Emulated, o.Origin()
	r.Termination, r.ExitCode, r.Signal = string(o.Termination), o.ExitCode, o.Signal
	r.CPU, r.User, r.System, r.Wall = o.CPUTime, o.UserTime, o.SystemTime, o.WallTime
	r.HostCPU, r.HostMemory = o.HostCPUTime, o.HostMemoryPeak
	r.MemoryPeak, r.OutputBytes, r.Measured, r.Warnings = o.MemoryPeak, o.OutputBytes, o.Measured, o.Warnings
	r.NoTimes, r.NoMemory = !o.Measures(vm.Times), !o.Measures(vm.Memory)
	switch f.Participation {
	case examinations.Answered:
		r.Participation = publish.Answered
	case examinations.DoesNotCompete:
		r.Participation = publish.DoNotCompete
	}
	if f.Stdout.Size+f.Stderr.Size > 0 {
		r.Log = func() (io.ReadCloser, error) { return j.campaign.Log(f) }
	}
	j.accounts.Fill(&r, sheet, tool)
	r.Answers = j.answers(sheet, tool, f)
	v.Runs = append(v.Runs, r)
}

// answers shows what a run said, each value with its mark.
func (j *scored) answers(sheet, tool int, f campaign.Finished) []publish.Answer {
	marks := j.result.RunMarks(sheet, tool)
	first := int(j.result.Contest.Sheets[sheet].First)
	list := make([]publish.Answer, 0, len(f.Answers))
	for _, a := range f.Answers {
		mark := publish.Unjudged
		if at := j.result.Contest.ValueOf(sheet, a.Item) - first; at >= 0 && at < len(marks) {
			mark = publish.Mark(marks[at].Char())
		}
		w := f.Witness(a.Item)
		list = append(list, publish.Answer{Item: a.Item, Value: examinations.Value{Kind: f.Run.Exam.Kind(), Text: a.Text}, Mark: mark,
			Witness:    publish.Witness{State: string(w.State), Proved: w.Proved, Detail: w.Detail},
			Techniques: j.techniques(a.Techniques), At: time.Duration(a.At) * time.Microsecond, Offset: a.Offset})
	}
	return list
}

// workerOf gives what the worker that did a run has recorded of itself.
func (j *scored) workerOf(f campaign.Finished) campaign.Opened {
	for _, w := range j.log.Workers {
		if w.Worker == f.Worker {
			return w
		}
	}
	return campaign.Opened{}
}

var states = map[confidence.Clause]publish.State{
	confidence.SingleAccepted: publish.Single, confidence.SingleRejected: publish.Weak, confidence.GlobalAgreement: publish.Agreed,
	confidence.TwoConfidence: publish.Majority, confidence.WeightedMajority: publish.Majority, confidence.FromOracle: publish.Oracle,
	confidence.FromReferee: publish.Certain,
}

// viewReferences shows how the values of a sheet were elected.
func (j *scored) viewReferences(v *publish.Contest, sheet int, weights []*big.Rat) {
	c := j.result.Contest
	s := c.Sheets[sheet]
	for value := int(s.First); value < int(s.First+s.Values); value++ {
		elected := j.result.References[value]
		ref := publish.Reference{
			Key:   examinations.Key{Instance: c.Instances[s.Instance].ID, Exam: c.Exams[s.Exam].ID, Item: c.Items[value]},
			State: publish.Unknown,
		}
		ref.Rule, ref.Clause, _ = strings.Cut(elected.Clause.String(), " ")
		if state, ok := states[elected.Clause]; ok {
			ref.State, ref.Value = state, c.Values[elected.Answer]
		}
		votes := j.result.Votes(sheet, value)
		ref.Votes = make([]publish.Vote, 0, len(votes))
		for _, vote := range votes {
			ref.Votes = append(ref.Votes, publish.Vote{Tool: c.Tools[vote.Tool].Name, Value: c.Values[vote.Answer], Weight: weights[vote.Tool]})
		}
		if j.proofs != nil {
			ref.Ruling = j.ruling(sheet, value, ref.Key)
		}
		v.References = append(v.References, ref)
	}
}

var certainties = map[scoring.Certainty]publish.Certainty{scoring.Undecided: publish.Undecided, scoring.Proved: publish.Proved,
	scoring.Refuted: publish.Refuted, scoring.Supplied: publish.Supplied}

// ruling shows what the referee says of a value.
func (j *scored) ruling(sheet, value int, key examinations.Key) publish.Ruling {
	c := j.result.Contest
	r := publish.Ruling{Certainty: certainties[j.result.Certainty(sheet, value)]}
	if elected := j.result.Elected(sheet, value); elected.Known() {
		r.Elected = c.Values[elected.Answer]
	}
	r.Proved, _ = j.result.Certified(value)
	var proved examinations.ProvedValue
	r.Evidence, proved, _ = j.proofs.evidence(key)
	r.Run, r.Cycle = proved.Run, proved.Cycle
	for tool := range c.Tools {
		if j.result.Refutes(value, tool) {
			r.Against = append(r.Against, c.Tools[tool].Name)
		}
	}
	return r
}

// viewReferee says what was certified, and warns of refuted references.
func (j *scored) viewReferee(v *publish.Contest) {
	if j.proofs == nil {
		return
	}
	v.Refereed = true
	v.Digests = append(v.Digests, publish.Named{Name: "certificate", Text: j.proofs.digest})
	budget, memory, decided, asked := int64(0), int64(0), 0, 0
	for _, p := range j.proofs.Proofs() {
		budget, memory = max(budget, p.Budget), max(memory, p.Memory)
		decided, asked = decided+len(p.Values), asked+p.Asked
	}
	v.RefereeFacts = []publish.Named{
		{Name: "decided", Text: fmt.Sprintf("%d of %d values", decided, asked)},
		{Name: "budget", Text: fmt.Sprintf("%s and %d MB for each examination of an instance", time.Duration(budget)*time.Microsecond, memory/1e6)},
		{Name: "certificate", Text: "sha256 " + j.proofs.digest},
	}
	refuted := 0
	for _, ref := range v.References {
		if ref.Ruling.Certainty == publish.Refuted {
			refuted++
		}
	}
	if refuted > 0 {
		v.Warnings = append(v.Warnings, fmt.Sprintf("%d elected values are refuted by proof; the page of the referee names them.", refuted))
	}
}
