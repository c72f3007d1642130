package tools

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"podium/internal/files"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// longestLine is what Linux reads of the first line of a script, in bytes.
const longestLine = 256

// openFile opens a file of a tool, also through links between the tool's own files.
func openFile(dir, name string) (*os.File, error) {
	name, err := files.Resolve(dir, name)
	if err != nil {
		return nil, err
	}
	return files.Open(dir, name)
}

// firstLine reads the first line of a program, cut.
func firstLine(f *os.File) (string, error) {
	text := make([]byte, longestLine)
	n, err := io.ReadFull(f, text)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", err
	}
	line, _, _ := bytes.Cut(text[:n], []byte("\n"))
	return string(line), nil
}

// checkProgram refuses a program of a tool that no machine can start. missing is what is
// said where there is none.
func checkProgram(dir, name string, missing diagnostic.Diagnostic) error {
	file := filepath.Join(dir, name)
	f, err := openFile(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return diagnostic.List{missing}
	} else if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Mode()&0o111 == 0 {
		return diagnostic.List{{File: file, Code: strings.Replace(missing.Code, "missing", "not-executable", 1), Message: "the tool's program may not be executed", Hint: "chmod +x " + name}}
	}
	line, err := firstLine(f)
	if err != nil {
		return err
	}
	base := filepath.Base(file)
	if strings.HasPrefix(line, "#!") && strings.HasSuffix(line, "\r") {
		return diagnostic.List{{File: file, Line: 1, Col: len(line), Code: "tool-head-lines",
			Message: "the lines end with carriage return and line feed, so that Linux looks for a program whose name ends with a carriage return",
			Hint:    "sed -i 's/\\r$//' " + base}}
	}
	if strings.HasPrefix(line, "\xef\xbb\xbf#!") {
		return diagnostic.List{{File: file, Line: 1, Col: 1, Code: "tool-head-lines", Message: "a byte order mark stands before #!, so that Linux does not find the program that runs it",
			Hint: "sed -i '1s/^\\xef\\xbb\\xbf//' " + base}}
	}
	if !strings.HasPrefix(line, elf.ELFMAG) {
		return nil
	}
	program, err := elf.NewFile(f)
	if err != nil {
		return diagnostic.List{{File: file, Code: "tool-head-program", Message: fmt.Sprintf("the program is damaged: %v", err), Hint: "build or copy it again"}}
	}
	defer program.Close()
	if hint, runs := processor(); !slices.Contains(runs, program.Machine) {
		return diagnostic.List{{File: file, Code: "tool-head-program", Message: fmt.Sprintf("the program is for another processor (%v)", program.Machine),
			Hint: hint}}
	}
	return nil
}

// processor returns which programs the processor of machines runs, and the next step of
// who has another one. Where podium runs no tools, it is the usual one.
func processor() (hint string, runs []elf.Machine) {
	if runtime.GOOS == "linux" && runtime.GOARCH == "arm64" {
		return "machines have arm64: build it for linux on arm64", []elf.Machine{elf.EM_AARCH64}
	}
	return "machines have x86-64: build it for linux on amd64", []elf.Machine{elf.EM_X86_64, elf.EM_386}
}

// NothingRun says, behind a colon, that a run that was silent did nothing, where the head
// ended well after a few lines; heads do so when they do not know their own name. It is
// empty otherwise.
func (t Tool) NothingRun(o vm.Outcome) string {
	const aFewLines, longestHead = 2000, 1 << 20 // bytes
	if o.Termination != vm.Exited || o.ExitCode != 0 || o.OutputBytes > aFewLines {
		return ""
	}
	f, err := openFile(t.Dir, t.Head)
	if err != nil {
		return ""
	}
	defer f.Close()
	if text, err := io.ReadAll(io.LimitReader(f, longestHead)); err != nil || !bytes.Contains(text, []byte("BK_TOOL")) || bytes.Contains(text, []byte(t.Name)) {
		return ": it seems that nothing was run"
	}
	return ": it seems that nothing was run; " + t.Head + " looks at BK_TOOL, which is " + t.Name + " here: name in tool.yaml has to be the one that it expects"
}

// interpreter is the program that the first line of the head names, "" where there is
// none, or the head cannot be read.
func (t Tool) interpreter() string {
	if words := t.firstWords(); len(words) > 0 {
		return words[0]
	}
	return ""
}

// Unstarted is the next step after a run whose head was not found in the driver's machine, where it
// begins with the name of a program; it is empty otherwise.
func (t Tool) Unstarted(o vm.Outcome, driver string) string {
	program := t.interpreter()
	if !o.NotFound() || program == "" {
		return ""
	}
	next := "PODIUM_SHOW shows a place of the host, and an image (system: in tool.yaml) has its own"
	switch {
	case t.Image != "" || t.System != "":
		next = "its image has to bring it (podium image build --base or --oci)"
	case driver != "sandbox":
		next = "virtual machines have sh and busybox only; an image (system: in tool.yaml) has its own"
	}
	return fmt.Sprintf("%s is run by %s, which the machine does not have: %s", t.Head, diagnostic.Printable(program), next)
}

// Missing is the program that the first line of the head names, where machines that see the
// system of this host do not have it; it is empty otherwise.
func (t Tool) Missing() diagnostic.List {
	program := t.interpreter()
	if !filepath.IsAbs(program) || strings.HasPrefix(program, vm.ToolDir+"/") || t.Image != "" || t.System != "" {
		return nil
	}
	if _, err := os.Stat(program); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return diagnostic.List{{File: filepath.Join(t.Dir, t.Head), Line: 1, Col: 3, Severity: diagnostic.Warning, Code: "tool-head-interpreter",
		Message: fmt.Sprintf("the tool is run by %s, which this computer does not have", diagnostic.Printable(program)),
		Hint:    "correct the first line, install the program, or bring it in an image (system: in tool.yaml)"}}
}

// firstWords are those behind "#!" in the first line of the head.
func (t Tool) firstWords() []string {
	f, err := openFile(t.Dir, t.Head)
	if err != nil {
		return nil
	}
	defer f.Close()
	line, err := firstLine(f)
	words, ok := strings.CutPrefix(line, "#!")
	if err != nil || !ok {
		return nil
	}
	return strings.Fields(words)
}

// OfHost is the program of the host that starts the head, where a virtual machine without
// an image has none of that name: anything but a shell. It is "" for a tool with an image, and where this
// host has no such program.
func (t Tool) OfHost() string {
	words := t.firstWords()
	if len(words) == 0 || t.Image != "" || t.System != "" {
		return ""
	}
	program := words[0]
	if filepath.Base(program) == "env" {
		words = slices.DeleteFunc(words[1:], func(w string) bool { return w[0] == '-' || strings.Contains(w, "=") })
		if len(words) > 0 {
			program = words[0]
		}
	}
	switch program {
	case "/bin/sh", "/usr/bin/sh", "sh", "/bin/ash", "ash":
		return ""
	}
	if _, err := exec.LookPath(program); err != nil {
		return ""
	}
	return program
}
