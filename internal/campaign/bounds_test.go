package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/vm"
)

// TestWhatAToolSaysFitsIntoTheRecord lets a tool print what made records too large
// to be read again: the run is done once, its value counts, and the record says
// what it leaves out.
func TestWhatAToolSaysFitsIntoTheRecord(t *testing.T) {
	for _, test := range []struct {
		name  string
		print func(io.Writer)
		says  string
	}{
		{"control characters as techniques", func(w io.Writer) {
			fmt.Fprintf(w, "STATE_SPACE STATES 3 TECHNIQUES EXPLICIT %s\n", strings.Repeat("\x01", 4<<20-100))
			for _, item := range []string{"TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"} {
				fmt.Fprintf(w, "STATE_SPACE %s 3 TECHNIQUES %s\n", item, strings.Repeat(strings.Repeat("\x02", 4000)+" ", 1000))
			}
		}, "techniques: the answers of a run have 4096 bytes"},
		{"the longest numbers", func(w io.Writer) {
			for _, item := range []string{"STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"} {
				fmt.Fprintf(w, "STATE_SPACE %s %s TECHNIQUES EXPLICIT\n", item, strings.Repeat("9", 1<<20-1))
			}
		}, ""},
		{"warnings", func(io.Writer) {}, "9900 further warnings are left out."},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := small(t)
			d := &machines{runs: map[string]int{}}
			d.exec = func(run string, job vm.Job) (vm.Outcome, error) {
				out := vm.Outcome{Termination: vm.Exited}
				hostile := run == "ant Ring-PT-1 StateSpace"
				if hostile {
					test.print(job.Stdout)
				}
				if hostile && test.name == "warnings" {
					out.Warnings = slices.Repeat([]string{strings.Repeat("\x01", 1<<16)}, 10_000)
				}
				return out, nil
			}
			s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0)})
			if err != nil || s.Done != 16 || s.Left != 0 || d.n != 16 {
				t.Fatalf("%+v, %v, %d boots", s, err, d.n)
			}
			log, err := c.Read(t.Context())
			must(t, err)
			if len(log.Damage) > 0 {
				t.Fatal(log.Damage)
			}
			f := log.Finished[Run{Tool: "ant", Instance: "Ring-PT-1", Exam: examinations.StateSpace}]
			if test.name != "warnings" && (f.Answers.Len() != 4 || !strings.HasPrefix(f.Answers.First().Techniques, "EXPLICIT")) {
				t.Errorf("%d answers are kept", f.Answers.Len())
			}
			if said := strings.Join(f.Outcome.Warnings, "\n"); !strings.Contains(said, test.says) {
				t.Errorf("the record says %.300q", said)
			}
		})
	}
}

// TestBoundsKeepEveryRecordReadable fills every field as far as it goes.
func TestBoundsKeepEveryRecordReadable(t *testing.T) {
	if testing.Short() {
		t.Skip("it does one thing after another, for long")
	}
	c := small(t)
	f := &Finished{Run: Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}, Worker: "w"}
	var kept bounds
	worst := strings.Repeat("\x01", 4096)
	for i := range 100_000 {
		kept.add(Answer{Item: fmt.Sprint(i, worst)[:4000], Text: worst, Techniques: worst + " a b"})
	}
	for range 1000 {
		kept.add(Answer{Item: "i", Text: "1", Techniques: "a"})
	}
	kept.record(f)
	for range 100_000 {
		f.Witnesses = append(f.Witnesses, Witnessed{Item: worst, Proved: worst, Detail: worst})
		f.Outcome.Warnings = append(f.Outcome.Warnings, worst+worst)
	}
	f.bound()
	answers := f.Answers.List()
	for i := range answers {
		answers[i].Item = strings.ReplaceAll(answers[i].Item, " ", "_")
	}
	f.Answers = AnswersOf(answers...)
	write(t, c, "w", firstRecord(c, "w", Node{}), Record{Finished: f})
	log, err := c.Read(t.Context())
	must(t, err)
	if len(log.Finished) != 1 || len(log.Damage) != 0 {
		t.Errorf("%d finished, damage %v", len(log.Finished), log.Damage)
	}
}

// TestUnreadableRecordsAreRefused: what could not be read again is not written, and
// the run is void instead of being done for ever.
func TestUnreadableRecordsAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("it does one thing after another, for long")
	}
	c := small(t)
	j, err := newJournal(filepath.Join(c.Dir, "journal", "w.jsonl"))
	must(t, err)
	defer j.Close()
	must(t, j.Append(firstRecord(c, "w", Node{})))
	run := Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}
	for _, bad := range []*Finished{
		{Run: run, Outcome: vm.Outcome{Warnings: []string{strings.Repeat("\x01", 11<<20)}}},
		{Run: run, Answers: AnswersOf(Answer{Item: "two words", Text: "1"})},
	} {
		var unreadable *UnreadableError
		if err := j.Append(Record{Finished: bad}); !errors.As(err, &unreadable) {
			t.Errorf("it was written: %v", err)
		}
	}
	must(t, j.Append(end(run, 1, 0)))
	log, err := c.Read(t.Context())
	must(t, err)
	if len(log.Finished) != 1 || len(log.Damage) != 0 {
		t.Errorf("%d finished, damage %v", len(log.Finished), log.Damage)
	}
	c = small(t)
	d := &faulty{machines{exec: answering, runs: map[string]int{}}}
	s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0)})
	if err != nil || s.Void != 1 || s.Done != 15 || s.Left != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// faulty machines measure what no record can hold; they are the first three.
type faulty struct{ machines }

type faultyMachine struct{ vm.Machine }

func (d *faulty) Boot(ctx context.Context, s vm.Spec) (vm.Machine, error) {
	m, err := d.machines.Boot(ctx, s)
	if d.n > 3 {
		return m, err
	}
	return faultyMachine{m}, err
}

func (m faultyMachine) Exec(ctx context.Context, job vm.Job) (vm.Outcome, error) {
	out, err := m.Machine.Exec(ctx, job)
	out.Unmeasured = slices.Repeat([]vm.Figure{vm.Figure(strings.Repeat("\x01", 1<<16))}, 200)
	return out, err
}
