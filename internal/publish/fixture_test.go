package publish

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"podium/examinations"
	"podium/internal/netpicture"
	"podium/models"
)

// The fixture is a contest that never was: answers, times and logs come from a
// seeded generator, and a small vote makes the references, so that pages have
// every kind of thing to show.

var fixtureExams = []Examination{
	{ID: examinations.StateSpace, Category: "StateSpace"},
	{ID: examinations.ReachabilityDeadlock, Category: "GlobalProperties"}, {ID: examinations.QuasiLiveness, Category: "GlobalProperties"},
	{ID: examinations.StableMarking, Category: "GlobalProperties"}, {ID: examinations.Liveness, Category: "GlobalProperties"}, {ID: examinations.OneSafe, Category: "GlobalProperties"},
	{ID: examinations.UpperBounds, Category: "UpperBounds"},
	{ID: examinations.ReachabilityCardinality, Category: "Reachability"}, {ID: examinations.ReachabilityFireability, Category: "Reachability"},
	{ID: examinations.CTLCardinality, Category: "CTL"}, {ID: examinations.CTLFireability, Category: "CTL"},
	{ID: examinations.LTLCardinality, Category: "LTL"}, {ID: examinations.LTLFireability, Category: "LTL"},
}

var fixtureTools = []Tool{
	{Name: "explicit", Family: "explicit", Version: "1.4", Kind: Sequential, About: "Enumerates markings one by one."},
	{Name: "symbolic", Family: "symbolic", Variant: "mdd", Version: "0.9.2", Kind: Concurrent, About: "Decision diagrams and saturation."},
	{Name: "walk", Family: "walk", Version: "3", Kind: Sequential, About: "Random walks; answers only what a walk proves."},
	{Name: `sym<b>&"é`, Family: "symbolic", Variant: "odd name", Version: "0.9.2-β", Kind: Concurrent, About: "A variant with a name that must be escaped."},
}

// fixture makes a contest with the given number of instances; tools beyond the
// four of the fixture are made up.
func fixture(seed uint64, tools, instances int) *Contest {
	f := &fixtureMaker{rng: rand.New(rand.NewPCG(seed, 7)), c: &Contest{
		Title: "Model Checking Contest, synthetic",
		Edition: Edition{ID: "mcc2016", Title: "Rules of 2016", Digest: "sha256:" + strings.Repeat("5d", 32), Sources: []string{"https://example.org/rules"},
			Rules: []Rule{{"E-2.2", "Confidence of tools", "The confidence of a tool is computed from the values it provides."},
				{"E-3.1", "References", "For a given examination where exact values are expected, all values are examined.\nEach tool is weighted by its confidence."},
				{"E-4.1", "Bonuses", "Constants: the bonus is 4 points."}, {"E-4.2", "Points", "A right value gets its points."}, {"E-4.3", "Penalties", "A wrong value costs twice its points."},
				{"E-4.4", "Classes of models", "Surprise models count five times."}}},
		Started: time.Date(2016, 4, 11, 8, 30, 0, 0, time.UTC), Finished: time.Date(2016, 4, 13, 17, 2, 11, 0, time.UTC),
		Version: "v0.1.0", Digests: []Named{{"plan", "sha256:" + strings.Repeat("ab", 32)}},
		Facts:    []Named{{"CPU limit", "1 h a run"}, {"memory limit", "16 GB"}, {"machine", "sandbox, measured by cgroup2"}, {"seed", "7"}},
		Machines: []Machine{{Name: "node-1", System: "Linux 6.12, Debian 13", Processor: "Xeon E3-1230 v5", Cores: 4, Memory: 34e9}},
		Drift:    []Drift{{Host: "node-1", Bound: 0.1, Readings: []DriftReading{{0, time.Unix(0, 0), 1, 1.2, 1}, {1, time.Unix(9000, 0), 1.3, 0.9, 1.1}}}},
		Warnings: []string{"Memory was not limited on node-1: swap was on."}, Examinations: fixtureExams, Consistent: 700,
	}}
	f.c.Tools = slices.Clone(fixtureTools[:min(tools, len(fixtureTools))])
	for i := len(fixtureTools); i < tools; i++ {
		f.c.Tools = append(f.c.Tools, Tool{Name: fmt.Sprintf("tool-%d", i), Family: fmt.Sprint(i), Kind: Sequential})
	}
	families := []string{"Philosophers", "Kanban", "TokenRing", "Peterson", "FMS", "Eratosthenes"}
	for i := range instances {
		id := models.ID{Family: families[i%len(families)], Kind: models.Kind(i % 3 / 2), Param: fmt.Sprintf("%06d", 5*(1+i/len(families)))}
		f.c.Instances = append(f.c.Instances, Instance{ID: id, Class: models.Class(i % 5 / 3 * 2), Digest: "sha256:" + strings.Repeat("0c", 32),
			Facts: []Named{{"places", fmt.Sprint(10 + 7*i)}, {"transitions", fmt.Sprint(8 + 5*i)}}})
	}
	f.describe()
	f.trust()
	for i := range f.c.Instances {
		for _, exam := range f.c.Examinations {
			f.cell(&f.c.Instances[i], exam.ID)
		}
	}
	f.rank()
	return f.c
}

type fixtureMaker struct {
	rng *rand.Rand
	c   *Contest
}

// describe says of the first instance and the first tool what inputs say.
func (f *fixtureMaker) describe() {
	if len(f.c.Instances) == 0 || len(f.c.Tools) == 0 {
		return
	}
	f.c.Instances[0].Form, f.c.Instances[0].FormKnown, f.c.Instances[0].FormUnknown = []string{"ordinary", "loop <b>free</b>"}, true, []string{"connected <i>"}
	f.c.Instances[0].Net = &netpicture.Picture{Nodes: []netpicture.Node{{Place: true, Name: "p<1>", Text: "1"}, {Place: true, Name: "p&2", Text: "17"}, {Name: "\"t\""}},
		Arcs: []netpicture.Arc{{From: 0, To: 2}, {From: 2, To: 1, Weight: "<2>"}, {From: 2, To: 0}}}
	t := &f.c.Tools[0]
	t.Authors, t.Home, t.Licence, t.Techniques = "A <b>&", "javascript:alert(1)", "MIT", []string{"EXPLICIT", "<i>"}
}

func (f *fixtureMaker) trust() {
	for i, t := range f.c.Tools {
		conf := Confidence{t.Name, 700 - []int{0, 3, 0, 112}[i%4], 700}
		f.c.Confidences = append(f.c.Confidences, conf)
	}
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
func (f *fixtureMaker) cell(inst *Instance, exam examinations.ID) {
	items := fixtureItems(inst.ID, exam)
	truth := make([]examinations.Value, len(items))
	for i := range truth {
		truth[i] = f.value(exam)
	}
	if exam == examinations.StateSpace && inst.ID.Family == "FMS" {
		truth[0].Text = strings.Repeat("9876543210", 2385) + "1234567"
	}
	first := len(f.c.Runs)
	for i := range f.c.Tools {
		f.run(i, inst, exam, items, truth)
	}
	runs := f.c.Runs[first:]
	for i, item := range items {
		f.refer(examinations.Key{Instance: inst.ID, Exam: exam, Item: item}, runs, i)
	}
	f.score(inst, runs, len(items))
}

func (f *fixtureMaker) value(exam examinations.ID) examinations.Value {
	if exam.Kind() == examinations.Nat {
		return examinations.Value{Kind: examinations.Nat, Text: fmt.Sprint(1 + f.rng.IntN(100000))}
	}
	return examinations.Truth(f.rng.IntN(2) == 0)
}

func (f *fixtureMaker) run(tool int, inst *Instance, exam examinations.ID, items []string, truth []examinations.Value) {
	r := Run{Tool: f.c.Tools[tool].Name, Instance: inst.ID, Exam: exam, Participation: Answered,
		Termination: "exited", Logged: true, Whole: &Whole{Setting: Setting{Attempts: 1, Machine: "node-1", Measured: "cgroup2"}}}
	fast := []float64{1, 0.4, 2.5, 0.45}[tool%4]
	r.CPU = time.Duration(fast * float64(time.Millisecond) * float64(uint64(1)<<f.rng.IntN(20)) * (1 + f.rng.Float64())).Round(time.Microsecond)
	r.User, r.Wall = r.CPU*9/10, r.CPU*11/10+3*time.Millisecond
	r.MemoryPeak = 3e6 + f.rng.Int64N(4e9)
	answers := true
	switch {
	case f.rng.IntN(90) == 0:
		r.Void, r.Attempts, answers = "the machine could not be booted: disk full.", 3, false
	case tool%4 == 2 && exam == examinations.StateSpace, tool%4 == 0 && strings.HasPrefix(string(exam), "LTL"):
		r.Participation, r.CPU, r.Wall, answers = DoNotCompete, 4*time.Millisecond, 7*time.Millisecond, false
	case f.rng.IntN(12) == 0:
		r.Participation, r.ExitCode, answers = CannotCompute, f.rng.IntN(3), false
	case f.rng.IntN(9) == 0:
		r.Termination, r.CPU, r.Wall = []string{"cputime", "memory", "walltime", "signal"}[f.rng.IntN(4)], time.Hour, 3610*time.Second
		r.Signal = 11
		r.Warnings = []string{"The tool left 2 processes behind; they were killed."}
	}
	r.System = r.CPU - r.User
	var log strings.Builder
	fmt.Fprintf(&log, "%s on %s of %s\n", r.Tool, exam, inst.ID)
	if f.rng.IntN(25) == 0 {
		log.WriteString("noise \x00\x1b[31m\xff\xfe <script>alert(1)</script> \u202e reversed\n")
	}
	if f.rng.IntN(60) == 0 {
		log.WriteString(strings.Repeat("exploring & exploring, a line of a long log\n", 1500))
		log.WriteString(strings.Repeat("x", 5000) + "\n")
	}
	if answers {
		f.answers(&r, tool, items, truth, &log)
	}
	text := []byte(log.String())
	r.OutputBytes = int64(len(text))
	r.Log = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	f.c.Runs = append(f.c.Runs, r)
}

// copied is a copy that shares nothing that tests change.
func (r Run) copied() Run {
	whole := *r.Whole
	r.Whole = &whole
	return r
}

func (f *fixtureMaker) answers(r *Run, tool int, items []string, truth []examinations.Value, log *strings.Builder) {
	for i, item := range items {
		stopped := r.Termination != "exited" && i > len(items)/2
		if stopped || f.rng.IntN(10) == 0 || tool%4 == 2 && f.rng.IntN(2) == 0 {
			continue
		}
		a := Answer{Item: item, Value: truth[i], Techniques: "EXPLICIT TOPOLOGICAL", Offset: int64(log.Len()),
			At: time.Duration(int64(r.Wall) * int64(i+1) / int64(len(items)+1)).Round(time.Microsecond)}
		if f.rng.IntN([]int{400, 60, 300, 9}[tool%4]) == 0 {
			a.Value = f.value(r.Exam)
		}
		keyword := "FORMULA"
		if r.Exam == examinations.StateSpace {
			keyword = "STATE_SPACE"
		}
		fmt.Fprintf(log, "%s %s %s TECHNIQUES EXPLICIT TOPOLOGICAL\nworking on it\n", keyword, item, a.Value)
		r.Answers = append(r.Answers, a)
	}
	if len(r.Answers) == 0 {
		r.Participation = CannotCompute
	}
}

func (f *fixtureMaker) refer(key examinations.Key, runs []Run, item int) {
	ref := Reference{Key: key, State: Unknown, Rule: "E-3.1", Clause: "No tool provides any value."}
	if key.Exam == examinations.CTLCardinality {
		ref.QuestionXML = "<property>&</property>"
		ref.Question = "E F ((\"tokens\" <= place_1) & A G (p < 3))"
	}
	for i := range runs {
		for _, a := range runs[i].Answers {
			if a.Item == key.Item && runs[i].Void == "" {
				t := slices.IndexFunc(f.c.Confidences, func(c Confidence) bool { return c.Tool == runs[i].Tool })
				ref.Votes = append(ref.Votes, Vote{runs[i].Tool, a.Value, f.c.Confidences[t].ratio()})
			}
		}
	}
	camps := ref.camps()
	slices.SortFunc(camps, func(a, b camp) int { return b.weight.Cmp(a.weight) })
	switch {
	case len(camps) > 1 && camps[0].weight.Cmp(camps[1].weight) == 0:
		ref.Clause = "Two values have the same weight, so the value is unknown."
	case len(camps) > 1:
		ref.State, ref.Value, ref.Clause = Majority, camps[0].value, "The value with the greatest weight is the reference value."
	case len(camps) == 1 && len(ref.Votes) > 1:
		ref.State, ref.Value, ref.Clause = Agreed, camps[0].value, "All tools agree."
	case len(camps) == 1 && camps[0].weight.Cmp(big.NewRat(93, 100)) > 0:
		ref.State, ref.Value, ref.Clause = Single, camps[0].value, "Only one tool provides a value; its confidence is above 0.93."
	case len(camps) == 1:
		ref.State, ref.Value, ref.Clause = Weak, camps[0].value, "Only one tool provides a value; its confidence is not above 0.93."
	}
	for i := range runs {
		for j := range runs[i].Answers {
			a := &runs[i].Answers[j]
			if a.Item != key.Item {
				continue
			}
			switch {
			case ref.State == Unknown || ref.State == Weak:
				a.Mark = Unjudged
			case a.Value == ref.Value:
				a.Mark = Right
			default:
				a.Mark = Wrong
			}
		}
	}
	f.c.References = append(f.c.References, ref)
}

func (f *fixtureMaker) score(inst *Instance, runs []Run, values int) {
	for i := range runs {
		r := &runs[i]
		total := new(big.Rat)
		add := func(item, rule, reason string, points *big.Rat) {
			r.Items = append(r.Items, Item{Item: item, Rule: rule, Reason: reason, Points: points})
			total.Add(total, points)
		}
		for _, a := range r.Answers {
			switch a.Mark {
			case Right:
				add(a.Item, "E-4.2", "right value", big.NewRat(16, int64(values)))
			case Wrong:
				add(a.Item, "E-4.3", "wrong value", big.NewRat(-32, int64(values)))
			}
		}
		if i == 0 && len(r.Answers) == values && r.Void == "" {
			add("", "E-4.1", "least CPU time", big.NewRat(4, 1))
		}
		if inst.Class == models.Surprise {
			add("", "E-4.4", "surprise model, five times", new(big.Rat).Mul(total, big.NewRat(4, 1)))
		}
		r.Points = total
	}
}

// rank sums categories. In UpperBounds the second tool is given the points of
// the first, so that there is a tie.
func (f *fixtureMaker) rank() {
	for _, exam := range f.c.Examinations {
		if slices.ContainsFunc(f.c.Categories, func(c Category) bool { return c.Name == exam.Category }) {
			continue
		}
		cat := Category{Name: exam.Category}
		for _, t := range f.c.Tools {
			cat.Standings = append(cat.Standings, Standing{Tool: t.Name, Points: f.total(t.Name, exam.Category)})
		}
		if cat.Name == "UpperBounds" && len(cat.Standings) > 1 {
			cat.Standings[1].Points = cat.Standings[0].Points
		}
		slices.SortStableFunc(cat.Standings, func(a, b Standing) int { return b.Points.Cmp(a.Points) })
		family := map[string]string{}
		place := 0
		for i := range cat.Standings {
			s := &cat.Standings[i]
			s.Rank = i + 1
			if i > 0 && s.Points.Cmp(cat.Standings[i-1].Points) == 0 {
				s.Rank = cat.Standings[i-1].Rank
			}
			at := slices.IndexFunc(f.c.Tools, func(t Tool) bool { return t.Name == s.Tool })
			if better := family[f.c.Tools[at].Family]; better != "" {
				s.Note = "sibling of " + better
				continue
			}
			family[f.c.Tools[at].Family] = s.Tool
			place++
			s.Place = cmp.Or(btoi(i > 0 && s.Rank == cat.Standings[max(i-1, 0)].Rank)*cat.Standings[max(i-1, 0)].Place, place)
			if s.Place > 3 {
				s.Place = 0
			}
		}
		if len(cat.Standings) > 1 && len(f.c.References) > 0 {
			a, b, r := cat.Standings[0], cat.Standings[1], f.c.References[0]
			cat.Margins = []Margin{{a.Tool, b.Tool, new(big.Rat).Sub(a.Points, b.Points), []Decisive{{r.Key, "17", "?", true, big.NewRat(3, 2)}}, 3}}
			cat.Without = []Without{{Tool: a.Tool, Other: b.Tool, Before: 3, After: 1, Refuted: 2, Lost: 1}}
		}
		f.c.Categories = append(f.c.Categories, cat)
	}
}

func (f *fixtureMaker) total(tool, category string) *big.Rat {
	sum := new(big.Rat)
	for i := range f.c.Runs {
		r := &f.c.Runs[i]
		exam := slices.IndexFunc(f.c.Examinations, func(e Examination) bool { return e.ID == r.Exam })
		if r.Tool == tool && f.c.Examinations[exam].Category == category {
			sum.Add(sum, r.Points)
		}
	}
	return sum
}

// decided are two decisions, of which the second revokes the first.
func decided() []Decision {
	at := time.Date(2016, 5, 1, 9, 0, 0, 0, time.UTC)
	return []Decision{
		{Number: 1, Text: "walk is disqualified", Author: "the jury", At: at, Reason: "It looked answers up.", Link: "https://example.org/1", RevokedBy: 2, Effect: []string{"CTL: walk loses place 3"}},
		{Number: 2, Text: "decision 1 is revoked", Author: "the jury", At: at.Add(time.Hour), Reason: "It did not."},
		{Number: 3, Text: "excluded, instance FMS-PT-2", Author: "the organisers", At: at.Add(2 * time.Hour), Reason: "Its net is broken.", InForce: true},
	}
}
