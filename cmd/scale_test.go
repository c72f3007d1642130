package cmd

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/internal/publish"
	"podium/vm"
)

// BenchmarkScoreJournal scores a contest from its journal on disk: at /1858 ten
// tools on thirteen examinations of as many instances, 2.2 million answers, and
// at /3195 the 3.9 million that sixteen for each examination would be.
func BenchmarkScoreJournal(b *testing.B) {
	for _, instances := range []int{232, 465, 929, 1858, 3195} {
		b.Run(fmt.Sprint(instances), func(b *testing.B) {
			c := synthetic(b, instances)
			s := &streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard, heard: newHeard(io.Discard)}
			values := 0
			runtime.GC()
			debug.FreeOSMemory()
			for b.Loop() {
				j, err := judge(b.Context(), s, c, judged.Options{})
				if err != nil {
					b.Fatal(err)
				}
				values = len(j.Result.Marks)
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(values), "values")
			b.ReportMetric(float64(memory.Sys-memory.HeapReleased)/1e6, "MB")
		})
	}
}

// TestBriefViewsHaveTheSameSummary wants the words of a view without answers to be
// those of a whole one.
func TestBriefViewsHaveTheSameSummary(t *testing.T) {
	c := synthetic(t, 5)
	s := &streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard, heard: newHeard(io.Discard)}
	var texts [2]strings.Builder
	for i, brief := range []bool{false, true} {
		j, err := judge(t.Context(), s, c, judged.Options{Brief: brief})
		if err != nil {
			t.Fatal(err)
		}
		v := view(j)
		if err := publish.Summary(&texts[i], v, 0); err != nil {
			t.Fatal(err)
		}
	}
	if whole, brief := texts[0].String(), texts[1].String(); brief != whole {
		t.Errorf("the summary of a brief view is\n%s\nthat of the whole one\n%s", brief, whole)
	}
}

// synthetic writes a campaign whose journal says that every run is done, with
// sixteen values each.
func synthetic(b testing.TB, instances int) *campaign.Campaign {
	b.Helper()
	c := unrun(b, instances)
	answer(b, c, "synthetic", func(string) bool { return true })
	return c
}

// unrun writes a campaign of which nothing was run.
func unrun(b testing.TB, instances int) *campaign.Campaign {
	b.Helper()
	return planned(b, instances, func(int) (kind, class string) { return "PT", "known" })
}

// planned writes a campaign of so many instances, of which nothing was run.
func planned(b testing.TB, instances int, what func(instance int) (kind, class string)) *campaign.Campaign {
	b.Helper()
	dir := b.TempDir()
	ed, text, err := judged.LoadEdition("mcc2020")
	if err != nil {
		b.Fatal(err)
	}
	if err := files.Write(filepath.Join(dir, judged.EditionFile), func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		b.Fatal(err)
	}
	p := &campaign.Plan{Name: "scale", Edition: ed.ID, EditionDigest: ed.Digest, Seed: 1}
	for _, exam := range examinations.All() {
		if exam != examinations.GlobalProperties {
			p.Examinations = append(p.Examinations, exam)
		}
	}
	for t := range 10 {
		p.Tools = append(p.Tools, campaign.PlannedTool{Name: fmt.Sprintf("tool%d", t), Dir: fmt.Sprintf("inputs/tool%d", t), Family: fmt.Sprintf("family%d", t/2)})
	}
	p.Families = map[string][]string{}
	for _, t := range p.Tools {
		p.Families[t.Family] = append(p.Families[t.Family], t.Name)
	}
	for i := range instances {
		kind, class := what(i)
		id := fmt.Sprintf("Family%03d-%s-%04d", i/13, kind, i)
		planned := campaign.PlannedInstance{ID: id, Path: "inputs/" + id, Family: fmt.Sprintf("Family%03d", i/13), Class: class, Formulas: map[examinations.ID][]string{}}
		for _, exam := range p.Examinations {
			if exam.HasFormulas() {
				for k := range 16 {
					planned.Formulas[exam] = append(planned.Formulas[exam], fmt.Sprintf("%s-%s-2025-%02d", id, exam, k))
				}
			}
		}
		p.Instances = append(p.Instances, planned)
	}
	c, err := campaign.Create(dir, p)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// answer writes a journal in which all runs of some models are done.
func answer(b testing.TB, c *campaign.Campaign, worker string, model func(string) bool) {
	b.Helper()
	if err := c.Import(worker, func(add func(campaign.Finished) error) error {
		return answerAll(&c.Plan, model, campaign.PackRef{}, add)
	}); err != nil {
		b.Fatal(err)
	}
}

// answerAll answers everything of some models; each tool is wrong now and then. All runs
// have the same log.
func answerAll(p *campaign.Plan, model func(string) bool, log campaign.PackRef, add func(campaign.Finished) error) error {
	n := uint32(1)
	for _, i := range p.Instances {
		if !model(i.Family) {
			continue
		}
		for _, exam := range p.Examinations {
			for t, tool := range p.Tools {
				f := campaign.Finished{Run: campaign.Run{Tool: tool.Name, Instance: i.ID, Exam: exam}, Attempt: 1, Worker: "w", Participation: output.Answered, Stdout: log}
				f.Outcome = vm.Outcome{Termination: vm.Exited, Started: time.Unix(1700000000, 0), CPUTime: vm.Took(time.Duration(n) * time.Millisecond), WallTime: vm.Took(time.Second), MemoryPeak: int64(n), Measured: "cgroup2"}
				var answers []campaign.Answer
				for k, item := range i.Items(exam) {
					n = n*1664525 + 1013904223
					text := "7"
					if exam.Kind() == examinations.Bool {
						text = examinations.Truth((k+len(item))%2 == 0 != (n>>16%uint32(100+50*t) == 0)).Text
					}
					at := int64(n>>8) % 1_000_000
					if n>>22 == 1 { // now and then it is not known
						at = campaign.Unknown
					}
					answers = append(answers, campaign.Answer{Item: item, Text: text, Techniques: "EXPLICIT STATE_COMPRESSION", Offset: int64(k * 80), Line: k + 1, At: at})
				}
				f.Answers = campaign.AnswersOf(answers...)
				if err := add(f); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// writeLog writes the pack of a worker: one log, with a line of 80 bytes for each of
// sixteen answers and five more. It is a frame of Zstandard that has it as it is.
func writeLog(dir, worker string) (campaign.PackRef, error) {
	var text []byte
	for k := range 21 {
		line := fmt.Sprintf("FORMULA Family-PT-%02d TRUE TECHNIQUES EXPLICIT STATE_COMPRESSION after %d states", k, k*k*7919)
		text = fmt.Appendf(text, "%-79.79s\n", line)
	}
	frame := binary.LittleEndian.AppendUint16([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x60}, uint16(len(text)-256))
	block := 1 | len(text)<<3 // the last one, raw
	frame = append(append(frame, byte(block), byte(block>>8), byte(block>>16)), text...)
	ref := campaign.PackRef{Pack: worker + ".zst", Length: int64(len(frame)), Size: int64(len(text)), SHA256: fmt.Sprintf("%x", sha256.Sum256(text))}
	return ref, os.WriteFile(filepath.Join(dir, "packs", ref.Pack), frame, 0o644)
}

// shardsMerged is the number of copies that are merged.
const shardsMerged = 16

// answerInShards is a command of its own, so that the benchmark's process stays
// small: Linux counts its memory as that of the commands it starts. It makes copies
// of the campaign os.Args[1] below os.Args[2], in which all runs are done.
func answerInShards() {
	if err := writeShards(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func writeShards(from, to string) error {
	c, err := campaign.Open(from)
	if err != nil {
		return err
	}
	shard := map[string]int{}
	for i, family := range c.Plan.Units() {
		shard[family] = i % shardsMerged
	}
	for k := range shardsMerged {
		dir := filepath.Join(to, fmt.Sprint(k))
		for _, sub := range []string{"claims", "packs", "journal", "pins"} {
			if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
				return err
			}
		}
		for _, name := range []string{"campaign.json", judged.EditionFile} {
			text, err := os.ReadFile(filepath.Join(from, name))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
			}
			if err != nil {
				return err
			}
		}
		copied, err := campaign.Open(dir)
		if err != nil {
			return err
		}
		worker := fmt.Sprint("shard", k)
		log, err := writeLog(dir, worker)
		if err != nil {
			return err
		}
		err = copied.Import(worker, func(add func(campaign.Finished) error) error {
			return answerAll(&c.Plan, func(family string) bool { return shard[family] == k }, log, add)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
