package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"podium/pnml/diagnostic"
	"podium/vm"
)

// Tail is what people need at once of what a run prints on standard error: how much it
// is, the last lines, and what to do about lines that mean a mistake. It is written to,
// and ended by [Tail.End].
type Tail struct {
	Lines int      `json:"lines,omitempty"`
	Last  []string `json:"last,omitempty"`

	Hints []string `json:"hints,omitempty"` // about what lines say

	line     []byte   // the unfinished one, cut
	open     bool     // an unfinished line was begun
	writable []string // directories of the tool that were written to in vain
}

// What a tail keeps.
const (
	lastLines   = 5
	longestLine = 500 // bytes
	maxHints    = 20
)

// hints are words of systems and tools that mean a mistake, and the next step.
var hints = []struct {
	begins bool // the words are the beginning of a line
	words  string
	hint   string
}{
	{false, "Read-only file system", readOnly},
	{false, "unexpected operator", bashOnly},
	{false, `Syntax error: "(" unexpected`, bashOnly},
	{false, "Bad substitution", bashOnly},
	{false, "[[: not found", bashOnly},
	{false, "source: not found", bashOnly},
	{false, "Illegal option -o pipefail", bashOnly},
	{false, "bad interpreter", badFirstLine},
	{false, "cannot execute: required file not found", badFirstLine}, // as bash 5.2 has it
	{false, ": not found", noProgram},
	{false, "command not found", noProgram},
	{false, "env: ‘", noProgram},
	{false, "Permission denied", "what is run has to be executable, which archives may lose: chmod +x it, and hand the tool in again; what is written has to be in $TMPDIR, $BK_RESULT_DIR or the current directory"},
	{false, "cannot execute binary file", otherProcessor},
	{false, "Exec format error", otherProcessor},
	{false, "error while loading shared libraries", ownLibraries},
	{false, "version `GLIBC", ownLibraries},
	{false, "ambiguous redirect", "the name of a file is empty: a variable that the head writes to is not set here (docs/tools.md lists those that are)"},
	{false, "cannot modify limit", "a run has limits already: ulimit can lower them, and not raise them"},
	{false, "reserve enough space for", "the program asks for more memory than the run has, or than ulimit -v leaves it, which counts addresses: give it a heap of less than $BK_MEMORY_CONFINEMENT megabytes"},
	{false, "Network is unreachable", noNetwork},
	{false, "Address family not supported", noNetwork},
	{false, "Unable to access jarfile", noFile},
	{false, "can't open file", noFile},
	{false, "ModuleNotFoundError", "a run sees packages in the usual places of the host only, and none of your home: put them into the tool, or use an image (system: in tool.yaml)"},
	{true, "FORMULA ", "answers count on standard output, not on standard error"},
	{true, "STATE_SPACE ", "answers count on standard output, not on standard error"},
}

// The next steps of several.
const (
	readOnly       = "the tool's own directory is read-only: write to $TMPDIR, or to $BK_RESULT_DIR what is to be kept, or make an empty directory in the tool and name it in tool.yaml (writable: [%s])"
	bashOnly       = "a script for bash is run by sh: begin it with #!/bin/bash, or write what every shell knows (one = in [ ])"
	badFirstLine   = "the first line of that script names a program that the machine does not have: write #!/bin/bash or #!/usr/bin/env and its name, end lines without carriage return, or bring the program in an image (system: in tool.yaml)"
	noProgram      = "a program was not found: those of the tool's directory and of its bin are found by name; others (bc, GNU parallel, perl, python3, java, ...) are those of the host, or of an image (system: in tool.yaml)"
	otherProcessor = "that is no program for this processor, or no script: build it for the processor of the hosts, and begin scripts with #!"
	ownLibraries   = "the program needs a library that the machine lacks, or a newer one: link it statically, put the library into bin/ and name that in LD_LIBRARY_PATH, or bring a system in an image (system: in tool.yaml)"
	noNetwork      = "a run has no network: what the tool needs has to be in its directory, or in an image (system: in tool.yaml)"
)

const noFile = "a run sees the tool's directory as $HOME/BenchKit, and its bin as $BIN_DIR: put the file there"

// refused finds the path in a line about a read-only file system.
var refused = regexp.MustCompile(`[‘'"]([\w.+/-]+)[’'"]|([\w.+/-]+):? \(?Read-only`)

// wanted returns the directory of the tool that such a line is about; a relative path is one
// of the tool, as the instance's directory can be written to. What is beside the head, or
// beside the programs in bin, is to go into a directory of its own.
func wanted(line []byte) string {
	file := "/"
	if found := refused.FindAllSubmatch(line, -1); len(found) > 0 {
		last := found[len(found)-1]
		file = string(last[1]) + string(last[2])
	}
	if !path.IsAbs(file) {
		file = path.Join(vm.ToolDir, file)
	}
	file, inside := strings.CutPrefix(path.Clean(file), vm.ToolDir+"/")
	dir := path.Dir(file)
	if bytes.Contains(line, []byte("create directory")) && !bytes.Contains(line, []byte("template")) {
		dir = file // mkdir
	}
	switch {
	case !inside || dir == ".":
		return "tmp"
	case dir == "bin":
		return "bin/tmp"
	}
	return dir
}

// readOnlyHint adds a directory to the hint about the tool's own directory.
func (t *Tail) readOnlyHint(dir string) {
	if slices.Contains(t.writable, dir) || len(t.writable) == vm.MaxWritable {
		return
	}
	before := fmt.Sprintf(readOnly, strings.Join(t.writable, ", "))
	t.writable = append(t.writable, dir)
	hint := fmt.Sprintf(readOnly, strings.Join(t.writable, ", "))
	if at := slices.Index(t.Hints, before); at >= 0 {
		t.Hints[at] = hint
	} else {
		t.Hints = append(t.Hints, hint)
	}
}

// Write takes what a tool prints.
func (t *Tail) Write(text []byte) (int, error) {
	for rest := text; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		t.open = true
		t.line = append(t.line, line[:min(len(line), longestLine-len(t.line))]...)
		if ended {
			t.endLine()
		}
		rest = after
	}
	return len(text), nil
}

func (t *Tail) endLine() {
	t.Lines++
	for _, h := range hints {
		if at := bytes.Index(t.line, []byte(h.words)); at == 0 || at > 0 && !h.begins {
			if h.hint == readOnly {
				t.readOnlyHint(wanted(t.line))
			} else if len(t.Hints) < maxHints && !slices.Contains(t.Hints, h.hint) {
				t.Hints = append(t.Hints, h.hint)
			}
		}
	}
	t.Last = append(t.Last, string(t.line))
	if len(t.Last) > lastLines {
		t.Last = slices.Delete(t.Last, 0, 1)
	}
	t.line, t.open = t.line[:0], false
}

// End says that nothing follows.
func (t *Tail) End() {
	if t.open {
		t.endLine()
	}
}

// Tail reads the end of what was printed, from where it is stored.
func (c *Campaign) Tail(of PackRef) (t Tail, err error) {
	in, err := c.Output(of)
	if err != nil {
		return t, err
	}
	_, err = io.Copy(&t, in)
	t.End()
	return t, errors.Join(err, in.Close())
}

// Text returns the last lines and the hints, a line each.
func (t *Tail) Text() (lines []string) {
	for _, line := range t.Last {
		lines = append(lines, "stderr: "+diagnostic.Printable(line))
	}
	for _, hint := range t.Hints {
		lines = append(lines, "hint: "+hint)
	}
	return lines
}

// Hint says what a run had that a limit ended, or where a tool's files are when a program
// was not found, or what to do about processes that were left running; "" where there is
// nothing to say.
func (c Confinement) Hint(o vm.Outcome) string {
	switch {
	case o.Termination == vm.OutOfMem:
		return fmt.Sprintf("the run had %d MB of memory", c.Memory/1e6)
	case o.Termination == vm.OutOfCPU:
		return fmt.Sprintf("the run had %v of CPU time; what was printed before counts", time.Duration(c.CPUTime)*time.Microsecond)
	case o.Termination == vm.OutOfTime && o.Waited():
		return fmt.Sprintf("it used no CPU time: it waits for something, such as input, a lock, or a process that has ended; the run had %v of wall time, and what was printed before counts", time.Duration(c.WallTime)*time.Microsecond)
	case o.Termination == vm.OutOfTime:
		return fmt.Sprintf("the run had %v of wall time; what was printed before counts", time.Duration(c.WallTime)*time.Microsecond)
	case o.Termination == vm.TooMuchOut:
		return fmt.Sprintf("a run may print %d MB: print answers and nothing else, and write the rest to $BK_RESULT_DIR", c.Output/1e6)
	case o.Termination == vm.DiskFull:
		return fmt.Sprintf("a run may have %d MB of files", c.Disk/1e6)
	case o.NotStarted():
		return "the current directory is that of the instance, and programs of the tool are in $BIN_DIR; of the host a run sees the usual places only (docs/tools.md)"
	case slices.Contains(o.Warnings, vm.LeftRunning):
		return "let the tool end after all that it starts (`wait` in a shell): what they would print later is lost, and podium qualify refuses a tool that leaves them"
	}
	return ""
}
