package cmd

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// eachCommand calls f with every command that help shows, the root included.
func eachCommand(f func(*cobra.Command)) {
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		f(c)
		for _, below := range c.Commands() {
			if !below.Hidden {
				visit(below)
			}
		}
	}
	visit(Commands())
}

// TestHelp reads the help of every command: it fits 80 columns and, for commands
// that do something, shows an example and says the exit codes.
func TestHelp(t *testing.T) {
	eachCommand(func(c *cobra.Command) {
		if c.Runnable() && !c.HasSubCommands() {
			if c.Example == "" {
				t.Errorf("%s has no example", c.CommandPath())
			}
			if !strings.Contains(c.Long, "Exit codes: 0 ") {
				t.Errorf("%s does not say its exit codes", c.CommandPath())
			}
		}
		var others []string // arguments behind the campaign
		arguments, _, _ := strings.Cut(c.Use, " --")
		for range strings.Fields(regexp.MustCompile(`\[[^]]*\]`).ReplaceAllString(arguments, ""))[1:] {
			others = append(others, "1")
		}
		if strings.Contains(c.Use, "[") && strings.Contains(c.Long, defaultCampaign) && c.Args(c, others) != nil {
			t.Errorf("%s does not take %s by default", c.CommandPath(), defaultCampaign)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			_, text := pflag.UnquoteUsage(f)
			if strings.Contains(text, "(default") && !slices.Contains([]string{"", "0", "0s", "[]", "0B", "false"}, f.DefValue) || strings.Contains(text, "(0:") {
				t.Errorf("%s --%s says its default twice: %s (default %s)", c.CommandPath(), f.Name, text, f.DefValue)
			}
		})
		var b bytes.Buffer
		c.SetOut(&b)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 && !strings.Contains(c.Example, strings.TrimSpace(line)) {
				t.Errorf("%s: a line of %d columns: %s", c.CommandPath(), n, line)
			}
		}
	})
}

// TestTreeInGroups: the help of podium lists every command in one of its groups.
func TestTreeInGroups(t *testing.T) {
	eachCommand(func(c *cobra.Command) {
		if c.HasParent() && !c.Parent().HasParent() && c.GroupID == "" {
			t.Errorf("%s is in no group", c.CommandPath())
		}
	})
}

// TestSuggestions: what people guess is no command, and the answer names commands and flags that are there.
func TestSuggestions(t *testing.T) {
	for word, instead := range otherVerbs {
		if cmd, rest, err := Commands().Find([]string{word}); err == nil && len(rest) == 0 {
			t.Errorf("%s is a command", cmd.CommandPath())
		}
		for _, m := range regexp.MustCompile("`podium ([^`]+)`").FindAllStringSubmatch(instead, -1) {
			cmd, rest, err := Commands().Find(strings.Fields(m[1]))
			if err != nil || len(rest) > 0 && cmd.HasSubCommands() {
				t.Errorf("%s: %s is no command: %v", word, m[1], err)
			}
			for _, flag := range rest {
				if name, is := strings.CutPrefix(flag, "--"); is && cmd.Flags().Lookup(name) == nil {
					t.Errorf("%s: %s has no %s", word, cmd.CommandPath(), flag)
				}
			}
		}
	}
}

// TestHelpTopics: `podium help rules` explains every rule that a text of podium names.
func TestHelpTopics(t *testing.T) {
	explained := map[string]bool{}
	for _, r := range rules {
		explained[r.word] = true
	}
	named := regexp.MustCompile(`\b([MTP]-\d|E-\d\.\d)\b`)
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != ".."):
			return fs.SkipDir
		case file != filepath.Join("..", "docs", "rules.md") && (filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go")):
			return nil
		}
		text, err := os.ReadFile(file)
		for _, code := range named.FindAllString(string(text), -1) {
			if !explained[code] {
				t.Errorf("%s names rule %s, which podium help rules lacks", file, code)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, word := range map[string]string{"exit-codes": "130: interrupted", "rules": "E-4.5: ", "environment": showVariable} {
		var out bytes.Buffer
		if code := Main(t.Context(), []string{"help", name}, strings.NewReader(""), &out, &out); code != ExitDone || !strings.Contains(out.String(), word) || strings.Contains(out.String(), "Usage:") {
			t.Errorf("podium help %s: exit code %d\n%s", name, code, &out)
		}
	}
}

// TestListsOfLines: a list that comes as lines, such as the output of a program, is read whole.
func TestListsOfLines(t *testing.T) {
	lists := 0
	eachCommand(func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			list, several := f.Value.(pflag.SliceValue)
			if !several || f.Value.Type() != "stringSlice" {
				return
			}
			lists++
			if err := f.Value.Set("a,b\nc\r\n\nd\n"); err != nil {
				t.Fatal(err)
			}
			if got := list.GetSlice(); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
				t.Errorf("%s --%s: %q", c.CommandPath(), f.Name, got)
			}
		})
	})
	if lists == 0 {
		t.Error("no command has a list")
	}
}
