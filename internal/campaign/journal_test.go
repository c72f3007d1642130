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

	"podium/examinations"
	"podium/examinations/output"
	"podium/vm"
	"podium/vm/topology"
)

func TestJournalSurvivesTornAndDamagedRecords(t *testing.T) {
	c := small(t)
	path := filepath.Join(c.Dir, "journal", "w.jsonl")
	j, err := newJournal(path)
	must(t, err)
	must(t, j.Append(firstRecord(c, "w", Node{})))
	runs := []Run{{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}, {Tool: "bee", Instance: "Ring-PT-1", Exam: "StateSpace"}, {Tool: "ant", Instance: "Tree-PT-1", Exam: "StateSpace"}}
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
	for _, list := range [][]Answer{
		nil,
		{{Item: "STATES", Text: "43463", Offset: 7, Line: 1, At: 12}},
		{{Item: "a-00", Text: "TRUE", Techniques: "EXPLICIT K_INDUCTION(3)", Offset: 1 << 40, Line: 2, At: 9}, {Item: "a-01", Text: "+inf"}, {Item: "\"ü;|", Text: "FALSE", Techniques: "X"}},
	} {
		text, err := AnswersOf(list...).MarshalText()
		must(t, err)
		var back Answers
		must(t, back.UnmarshalText(text))
		if !slices.Equal(list, back.List()) || back.Len() != len(list) || back.IsZero() != (len(list) == 0) {
			t.Errorf("%q: got %v, want %v", text, back.List(), list)
		}
	}
	if _, err := AnswersOf(Answer{Item: "two words", Text: "1"}).MarshalText(); err == nil {
		t.Error("an item of two words was written")
	}
	for _, bad := range []string{"a", "a 1 2 3", "a 1 x 3 4", " "} {
		if err := new(Answers).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// ends are ends of runs of every form, those that are read quickly and those that are
// left to the parser of JSON.
func ends() (list []Finished) {
	plain := Answer{Item: "a-00", Text: "TRUE", Techniques: "EXPLICIT", Offset: 80, Line: 2, At: 9}
	whole := Finished{Run: Run{Tool: "tool", Instance: "Net-PT-1", Exam: examinations.OneSafe}, Attempt: 2, Worker: "w", Lease: 3, Participation: output.Answered, Answers: AnswersOf(plain, plain),
		Findings: 4, Misread: 2, Binding: topology.Binding{Cores: []int{0, 7}, Memory: []int{1}}, Stdout: PackRef{"w.zst", 0, 5, 6, "ab"}, Stderr: PackRef{"w.zst", 5, 5, 6, "cd"}}
	whole.Outcome = vm.Outcome{Termination: vm.Signalled, ExitCode: -1, Signal: 9, Started: time.Date(2026, 5, 1, 9, 0, 0, 123456789, time.UTC), CPUTime: 1, UserTime: 2, SystemTime: 3,
		WallTime: 4, MemoryPeak: 1 << 40, OutputBytes: 6, Measured: "cgroup2", HostCPUTime: 7, HostMemoryPeak: 8, Start: vm.Restored}
	for _, change := range []func(*Finished){
		func(*Finished) {},
		func(f *Finished) { *f = Finished{} },
		func(f *Finished) {
			f.Answers, f.Binding, f.Lease, f.Findings, f.Stderr = Answers{}, topology.Binding{}, 0, 0, PackRef{}
		},
		func(f *Finished) { f.Run.Tool = `x,"answers":"` },
		func(f *Finished) { f.Run.Repetition = 2 },
		func(f *Finished) { f.Answers = AnswersOf(plain, Answer{Item: `"\`, Text: "<ü>", Line: 2}) },
		func(f *Finished) { f.Outcome.Energy = &vm.Energy{Package: 5, Core: 4, Uncore: 3, DRAM: 2} },
		func(f *Finished) {
			f.Outcome.Energy = &vm.Energy{Core: 4, Estimate: true, Why: "an estimate: 25 % of the packages' energy"}
		},
		func(f *Finished) {
			f.Outcome.Energy = &vm.Energy{Why: "this host shows no counters of energy (powercap)"}
		},
		func(f *Finished) { f.Outcome.Energy = &vm.Energy{} },
		func(f *Finished) { f.Outcome.Warnings = []string{"slow"} },
		func(f *Finished) { f.Outcome.WhyBooted, f.Outcome.Unmeasured = "full", []vm.Figure{vm.Times} },
		func(f *Finished) { f.Left = PackRef{Pack: "w.zst", Size: 7} },
		func(f *Finished) { f.Witnesses = []Witnessed{{Item: "a-00", Detail: `,"answers":"b-00 TRUE 1 1 1"`}} },
		func(f *Finished) { f.Outcome.Started = f.Outcome.Started.In(time.FixedZone("", 3600)) },
	} {
		f := whole
		change(&f)
		list = append(list, f)
	}
	return list
}

// TestEndsAreReadBack: the end of a run is read as it was written, its words shared, and its
// answers left out on demand.
func TestEndsAreReadBack(t *testing.T) {
	for _, f := range ends() {
		line, err := encodeRecord(Record{Finished: &f})
		must(t, err)
		line = line[:len(line)-1]
		var want Record
		must(t, json.Unmarshal(line[len("01234567 "):], &want))
		got, err := decodeRecord(line, newInterner(true))
		must(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nis read as %+v", line, got.Finished)
		}
		want.Finished.Answers = Answers{}
		got, err = decodeRecord(line, newInterner(false))
		must(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nwithout answers is read as %+v", line, got.Finished)
		}
	}
	for _, answers := range []string{`"STATES"`, `"STATES 3 1 2"`, `7`, `null`, `{}`, `"STATES 3 1 x 2"`} {
		bad := []byte(`{"finished":{"run":{},"answers":` + answers + `}}`)
		if _, err := decodeRecord(fmt.Appendf(nil, "%08x %s", crc32.ChecksumIEEE(bad), bad), newInterner(true)); err == nil {
			t.Errorf("answers %s are read", answers)
		}
	}
}

// TestRecordOfAnOutcome keeps its form: names that are not Go's, whole microseconds, and
// nothing of what is empty.
func TestRecordOfAnOutcome(t *testing.T) {
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for want, o := range map[string]vm.Outcome{
		`{"termination":"exited","started":"2026-05-01T12:00:00Z"}`: {Termination: vm.Exited, Started: at},
		`{"termination":"signal","exit_code":1,"signal":9,"started":"2026-05-01T12:00:00Z","cpu_us":3,"user_us":2,"system_us":1,"wall_us":4,` +
			`"memory_bytes":5,"output_bytes":6,"measured_by":"cgroup2","host_cpu_us":7,"host_memory_bytes":8,"start":"booted","why_booted":"no",` +
			`"unmeasured":["time"],"energy":{"package_uj":9,"core_uj":1,"uncore_uj":2,"dram_uj":3,"estimate":true,"why":"a share"},"warnings":["w"]}`: {
			Termination: vm.Signalled, ExitCode: 1, Signal: 9, Started: at, CPUTime: vm.Took(3999), UserTime: 2, SystemTime: 1, WallTime: 4,
			MemoryPeak: 5, OutputBytes: 6, Measured: "cgroup2", HostCPUTime: 7, HostMemoryPeak: 8, Start: vm.Booted, WhyBooted: "no",
			Unmeasured: []vm.Figure{vm.Times}, Energy: &vm.Energy{Package: 9, Core: 1, Uncore: 2, DRAM: 3, Estimate: true, Why: "a share"}, Warnings: []string{"w"}},
	} {
		if got, err := json.Marshal(o); err != nil || string(got) != want {
			t.Errorf("%s, %v\nwant %s", got, err, want)
		}
	}
}

// firstRecord is the first record of a worker's journal.
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
	run := Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}
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
	good, err := encodeRecord(Record{Started: &Started{Run: Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}, Attempt: 1}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	end := EndOf{Run: Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}, Worker: "w"}
	about, err := encodeRecord(Record{Reread: &Reread{End: end, Reader: "2.0", Answers: AnswersOf(Answer{"STATES", "3", "EXPLICIT", 6, 2, Unknown})}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(about)
	for _, end := range ends() {
		line, err := encodeRecord(Record{Finished: &end})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
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
	_, err := c.Work(t.Context(), Options{Driver: emulated{&machines{exec: restored, runs: map[string]int{}}}, Cores: cores(0)})
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
