package cmd

import (
	"bytes"
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
// that do something, shows an example.
func TestHelp(t *testing.T) {
	eachCommand(func(c *cobra.Command) {
		if c.Name() == "help" || c.Name() == "completion" || c.HasParent() && c.Parent().Name() == "completion" {
			return
		}
		if !c.HasSubCommands() && c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		var others []string // arguments behind the campaign
		arguments, _, _ := strings.Cut(c.Use, " --")
		for _, word := range strings.Fields(arguments)[1:] {
			if !strings.HasPrefix(word, "[") {
				others = append(others, "1")
			}
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
