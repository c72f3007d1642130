package stripped

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/compare"
	"podium/internal/planning"
	"podium/models"
	"podium/vm"
)

// Plan says on what tools are examined.
type Plan struct {
	Dir      string           // of the copies and the campaign
	Campaign planning.Options // with the tools; its models are set here
	Copies   int              // of each instance
	Run      func(*campaign.Campaign) error
}

// Examine runs the tools on instances and on copies of them, and compares.
func (p Plan) Examine(ctx context.Context, instances []models.Instance) (*Report, error) {
	twins, err := copies(instances, filepath.Join(p.Dir, "copies"), p.Copies, p.Campaign.Seed)
	if err != nil {
		return nil, err
	}
	o := p.Campaign
	o.Models, o.Name = nil, "Instances and stripped copies"
	for _, i := range instances {
		o.Models = append(o.Models, i.Path)
	}
	for _, name := range slices.Sorted(maps.Keys(twins)) {
		o.Models = append(o.Models, twins[name].path)
	}
	c, _, err := planning.Prepare(ctx, filepath.Join(p.Dir, "campaign"), o)
	if err != nil {
		return nil, err
	}
	if err := p.Run(c); err != nil {
		return nil, err
	}
	log, err := c.Read(ctx)
	if err != nil {
		return nil, err
	}
	report := &Report{Format: Format, Instances: len(instances), Copies: p.Copies}
	for _, t := range c.Plan.Tools {
		report.Tools = append(report.Tools, compareTool(t.Name, &c.Plan, log.Finished, twins))
	}
	return report, nil
}

// seen is what is collected of one tool.
type seen struct {
	Tool
	time, memory map[string][]float64 // logarithms of copy/original, by instance
	words        [2]map[string]bool   // techniques on originals and on copies
}

// compareTool compares the runs of a tool on copies with those on their originals.
func compareTool(tool string, plan *campaign.Plan, ends map[campaign.Run]campaign.Finished, twins map[string]*twin) Tool {
	s := &seen{Tool: Tool{Name: tool, Reasons: []string{}, Techniques: []string{}, Changes: []Change{}}, time: map[string][]float64{}, memory: map[string][]float64{},
		words: [2]map[string]bool{{}, {}}}
	for _, name := range slices.Sorted(maps.Keys(twins)) {
		t := twins[name]
		for _, exam := range plan.Examinations {
			original, ok := ends[campaign.Run{Tool: tool, Instance: t.original, Exam: exam}]
			onCopy, both := ends[campaign.Run{Tool: tool, Instance: name, Exam: exam}]
			if ok && both {
				s.run(t, exam, original, onCopy)
			}
		}
	}
	for word := range s.words[0] {
		if !s.words[1][word] {
			s.Techniques = append(s.Techniques, word)
		}
	}
	slices.Sort(s.Techniques)
	s.Time, s.Memory = compare.RatioOf(s.time), compare.RatioOf(s.memory)
	s.judge()
	return s.Tool
}

// run compares one run with its twin.
func (s *seen) run(t *twin, exam examinations.ID, original, onCopy campaign.Finished) {
	first, second := map[string]string{}, map[string]string{}
	for _, a := range original.Answers {
		first[a.Item] = a.Text
		s.take(0, a.Techniques)
	}
	for _, a := range onCopy.Answers {
		second[t.old(exam, a.Item)] = a.Text
		s.take(1, a.Techniques)
	}
	only, different := 0, s.Different
	for _, item := range slices.Sorted(maps.Keys(first)) {
		switch other, ok := second[item]; {
		case !ok:
			only++
		case other != first[item]:
			s.Different++
			s.change(Change{t.original, onCopy.Run.Instance, exam, item, first[item], other})
		default:
			s.Same++
		}
	}
	extra := 0
	for item := range second {
		if _, ok := first[item]; !ok {
			extra++
		}
	}
	s.OnlyOriginal, s.OnlyCopy = s.OnlyOriginal+only, s.OnlyCopy+extra
	switch {
	case only > extra:
		s.More++
	case extra > only:
		s.Fewer++
	case only == 0 && different == s.Different && len(first) > 0:
		s.figures(t.original, original.Outcome, onCopy.Outcome)
	}
}

func (s *seen) take(side int, techniques string) {
	for word := range strings.FieldsSeq(techniques) {
		s.words[side][word] = true
	}
}

// maxChanges bounds what a report lists.
const maxChanges = 20

func (s *seen) change(c Change) {
	if len(s.Changes) < maxChanges {
		s.Changes = append(s.Changes, c)
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
	add(s.time, vm.Times, original.CPUTime.Seconds(), onCopy.CPUTime.Seconds())
	add(s.memory, vm.Memory, float64(original.MemoryPeak), float64(onCopy.MemoryPeak))
}

// The rules of suspicion.
const (
	// unlikely is the probability below which more answers on originals are no chance.
	unlikely = 0.01
	// slower is how much longer copies must take. Less can have honest reasons: a copy
	// lacks the units of NUPN, for example.
	slower = 2.0
)

// judge says whether names matter to the tool, and why.
func (s *seen) judge() {
	suspect := func(format string, args ...any) {
		s.Suspicious = true
		s.Reasons = append(s.Reasons, fmt.Sprintf(format, args...))
	}
	if s.Different > 0 {
		suspect("%d values on copies differ from those on the originals, which ask the same", s.Different)
	}
	// Were names nothing to the tool, more and fewer would be equally likely.
	if n := s.More + s.Fewer; n > 0 {
		chance := 1.0
		if s.More > 0 {
			chance = 1 - distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(s.More)-1)
		}
		if chance < unlikely {
			suspect("in %d runs it answers more on the original than on its copy, and in %d less: by chance that happens with a probability of %.2g", s.More, s.Fewer, chance)
		}
	}
	if s.Time.Low > slower {
		suspect("copies take %.1f times as long (%.1f to %.1f), for the same values; copies lack the units of NUPN, which may be a reason", s.Time.Ratio, s.Time.Low, s.Time.High)
	}
}
