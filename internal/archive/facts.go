package archive

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"podium/internal/campaign"
	"podium/internal/contest"
)

// Format is the value of the format key of archive.json.
const Format = "podium-archive/1"

// facts is archive.json: what the list of digests does not say.
type facts struct {
	Format   string            `json:"format"`
	Campaign string            `json:"campaign"` // its name
	Journal  string            `json:"journal_sha256"`
	Edition  string            `json:"edition"`
	Version  string            `json:"planned_by"` // version of Podium
	Date     string            `json:"date"`       // of the last run, else of the plan
	Runs     runs              `json:"runs"`
	LeftOut  []string          `json:"left_out"`              // parts of the campaign that are not in the archive
	Modes    map[string]string `json:"permissions,omitempty"` // of files that are not 644
	Links    map[string]string `json:"links,omitempty"`       // symbolic ones
	Empty    []string          `json:"empty_directories,omitempty"`
}

// runs are counts of runs.
type runs struct {
	Planned int `json:"planned"`
	Done    int `json:"done"`
	Void    int `json:"void"`
}

// factsOf says what an archive of a judged campaign is. Its date is that of the
// contest, so that the same contest gives the same bytes.
func factsOf(j *contest.Judged, withoutTools bool) facts {
	c := j.Campaign
	last := c.Plan.Created
	for _, f := range j.Log.Finished {
		if end := f.Outcome.Started.Add(f.Outcome.WallTime); end.After(last) {
			last = end
		}
	}
	return facts{Format: Format, Campaign: c.Plan.Name, Journal: j.Journal, Edition: j.Edition.ID, Version: c.Plan.Version,
		Date: last.UTC().Format(time.DateOnly), Runs: runs{c.Plan.Count(), len(j.Log.Finished), len(j.Log.Void)}, LeftOut: leftOut(c, withoutTools)}
}

// The parts of a campaign that an archive may lack.
const (
	partTools     = "tools"
	partInstances = "instances"
)

// leftOut names the parts that are not in the archive, because nobody wanted them
// there, or because the campaign runs them from elsewhere.
func leftOut(c *campaign.Campaign, withoutTools bool) []string {
	list := []string{}
	if withoutTools || slices.ContainsFunc(c.Plan.Tools, func(t campaign.PlannedTool) bool { return filepath.IsAbs(t.Dir) }) {
		list = append(list, partTools)
	}
	if slices.ContainsFunc(c.Plan.Instances, func(i campaign.PlannedInstance) bool { return filepath.IsAbs(i.Path) }) {
		list = append(list, partInstances)
	}
	return list
}

// check tells what is wrong with facts that were read with an archive of these
// files.
func (f *facts) check(files map[string]string) error {
	if f.Format != Format {
		return fmt.Errorf("the format is %q, and this program reads %s", f.Format, Format)
	}
	for path := range f.Modes {
		if files[path] == "" {
			return fmt.Errorf("permissions are given for %q, which is no file of the archive", path)
		}
	}
	for path, target := range f.Links {
		if nameable(path) != nil || files[path] != "" || !staysInside(path, target) {
			return fmt.Errorf("the link %q to %q leads out of the archive, or stands in the place of a file", path, target)
		}
	}
	for _, path := range f.Empty {
		if nameable(path) != nil || files[path] != "" {
			return fmt.Errorf("%q cannot be a directory of the archive", path)
		}
	}
	return nil
}

func asJSON(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", " ")
	return append(text, '\n'), err
}
