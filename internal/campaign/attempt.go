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
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// attempt is one try of a run in a fresh machine. An error is our fault; the
// tool's fate is in the record.
func (w *worker) attempt(ctx context.Context, run Run, cores []int) (*Finished, error) {
	in, err := w.inputs.of(ctx, run)
	if err != nil {
		return nil, err
	}
	machine, err := w.options.Driver.Boot(ctx, in.Spec(w.me.Worker+"-"+strconv.Itoa(cores[0]), cores, w.hide))
	if err != nil {
		return nil, err
	}
	defer machine.Close()
	job, err := in.Job()
	if err != nil {
		return nil, err
	}
	if in.Asked.Task != nil {
		return w.attemptTask(ctx, machine, job, in)
	}
	if !w.campaign.Plan.Witnesses {
		return w.execute(ctx, machine, job, in)
	}
	if job.SideOut, err = os.MkdirTemp(w.scratch.Dir, "side-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(job.SideOut)
	job.SideLimit = sideLimit
	finished, err := w.execute(ctx, machine, job, in)
	if err != nil {
		return nil, err
	}
	machine.Close() // the replay is ours
	return finished, w.campaign.replay(ctx, w.options.Replay, in.InputDir, finished)
}

// execute runs the tool's head, keeps what it prints and reads the answers as
// they come.
func (w *worker) execute(ctx context.Context, machine vm.Machine, job vm.Job, in input) (*Finished, error) {
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

	job.Stdout, job.Stderr = stdout, stderr
	var finished *Finished
	if in.Asked.Task != nil { // whose answers are read when all is known of its end, see readTask
		finished = &Finished{Run: in.Run}
		finished.Outcome, err = machine.Exec(ctx, job)
	} else {
		finished, _, err = in.Exec(ctx, machine, job, nil)
	}
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
	if job.SideOut != "" && in.Asked.Task != nil {
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
	finished.Stdout, finished.Stderr, finished.Left = refs[0], refs[1], refs[2]
	if in.Asked.Task != nil {
		return finished, w.campaign.readTask(ctx, finished)
	}
	return finished, nil
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

// isOurDisk reports whether our own files can take no more: going on would only
// make every run void.
func isOurDisk(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EIO)
}
