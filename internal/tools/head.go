package tools

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"podium/pnml/diagnostic"
)

// longestLine is what Linux reads of the first line of a script, in bytes.
const longestLine = 256

// firstLine reads the first line of a file, cut.
func firstLine(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text := make([]byte, longestLine)
	n, err := io.ReadFull(f, text)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", err
	}
	line, _, _ := bytes.Cut(text[:n], []byte("\n"))
	return string(line), nil
}

// checkHead refuses a head that no machine can start.
func checkHead(file string) error {
	line, err := firstLine(file)
	if err != nil {
		return err
	}
	base := filepath.Base(file)
	if strings.HasPrefix(line, "#!") && strings.HasSuffix(line, "\r") {
		return diagnostic.List{{File: file, Line: 1, Col: len(line), Code: "tool-head-lines",
			Message: "the lines end with carriage return and line feed, so that Linux looks for a program whose name ends with a carriage return",
			Hint:    "sed -i 's/\\r$//' " + base}}
	}
	if !strings.HasPrefix(line, elf.ELFMAG) {
		return nil
	}
	program, err := elf.Open(file)
	if err != nil {
		return diagnostic.List{{File: file, Code: "tool-head-program", Message: fmt.Sprintf("the program is damaged: %v", err), Hint: "build or copy it again"}}
	}
	defer program.Close()
	if program.Machine != elf.EM_X86_64 && program.Machine != elf.EM_386 {
		return diagnostic.List{{File: file, Code: "tool-head-program", Message: fmt.Sprintf("the program is for another processor (%v)", program.Machine),
			Hint: "machines have x86-64: build it for linux on amd64"}}
	}
	return nil
}

// Interpreter is the program that the first line of the head names, "" where there is
// none, or the head cannot be read.
func (t Tool) Interpreter() string {
	line, err := firstLine(filepath.Join(t.Dir, t.Head))
	if words := strings.Fields(strings.TrimPrefix(line, "#!")); err == nil && strings.HasPrefix(line, "#!") && len(words) > 0 {
		return words[0]
	}
	return ""
}
