package trial

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"podium/internal/campaign"
)

// Command is the `podium try` command that repeats a run of a campaign, for the paths
// of the tool and of the instance as a person knows them, with further flags.
func Command(tool, instance string, run campaign.Run, limits campaign.Confinement, flags map[string]string) string {
	command := fmt.Sprintf("podium try %s %s --examination %s --cpu %s --memory %dMB", quoted(tool), quoted(instance), run.Exam,
		time.Duration(limits.CPUTime)*time.Microsecond, limits.Memory/1e6)
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		command += " --" + name + " " + quoted(flags[name])
	}
	return command
}

// quoted writes an argument so that a shell reads it as one.
func quoted(arg string) string {
	if arg != "" && strings.Trim(arg, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+-=@%:,") == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
