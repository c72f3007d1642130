package cmd

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
)

// helpWidth is what help texts are filled to: a terminal of 80 columns.
const helpWidth = 79

// fitHelp makes the help of the root command and of all below it fit.
func fitHelp(root *cobra.Command) {
	root.SetUsageTemplate(strings.NewReplacer( // the others inherit it
		".LocalFlags.FlagUsages", ".LocalFlags.FlagUsagesWrapped 79",
		".InheritedFlags.FlagUsages", ".InheritedFlags.FlagUsagesWrapped 79",
	).Replace(root.UsageTemplate()))
	fillLong(root)
}

func fillLong(cmd *cobra.Command) {
	if cmd.Runnable() && !cmd.HasSubCommands() && !strings.Contains(cmd.Long, "Exit codes:") {
		cmd.Long = cmp.Or(strings.TrimSpace(cmd.Long), cmd.Short+".") + "\n\n" + exitCodes()
	}
	cmd.Long = fill(cmd.Long, helpWidth)
	for _, below := range cmd.Commands() {
		fillLong(below)
	}
}

// fill breaks the lines of each paragraph again; indented lines stand as they are.
func fill(text string, width int) string {
	var out strings.Builder
	column := 0
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == ' ' || line[0] == '\t' {
			if column > 0 {
				out.WriteByte('\n')
			}
			out.WriteString(line + "\n")
			column = 0
			continue
		}
		for word := range strings.FieldsSeq(line) {
			switch {
			case column == 0:
			case column+1+len(word) > width:
				out.WriteByte('\n')
				column = 0
			default:
				out.WriteByte(' ')
				column++
			}
			out.WriteString(word)
			column += len(word)
		}
	}
	return strings.TrimRight(out.String(), "\n")
}
