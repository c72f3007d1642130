package stripped

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/compare"
	"podium/internal/wording"
	"podium/vm"
)

// seen is what is collected of one tool on copies of one kind.
type seen struct {
	Side
	time, memory map[string][]float64 // logarithms of copy/original, by instance
	words        [2]map[string]bool   // techniques on originals and on copies
	answers      [][]int              // by instance: how much the original and each copy answered
	disagree     [][]int              // and with how many values of the others it disagreed
}

// compareTool compares the runs of a tool on copies with those on their originals.
func compareTool(tool string, plan *campaign.Plan, ends map[campaign.Run]*campaign.Finished, twins map[string]*twin) Tool {
	t := Tool{Name: tool}
	asked := func(instance string) []examinations.ID {
		return slices.DeleteFunc(slices.Clone(plan.Examinations), func(exam examinations.ID) bool {
			return !plan.Has(campaign.Run{Tool: tool, Instance: instance, Exam: exam})
		})
	}
	for _, i := range plan.Instances {
		if twins[i.ID] == nil && len(asked(i.ID)) == 0 {
			t.NoPart = append(t.NoPart, i.ID)
		}
	}
	for _, kind := range kinds {
		of := map[string][]string{} // names of copies by their original
		for _, name := range slices.Sorted(maps.Keys(twins)) {
			if twin := twins[name]; twin.kind == kind {
				of[twin.original] = append(of[twin.original], name)
			}
		}
		s := &seen{Side: Side{Kind: kind, Reasons: []string{}, Techniques: []string{}, Changes: []Change{}},
			time: map[string][]float64{}, memory: map[string][]float64{}, words: [2]map[string]bool{{}, {}}}
		for _, original := range slices.Sorted(maps.Keys(of)) {
			planned, _ := plan.Instance(original)
			s.instance(tool, asked(original), ends, append([]string{original}, of[original]...), twins, planned.Told)
		}
		s.finish()
		t.Sides = append(t.Sides, s.Side)
	}
	t.conclude()
	return t
}

// instance compares the runs on an instance, the first of the names, with those on its
// copies. Examinations of which a run is missing are left out.
func (s *seen) instance(tool string, exams []examinations.ID, ends map[campaign.Run]*campaign.Finished, names []string, twins map[string]*twin, told map[examinations.ID]map[string]string) {
	answers, disagree := make([]int, len(names)), make([]int, len(names))
	for _, exam := range exams {
		var runs []*campaign.Finished
		for _, name := range names {
			if run, ok := ends[campaign.Run{Tool: tool, Instance: name, Exam: exam}]; ok {
				runs = append(runs, run)
			}
		}
		if len(runs) < len(names) {
			s.Missing += len(names) - len(runs)
			continue
		}
		values := make([]map[string]string, len(names))
		for k, name := range names {
			values[k] = s.values(runs[k], twins[name])
		}
		for k := range names {
			answers[k] += len(values[k])
			for j := range names {
				disagree[k] += different(values[k], values[j])
			}
			if k > 0 {
				s.pair(runs[0], runs[k], values[0], values[k], told[exam])
			}
		}
	}
	s.answers, s.disagree = append(s.answers, answers), append(s.disagree, disagree)
}

// values returns the answers of a run by item of the original; twin is nil on the original.
func (s *seen) values(run *campaign.Finished, twin *twin) map[string]string {
	values, side := map[string]string{}, 0
	for a := range run.Answers.All() {
		item := a.Item
		if twin != nil {
			item, side = twin.old(run.Run.Exam, item), 1
		}
		values[item] = a.Text
		for word := range strings.FieldsSeq(a.Techniques) {
			s.words[side][word] = true
		}
	}
	return values
}

// different counts the items that both have with values that differ.
func different(a, b map[string]string) (n int) {
	for item, value := range a {
		if other, ok := b[item]; ok && other != value {
			n++
		}
	}
	return n
}

// maxChanges bounds what a report lists.
const maxChanges = 20

// pair compares the run on an original with that on a copy.
func (s *seen) pair(original, onCopy *campaign.Finished, first, second, told map[string]string) {
	same, instance := 0, original.Run.Instance
	for _, item := range slices.Sorted(maps.Keys(first)) {
		switch other, ok := second[item]; {
		case !ok:
			if s.OnlyOriginal++; told[item] == first[item] {
				s.Told++
			}
		case other == first[item]:
			same++
		default:
			s.Different++
			if len(s.Changes) < maxChanges {
				s.Changes = append(s.Changes, Change{instance, onCopy.Run.Instance, original.Run.Exam, item, first[item], other})
			}
		}
	}
	s.Same += same
	for item := range second {
		if _, ok := first[item]; !ok {
			s.OnlyCopy++
		}
	}
	if same > 0 && same == len(first) && same == len(second) {
		s.figures(instance, original.Outcome, onCopy.Outcome)
	}
}

// figures takes the ratios of two runs that gave the same, each by itself.
func (s *seen) figures(instance string, original, onCopy vm.Outcome) {
	if original.Termination != vm.Exited || onCopy.Termination != vm.Exited {
		return
	}
	add := func(to map[string][]float64, f vm.Figure, before, after float64) {
		if before > 0 && after > 0 && original.Measures(f) && onCopy.Measures(f) {
			to[instance] = append(to[instance], math.Log(after/before))
		}
	}
	add(s.time, vm.Times, original.CPUTime.Duration().Seconds(), onCopy.CPUTime.Duration().Seconds())
	add(s.memory, vm.Memory, float64(original.MemoryPeak), float64(onCopy.MemoryPeak))
}

// The rules.
const (
	// unlikely is the probability below which a difference is no chance.
	unlikely = 0.01
	// slower is how much longer copies must take: loading and starting do not matter.
	slower = 2.0
)

// finish says whether the tool takes copies for something else than their originals.
func (s *seen) finish() {
	for word := range s.words[0] {
		if !s.words[1][word] {
			s.Techniques = append(s.Techniques, word)
		}
	}
	slices.Sort(s.Techniques)
	s.Time, s.Memory = compare.RatioOf(s.time), compare.RatioOf(s.memory)
	because := func(format string, args ...any) {
		s.matters = true
		s.Reasons = append(s.Reasons, fmt.Sprintf(format, args...))
	}
	if p := chance(s.answers); p < unlikely {
		because("it answers more on originals: %s on them alone, and %d on copies alone; by chance that happens with a probability of %.1g", wording.Count(s.OnlyOriginal, "value", "values"), s.OnlyCopy, p)
	}
	if s.told() {
		s.Reasons = append(s.Reasons, fmt.Sprintf("what runs are given beside the net states all of the %s", wording.Count(s.Told, "value", "values")))
	}
	differ := wording.Count(s.Different, "value on copies differs from that", "values on copies differ from those")
	if p := chance(s.disagree); p < unlikely {
		because("%s on the originals, more than the copies differ from each other; by chance that happens with a probability of %.1g", differ, p)
	} else if s.Different > 0 {
		s.Reasons = append(s.Reasons, differ+" on the originals, so that some are wrong; chance may explain which")
	}
	if s.Time.Low > slower {
		because("copies take %.1f times as long (%.1f to %.1f), for the same values", s.Time.Ratio, s.Time.Low, s.Time.High)
	}
}

// chance is the probability that the first of each group has as much more than the
// others as it has, were it drawn from the group by lot. Had more means in how many
// comparisons with another, less those in which it had less. A group is an instance, and
// not a run: what is luck in one examination may be in all.
func chance(groups [][]int) float64 {
	observed, chances := 0, map[int]float64{0: 1}
	for _, group := range groups {
		next := map[int]float64{}
		for k := range group {
			more := lead(group, k)
			if k == 0 {
				observed += more
			}
			for _, sum := range slices.Sorted(maps.Keys(chances)) {
				next[sum+more] += chances[sum] / float64(len(group))
			}
		}
		chances = next
	}
	p := 0.0
	for _, sum := range slices.Sorted(maps.Keys(chances)) {
		if sum >= observed {
			p += chances[sum]
		}
	}
	return p
}

// lead is how many of a group have less than the k-th, less those that have more.
func lead(group []int, k int) (n int) {
	for _, other := range group {
		if other < group[k] {
			n++
		} else if other > group[k] {
			n--
		}
	}
	return n
}
