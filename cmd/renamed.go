package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// renamed are the commands that had another name before. The old one goes on working.
var renamed = []struct{ was, is string }{
	{"ship", "shard make"},
	{"merge", "shard merge"},
	{"package", "teams"},
	{"certify", "prove"},
	{"replay", "check witness"},
	{"check edition", "edition list"},
	{"reread", "logs --reread"},
}

// currentFlag puts the present name of a flag in the place of an earlier one.
func currentFlag(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "serve" { // as podium serve calls it
		name = "listen"
	}
	return pflag.NormalizedName(name)
}

// currentNames puts the present name of a command in the place of an earlier one.
func currentNames(args []string) []string {
	at := 0 // behind the words that come before a command
	if len(args) > 0 && slices.Contains([]string{"help", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}, args[0]) {
		at = 1
	}
	for _, r := range renamed {
		was, is := strings.Fields(r.was), strings.Fields(r.is)
		if end := at + len(was); len(args) >= end && slices.Equal(args[at:end], was) {
			rest := args[end:]
			if r.was == "check edition" {
				is, rest = editionVerb(rest)
			}
			if at > 0 { // help and completion know commands only
				is = slices.DeleteFunc(is, func(word string) bool { return strings.HasPrefix(word, "-") })
			}
			return slices.Concat(args[:at], is, rest)
		}
	}
	return args
}

// pathOf is the path of a command below podium.
func pathOf(cmd *cobra.Command) string { return strings.TrimPrefix(cmd.CommandPath(), "podium ") }

// editionVerb is what `podium check edition` does with its arguments.
func editionVerb(args []string) (verb, rest []string) {
	show := func(arg string) bool { return arg == "--show" }
	switch {
	case slices.ContainsFunc(args, show):
		return []string{"edition", "show"}, slices.DeleteFunc(slices.Clone(args), show)
	case slices.ContainsFunc(args, func(arg string) bool { return arg != "--json" }):
		return []string{"edition", "check"}, args
	}
	return []string{"edition", "list"}, args
}
