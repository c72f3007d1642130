package campaign

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/examinations/output"
)

// misread makes a campaign that is done, whose record says of three runs what an
// earlier reader made of them: another value, nothing at all, and other techniques. The
// record stands in the journal of a name.
func misread(t *testing.T, journal string) *Campaign {
	t.Helper()
	c := small(t)
	_, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0)})
	must(t, err)
	log, err := c.Read(t.Context())
	must(t, err)
	written, err := filepath.Glob(filepath.Join(c.Dir, "journal", "*"))
	must(t, err)
	for _, path := range written {
		must(t, os.Remove(path))
	}
	must(t, c.Import(journal, func(add func(Finished) error) error {
		for _, run := range slices.SortedFunc(maps.Keys(log.Finished), Run.Compare) {
			f := *log.Finished[run]
			switch run.String() {
			case "ant Ring-PT-1 StateSpace":
				f.Answers = AnswersOf(Answer{"STATES", "4", "EXPLICIT", 6, 2, 77})
			case "bee Ring-PT-2 ReachabilityDeadlock":
				f.Answers, f.Participation = Answers{}, output.Silent
			case "bee Tree-PT-1 ReachabilityDeadlock":
				a := f.Answers.First()
				a.Techniques = "SAT_SMT"
				f.Answers = AnswersOf(a)
			}
			if err := add(f); err != nil {
				return err
			}
		}
		return nil
	}))
	return c
}

func every(Run) bool { return true }

// TestReread reads outputs again. Only what is read otherwise is said and recorded; the
// earlier answers stay; a second time there is nothing to say. The order of the journals'
// names does not count.
func TestReread(t *testing.T) {
	for _, journal := range []string{"0-before", "zz-after"} {
		c := misread(t, journal)
		file := filepath.Join(c.Dir, "journal", journal+".jsonl")
		before, err := os.ReadFile(file)
		must(t, err)
		log, err := c.Read(t.Context())
		must(t, err)
		only, read, _, err := log.Reread(t.Context(), "2.0", func(run Run) bool { return run.Tool == "ant" }, nil)
		must(t, err)
		if len(only) != 1 || read["StateSpace"] != 4 {
			t.Errorf("of one tool %v change, of %v", only, read)
		}
		changes, read, _, err := log.Reread(t.Context(), "2.0", every, nil)
		must(t, err)
		var said strings.Builder
		must(t, WriteChanges(&said, changes, read))
		const want = `ant Ring-PT-1 StateSpace: STATES 4 -> 3
bee Ring-PT-2 ReachabilityDeadlock: CC -> answered
bee Ring-PT-2 ReachabilityDeadlock: ReachabilityDeadlock none -> TRUE
bee Tree-PT-1 ReachabilityDeadlock: ReachabilityDeadlock techniques SAT_SMT -> EXPLICIT SAT_SMT
ReachabilityDeadlock     8 read, 2 otherwise
StateSpace               8 read, 1 otherwise
all                      16 read, 3 otherwise
`
		if said.String() != want {
			t.Errorf("said:\n%swant:\n%s", said.String(), want)
		}
		if files, err := filepath.Glob(filepath.Join(c.Dir, "journal", "*")); len(files) != 1 {
			t.Fatalf("written without being asked: %v, %v", files, err)
		}

		must(t, c.TakeReadings(t.Context(), "2.0", changes))
		if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
			t.Errorf("the earlier record has changed: %v", err)
		}
		log, err = c.Read(t.Context())
		must(t, err)
		first, second := log.Finished[changes[0].Before.Run], log.Finished[changes[1].Before.Run]
		if fmt.Sprint(first.Answers.List()) != "[{STATES 3 EXPLICIT 6 2 77}]" || first.Reread == nil || first.Reread.Reader != "2.0" {
			t.Errorf("after the reading: %+v", first)
		}
		if second.Answers.Len() != 1 || second.Answers.First().At != Unknown || second.Participation != output.Answered {
			t.Errorf("after the reading: %+v", second)
		}
		taken := 0
		for _, f := range log.Finished {
			if f.Reread != nil {
				taken++
			}
		}
		if taken != 3 || len(log.Finished) != 16 || len(log.Damage) != 0 || len(log.Workers) != 0 {
			t.Errorf("%d of %d runs were taken; damage: %v", taken, len(log.Finished), log.Damage)
		}
		if again, _, _, err := log.Reread(t.Context(), "2.0", every, nil); err != nil || len(again) != 0 {
			t.Errorf("a second time %v: %v", again, err)
		}
		ends, err := c.ReadEnds(t.Context())
		must(t, err)
		if f := ends.Finished[second.Run]; f.Participation != output.Answered || !f.Answers.IsZero() {
			t.Errorf("read without answers: %+v", f)
		}
	}
}

// TestLastReadingCounts: of several readings of one end the last one counts, in whatever
// order they are read, and none of another end of the run: a run that is done again
// speaks for itself.
func TestLastReadingCounts(t *testing.T) {
	c := misread(t, "w")
	log, err := c.Read(t.Context())
	must(t, err)
	changes, _, _, err := log.Reread(t.Context(), "2.0", every, nil)
	must(t, err)
	run := changes[0].Before.Run
	for i, value := range []string{"7", "9", "8"} {
		later := changes[0]
		later.After.Answers = AnswersOf(Answer{"STATES", value, "", 6, 2, 77})
		later.After.At = later.After.At.Add([]time.Duration{1, 3, 2}[i] * time.Hour)
		must(t, c.TakeReadings(t.Context(), "2.0", []Change{later}))
	}
	log, err = c.Read(t.Context())
	must(t, err)
	if f := log.Finished[run]; f.Answers.First().Text != "9" {
		t.Errorf("the value %s counts", f.Answers.First().Text)
	}
	_, err = c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0), Redo: func(_ *Log, r Run) bool { return r == run }})
	must(t, err)
	log, err = c.Read(t.Context())
	must(t, err)
	if f := log.Finished[run]; f.Answers.First().Text != "3" || f.Reread != nil || log.Further[run][0].Answers.First().Text != "9" {
		t.Errorf("done again: %+v, before %+v", f, log.Further[run])
	}
}

// TestReadingsAreMerged: what was taken in a copy comes back by a merge; a version of
// podium that does not know readings refuses the journal by its format.
func TestReadingsAreMerged(t *testing.T) {
	c := misread(t, "w")
	dir := copied(t, c.Dir)
	other, err := Open(dir)
	must(t, err)
	log, err := other.Read(t.Context())
	must(t, err)
	changes, _, _, err := log.Reread(t.Context(), "2.0", every, nil)
	must(t, err)
	must(t, other.TakeReadings(t.Context(), "2.0", changes))
	merge(t, c.Dir, dir)
	if a, b := state(t, c.Dir), state(t, dir); a != b {
		t.Errorf("merged:\n%s\nin the copy:\n%s", a, b)
	}
	files, err := filepath.Glob(filepath.Join(c.Dir, "journal", "*"))
	must(t, err)
	newer := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		if first, _, _ := strings.Cut(string(text), "\n"); strings.Contains(first, `"about":true`) {
			newer++
		}
	}
	if len(files) != 2 || newer != 1 {
		t.Errorf("%d of the journals %v are about ends", newer, files)
	}
}

// TestRereadRefuses: an output that is damaged or not there is an error that names its
// run, and so is a reading of a run that is not in the plan.
func TestRereadRefuses(t *testing.T) {
	c := misread(t, "w")
	log, err := c.Read(t.Context())
	must(t, err)
	pack := filepath.Join(c.Dir, "packs", log.Finished[Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}].Stdout.Pack)
	text, err := os.ReadFile(pack)
	must(t, err)
	for want, spoil := range map[string]func(){
		"not in this copy": func() { must(t, os.Remove(pack)) },
		"is damaged": func() {
			must(t, os.WriteFile(pack, []byte(strings.Repeat("x", len(text))), 0o644))
		},
	} {
		spoil()
		_, read, unread, err := log.Reread(t.Context(), "2.0", every, nil)
		if err != nil || len(unread) != 1 || unread[0].File != pack || !strings.Contains(unread[0].Message, want) || !strings.Contains(unread[0].Hint, "podium run "+c.Dir+" --again --only 'tool=ant instance=Ring-PT-1 ") || len(read) != 0 {
			t.Errorf("%v, %v, %v, want %s", read, unread, err, want)
		}
		must(t, os.WriteFile(pack, text, 0o644))
	}
	must(t, c.TakeReadings(t.Context(), "2.0", []Change{{After: Reread{End: EndOf{Run: Run{Tool: "nobody"}}}}}))
	if _, err := c.Read(t.Context()); err == nil || !strings.Contains(err.Error(), "is not in the plan") {
		t.Errorf("a reading of a run that is not planned: %v", err)
	}
}
