package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/internal/planning"
	"podium/internal/tools"
	"podium/internal/trial"
	"podium/pnml/diagnostic"
)

// taskEdition judges the trial of a tool for tasks when nothing else is said.
const taskEdition = "svcomp2026"

// ofTasks reports whether a tool is one for tasks.
func ofTasks(t tools.Tool) bool { return t.Head == "" && t.Image == "" && t.Command != "" }

// tryTasks runs a tool for tasks on some, in a campaign that is thrown away.
func (o *tryOptions) tryTasks(ctx context.Context, s *streams, tool tools.Tool, paths []string, cache string, format diagnostic.Format) error {
	switch {
	case len(paths) == 0:
		return usageError{fmt.Errorf("%s is a tool for tasks: name task definitions, sets or directories to try it on", tool.Name)}
	case o.shell || o.command || o.oracle != "" || o.Witnesses:
		return usageError{errors.New("--shell, --command, --oracle and --witnesses are for nets: leave them out in a trial on tasks")}
	case o.Edition == defaultEdition:
		o.Edition = taskEdition
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	scratch, err := files.NewScratch(cache, "try")
	if err != nil {
		return err
	}
	defer scratch.Close()
	p := o.options(s)
	p.Tasks, p.Tools, p.IgnoreOptOut, p.Name, p.Cores = paths, []string{tool.Dir}, true, "trial", 1
	c, _, err := planning.Prepare(ctx, scratch.Path("campaign"), p)
	if err != nil {
		return err
	}
	log, err := workOn(ctx, s, c, &runOptions{quiet: true, threads: o.threads, lease: campaign.DefaultLease})
	if err != nil {
		return err
	}
	ed, _, err := judged.LoadEdition(o.Edition)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	t := &trial.Tasks{Campaign: c, Log: log, Edition: ed, Record: trial.Record{Tool: tool, Keep: o.keep, Out: o.tables(s, format)}}
	if o.logs {
		t.Logs = s.err
	}
	if err := t.All(); err != nil {
		return err
	}
	return o.conclude(s, t, format)
}
