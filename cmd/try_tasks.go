package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"podium/internal/campaign"
	"podium/internal/planning"
	"podium/internal/tools"
	"podium/internal/trial"
	"podium/pnml/diagnostic"
)

// taskEdition judges the trial of a tool for tasks when nothing else is said.
const taskEdition = "svcomp2026"

// ofTasks tells whether a tool is one for tasks.
func ofTasks(t tools.Tool) bool { return t.Head == "" && t.Image == "" && t.Command != "" }

// tryTasks runs a tool for tasks on some, in a campaign that is thrown away.
func (o *tryOptions) tryTasks(ctx context.Context, s *streams, tool tools.Tool, paths []string, cache string, format diagnostic.Format) error {
	switch {
	case len(paths) == 0:
		return usageError{fmt.Errorf("%s is a tool for tasks: name task definitions, sets or directories to try it on", tool.Name)}
	case o.shell || o.command || o.keep != "" || o.junit != "" || o.oracle != "" || o.logs || format != diagnostic.Text:
		return usageError{errors.New("a trial on tasks has --examination, --edition, --cpu, --memory, --driver and --watch only")}
	case o.edition == defaultEdition:
		o.edition = taskEdition
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(cache, "try-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, _, err := planning.Prepare(ctx, filepath.Join(dir, "campaign"), planning.Options{Tasks: paths, Tools: []string{tool.Dir}, Edition: o.edition, Examinations: o.exams, Name: "trial", Version: Version(),
		Driver: o.driver, CPU: o.cpu, Memory: int64(o.memory), Output: 100e6, Disk: 4e9, Processes: 4096, Cores: 1, Seed: 1, Say: s.say, WriteBuiltIn: writeBuiltIn})
	if err != nil {
		return err
	}
	if err := workOn(ctx, s, c, &runOptions{quiet: true, lease: campaign.DefaultLease}); err != nil {
		return err
	}
	log, err := c.Read(ctx)
	if err != nil {
		return err
	}
	blame, err := trial.WriteTasks(s.out, c, log)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	if blame != "" {
		return incompleteError{blame}
	}
	return nil
}
