package task

import (
	"fmt"
	"strings"

	"podium/pnml/diagnostic"
)

// Limits of a set file.
const (
	maxSet      = 1 << 24 // bytes
	maxPatterns = 1 << 20
)

// ReadSet reads a set file: a pattern a line, relative to the file; "#" and "//" begin a
// remark of a line. Name is the file in the findings.
func ReadSet(name string, text []byte) ([]Pattern, diagnostic.List) {
	if len(text) > maxSet {
		return nil, diagnostic.List{{File: name, Code: "task-set-size", Message: fmt.Sprintf("the set file is larger than %d bytes", maxSet)}}
	}
	var patterns []Pattern
	line := 0
	for part := range strings.Lines(string(text)) {
		line++
		trimmed := strings.TrimLeft(part, " \t")
		word := strings.TrimSpace(trimmed)
		if word == "" || word[0] == '#' || strings.HasPrefix(word, "//") {
			continue
		}
		if len(patterns) == maxPatterns {
			return nil, diagnostic.List{{File: name, Line: line, Code: "task-set-size", Message: fmt.Sprintf("more than %d patterns", maxPatterns)}}
		}
		patterns = append(patterns, Pattern{word, line, len(part) - len(trimmed) + 1})
	}
	if len(patterns) == 0 {
		return nil, diagnostic.List{{File: name, Code: "task-set-empty", Message: "the set names no task", Hint: "write the name of a task definition a line, such as loops/*.yml"}}
	}
	return patterns, nil
}
