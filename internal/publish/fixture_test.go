package publish

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/judged"
	"podium/internal/netpicture"
	"podium/internal/sentinel"
	"podium/models"
	"podium/scoring"
	"podium/vm"
)

// The fixture is a contest that never was: answers, times and logs come from a seeded generator,
// so that pages have every kind of thing to show. A real edition judges it.

var fixtureTools = []Tool{
	{Tool: scoring.Tool{Name: "explicit", Family: "explicit"}, Version: "1.4", Kind: Sequential, About: "Enumerates markings one by one."},
	{Tool: scoring.Tool{Name: "symbolic", Family: "symbolic"}, Version: "0.9.2", Kind: Concurrent, About: "Decision diagrams and saturation."},
	{Tool: scoring.Tool{Name: "walk", Family: "walk"}, Version: "3", Kind: Sequential, About: "Random walks; answers only what a walk proves."},
	{Tool: scoring.Tool{Name: `sym<b>&"é`, Family: "symbolic"}, Version: "0.9.2-β", Kind: Concurrent, About: "A variant with a name that must be escaped."},
}

// maker makes a contest. What it holds may be changed until [maker.contest].
type maker struct {
	ed        *edition.Edition
	tools     []Tool
	instances []Instance
	exams     []examinations.ID
	asked     map[made][]string // by instance and examination: the values
	runs      []*made
	proofs    *judged.Certificate // of a referee; nil for none
	decided   *decisions.Record
}

// made is a run.
type made struct {
	tool     string
	instance models.ID
	exam     examinations.ID
	*ran
}

// ran is how it went.
type ran struct {
	judged.Ran
	said    []judged.Said // without marks
	log     func() (io.ReadCloser, error)
	remarks []string
	curve   vm.Curve
}

// sampled gives the run a curve that leads to its figures: memory is there in the middle only.
func (r *ran) sampled() {
	var s vm.Sampler
	const parts = 40
	for i := range vm.Micros(parts) {
		s.Add(vm.Sample{At: r.WallTime * i / parts, CPU: r.CPUTime * min(2*i, parts) / parts, Memory: r.MemoryPeak * int64(min(i, parts-i)) / (parts / 2)})
	}
	r.curve = s.End(vm.Sample{At: r.WallTime, CPU: r.CPUTime})
}

// logged keeps a text as what the run printed.
func (r *ran) logged(text string) {
	r.Logged, r.OutputBytes = true, int64(len(text))
	r.log = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte(text))), nil }
}

// fixture makes a contest with the given number of instances; tools beyond the
// four of the fixture are made up.
func fixture(seed uint64, tools, instances int) *Contest {
	return newMaker(seed, tools, instances).contest()
}

// mustEdition is an edition of the program.
func mustEdition(name string) *edition.Edition {
	ed, err := edition.Named(name)
	if err != nil {
		panic(err)
	}
	return ed
}

// newMaker is the maker of a fixture.
func newMaker(seed uint64, tools, instances int) *maker {
	f := &fixtureMaker{rng: rand.New(rand.NewPCG(seed, 7)), maker: &maker{ed: mustEdition("mcc2016-13"), asked: map[made][]string{}}}
	f.tools = slices.Clone(fixtureTools[:min(tools, len(fixtureTools))])
	for i := len(fixtureTools); i < tools; i++ {
		f.tools = append(f.tools, Tool{Tool: scoring.Tool{Name: fmt.Sprintf("tool-%d", i), Family: fmt.Sprint(i)}, Kind: Sequential})
	}
	for _, x := range f.ed.Examinations {
		f.exams = append(f.exams, x.ID)
	}
	families := []string{"Philosophers", "Kanban", "TokenRing", "Peterson", "FMS", "Eratosthenes"}
	for i := range instances {
		id := models.ID{Family: families[i%len(families)], Kind: models.Kind(i % 3 / 2), Param: fmt.Sprintf("%06d", 5*(1+i/len(families)))}
		f.instances = append(f.instances, Instance{ID: id, Class: models.Class(i % 5 / 3 * 2), Digest: "sha256:" + strings.Repeat("0c", 32),
			Facts: []Named{{Name: "places", Text: fmt.Sprint(10 + 7*i)}, {Name: "transitions", Text: fmt.Sprint(8 + 5*i)}}})
	}
	f.describe()
	for i := range f.instances {
		for _, exam := range f.exams {
			f.cell(f.instances[i].ID, exam)
		}
	}
	return f.maker
}

// contest judges what was made, as commands judge a campaign.
func (m *maker) contest() *Contest {
	b := m.ed.Builder()
	for _, t := range m.tools {
		b.Tool(t.Tool)
	}
	for _, i := range m.instances {
		b.Instance(i.ID.String(), i.Class)
		for _, exam := range m.exams {
			if items, asked := m.asked[made{instance: i.ID, exam: exam}]; asked {
				if err := b.Declare(i.ID.String(), exam, items...); err != nil {
					panic(err)
				}
			}
		}
	}
	facts := memory{}
	for _, r := range m.runs {
		if err := b.Add(r.entry()); err != nil {
			panic(err)
		}
		facts[made{r.tool, r.instance, r.exam, nil}] = r.ran
	}
	scored := b.Contest()
	if m.proofs != nil {
		scored = scored.WithCertified(m.proofs.Values)
	}
	if m.decided != nil {
		scored = m.decided.Apply(scored)
	}
	of := &judged.Contest{Result: m.ed.Score(scored), Edition: m.ed, Proofs: m.proofs, Decided: m.decided}
	of.Facts = remembered{facts, of}
	c := &Contest{
		Judged: of, Title: "Model Checking Contest, synthetic", Edition: editionOf(m.ed),
		Started: time.Date(2016, 4, 11, 8, 30, 0, 0, time.UTC), Finished: time.Date(2016, 4, 13, 17, 2, 11, 0, time.UTC),
		Version: "v0.1.0", Digests: []Named{{Name: "plan", Text: "sha256:" + strings.Repeat("ab", 32)}},
		Facts:    []Named{{Name: "CPU limit", Text: "1 h a run"}, {Name: "memory limit", Text: "16 GB"}, {Name: "machine", Text: "sandbox, measured by cgroup2"}, {Name: "seed", Text: "7"}},
		Machines: []Machine{{Name: "node-1", Machine: campaign.Machine{System: "Linux 6.12, Debian 13", Processor: "Xeon E3-1230 v5", Cores: 4, Memory: 34e9}}},
		Drift:    []Drift{{Host: "node-1", Bound: 0.1, Readings: []sentinel.Step{{At: time.Unix(0, 0), Compute: 1, Stream: 1.2, Jump: 1}, {Core: 1, At: time.Unix(9000, 0), Compute: 1.3, Stream: 0.9, Jump: 1.1}}}},
		Warnings: []string{"Memory was not limited on node-1: swap was on."}, Tools: m.tools, Instances: m.instances,
	}
	for _, e := range of.Result.Contest.Exams {
		if slices.Contains(m.exams, e.ID) {
			c.Examinations = append(c.Examinations, e)
		}
	}
	c.judge()
	c.describeMargins()
	c.questions = map[int]question{}
	for value, item := range of.Result.Contest.Items {
		if strings.Contains(item, "CTLCardinality") {
			c.questions[value] = question{"E F ((\"tokens\" <= place_1) & A G (p < 3))", "<property>&</property>"}
		}
	}
	return c
}

// rename changes the name of an instance, wherever it stands.
func (m *maker) rename(i int, change func(*models.ID)) {
	before := m.instances[i].ID
	change(&m.instances[i].ID)
	for _, exam := range m.exams {
		if items, asked := m.asked[made{instance: before, exam: exam}]; asked {
			delete(m.asked, made{instance: before, exam: exam})
			m.asked[made{instance: m.instances[i].ID, exam: exam}] = items
		}
	}
	for _, r := range m.runs {
		if r.instance == before {
			r.instance = m.instances[i].ID
		}
	}
}

// endings are those that the terminations of fixtures stand for, from journals and from files.
var endings = map[vm.Termination]scoring.Ending{vm.Exited: scoring.ByItself, vm.OutOfCPU: scoring.AtTimeLimit, vm.OutOfTime: scoring.AtTimeLimit, "time": scoring.AtTimeLimit,
	vm.OutOfMem: scoring.AtMemoryLimit, "time+memory": scoring.AtBothLimits, vm.Signalled: scoring.Crashed}

// entry is the run as it is scored.
func (r *made) entry() scoring.Entry {
	e := scoring.Entry{Tool: r.tool, Instance: r.instance.String(), Exam: r.exam, Run: scoring.Run{Ending: endings[r.Termination], CPU: r.CPUTime.Microseconds(), Wall: r.WallTime.Microseconds(), Memory: r.MemoryPeak}}
	if !r.Times() {
		e.CPU, e.Wall = scoring.Unmeasured, scoring.Unmeasured
	}
	if !r.Memory() {
		e.Run.Memory = scoring.Unmeasured
	}
	switch {
	case r.Void != "":
		e.Run = scoring.Run{Participation: scoring.Void, CPU: scoring.Unmeasured, Wall: scoring.Unmeasured, Memory: scoring.Unmeasured, Source: r.Void}
		return e
	case r.Participation == output.Answered:
		e.Participation = scoring.Answered
	case r.Participation == output.DoesNotCompete:
		e.Participation = scoring.DoNotCompete
	default:
		e.Participation = scoring.CannotCompute
	}
	for _, a := range r.said {
		e.Answers = append(e.Answers, scoring.AnsweredValue{Item: a.Item, Value: a.Value})
	}
	return e
}

// memory holds runs by tool, instance and examination.
type memory map[made]*ran

// remembered are the facts of a contest that is in memory.
type remembered struct {
	memory
	of *judged.Contest
}

func (f remembered) run(sheet, tool int) *ran {
	c := f.of.Result.Contest
	s := c.Sheets[sheet]
	return f.memory[made{c.Tools[tool].Name, c.Instances[s.Instance].ID, c.Exams[s.Exam].ID, nil}]
}

func (f remembered) Ran(sheet, tool int) (judged.Ran, bool) {
	r := f.run(sheet, tool)
	if r == nil {
		return judged.Ran{}, false
	}
	return r.Ran, true
}

func (f remembered) Said(sheet, tool int) iter.Seq[judged.Said] {
	return func(yield func(judged.Said) bool) {
		r := f.run(sheet, tool)
		if r == nil || r.Void != "" {
			return
		}
		for _, a := range r.said {
			a.Mark = scoring.Unjudged
			if value := f.of.Result.Contest.ValueOf(sheet, a.Item); value >= 0 {
				a.Mark = f.of.Result.ValueMark(sheet, tool, value)
			}
			if !yield(a) {
				return
			}
		}
	}
}

func (f remembered) Output(sheet, tool int) (io.ReadCloser, error) {
	if r := f.run(sheet, tool); r != nil && r.log != nil {
		return r.log()
	}
	return nil, errors.New("no output was kept")
}

func (f remembered) Curve(sheet, tool int) (vm.Curve, campaign.Confinement, error) {
	return f.run(sheet, tool).curve, campaign.Confinement{Cores: 1, Memory: 16e9}, nil
}

func (f remembered) Remarks(sheet, tool int) ([]string, error) {
	return f.run(sheet, tool).remarks, nil
}

type fixtureMaker struct {
	*maker
	rng *rand.Rand
}

// describe says of the first instance and the first tool what inputs say.
func (f *fixtureMaker) describe() {
	if len(f.instances) == 0 || len(f.tools) == 0 {
		return
	}
	f.instances[0].Form, f.instances[0].FormKnown, f.instances[0].FormUnknown = []string{"ordinary", "loop <b>free</b>"}, true, []string{"connected <i>"}
	f.instances[0].Net = &netpicture.Picture{Nodes: []netpicture.Node{{Place: true, Name: "p<1>", Text: "1"}, {Place: true, Name: "p&2", Text: "17"}, {Name: "\"t\""}},
		Arcs: []netpicture.Arc{{From: 0, To: 2}, {From: 2, To: 1, Weight: "<2>"}, {From: 2, To: 0}}}
	t := &f.tools[0]
	t.Authors, t.Home, t.Licence, t.Techniques = "A <b>&", "javascript:alert(1)", "MIT", []string{"EXPLICIT", "<i>"}
}

func fixtureItems(inst models.ID, exam examinations.ID) []string {
	if exam == examinations.StateSpace {
		return examinations.StateSpaceItems
	}
	if !exam.HasFormulas() {
		return []string{string(exam)}
	}
	var items []string
	for i := range 16 {
		items = append(items, fmt.Sprintf("%s-%s-2016-%02d", inst, exam, i))
	}
	return items
}

// cell makes the runs of all tools on one examination of one instance.
func (f *fixtureMaker) cell(inst models.ID, exam examinations.ID) {
	items := fixtureItems(inst, exam)
	f.asked[made{instance: inst, exam: exam}] = items
	truth := make([]examinations.Value, len(items))
	for i := range truth {
		truth[i] = f.value(exam)
	}
	if exam == examinations.StateSpace && inst.Family == "FMS" {
		truth[0].Text = strings.Repeat("9876543210", 2385) + "1234567"
	}
	for i := range f.tools {
		f.run(i, inst, exam, items, truth)
	}
}

func (f *fixtureMaker) value(exam examinations.ID) examinations.Value {
	if exam.Kind() == examinations.Nat {
		return examinations.Value{Kind: examinations.Nat, Text: fmt.Sprint(1 + f.rng.IntN(100000))}
	}
	return examinations.Truth(f.rng.IntN(2) == 0)
}

var fixtureHost = &campaign.Opened{Host: "node-1"}

func (f *fixtureMaker) run(tool int, inst models.ID, exam examinations.ID, items []string, truth []examinations.Value) {
	r := &made{f.tools[tool].Name, inst, exam, &ran{Ran: judged.Ran{Outcome: &vm.Outcome{Termination: vm.Exited, Measured: "cgroup2"}, Participation: output.Answered, Attempts: 1, By: fixtureHost}}}
	fast := []float64{1, 0.4, 2.5, 0.45}[tool%4]
	r.CPUTime = vm.Micros(math.Round(fast * 1000 * float64(uint64(1)<<f.rng.IntN(20)) * (1 + f.rng.Float64())))
	r.UserTime, r.WallTime = r.CPUTime*9/10, r.CPUTime*11/10+3000
	r.MemoryPeak = 3e6 + f.rng.Int64N(4e9)
	answers := true
	switch {
	case f.rng.IntN(90) == 0:
		r.Void, r.Attempts, answers = "the machine could not be booted: disk full.", 3, false
	case tool%4 == 2 && exam == examinations.StateSpace, tool%4 == 0 && strings.HasPrefix(string(exam), "LTL"):
		r.Participation, r.CPUTime, r.WallTime, answers = output.DoesNotCompete, 4000, 7000, false
	case f.rng.IntN(12) == 0:
		r.Participation, r.ExitCode, answers = output.CannotCompute, f.rng.IntN(3), false
	case f.rng.IntN(9) == 0:
		r.Termination, r.CPUTime, r.WallTime = []vm.Termination{vm.OutOfCPU, vm.OutOfMem, vm.OutOfTime, vm.Signalled}[f.rng.IntN(4)], vm.Took(time.Hour), vm.Took(3610*time.Second)
		r.Signal = 11
		r.Warnings = []string{"The tool left 2 processes behind; they were killed."}
	}
	r.SystemTime = r.CPUTime - r.UserTime
	var log strings.Builder
	fmt.Fprintf(&log, "%s on %s of %s\n", r.tool, exam, inst)
	if f.rng.IntN(25) == 0 {
		log.WriteString("noise \x00\x1b[31m\xff\xfe <script>alert(1)</script> \u202e reversed\n")
	}
	if f.rng.IntN(60) == 0 {
		log.WriteString(strings.Repeat("exploring & exploring, a line of a long log\n", 1500))
		log.WriteString(strings.Repeat("x", 5000) + "\n")
	}
	if answers {
		f.answers(r, tool, items, truth, &log)
	}
	r.logged(log.String())
	if tool%4 != 1 {
		r.sampled()
	}
	f.runs = append(f.runs, r)
}

func (f *fixtureMaker) answers(r *made, tool int, items []string, truth []examinations.Value, log *strings.Builder) {
	for i, item := range items {
		stopped := r.Termination != vm.Exited && i > len(items)/2
		if stopped || f.rng.IntN(10) == 0 || tool%4 == 2 && f.rng.IntN(2) == 0 {
			continue
		}
		a := judged.Said{Item: item, Value: truth[i], Techniques: "EXPLICIT TOPOLOGICAL", Offset: int64(log.Len()),
			At: (r.WallTime * vm.Micros(i+1) / vm.Micros(len(items)+1)).Duration()}
		if f.rng.IntN([]int{400, 60, 300, 9}[tool%4]) == 0 {
			a.Value = f.value(r.exam)
		}
		keyword := "FORMULA"
		if r.exam == examinations.StateSpace {
			keyword = "STATE_SPACE"
		}
		fmt.Fprintf(log, "%s %s %s TECHNIQUES EXPLICIT TOPOLOGICAL\nworking on it\n", keyword, item, a.Value)
		r.said = append(r.said, a)
	}
	if len(r.said) == 0 {
		r.Participation = output.CannotCompute
	}
}

// decided are decisions, of which the second revokes the first. They are about nothing that the
// fixture has.
func decided() *decisions.Record {
	at := time.Date(2016, 5, 1, 9, 0, 0, 0, time.UTC)
	return &decisions.Record{Decisions: []decisions.Decision{
		{Number: 1, Kind: decisions.Disqualify, Tool: "walk", Author: "the jury", At: at, Reason: "It looked answers up.", Link: "https://example.org/1", Effect: []string{"CTL: walk loses place 3"}},
		{Number: 2, Kind: decisions.Revoke, Revokes: 1, Author: "the jury", At: at.Add(time.Hour), Reason: "It did not."},
		{Number: 3, Kind: decisions.Exclude, Instance: "FMS-PT-2", Author: "the organisers", At: at.Add(2 * time.Hour), Reason: "Its net is broken."},
	}}
}
