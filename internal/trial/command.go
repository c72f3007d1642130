package trial

import (
	"fmt"
	"strings"
	"time"

	"podium/internal/campaign"
)

// Command is the `podium try` command that repeats a run of a campaign, for the paths
// of the tool and of the instance as a person knows them.
func Command(tool, instance string, run campaign.Run, limits campaign.Confinement) string {
	return fmt.Sprintf("podium try %s %s --examination %s --cpu %s --memory %dMB", Quoted(tool), Quoted(instance), run.Exam,
		time.Duration(limits.CPUTime)*time.Microsecond, limits.Memory/1e6)
}

// Quoted writes an argument so that a shell reads it as one.
func Quoted(arg string) string {
	if arg != "" && strings.Trim(arg, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+-=@%:,") == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
