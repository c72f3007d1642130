package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"podium/internal/tools"
)

// CheckInputs compares tools, instances or both with the digests of the plan. What
// differs is a *[ChangedError].
func (c *Campaign) CheckInputs(ctx context.Context, ofTools, ofInstances bool) error {
	in := newInputs(c)
	if ofTools {
		if err := in.allTools(ctx); err != nil {
			return err
		}
		for _, t := range c.Plan.Replaced {
			if err := c.checkReplaced(ctx, t); err != nil {
				return err
			}
		}
	}
	if !ofInstances {
		return nil
	}
	for _, i := range c.Plan.Instances {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := in.instance(i.ID); err != nil {
			return err
		}
	}
	return nil
}

// checkReplaced checks the files of an earlier version of a tool.
func (c *Campaign) checkReplaced(ctx context.Context, planned PlannedTool) error {
	t, err := tools.Open(c.Path(planned.Dir))
	if err != nil {
		return err
	}
	if same, err := t.Has(ctx, planned.Digest); err != nil || same {
		return err
	}
	return &ChangedError{What: "the replaced version of tool " + planned.Name}
}

// CheckOutputs reads every output that the log names and compares it with its
// digest. It gives how many runs that were.
func (l *Log) CheckOutputs(ctx context.Context) (n int, err error) {
	check := func(f Finished) error {
		n++
		for _, ref := range []PackRef{f.Stdout, f.Stderr, f.Left} {
			if err := l.campaign.checkOutput(ref); err != nil {
				return fmt.Errorf("%s: %w", f.Run, err)
			}
		}
		return ctx.Err()
	}
	for _, run := range slices.SortedFunc(maps.Keys(l.Finished), Run.Compare) {
		if err := check(l.Finished[run]); err != nil {
			return n, err
		}
	}
	for _, run := range slices.SortedFunc(maps.Keys(l.Further), Run.Compare) {
		for _, f := range l.Further[run] {
			if err := check(f); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

func (c *Campaign) checkOutput(ref PackRef) error {
	out, err := c.Output(ref)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, out)
	return errors.Join(err, out.Close())
}
