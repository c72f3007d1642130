package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/clock"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// nets is the kind of the instances that are Petri nets.
type nets struct{}

func (nets) validate(i PlannedInstance, _ *Plan) error {
	id, err := models.ParseID(i.ID)
	if err == nil && i.Family != id.Family {
		err = fmt.Errorf("instance %s is said to be of model %q", i.ID, i.Family)
	}
	return err
}

func (nets) asks(_ PlannedInstance, exam examinations.ID) bool {
	return exam.Known() // and not a category of tasks, which has no name of one
}

func (nets) items(i PlannedInstance, exam examinations.ID) []string {
	if exam.HasFormulas() {
		return i.Formulas[exam]
	}
	return exam.Items(nil)
}

func (nets) takes(t *PlannedTool, i PlannedInstance, exam examinations.ID) bool {
	p := t.Participation
	if t.Task != nil || p == nil {
		return t.Task == nil
	}
	if len(p.Examinations) > 0 && !slices.Contains(p.Examinations, exam) {
		return false
	}
	if len(p.Nets) == 0 {
		return true
	}
	id, err := models.ParseID(i.ID)
	return err == nil && slices.Contains(p.Nets, id.Kind.String())
}

func (nets) unit(i PlannedInstance) string { return i.Family }

// directory unpacks an archive: campaigns without copies may name one.
func (nets) directory(c *Campaign, i PlannedInstance) (string, error) {
	path := c.Path(i.Path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path, nil
	}
	found, err := i.open(path)
	if err != nil {
		return "", err
	}
	return found.Directory(filepath.Join(c.Dir, "instances"))
}

func (nets) check(i PlannedInstance, dir string) error {
	_, err := i.open(dir)
	return err
}

// open returns the planned instance that stands at a path, whose digest must be that
// of the plan.
func (i PlannedInstance) open(path string) (models.Instance, error) {
	id, err := models.ParseID(i.ID)
	if err != nil {
		return models.Instance{}, err
	}
	opened, err := models.Open(path)
	found, ok := opened.Find(id)
	if !ok {
		return found, errors.Join(&ChangedError{What: "instance " + i.ID}, err)
	}
	digest, err := found.Digest()
	if err == nil && digest != i.Digest {
		err = &ChangedError{What: "instance " + i.ID}
	}
	return found, err
}

func (nets) copy(ctx context.Context, c *copier, list []*PlannedInstance) error {
	var from models.Instance
	var err error
	if list[0].Source != nil {
		from = *list[0].Source
	} else if from, err = list[0].open(list[0].Path); err != nil {
		return err
	}
	for _, planned := range list {
		planned.Path, planned.Source = copyAt(planned.Digest, planned.ID), nil
		to := filepath.Join(c.root, planned.Path)
		if err := c.instance(ctx, from, to); err != nil {
			return err
		}
		if from, err = planned.open(to); err != nil {
			return err
		}
	}
	return nil
}

// instance copies the files of an instance that runs are given. Their owner may write them, since a
// machine shows a private view of them, in which a tool may do so.
func (c *copier) instance(ctx context.Context, from models.Instance, to string) error {
	const mode = 0o644
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if from.Archive || from.Alone {
		return clock.Until(ctx, func(k *clock.Clock) error {
			return from.Each(func(name string, content io.Reader) error {
				return writeNew(filepath.Join(to, name), k.Reader(content), mode)
			})
		})
	}
	for _, f := range from.Files {
		if from.Rewritten(f.Name) {
			if err := from.With(f.Name, func(r io.Reader) error { return writeNew(filepath.Join(to, f.Name), r, mode) }); err != nil {
				return err
			}
			continue
		}
		if err := c.file(ctx, filepath.Join(from.Path, f.Name), filepath.Join(to, f.Name), mode); err != nil {
			return err
		}
	}
	return nil
}

// command returns the head of a tool, and the BK_ variables of a run, as BenchKit sets them; the
// machine adds those with paths.
func (nets) command(s *Setting, _ Dirs) (words, env []string, err error) {
	need := s.Need()
	env = []string{
		"BK_TOOL=" + s.Run.Tool,
		"BK_INPUT=" + s.Run.Instance,
		"BK_EXAMINATION=" + string(s.Run.Exam),
		"BK_TIME_CONFINEMENT=" + strconv.FormatInt((need.CPUTime+999_999)/1_000_000, 10),
		"BK_MEMORY_CONFINEMENT=" + strconv.FormatInt(need.Memory/(1<<20), 10),
	}
	if s.Plan.Witnesses {
		env = append(env, "BK_WITNESSES=1")
	}
	return []string{s.Tool.Head}, env, nil
}

func (nets) leaves(s *Setting) (files vm.SideLimit) {
	if s.Plan.Witnesses {
		files = sideLimit
	}
	return files
}

// exec reads the answers as they are printed.
func (nets) exec(ctx context.Context, s *Setting, machine vm.Machine, job vm.Job) (*Finished, error) {
	f, _, err := s.Exec(ctx, machine, job, nil)
	return f, err
}

// read reads the answers of an output, with what is to be said of it; heard, unless nil, gets each
// at once. An error is one of the output's reader; what was read before it stands.
func read(stdout io.Reader, run Run, asked PlannedInstance, intervals bool, clock func() time.Duration, heard func(output.Answer)) (*Finished, diagnostic.List, error) {
	id, err := models.ParseID(run.Instance)
	if err != nil {
		return &Finished{}, nil, err
	}
	f := &Finished{}
	r := output.NewReader(stdout, run.Exam, output.ReaderOptions{Instance: id, Items: asked.Items(run.Exam), File: "output", Clock: clock, Intervals: intervals})
	var kept bounds
	for r.Scan() {
		a := r.Answer()
		kept.add(Answer{a.Item, a.Value.Text, strings.Join(a.Techniques, " "), a.Offset, a.Line, a.At.Microseconds()})
		if heard != nil {
			heard(a)
		}
	}
	kept.record(f)
	f.Participation = r.Participation()
	findings := r.Diagnostics()
	f.Findings, f.Misread = len(findings), findings.Count(diagnostic.Error)
	return f, findings, r.Err()
}

func (nets) gather(job vm.Job, to *spool) error { return gather(job.SideOut, to) }

// conclude replays the witnesses.
func (nets) conclude(ctx context.Context, w *worker, f *Finished, dir string) error {
	if !w.campaign.Plan.Witnesses {
		return nil
	}
	return w.campaign.replay(ctx, w.options.Replay, dir, f)
}

func (nets) reread(ctx context.Context, c *Campaign, f *Finished, i PlannedInstance) (*Finished, error) {
	out, err := c.Output(f.Stdout)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	now, _, err := read(until{ctx, out}, f.Run, i, c.Plan.Intervals, nil, nil)
	if err == nil {
		_, err = io.Copy(io.Discard, until{ctx, out}) // its digest is checked at the end
	}
	if err != nil {
		return nil, err
	}
	answers := now.Answers.List()
	for k := range answers {
		answers[k].At = f.timeAt(answers[k].Offset)
	}
	now.Answers = AnswersOf(answers...)
	return now, nil
}

// remarks lists errors first, each with its line, those that are alike in a few lines; then a hint about
// how the run ended, and the last lines of an output without answers.
func (nets) remarks(c *Campaign, f *Finished, i PlannedInstance) ([]string, error) {
	var lines []string
	if f.Findings > 0 {
		found, err := c.outputFindings(f)
		if err != nil {
			return found, err
		}
		lines = found
	}
	if hint := c.hint(f, i); hint != "" {
		lines = append(lines, "hint: "+hint)
	}
	if f.Participation != output.Silent {
		return lines, nil
	}
	stdout, err := c.Tail(f.Stdout)
	for _, line := range stdout.Last {
		lines = append(lines, "stdout: "+diagnostic.Printable(line))
	}
	return lines, err
}

// outputFindings reads the stored output of an end again.
func (c *Campaign) outputFindings(f *Finished) ([]string, error) {
	findings, err := c.FindingsOf(f)
	Unadvise(findings, f.Outcome)
	findings.ErrorsFirst()
	lines := findings.Brief(mostAlike)
	return lines[:min(len(lines), mostShown)], err
}

// FindingsOf reads the stored output of an end on a net once more, for all that is to be said of it.
func (c *Campaign) FindingsOf(f *Finished) (diagnostic.List, error) {
	out, err := c.Output(f.Stdout)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	asked, _ := c.Plan.Instance(f.Run.Instance)
	_, findings, err := read(out, f.Run, asked, c.Plan.Intervals, nil, nil)
	return findings, err
}
