// Package reader is the built-in tool that reads answers from the files beside a net, for
// demonstrations of what editions give to runs and of how such tools are found (T-5): "reader".
// Where those files state nothing, it cannot answer.
package reader

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"podium/examinations"
	"podium/internal/tools/engine"
	"podium/models"
)

// Engine is the method of the tool.
type Engine struct {
	Dir string // of the instance
}

// Answer implements [engine.Engine].
func (e Engine) Answer(_ context.Context, task engine.Task, out *engine.Printer) error {
	beside := map[string][]byte{}
	for _, name := range []string{models.FormFile, models.UnfiniteFile} {
		text, err := os.ReadFile(filepath.Join(e.Dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		beside[name] = text
	}
	said, err := models.InMemory(models.ParseAnyID(task.Instance), beside).Statements(nil)
	if err != nil {
		return err
	}
	told := examinations.Told(said)[task.Exam]
	for _, item := range slices.Sorted(maps.Keys(told)) {
		out.Value(item, examinations.Value{Kind: task.Exam.Kind(), Text: told[item]}, "READ")
	}
	return nil
}
