package campaign

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"podium/examinations/output"
	"podium/internal/parallel"
	"podium/internal/tools"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// attempt is one try of a run in a fresh machine. An error is our fault; the
// tool's fate is in the record.
func (w *worker) attempt(ctx context.Context, run Run, cores []int) (*Finished, error) {
	c := w.campaign
	in, err := w.inputs.of(ctx, run)
	if err != nil {
		return nil, err
	}
	tool, _ := c.Plan.Tool(run.Tool)
	need := c.Plan.Confinement(tool, in.asked)
	image, dir := tools.Place(in.tool.dir, tool.Image, tool.System)
	machine, err := w.options.Driver.Boot(ctx, vm.Spec{
		Name:  w.me.Worker + "-" + strconv.Itoa(cores[0]),
		Cores: need.Cores, CPUs: cores, Memory: need.Memory,
		Image: image, Tool: dir, Writable: tool.Writable, Input: in.instance.dir, Hide: w.hide,
	})
	if err != nil {
		return nil, err
	}
	defer machine.Close()
	if in.asked.Task != nil {
		return w.attemptTask(ctx, machine, run, tool, need, in)
	}
	job := vm.Job{Command: []string{tool.Head}, Env: Environment(run, need), Limits: need.Limits()}
	if !c.Plan.Witnesses {
		return w.execute(ctx, machine, run, job, in)
	}
	if job.SideOut, err = os.MkdirTemp(w.scratch.Dir, "side-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(job.SideOut)
	job.SideLimit = sideLimit
	job.Env = append(job.Env, "BK_WITNESSES=1")
	finished, err := w.execute(ctx, machine, run, job, in)
	if err != nil {
		return nil, err
	}
	machine.Close() // the replay is ours
	finished.Run = run
	return finished, w.campaign.replay(ctx, w.options.Replay, in.instance.dir, finished)
}

// execute runs the tool's head, keeps what it prints and reads the answers as
// they come.
func (w *worker) execute(ctx context.Context, machine vm.Machine, run Run, job vm.Job, in input) (*Finished, error) {
	stdout, err := newSpool(w.scratch.Dir)
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	stderr, err := newSpool(w.scratch.Dir)
	if err != nil {
		return nil, err
	}
	defer stderr.Close()

	finished, outcome, err := w.exec(ctx, machine, run, job, in, stdout, stderr)
	if err == nil {
		err = w.inputs.unchanged(in)
	}
	if err != nil {
		return nil, err
	}
	left, err := newSpool(w.scratch.Dir)
	if err != nil {
		return nil, err
	}
	defer left.Close()
	if job.SideOut != "" && in.asked.Task != nil {
		err = gatherOne(filepath.Join(job.SideOut, job.SideLimit.Suffix), left)
	} else if job.SideOut != "" {
		err = gather(job.SideOut, left)
	}
	if err != nil {
		return nil, err
	}
	refs, err := w.pack.append(stdout, stderr, left)
	if err != nil {
		return nil, err
	}
	outcome.Warnings = append(outcome.Warnings, finished.Outcome.Warnings...)
	finished.Outcome, finished.Stdout, finished.Stderr, finished.Left = outcome, refs[0], refs[1], refs[2]
	if in.asked.Task != nil {
		finished.Run = run
		return finished, w.campaign.readTask(ctx, finished)
	}
	return finished, nil
}

// exec runs the job and reads its answers as they are printed. Those of a task are read
// when all is known of its end, see readTask.
func (w *worker) exec(ctx context.Context, machine vm.Machine, run Run, job vm.Job, in input, stdout, stderr *spool) (*Finished, vm.Outcome, error) {
	if in.asked.Task != nil {
		job.Stdout, job.Stderr = stdout, stderr
		outcome, err := machine.Exec(ctx, job)
		return &Finished{}, outcome, err
	}
	lines, feed := io.Pipe()
	defer feed.Close()
	var heard *Finished
	var listening parallel.Group
	begun := time.Now()
	listening.Go(func() {
		defer io.Copy(io.Discard, lines) // the reader may give up or fail, the tool must not notice
		heard, _ = read(lines, run, in.asked, w.campaign.Plan.Intervals, func() time.Duration { return time.Since(begun) })
	})
	job.Stdout, job.Stderr = io.MultiWriter(stdout, feed), stderr
	outcome, err := machine.Exec(ctx, job)
	feed.Close()
	listening.Wait()
	return heard, outcome, err
}

// read reads the answers of an output. An error is one of the output's reader; what was
// read before it stands.
func read(stdout io.Reader, run Run, asked PlannedInstance, intervals bool, clock func() time.Duration) (*Finished, error) {
	id, err := models.ParseID(run.Instance)
	if err != nil {
		return nil, err
	}
	f := &Finished{}
	r := output.NewReader(stdout, run.Exam, output.ReaderOptions{Instance: id, Items: asked.Items(run.Exam), File: run.String(), Clock: clock, Intervals: intervals})
	var kept bounds
	for r.Scan() {
		a := r.Answer()
		kept.add(Answer{a.Item, a.Value.Text, strings.Join(a.Techniques, " "), a.Offset, a.Line, a.At.Microseconds()})
	}
	kept.record(f)
	f.Participation = r.Participation()
	findings := r.Diagnostics()
	f.Findings, f.Misread = len(findings), findings.Count(diagnostic.Error)
	return f, r.Err()
}

// Environment returns the BK_ variables of a run, as BenchKit sets them; the
// machine adds those with paths.
func Environment(run Run, need Confinement) []string {
	return []string{
		"BK_TOOL=" + run.Tool,
		"BK_INPUT=" + run.Instance,
		"BK_EXAMINATION=" + string(run.Exam),
		"BK_TIME_CONFINEMENT=" + strconv.FormatInt((need.CPUTime+999_999)/1_000_000, 10),
		"BK_MEMORY_CONFINEMENT=" + strconv.FormatInt(need.Memory/(1<<20), 10),
	}
}

// isOurDisk reports whether our own files can take no more: going on would only
// make every run void.
func isOurDisk(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EIO)
}
