package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/internal/fault"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/scoring/explain"
)

// Session is the trial of one tool on some instances: each run is shown with its
// values, and all are summed up.
type Session struct {
	Bench
	Edition *edition.Edition                    // by which points are given
	Known   *oracle.Known                       // nil: nothing is known
	Unpack  string                              // directory for instances in archives
	Repeat  bool                                // also runs that have not changed
	OnlyNew bool                                // runs that have not changed are not shown
	Command func(campaign.Run, Question) string // that repeats a run, nil to print none
	Say     func(remark string)                 // receives remarks for the person

	read    document
	prover  prover
	summary Summary
	unknown bool // a value was given of which nothing is known
}

// ErrNoPart says that nothing was run.
var ErrNoPart = errors.New("it takes part in none of these examinations and nets")

// All does the examinations of the plan on instances. One that cannot be read, or fails inside podium, takes no
// other down: the error names it at the end. A tool that cannot start is not run on all.
func (s *Session) All(ctx context.Context, instances []models.Instance) error {
	var amiss error
	exams := s.Plan.Examinations
	left, more := 0, 0
	for _, i := range instances {
		for _, exam := range exams {
			if t := s.Plan.Tools[0]; !t.TakesPart(campaign.PlannedInstance{ID: i.ID.String()}, exam) {
				left++
				continue
			}
			if s.cannotStart() {
				more++
				continue
			}
			err := fault.Contain(fmt.Sprintf("%s %s", i.ID, exam), func() error { return s.run(ctx, i, exam) })
			var list diagnostic.List
			var failure *fault.Error
			if err != nil && !errors.As(err, &list) && !errors.As(err, &failure) {
				return errors.Join(err, amiss)
			}
			if err != nil {
				s.Say(fmt.Sprintf("%s %s is left out, as the end says", i.ID, exam))
			}
			amiss = errors.Join(amiss, err)
		}
	}
	if more > 0 {
		s.Say(fmt.Sprintf("the tool cannot start: %s left out", wording.Count(more, "more run is", "more runs are")))
	}
	switch {
	case left > 0 && left == len(instances)*len(exams):
		return fmt.Errorf("the manifest of %s: %w; --all runs it everywhere", s.Tool.Name, ErrNoPart)
	case left > 0:
		s.Say(fmt.Sprintf("left out, as the tool takes part in other examinations and nets: %s; --all runs it everywhere", wording.Count(left, "run", "runs")))
	}
	return amiss
}

// run does one examination of one instance, or takes the last time's result, and shows
// it. An examination without formulas is left out.
func (s *Session) run(ctx context.Context, i models.Instance, exam examinations.ID) error {
	q, err := s.question(i, exam)
	if errors.Is(err, os.ErrNotExist) {
		s.Say(fmt.Sprintf("%s has no formulas for %s: left out", i.ID, exam))
		return nil
	} else if err != nil {
		return err
	}
	var result *Result
	if !s.Repeat {
		if result, err = s.Recall(q); err != nil {
			return err
		}
	}
	if result != nil && s.OnlyNew {
		return nil
	}
	fmt.Fprintf(s.Out, "%s\n", q.Run)
	if result != nil {
		fmt.Fprintln(s.Out, "  nothing has changed since the last time; --again repeats it")
	} else if result, err = s.Ask(ctx, q); err != nil {
		return err
	}
	return s.take(ctx, q, result)
}

// Shell opens a shell where the tool would run.
func (s *Session) Shell(ctx context.Context, i models.Instance, exam examinations.ID, prompt bool, in io.Reader, out, diag io.Writer) error {
	q, err := s.question(i, exam)
	if err != nil {
		return err
	}
	s.Say("a shell in the machine of this run: the tool is $HOME/BenchKit, `exit` ends the shell")
	return s.shell(ctx, q, prompt, in, out, diag)
}

// question is an examination of an instance; without formulas the error is
// os.ErrNotExist.
func (s *Session) question(i models.Instance, exam examinations.ID) (Question, error) {
	plan, name := s.Plan, i.ID.String()
	q := Question{Instance: i, Setting: campaign.Setting{Plan: plan, Tool: plan.Tools[0], ToolDir: plan.Tools[0].Dir, Run: campaign.Run{Tool: plan.Tools[0].Name, Instance: name, Exam: exam}}}
	q.Asked, _ = plan.Instance(name)
	fresh := s.read.path != i.Path
	err := s.read.of(i)
	if err != nil {
		return q, err
	}
	var withheld []string
	if q.Instance, withheld, err = i.GivenBy(plan.Handout, examinations.FormulaFiles()); err != nil {
		return q, err
	}
	if fresh && len(withheld) > 0 {
		what := wording.Few(withheld, 8)
		if slices.ContainsFunc(withheld, func(name string) bool { return slices.Contains(pnml.BehaviouralProperties, name) }) {
			what += " (in capitals: verdicts of " + models.FormFile + ")"
		}
		s.Say(fmt.Sprintf("runs on %s are not given %s: --given all gives all that a contest may give", i.ID, what))
	}
	if q.InputDir, err = q.Instance.Directory(s.Unpack); err != nil {
		return q, err
	}
	if exam.HasFormulas() {
		path := filepath.Join(q.InputDir, exam.FormulaFile())
		if _, err := os.Stat(path); err != nil {
			return q, err
		}
		var found diagnostic.List
		q.formulas, found = formula.ReadFile(path, exam)
		if err := found.Err(); err != nil {
			return q, err
		}
	}
	q.Asked.Formulas = map[examinations.ID][]string{exam: exam.Items(formula.IDs(q.formulas))}
	return q, nil
}

// document is the net of the instance that was asked about last.
type document struct {
	path string
	net  *pnml.Document
}

// of reads the net of an instance, unless it was the last one: no tool is tried on a net that
// has errors.
func (d *document) of(i models.Instance) (err error) {
	if d.path != i.Path || d.net == nil {
		d.path = i.Path
		d.net, err = i.Document()
	}
	return err
}

// known returns the values that answers are compared with: those that were given, and
// those that a small net shows at once.
func (s *Session) known(ctx context.Context, q Question) (map[string]KnownValue, error) {
	proved, err := s.prover.proved(ctx, q, s.read.net)
	if err != nil {
		return nil, err
	}
	return Known{s.Known, proved}.Of(q.Run.Instance, q.Run.Exam, q.items())
}

// take judges a result by what is known, shows it and adds it up.
func (s *Session) take(ctx context.Context, q Question, r *Result) error {
	known, err := s.known(ctx, q)
	if err != nil {
		return err
	}
	judged, err := r.Judge(q, s.Edition, known)
	if err != nil {
		return err
	}
	marks, err := r.values(s.Out, q, known)
	if err != nil {
		return err
	}
	hint := s.hint(q, r)
	if hint != "" {
		hint = "  hint: " + hint + "\n"
	}
	if r.Outcome.NotStarted() { // which is why nothing is answered
		fmt.Fprint(s.Out, hint)
		hint = ""
	}
	r.remarks(s.Out)
	if !r.silent(marks.Asked) {
		fmt.Fprintf(s.Out, "  %s\n", r.ended())
	}
	for _, warning := range r.Outcome.Warnings {
		fmt.Fprintf(s.Out, "  %s\n", warning)
	}
	for _, line := range q.Need().Seen(r.Outcome.Curve) {
		fmt.Fprintf(s.Out, "  %s\n", line)
	}
	fmt.Fprint(s.Out, hint)
	if points := judged.RunPoints(0, 0); len(known) > 0 && marks.Answered > 0 {
		fmt.Fprintf(s.Out, "  %s without bonuses of comparison\n", explain.Points(judged.Scheme.PointsText(points)))
	}
	if s.Command != nil {
		fmt.Fprintf(s.Out, "  again: %s --again\n", s.Command(q.Run, q))
	}
	found := s.Findings(q, r, marks)
	s.Cases = append(s.Cases, Case{q.Run, r, marks, found})
	s.summary.Add(q.Run.Exam, r, marks)
	s.values += marks.Wrong
	s.unknown = s.unknown || marks.unknown
	s.lines += r.Findings.Count(diagnostic.Error)
	if r.Failure() != "" {
		s.failed++
	}
	s.ended(r.Outcome)
	return nil
}

// Write ends a session: as text it prints the summary, in another form the findings.
func (s *Session) Write(out io.Writer, format diagnostic.Format) error {
	if format != diagnostic.Text {
		return s.writeFindings(out, format)
	}
	if len(s.Cases) == 0 {
		if s.OnlyNew {
			s.Say("nothing is run: these files were tried before, and their results are known")
		}
		return nil
	}
	fmt.Fprintln(out)
	if program := s.Tool.OfHost(); program != "" && s.Plan.Driver == "sandbox" {
		s.Say(fmt.Sprintf("note: %s is run by %s of this computer; other computers may lack it, and virtual machines have sh and busybox only: an image (system: in tool.yaml) makes all alike",
			s.Tool.Head, diagnostic.Printable(program)))
	}
	if s.unknown && s.Known == nil {
		s.Say("what is not known is compared with nothing: --oracle DIR names known values, and podium prove decides them")
	}
	return s.summary.Write(out)
}
