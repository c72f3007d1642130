package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/fault"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Head does the work of a built-in tool's BenchKit_head.sh: it reads the BK_
// variables through getenv and the instance from dir, and lets the engine
// answer on out. For a fault of the input or the engine it prints
// CANNOT_COMPUTE, where nothing is printed yet, and returns the error.
func Head(ctx context.Context, engine Engine, dir string, getenv func(string) string, out io.Writer) error {
	exam, err := examinations.ParseID(getenv("BK_EXAMINATION"))
	if err != nil {
		return fmt.Errorf("BK_EXAMINATION: %w", err)
	}
	p := NewPrinter(out, exam)
	task, err := readTask(ctx, dir, exam, getenv)
	var large *unfold.TooLarge
	switch {
	case errors.As(err, &large):
		err = nil // it cannot compute that, which is no fault
	case err == nil:
		err = fault.Contain(fmt.Sprintf("%s %s by %T", task.Instance, exam, engine), func() error { return engine.Answer(ctx, task, p) })
		if failure := (*fault.Error)(nil); errors.As(err, &failure) {
			failure.File = "" // it is gone with the machine: the standard error has the stack
		}
	}
	if p.Lines() == 0 {
		p.CannotCompute("")
	}
	return cmp.Or(err, p.Err(), task.Witnesses.Err())
}

// readTask reads what is asked.
func readTask(ctx context.Context, dir string, exam examinations.ID, getenv func(string) string) (Task, error) {
	task := Task{Instance: instance(dir, getenv), Exam: exam, Cores: runtime.NumCPU(), Memory: number(getenv("BK_MEMORY_CONFINEMENT")) << 20,
		Budget: time.Duration(number(getenv("BK_TIME_CONFINEMENT"))) * time.Second}
	if task.Memory > 0 {
		debug.SetMemoryLimit(task.Memory - task.Memory/8)
	}
	doc, found := pnml.ReadFile(filepath.Join(dir, "model.pnml"))
	if err := found.Err(); err != nil {
		return task, err
	}
	if out := getenv("BK_RESULT_DIR"); out != "" && getenv("BK_WITNESSES") == "1" {
		task.Witnesses = &Witnesses{Dir: out, Instance: task.Instance, Exam: exam}
	}
	if exam.HasFormulas() {
		task.Properties, found = formula.ReadFile(filepath.Join(dir, exam.FormulaFile()), exam)
	}
	if err := found.Err(); err != nil {
		return task, err
	}
	var err error
	task.View, err = task.Unfold(ctx, doc)
	return task, err
}

// instance is the name of what is asked about: that of the directory, where the
// contest does not say it.
func instance(dir string, getenv func(string) string) string {
	if name := getenv("BK_INPUT"); name != "" {
		return name
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	return filepath.Base(whole)
}

// number reads a variable that may be missing.
func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
