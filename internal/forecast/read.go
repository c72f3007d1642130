package forecast

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"podium/edition"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/results"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/vm"
)

// read adds the runs of a campaign's directory or of a file of results, and returns the
// plan of the same contest. Warnings are said; errors are those of the readers.
func (h *History) read(ctx context.Context, path string, say func(string)) (*campaign.Plan, error) {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, diagnostic.List{{File: path, Code: "forecast-source", Message: "there is neither a campaign nor a file of results here", Hint: campaign.Elsewhere(path, "name one")}}
	} else if err != nil {
		return nil, err
	} else if files, err := judged.ResultFiles([]string{path}); err != nil {
		return nil, err
	} else if !info.IsDir() || files[0] != path {
		return h.readFiles(files, say)
	}
	c, err := campaign.Open(path)
	if err != nil {
		return nil, err
	}
	if err := judged.Nameable(c, time.Now()); err != nil {
		say(err.Error() + ": what is printed is for organisers only")
	}
	log, err := c.Read(ctx)
	if err != nil {
		return nil, err
	}
	tell(log.Damage, say)
	h.addLog(log, journalSize(path))
	return &c.Plan, nil
}

func tell(found diagnostic.List, say func(string)) {
	for _, d := range found {
		say(d.Error())
	}
}

// readFiles reads files of results of one contest. They do not say of which edition they are: one
// that has all their examinations will do, since only times are asked for.
func (h *History) readFiles(paths []string, say func(string)) (*campaign.Plan, error) {
	var first diagnostic.List
	for _, name := range edition.Names() {
		ed, _, err := judged.LoadEdition(name)
		if err != nil {
			return nil, err
		}
		c, _, found, err := judged.FromResults(paths, ed, results.Participants{})
		if err != nil {
			return nil, err
		}
		if c != nil && found.Err() == nil {
			tell(found, say)
			h.addContest(c)
			return again(c, ed.Limits.Concurrent), nil
		}
		if first == nil {
			first = found
		}
	}
	return nil, first.Err()
}

// addContest adds the runs of a contest, as files of results have them. They do not
// say when an answer was given, but when the run ended.
func (h *History) addContest(c *scoring.Contest) {
	for i, s := range c.Sheets {
		for tool := range c.Tools {
			r := c.Run(i, tool)
			if r.Participation == scoring.Absent || r.Participation == scoring.Void {
				continue
			}
			t := Taken{CPU: r.CPU, Wall: r.Wall, OutOfTime: r.Ending.OutOfTime()}
			for v := int(s.First); v < int(s.First+s.Values); v++ {
				if !c.Answer(v, tool).IsZero() {
					t.Answers++
				}
			}
			h.Add(judged.RunOf(c, i, tool), t)
		}
	}
}

// addLog adds the runs of a campaign that have ended, whose journals have so many
// bytes.
func (h *History) addLog(log *campaign.Log, journals int64) {
	each := journals / int64(max(1, len(log.Finished)))
	for _, run := range slices.SortedFunc(maps.Keys(log.Finished), campaign.Run.Compare) {
		t := takenOf(log.Finished[run])
		t.Disk += each
		h.Add(run, t)
	}
}

// takenOf is what a run of a campaign took.
func takenOf(f *campaign.Finished) Taken {
	t := Taken{CPU: f.Outcome.CPUTime.Microseconds(), Wall: f.Outcome.WallTime.Microseconds(), Answers: f.Answers.Len(), At: make([]int64, 0, f.Answers.Len()),
		Disk:      f.Stdout.Length + f.Stderr.Length + f.Left.Length,
		OutOfTime: f.Outcome.Termination == vm.OutOfCPU || f.Outcome.Termination == vm.OutOfTime}
	for a := range f.Answers.All() {
		at := a.At
		if at == campaign.Unknown {
			at = t.Wall // it was given until then
		}
		t.At = append(t.At, at)
	}
	return t
}

// journalSize is the size of the journals of a campaign, in bytes.
func journalSize(dir string) (size int64) {
	files, _ := filepath.Glob(filepath.Join(dir, "journal", "*.jsonl"))
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			size += info.Size()
		}
	}
	return size
}

// again is the plan of the same contest once more: its tools, instances and
// examinations.
func again(c *scoring.Contest, l edition.Confinement) *campaign.Plan {
	p := &campaign.Plan{Seed: 1, Concurrent: campaign.Confinement{CPUTime: l.CPU.Microseconds(), WallTime: l.Wall.Microseconds(), Cores: l.Cores}}
	for _, t := range c.Tools {
		p.Tools = append(p.Tools, campaign.PlannedTool{Name: t.Name, Concurrent: true})
	}
	for _, i := range c.Instances {
		p.Instances = append(p.Instances, campaign.PlannedInstance{ID: i.Name, Family: models.ParseAnyID(i.Name).Family})
	}
	run := make([]bool, len(c.Exams)) // a contest may have run some only
	for i, s := range c.Sheets {
		for tool := range c.Tools {
			run[s.Exam] = run[s.Exam] || c.Run(i, tool).Participation != scoring.Absent
		}
	}
	for i, e := range c.Exams {
		if run[i] {
			p.Examinations = append(p.Examinations, e.ID)
		}
	}
	p.Sort()
	return p
}
