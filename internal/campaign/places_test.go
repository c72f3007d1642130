package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlansStayInside: the plan of a copy cannot name tools and instances of this computer.
func TestPlansStayInside(t *testing.T) {
	c := small(t)
	file := filepath.Join(c.Dir, planFile)
	text, err := os.ReadFile(file)
	must(t, err)
	here := []string{c.Plan.Tools[0].Dir, c.Plan.Tools[1].Dir, c.Plan.Instances[1].Path}
	for _, was := range here {
		for path, refused := range map[string]bool{"../..": true, "..": true, ".": true, "": true, "./tools/../..": true, "inputs/../../etc": true, "/etc": true, "/": true, "inputs/0/x": false} {
			must(t, os.WriteFile(file, []byte(strings.Replace(string(text), fmt.Sprintf("%q", was), fmt.Sprintf("%q", path), 1)), 0o644))
			switch _, err := Open(c.Dir); {
			case refused && (err == nil || !strings.Contains(err.Error(), "outside of the campaign: restore the plan")):
				t.Errorf("%q in the place of %s: %v", path, was, err)
			case !refused && err != nil:
				t.Errorf("%q in the place of %s: %v", path, was, err)
			}
		}
	}
	all := string(text)
	for _, t := range c.Plan.Tools {
		all = strings.ReplaceAll(all, fmt.Sprintf("%q", t.Dir), fmt.Sprintf("%q", filepath.Join(c.Dir, t.Dir)))
	}
	for _, i := range c.Plan.Instances {
		all = strings.ReplaceAll(all, fmt.Sprintf("%q", i.Path), fmt.Sprintf("%q", filepath.Join(c.Dir, i.Path)))
	}
	must(t, os.WriteFile(file, []byte(all), 0o644))
	if _, err := Open(c.Dir); err != nil {
		t.Errorf("a plan of an early version: %v", err)
	}
	must(t, os.WriteFile(file, []byte(strings.Replace(all, `"tools"`, `"origins": ["/x"], "tools"`, 1)), 0o644))
	if _, err := Open(c.Dir); err == nil {
		t.Error("a plan with copies names inputs of this computer")
	}
}
