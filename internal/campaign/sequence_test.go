package campaign

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
)

// later extends a campaign by an examination.
func later(t *testing.T, c *Campaign) *Campaign {
	t.Helper()
	p := c.Plan
	p.Number, p.Before = len(c.Plans)+1, c.Digest
	p.Examinations = append(slices.Clone(p.Examinations), examinations.QuasiLiveness)
	p.Later = map[examinations.ID]int{examinations.QuasiLiveness: p.Number}
	d, err := NewDraft(t.Context(), c.Dir)
	must(t, err)
	defer d.Close()
	must(t, d.Extend(t.Context(), c, &p))
	now, err := Open(c.Dir)
	must(t, err)
	return now
}

// TestExtendedWhileRead: journals of every plan are read under the last one; who has
// opened the campaign before is told to begin again, when there is a newer journal.
func TestExtendedWhileRead(t *testing.T) {
	c := small(t)
	write(t, c, "a", firstRecord(c, "a", Node{}), end(Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}, 1, 0))
	now := later(t, c)
	if log, err := c.Read(t.Context()); err != nil || len(log.Finished) != 1 {
		t.Fatalf("the worker of the first plan is disturbed: %v", err)
	}
	write(t, now, "b", firstRecord(now, "b", Node{}), end(Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "QuasiLiveness"}, 1, 0))
	log, err := now.Read(t.Context())
	must(t, err)
	if len(log.Finished) != 2 || len(log.Workers) != 0 || now.Plan.Count() != 24 {
		t.Errorf("%d of %d runs", len(log.Finished), now.Plan.Count())
	}
	if _, err := c.Read(t.Context()); err == nil || !strings.Contains(err.Error(), "was extended while this command worked") {
		t.Errorf("the worker of the first plan reads: %v", err)
	}
}

// TestMergeOfTheEarlierPlan takes what was done in a copy into the campaign that was
// extended meanwhile, and refuses the other way.
func TestMergeOfTheEarlierPlan(t *testing.T) {
	c := small(t)
	copied := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(copied, os.DirFS(c.Dir)))
	other, err := Open(copied)
	must(t, err)
	write(t, other, "a", firstRecord(other, "a", Node{}), end(Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}, 1, 0))
	now := later(t, c)
	if m, err := now.Merge(t.Context(), copied); err != nil || m.Journals != 1 {
		t.Fatalf("merged %+v: %v", m, err)
	}
	log, err := now.Read(t.Context())
	if must(t, err); len(log.Finished) != 1 {
		t.Errorf("%d runs", len(log.Finished))
	}
	var foreign *ForeignError
	if _, err := other.Merge(t.Context(), now.Dir); !errors.As(err, &foreign) || !strings.Contains(err.Error(), "merge the other way, `podium shard merge "+now.Dir+" "+copied+"`") {
		t.Errorf("journals of a plan that it does not have: %v", err)
	}
}

// TestPlansAreChained refuses a sequence with a plan that is missing or changed.
func TestPlansAreChained(t *testing.T) {
	c := later(t, small(t))
	text, err := os.ReadFile(filepath.Join(c.Dir, planName(2)))
	must(t, err)
	for want, change := range map[string]func(){
		"this plan is missing": func() {
			must(t, os.Rename(filepath.Join(c.Dir, planName(2)), filepath.Join(c.Dir, planName(3))))
		},
		"this is not plan 2": func() { rewriteFile(t, filepath.Join(c.Dir, planFile), `"small"`, `"other"`) },
		"joined with plan 7": func() { rewriteFile(t, filepath.Join(c.Dir, planName(2)), `"id"`, `"since": 7, "id"`) },
	} {
		change()
		if _, err := Open(c.Dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
		os.Remove(filepath.Join(c.Dir, planName(3)))
		must(t, os.WriteFile(filepath.Join(c.Dir, planName(2)), text, 0o644))
		first, err := os.ReadFile(filepath.Join(c.Dir, planFile))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(c.Dir, planFile), []byte(strings.ReplaceAll(string(first), `"other"`, `"small"`)), 0o644))
	}
	if again, err := Open(c.Dir); err != nil || fmt.Sprint(again.Plans) != fmt.Sprint(c.Plans) {
		t.Errorf("restored plans: %v", err)
	}
}
