package tools

import (
	"strings"
	"testing"
)

// TestPlaceholdersOnce: of an unknown placeholder those that there are stand once in the message.
func TestPlaceholdersOnce(t *testing.T) {
	text := "command: bin/mine {input_files} {input}\n"
	found := checkCommand("tool.yaml", []byte(text), &Manifest{Command: "bin/mine {input_files} {input}"})
	if len(found) != 1 || strings.Count(found[0].Error(), dataModelMark) != 1 {
		t.Errorf("found %v", found)
	}
}
