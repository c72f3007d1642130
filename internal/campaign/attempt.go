package campaign

import (
	"context"
	"errors"
	"os"
	"strconv"
	"syscall"

	"podium/vm"
	"podium/vm/topology"
)

// attempt is one try of a run in a fresh machine. An error is our fault; the
// tool's fate is in the record.
func (w *worker) attempt(ctx context.Context, run Run, place topology.Binding) (*Finished, error) {
	in, err := w.inputs.of(ctx, run)
	if err != nil {
		return nil, err
	}
	machine, err := w.options.Driver.Boot(ctx, in.Spec(w.me.Worker+"-"+strconv.Itoa(place.Cores[0]), place, w.hide))
	if err != nil {
		return nil, err
	}
	defer machine.Close()
	job, err := in.Job()
	if err != nil {
		return nil, err
	}
	if job.SideLimit != (vm.SideLimit{}) {
		if job.SideOut, err = os.MkdirTemp(w.scratch.Dir, "side-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(job.SideOut)
	}
	finished, err := w.execute(ctx, machine, job, in)
	if err != nil {
		return nil, err
	}
	machine.Close() // what follows is ours
	return finished, in.Asked.kind().conclude(ctx, w, finished, in.InputDir)
}

// execute runs the tool, and keeps what it prints and leaves, and the run over time.
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
	finished, err := in.Asked.kind().exec(ctx, &in.Setting, machine, job)
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
	if job.SideOut != "" {
		if err := in.Asked.kind().gather(job, left); err != nil {
			return nil, err
		}
	}
	curve, err := newSpool(w.scratch.Dir)
	if err != nil {
		return nil, err
	}
	defer curve.Close()
	_, _ = curve.Write(finished.Outcome.Curve.Encode()) // which never fails
	finished.Outcome.Curve = nil
	refs, err := w.pack.append(stdout, stderr, left, curve)
	if err != nil {
		return nil, err
	}
	finished.Stdout, finished.Stderr, finished.Left, finished.Curve = refs[0], refs[1], refs[2], refs[3]
	return finished, nil
}

// isOurDisk reports whether our own files can take no more: going on would only
// make every run void.
func isOurDisk(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EIO)
}
