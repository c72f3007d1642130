package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestManuals does what the manuals tell their readers to do, command by command in
// one shell directory, and compares what is printed with what they show.
//
// In a manual a line "    $ COMMAND" is a command, a line "    > TEXT" behind it more
// of it, and the indented lines that follow what it prints on both of its outputs.
// "..." stands for any text in a line, and alone in a line for any number of lines.
// "(exit code N)" is the exit code, where it is not 0.
func TestManuals(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("%v %v", pages, err)
	}
	tried := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		steps := stepsOf(string(text))
		if len(steps) == 0 {
			continue
		}
		tried++
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, s := range steps {
				s.try(t, page, dir)
			}
		})
	}
	if tried == 0 {
		t.Error("no manual shows a command")
	}
}

// step is a command of a manual.
type step struct {
	line    int
	command string
	shown   []string
}

func stepsOf(page string) (steps []step) {
	var now *step
	blank := 0 // lines that may stand between two lines of what is printed
	for i, line := range strings.Split(page, "\n") {
		text, indented := strings.CutPrefix(line, "    ")
		command, is := strings.CutPrefix(text, "$ ")
		more, further := strings.CutPrefix(text, "> ")
		switch {
		case line == "":
			blank++
			continue
		case !indented:
			now = nil
		case is:
			steps = append(steps, step{line: i + 1, command: command})
			now = &steps[len(steps)-1]
		case now != nil && (further || text == ">") && len(now.shown) == 0:
			now.command += "\n" + strings.TrimPrefix(more, ">")
		case now != nil:
			now.shown = append(append(now.shown, make([]string, blank)...), text)
		}
		blank = 0
	}
	return steps
}

var exitCodeShown = regexp.MustCompile(`^\(exit code (\d+)\)$`)

func (s *step) try(t *testing.T, page, dir string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "sh", "-c", s.command)
	c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"), "COLUMNS=100")
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimRight(string(bytes.ReplaceAll(out, []byte(dir), []byte("."))), "\n"), "\n")
	if code := c.ProcessState.ExitCode(); code != 0 {
		got = append(got, fmt.Sprintf("(exit code %d)", code))
	}
	shown := s.shown
	if len(shown) == 0 {
		shown = []string{"..."}
		if last := got[len(got)-1]; exitCodeShown.MatchString(last) {
			shown = nil
		}
	}
	if !fits(got, shown) {
		t.Fatalf("%s:%d: $ %s\nprints\n    %s\nand the page shows\n    %s", page, s.line, s.command, strings.Join(got, "\n    "), strings.Join(shown, "\n    "))
	}
}

// fits reports whether lines are those that are shown.
func fits(got, shown []string) bool {
	switch {
	case len(shown) == 0:
		return len(got) == 0 || len(got) == 1 && got[0] == ""
	case shown[0] == "...":
		for n := 0; n <= len(got); n++ {
			if fits(got[n:], shown[1:]) && !(n > 0 && exitCodeShown.MatchString(got[n-1])) {
				return true
			}
		}
		return false
	case len(got) == 0:
		return false
	}
	parts := strings.Split(shown[0], "...")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(strings.TrimRight(parts[i], " "))
	}
	return regexp.MustCompile(`^`+strings.Join(parts, ".*")+`\s*$`).MatchString(got[0]) && fits(got[1:], shown[1:])
}

// TestFits: what the comparison of manuals lets pass, and what not.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		got, shown string
		want       bool
	}{
		{"a", "a", true}, {"a", "b", false}, {"a 1 s", "a ... s", true}, {"a 1 m", "a ... s", false}, {"a\nb\nc", "a\n...\nc", true}, {"a\nc", "a\n...\nc", true},
		{"a\nb\nd", "a\n...\nc", false}, {"a", "...", true}, {"", "...", true}, {"a\n(exit code 3)", "...", false}, {"a\n(exit code 3)", "...\n(exit code 3)", true},
		{"a\n(exit code 4)", "...\n(exit code 3)", false}, {"a", "a\nb", false}, {"a.b", "a.b", true}, {"axb", "a.b", false},
	} {
		if got := fits(strings.Split(c.got, "\n"), strings.Split(c.shown, "\n")); got != c.want {
			t.Errorf("%q as %q: %v", c.got, c.shown, got)
		}
	}
}
