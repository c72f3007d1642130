package forecast

import (
	"podium/examinations"
	"podium/internal/campaign"
	"podium/models"
)

// Taken is what a run took.
type Taken struct {
	CPU, Wall int64 // microseconds
	OutOfTime bool  // a limit of time has ended it
	Disk      int64 // bytes of journal and outputs; 0: not known
	Answers   int
	At        []int64 // of each answer, microseconds since the start; nil: not known
}

// mostTime is what a run can take: 100 hours, in microseconds. That of the most runs
// that are simulated is an int64.
const mostTime = 360_000_000_000

// kind says what runs have in common; what is empty differs.
type kind struct {
	tool, model string
	exam        examinations.ID
}

// History is what the runs of earlier contests took.
type History struct {
	taken []Taken
	model []string // of each run
	of    map[key]int32
	alike map[kind][]int32
	omits int
	disk  int64 // bytes of the runs of which it is known
	kept  int   // their number

	tools, instances, exams numbers

	instancesOf map[string][]int32 // by model

	earlier int32             // so many runs are of earlier contests than the campaign itself
	pairs   map[string][]pair // by model: runs that an earlier contest had, too

	untimed int // runs with answers, and nobody knows when they were given
}

// pair is a run of the campaign itself and the same one of an earlier contest.
type pair struct{ own, before int32 }

// key names a run by the numbers of tool, instance and examination.
type key struct{ tool, instance, exam int32 }

// numbers counts names from 0.
type numbers map[string]int32

// of returns the number of a name, -1 where it has none.
func (n numbers) of(name string) int32 {
	if i, ok := n[name]; ok {
		return i
	}
	return -1
}

// add gives a name a number, and reports whether it is new.
func (n numbers) add(name string) (i int32, fresh bool) {
	if i, ok := n[name]; ok {
		return i, false
	}
	i = int32(len(n))
	n[name] = i
	return i, true
}

// NewHistory returns a history without runs.
func NewHistory() *History {
	return &History{of: map[key]int32{}, alike: map[kind][]int32{}, tools: numbers{}, instances: numbers{}, exams: numbers{}, instancesOf: map[string][]int32{}, pairs: map[string][]pair{}}
}

// key returns the numbers of a run, -1 for what the history does not have.
func (h *History) key(run campaign.Run) key {
	return key{h.tools.of(run.Tool), h.instances.of(run.Instance), h.exams.of(string(run.Exam))}
}

// Len is the number of runs.
func (h *History) Len() int { return len(h.taken) }

// Add adds a run. Of one that is added twice the last counts as its own, and both for
// others that are like it. Where only one of the two times is known, which is when the
// other is negative, it stands for both.
func (h *History) Add(run campaign.Run, t Taken) {
	if t.Wall < 0 {
		t.Wall = t.CPU
	}
	if t.CPU < 0 {
		t.CPU = t.Wall
	}
	if t.Wall < 0 || t.Wall > mostTime || t.CPU > mostTime {
		h.omits++
		return
	}
	if t.Answers > 0 && t.At == nil {
		h.untimed++
	}
	if t.Disk > 0 {
		h.disk, h.kept = h.disk+t.Disk, h.kept+1
	}
	n, model := int32(len(h.taken)), models.ParseAnyID(run.Instance).Family
	h.taken, h.model = append(h.taken, t), append(h.model, model)
	tool, _ := h.tools.add(run.Tool)
	exam, _ := h.exams.add(string(run.Exam))
	instance, fresh := h.instances.add(run.Instance)
	if fresh {
		h.instancesOf[model] = append(h.instancesOf[model], instance)
	}
	k := key{tool, instance, exam}
	if before, ok := h.of[k]; ok && before < h.earlier {
		h.pairs[model] = append(h.pairs[model], pair{n, before})
	}
	h.of[k] = n
	for _, k := range likes(run, model) {
		h.alike[k] = append(h.alike[k], n)
	}
}

// diskOf is what a run of the history keeps on disk, in bytes; the mean of the others
// where that is not known.
func (h *History) diskOf(run int32) int64 {
	if d := h.taken[run].Disk; d > 0 || h.kept == 0 {
		return d
	}
	return h.disk / int64(h.kept)
}
