// Package fault keeps a failure of podium itself, a panic, to the one thing that it
// happened to: a technique, an instance, a page, a request, a run.
package fault

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"podium/internal/files"
	"podium/internal/parallel"
	"podium/pnml/diagnostic"
)

// Error is a failure of podium itself while something was done.
type Error struct {
	About string // what was done, and with what
	Cause string // what the panic said
	File  string // with the stack; empty where none could be written
	stack []byte
}

func (e *Error) Error() string {
	with := "the file " + e.File
	if e.File == "" {
		with = "its stack:\n" + string(e.stack[:min(len(e.stack), longestStack)])
	}
	return fmt.Sprintf("%s: a failure of podium itself (%s); please report it, with %s", e.About, e.Cause, with)
}

// Contain calls do. A panic in it, or in a goroutine that it waits for by package parallel, is
// returned as an [*Error] that names what was done; its stack is then in a file in [Dir].
func Contain(about string, do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = caught(about, value)
		}
	}()
	if plant := Plant.Load(); plant != nil {
		(*plant)(about)
	}
	return do()
}

// Plant is for tests: every Contain calls it with what it is about, and it may panic.
var Plant atomic.Pointer[func(about string)]

// Limits of what is shown, in bytes.
const (
	longestCause = 300
	longestStack = 8 << 10
)

func caught(about string, value any) *Error {
	p := parallel.Caught(value)
	cause := diagnostic.Clean(fmt.Sprint(p.Value))
	e := &Error{About: diagnostic.Clean(about), Cause: strings.ToValidUTF8(cause[:min(len(cause), longestCause)], ""), stack: p.Stack}
	var inner *Error
	if failed, ok := p.Value.(error); ok && errors.As(failed, &inner) { // contained before
		return &Error{About: e.About + ": " + inner.About, Cause: inner.Cause, File: inner.File, stack: inner.stack}
	}
	path := filepath.Join(Dir(), nameOf(p.Stack))
	if files.Write(path, func(w io.Writer) error { return describe(w, e, p.Stack) }) == nil {
		e.File = path
	}
	return e
}

// Dir is the directory with the stacks of failures: the last one of each place in the code.
func Dir() string {
	return filepath.Join(files.Cache(), "failures")
}

// numbers are what differs in the stacks of one place: arguments, addresses, goroutines.
var numbers = regexp.MustCompile(`\(0x[^)]*\)|\{0x[^}]*\}|\+?0x[0-9a-f]+\??|goroutine \d+`)

// nameOf names the file of a stack. It is the same for all failures in one place, so that
// there are only so many files.
func nameOf(stack []byte) string {
	sum := sha256.Sum256(numbers.ReplaceAll(frames(stack), nil))
	return "failure-" + hex.EncodeToString(sum[:6]) + ".txt"
}

// frames are the lines of a stack below the panic, a few of them: what is further up depends
// on what was done.
func frames(stack []byte) []byte {
	if at := bytes.LastIndex(stack, []byte("\npanic(")); at >= 0 {
		stack = stack[at:]
	}
	lines := bytes.SplitAfter(stack, []byte("\n"))
	return bytes.Join(lines[:min(len(lines), 10)], nil)
}

func describe(w io.Writer, e *Error, stack []byte) error {
	revision := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = s.Value
			}
		}
	}
	_, err := fmt.Fprintf(w, "A failure of podium itself. Please report it with this file, and with the input that it names.\n\nabout     %s\ncause     %s\ntime      %s\nrevision  %s\nsystem    %s %s/%s\n\n%s\n",
		e.About, e.Cause, time.Now().UTC().Format(time.RFC3339), revision, runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.TrimSpace(string(stack)))
	return err
}
