package trial

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"podium/internal/campaign"
	"podium/internal/wording"
)

// Command is the `podium try` command that repeats a run of a campaign, for the paths
// of the tool and of the instance as a person knows them, with further flags.
func Command(tool, instance string, run campaign.Run, limits campaign.Confinement, flags map[string]string) string {
	command := fmt.Sprintf("podium try %s %s --examination %s --cpu %s --memory %dMB", wording.Shell(tool), wording.Shell(instance), run.Exam,
		time.Duration(limits.CPUTime)*time.Microsecond, limits.Memory/1e6)
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		command += " --" + name
		if value := flags[name]; value != "" {
			command += " " + wording.Shell(value)
		}
	}
	return command
}
