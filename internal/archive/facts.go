package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/pnml/diagnostic"
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
func factsOf(j *judged.Campaign, withoutTools bool) facts {
	c := j.Campaign
	last := c.Plan.Created
	for _, f := range j.Log.Finished {
		if end := f.Outcome.EndedAt(); end.After(last) {
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
	if withoutTools || slices.ContainsFunc(c.Plan.Tools, func(t campaign.PlannedTool) bool { return !here(t.Dir) }) {
		list = append(list, partTools)
	}
	if slices.ContainsFunc(c.Plan.Instances, func(i campaign.PlannedInstance) bool { return !here(i.Path) }) {
		list = append(list, partInstances)
	}
	return list
}

// readFacts reads archive.json of an archive of these files.
func readFacts(text []byte, files map[string]string) (f facts, err error) {
	in := json.NewDecoder(bytes.NewReader(text))
	var of struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(text, &of); err == nil && of.Format != Format {
		return f, fmt.Errorf("the format is %s, and this program reads %s", diagnostic.Excerpt(of.Format), Format)
	}
	in.DisallowUnknownFields()
	if err := in.Decode(&f); err != nil {
		return f, err
	}
	if again, err := asJSON(f); err != nil || !bytes.Equal(again, text) {
		return f, errors.New("it is not written as podium archive writes it")
	}
	return f, f.check(files)
}

// check says what is wrong with facts that were read with an archive of these
// files.
func (f *facts) check(sums map[string]string) error {
	if len(f.Modes)+len(f.Links)+len(f.Empty) > maxEntries {
		return fmt.Errorf("it names more than %d files", maxEntries)
	}
	for path, mode := range f.Modes {
		if sums[path] == "" || !strings.HasPrefix(path, campaignDir+"/") {
			return fmt.Errorf("permissions are given for %s, which is no file of the campaign", diagnostic.Excerpt(path))
		}
		if n, err := strconv.ParseUint(mode, 8, 9); err != nil || fmt.Sprintf("%03o", n) != mode || fs.FileMode(n) == plainMode {
			return fmt.Errorf("%s are no permissions", diagnostic.Excerpt(mode))
		}
	}
	for path := range f.Links {
		if files.Nameable(path) != nil || sums[path] != "" {
			return fmt.Errorf("the link %s stands in the place of a file, or has a name that no file can have", diagnostic.Excerpt(path))
		}
	}
	for i, path := range f.Empty {
		if files.Nameable(path) != nil || sums[path] != "" || i > 0 && path <= f.Empty[i-1] {
			return fmt.Errorf("%s cannot be a directory of the archive", diagnostic.Excerpt(path))
		}
	}
	for _, part := range f.LeftOut {
		if part != partTools && part != partInstances {
			return fmt.Errorf("%s is said to be left out, and is no part of a campaign", diagnostic.Excerpt(part))
		}
	}
	if _, err := time.Parse(time.DateOnly, f.Date); err != nil {
		return fmt.Errorf("the date is %s, which is none", diagnostic.Excerpt(f.Date))
	}
	return nil
}

// mode returns the permissions of a file.
func (f *facts) mode(name string) fs.FileMode {
	if text, ok := f.Modes[name]; ok {
		n, _ := strconv.ParseUint(text, 8, 9) // was checked when it was read
		return fs.FileMode(n)
	}
	return plainMode
}

// unlike says which fields are others than those of a campaign; what is in the archive was
// compared when it was read.
func (f facts) unlike(of facts) (list []string) {
	of.Modes, of.Links, of.Empty = f.Modes, f.Links, f.Empty
	said, is := reflect.ValueOf(f), reflect.ValueOf(of)
	for i := range said.NumField() {
		if a, b := said.Field(i).Interface(), is.Field(i).Interface(); !reflect.DeepEqual(a, b) {
			name, _, _ := strings.Cut(said.Type().Field(i).Tag.Get("json"), ",")
			list = append(list, fmt.Sprintf("%s is %s, and the campaign says %s", name, shown(a), shown(b)))
		}
	}
	return list
}

// shown is a value for a message.
func shown(v any) string {
	const most = 300
	text, _ := json.Marshal(v)
	if len(text) > most {
		text = append(text[:most:most], "..."...)
	}
	return diagnostic.Line(strings.ToValidUTF8(string(text), ""))
}

// apart returns of two lists what only one of them has, and other values as they are.
func apart(a, b any) (any, any) {
	x, okA := a.([]any)
	y, okB := b.([]any)
	if !okA || !okB {
		return a, b
	}
	only := func(these, others []any) []any {
		return slices.DeleteFunc(slices.Clone(these), func(v any) bool {
			return slices.ContainsFunc(others, func(o any) bool { return reflect.DeepEqual(v, o) })
		})
	}
	return only(x, y), only(y, x)
}

func asJSON(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", " ")
	return append(text, '\n'), err
}
