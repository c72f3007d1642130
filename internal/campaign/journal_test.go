package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/vm"
)

func TestJournalSurvivesTornAndDamagedRecords(t *testing.T) {
	c := small(t)
	path := filepath.Join(c.Dir, "journal", "w.jsonl")
	j, err := newJournal(path)
	must(t, err)
	must(t, j.Append(firstRecord(c, "w", Node{})))
	runs := []Run{{"ant", "Ring-PT-1", "StateSpace"}, {"bee", "Ring-PT-1", "StateSpace"}, {"ant", "Tree-PT-1", "StateSpace"}}
	for _, run := range runs {
		must(t, j.Append(Record{Started: &Started{Run: run, Attempt: 1}}))
		must(t, j.Append(Record{Finished: &Finished{Run: run, Attempt: 1}}))
	}
	must(t, j.Close())
	whole, err := os.ReadFile(path)
	must(t, err)

	for cut := range len(whole) {
		must(t, os.WriteFile(path, whole[:cut], 0o644))
		log, err := c.Read(t.Context())
		must(t, err)
		if want := bytes.Count(whole[:cut], []byte(`"finished"`)) - torn(whole[:cut]); len(log.Finished) != want || len(log.Damage) != 0 {
			t.Fatalf("cut at %d: %d finished, want %d; damage %v", cut, len(log.Finished), want, log.Damage)
		}
	}

	lines := strings.SplitAfter(string(whole), "\n")
	lines[4] = strings.Replace(lines[4], "bee", "cat", 1) // the end of the second run
	must(t, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644))
	log, err := c.Read(t.Context())
	must(t, err)
	if len(log.Finished) != 2 || len(log.Damage) != 1 || log.Damage[0].Line != 5 || len(log.Doubt) != 1 {
		t.Errorf("finished %d, damage %v, doubt %v", len(log.Finished), log.Damage, log.Doubt)
	}
}

// torn is 1 when the last line is incomplete and names an end.
func torn(text []byte) int {
	tail := text[bytes.LastIndexByte(text, '\n')+1:]
	return bytes.Count(tail, []byte(`"finished"`))
}

func TestAnswersInTheJournal(t *testing.T) {
	for _, list := range []Answers{
		nil,
		{{Item: "STATES", Text: "43463", Offset: 7, Line: 1, At: 12}},
		{{Item: "a-00", Text: "TRUE", Techniques: "EXPLICIT K_INDUCTION(3)", Offset: 1 << 40, Line: 2, At: 9}, {Item: "a-01", Text: "+inf"}, {Item: "\"ü;|", Text: "FALSE", Techniques: "X"}},
	} {
		text, err := list.MarshalText()
		must(t, err)
		var back Answers
		must(t, back.UnmarshalText(text))
		if !slices.Equal(list, back) {
			t.Errorf("%q: got %v, want %v", text, back, list)
		}
	}
	if _, err := (Answers{{Item: "two words", Text: "1"}}).MarshalText(); err == nil {
		t.Error("an item of two words was written")
	}
	for _, bad := range []string{"a", "a 1 2 3", "a 1 x 3 4", " "} {
		if err := new(Answers).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// firstRecord is the first record of a worker's journal.
// The answers of a run are read apart from the rest of its record, with the same
// result as JSON gives for the whole.
func TestAnswersAreReadApart(t *testing.T) {
	plain := Answer{Item: "a-00", Text: "TRUE", Techniques: "EXPLICIT", Offset: 80, Line: 2, At: 9}
	for _, f := range []Finished{
		{Stdout: PackRef{Pack: "w.zst", Size: 7}},
		{Answers: Answers{plain}, Findings: 3, Witnesses: []Witnessed{{Item: "a-00", Detail: `,"answers":"b-00 TRUE 1 1 1"`}}},
		{Answers: Answers{plain, {Item: `"\`, Text: "<ü>"}}, Findings: 3},
		{Run: Run{Tool: `x,"answers":"`}, Answers: Answers{plain, plain}},
	} {
		line, err := encodeRecord(Record{Finished: &f})
		must(t, err)
		line = line[:len(line)-1]
		var want Record
		must(t, json.Unmarshal(line[len("01234567 "):], &want))
		got, err := decodeRecord(line, true)
		must(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis read as %+v", line, got.Finished)
		}
		want.Finished.Answers = nil
		got, err = decodeRecord(line, false)
		must(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nwithout answers is read as %+v", line, got.Finished)
		}
	}
	bad := []byte(`{"finished":{"run":{},"answers":"STATES"}}`)
	if _, err := decodeRecord(fmt.Appendf(nil, "%08x %s", crc32.ChecksumIEEE(bad), bad), true); err == nil {
		t.Error("an answer without a value is read")
	}
}

func firstRecord(c *Campaign, worker string, node Node) Record {
	return Record{Opened: &Opened{Format: JournalFormat, Campaign: c.Digest, Worker: worker, Node: node}}
}

// write makes a worker's journal.
func write(t *testing.T, c *Campaign, worker string, records ...Record) {
	t.Helper()
	j, err := newJournal(filepath.Join(c.Dir, "journal", worker+".jsonl"))
	must(t, err)
	for _, r := range records {
		must(t, j.Append(r))
	}
	must(t, j.Close())
}

// end is the end of a run that started so many seconds after 1970.
func end(run Run, seconds int64, lease int64) Record {
	f := &Finished{Run: run, Attempt: 1, Lease: lease}
	f.Outcome.Started = time.Unix(seconds, 0)
	return Record{Finished: f}
}

func TestTheEarlierOfTwoEndsCounts(t *testing.T) {
	run := Run{"ant", "Ring-PT-1", "StateSpace"}
	for _, early := range []string{"a", "b"} {
		c := small(t)
		for _, worker := range []string{"a", "b"} {
			at := int64(2)
			if worker == early {
				at = 1
			}
			write(t, c, worker, firstRecord(c, worker, Node{}), end(run, at, 0))
		}
		log, err := c.Read(t.Context())
		must(t, err)
		if log.Finished[run].made.by.Worker != early || len(log.Further[run]) != 1 || log.Standing(log.Further[run][0]) != Repeated {
			t.Errorf("%s was first: %+v counts, further %+v", early, log.Finished[run], log.Further)
		}
	}
}

func TestDamagedPackIsAnError(t *testing.T) {
	c := small(t)
	p, err := newPack(filepath.Join(c.Dir, "packs"), "w.zst")
	must(t, err)
	s, err := newSpool(filepath.Join(c.Dir, "packs"))
	must(t, err)
	s.Write([]byte(strings.Repeat("STATE_SPACE STATES 3\n", 100)))
	refs, err := p.append(s)
	must(t, err)
	must(t, s.Close())
	must(t, p.Close())
	ref := refs[0]
	read := func() error {
		out, err := c.Output(ref)
		if err != nil {
			return err
		}
		defer out.Close()
		_, err = new(bytes.Buffer).ReadFrom(out)
		return err
	}
	must(t, read())
	ref.SHA256 = strings.Repeat("0", 64)
	if read() == nil {
		t.Error("another digest was taken")
	}
	ref = refs[0]
	ref.Pack = "../campaign.json"
	if read() == nil {
		t.Error("a path out of the packs was taken")
	}
}

func FuzzJournal(f *testing.F) {
	good, err := encodeRecord(Record{Started: &Started{Run: Run{"ant", "Ring-PT-1", "StateSpace"}, Attempt: 1}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte("00000000 {}\n\n\nfffff"))
	path := filepath.Join(f.TempDir(), "j.jsonl")
	f.Fuzz(func(t *testing.T, text []byte) {
		must(t, os.WriteFile(path, text, 0o644))
		lines := 0
		for range (&position{}).records(path, true) {
			lines++
		}
		if want := bytes.Count(text, []byte("\n")); lines != want {
			t.Errorf("%d records of %d lines", lines, want)
		}
	})
}

// emulated is a driver whose processors are emulated and that restores machines.
type emulated struct{ *machines }

func (emulated) Probe(context.Context) (vm.Capabilities, error) {
	return vm.Capabilities{Driver: "fake", Emulated: true}, nil
}

// TestJournalKnowsMachines wants the journal to say what the machines of a worker
// were, and how that of each run came about.
func TestJournalKnowsMachines(t *testing.T) {
	c := small(t)
	restored := func(run string, job vm.Job) (vm.Outcome, error) {
		out, err := answering(run, job)
		if out.Start = vm.Restored; strings.HasPrefix(run, "bee") {
			out.Start, out.WhyBooted = vm.Booted, "no template could be made"
		}
		return out, err
	}
	_, err := c.Work(t.Context(), Options{Driver: emulated{&machines{exec: restored, runs: map[string]int{}}}, Cores: []int{0}})
	must(t, err)
	log, err := c.Read(t.Context())
	must(t, err)
	if len(log.Workers) != 1 || !log.Workers[0].Emulated {
		t.Errorf("workers %+v", log.Workers)
	}
	for run, f := range log.Finished {
		want := map[string]string{"ant": "restored from a template", "bee": "booted: no template could be made"}[run.Tool]
		if got := f.Outcome.Origin(); got != want {
			t.Errorf("%s: the machine was %q, not %q", run, got, want)
		}
	}
}
