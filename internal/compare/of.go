package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"podium/examinations"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// format names the form of a report written as JSON.
const format = "podium-compare/1"

// Of compares tools on what both sides have. Pairs name tools that the sides have;
// no pair stands for every name that both have. An error is a
// diagnostic.Diagnostic: the sides share nothing.
func Of(before, after Source, pairs []Pair) (*Report, error) {
	r := &Report{Format: format, LeftOut: []string{}, FamilyError: FamilyError, Before: Side{before.Name, before.Edition}, After: Side{after.Name, after.Edition}}
	if before.Edition != after.Edition {
		r.leave("the sides have different editions: each is judged by its own")
	}
	r.tasks = before.ofTasks() && after.ofTasks()
	if len(pairs) == 0 {
		pairs = r.sharedTools(before, after)
	}
	if len(pairs) == 0 {
		return nil, nothing(after.Name, "the two sides have no tool of the same name", "name the tools: --tool BEFORE=AFTER")
	}
	m := r.match(before, after)
	if len(m.sheets) == 0 {
		return nil, nothing(after.Name, r.say("the two sides have no examination of an instance in common"), r.say("plan both from the same models and examinations"))
	}
	for _, p := range pairs {
		c := comparison{match: m, tool: Tool{Pair: p, Changes: []Change{}}, a: before.Result.Contest.ToolNamed(p.Before), b: after.Result.Contest.ToolNamed(p.After), rows: map[examinations.ID]*collected{}}
		c.collect()
		if c.tool.Runs == 0 {
			return nil, nothing(after.Name, fmt.Sprintf("there is no run that both %s and %s have", diagnostic.Clean(p.Before), diagnostic.Clean(p.After)), r.say("run both on the same models; `podium status` says what is missing"))
		}
		c.judge(len(pairs))
		r.Worse = r.Worse || c.tool.worse()
		r.Tools = append(r.Tools, c.tool)
	}
	return r, nil
}

// ofTasks reports whether a side asks for nothing but tasks.
func (s Source) ofTasks() bool {
	c := s.Result.Contest
	return len(c.Sheets) > 0 && !slices.ContainsFunc(c.Sheets, func(x scoring.Sheet) bool { return !c.Exams[x.Exam].Task })
}

func nothing(file, message, hint string) error {
	return diagnostic.Diagnostic{File: file, Code: "compare-nothing", Message: message, Hint: hint}
}

func (r *Report) leave(format string, args ...any) {
	r.LeftOut = append(r.LeftOut, fmt.Sprintf(format, args...))
}

// sharedTools pairs tools of one name and says which are left out.
func (r *Report) sharedTools(before, after Source) []Pair {
	names := func(s Source) (list []string) {
		for i := range s.Result.Contest.Tools {
			list = append(list, s.Result.Contest.Tools[i].Name)
		}
		return list
	}
	both := r.shared("tool", "tools", names(before), names(after))
	var pairs []Pair
	for _, name := range both {
		pairs = append(pairs, Pair{name, name})
	}
	return pairs
}

// shared returns the names that are in both lists, and notes the others.
func (r *Report) shared(one, many string, before, after []string) (both []string) {
	inBefore, inAfter := setOf(before), setOf(after)
	only := func(side string, list []string, other map[string]bool) {
		var names []string
		for _, name := range list {
			if !other[name] {
				names = append(names, diagnostic.Clean(name))
			}
		}
		if len(names) > 0 {
			r.leave("only %s has %s: %s", side, wording.Count(len(names), r.say(one), r.say(many)), wording.Few(names, 4))
		}
	}
	only("before", before, inAfter)
	only("after", after, inBefore)
	for _, name := range before {
		if inAfter[name] {
			both = append(both, name)
		}
	}
	return both
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// match is what two contests have in common.
type match struct {
	before, after Source
	sheets        [][2]int // numbers of the same sheet
	exams         []examinations.ID
}

// match pairs the sheets of two contests and notes what is left out.
func (r *Report) match(before, after Source) *match {
	a, b := before.Result.Contest, after.Result.Contest
	m := &match{before: before, after: after}
	instances := r.shared("instance", "instances", instanceNames(a), instanceNames(b))
	exams := r.shared("examination", "examinations", examNames(a), examNames(b))
	r.Instances, r.Examinations = len(instances), len(exams)
	for _, name := range exams {
		m.exams = append(m.exams, examinations.ID(name))
	}
	index := b.SheetIndex()
	for i, s := range a.Sheets {
		if j, ok := index[scoring.SheetName{Instance: a.Instances[s.Instance].Name, Exam: a.Exams[s.Exam].ID}]; ok {
			m.sheets = append(m.sheets, [2]int{i, j})
		}
	}
	return m
}

func instanceNames(c *scoring.Contest) (names []string) {
	for i := range c.Instances {
		names = append(names, c.Instances[i].Name)
	}
	return names
}

// examNames lists the examinations that have sheets.
func examNames(c *scoring.Contest) (names []string) {
	used := make([]bool, len(c.Exams))
	for _, s := range c.Sheets {
		used[s.Exam] = true
	}
	for i := range c.Exams {
		if used[i] {
			names = append(names, string(c.Exams[i].ID))
		}
	}
	return names
}

// comparison collects what changed of one pair of tools.
type comparison struct {
	*match
	tool         Tool
	a, b         int // numbers of the tool
	all          collected
	rows         map[examinations.ID]*collected
	limitByModel map[string]int // values gained at limits less those lost
}

// collected are the counts and the logarithms of ratios of a row, by model.
type collected struct {
	counts       Counts
	time, memory map[string][]float64
}

func (c *comparison) row(exam examinations.ID) *collected {
	if c.rows[exam] == nil {
		c.rows[exam] = &collected{}
	}
	return c.rows[exam]
}

// collect looks at every sheet that both sides have.
func (c *comparison) collect() {
	c.limitByModel = map[string]int{}
	for _, s := range c.sheets {
		there := func(p scoring.Participation) bool { return p != scoring.Absent && p != scoring.Void }
		a, b := c.before.Result.Contest.Run(s[0], c.a), c.after.Result.Contest.Run(s[1], c.b)
		switch {
		case there(a.Participation) && there(b.Participation):
			c.tool.Runs++
			c.run(s)
		case there(a.Participation) || there(b.Participation):
			c.tool.OneSided++
		}
	}
}

// judge turns what was collected into rows. One fifth of the error goes to the
// limits, two to the rows of all examinations, two to those of single ones; tools
// and rows have equal parts of it.
func (c *comparison) judge(tools int) {
	part := FamilyError / 5 / float64(tools)
	var gaining, losing int
	for _, n := range c.limitByModel {
		if n > 0 {
			gaining++
		} else if n < 0 {
			losing++
		}
	}
	c.tool.LimitsWorse = unlikely(losing, losing+gaining, part)
	c.tool.All = c.all.row(2 * part)
	for _, id := range c.exams {
		row := Row{}
		if got := c.rows[id]; got != nil {
			row = got.row(2 * part / float64(len(c.exams)))
		}
		c.tool.Examinations = append(c.tool.Examinations, Examination{id, row})
	}
	slices.SortStableFunc(c.tool.Changes, func(x, y Change) int {
		return cmp.Or(cmp.Compare(rankOf(x.Kind), rankOf(y.Kind)), cmp.Compare(x.Examination, y.Examination), cmp.Compare(x.Instance, y.Instance), cmp.Compare(x.Value, y.Value))
	})
}

// rankOf puts the worst first.
func rankOf(k Kind) int { return slices.Index([]Kind{Wrong, Changed, Lost, Mended, Gained}, k) }

// row states ratios with half of an error for each of time and memory.
func (g *collected) row(error float64) Row {
	return Row{g.counts, ratioOf(g.time, error/2), ratioOf(g.memory, error/2)}
}

// RatioOf estimates after/before from logarithms of ratios, by what is observed. What it
// claims is false with a probability of at most 0.05.
func RatioOf(logs map[string][]float64) Ratio { return ratioOf(logs, 0.05) }

// ratioOf estimates a ratio from logarithms by model; error is the probability that
// a claim is false.
func ratioOf(byModel map[string][]float64, error float64) Ratio {
	r := Ratio{Models: len(byModel), Needed: fewest(error / 2), Claim: TooFew}
	var observations []float64
	for _, logs := range byModel {
		r.Runs += len(logs)
		slices.Sort(logs)
		observations = append(observations, middle(logs))
	}
	if len(observations) == 0 {
		return r
	}
	slices.Sort(observations)
	centre, low, high, ok := shift(observations, error/2)
	r.Ratio = math.Exp(centre)
	if !ok {
		return r
	}
	r.Low, r.High = math.Exp(low), math.Exp(high)
	switch {
	case r.Low > 1:
		r.Claim = More
	case r.High < 1:
		r.Claim = Less
	default:
		r.Claim = Unclear
	}
	return r
}

// worse reports whether something is worse for certain or significantly.
func (t *Tool) worse() bool {
	if t.LimitsWorse || slices.ContainsFunc(t.Changes, Change.Worse) {
		return true
	}
	more := func(r *Row) bool { return r.Time.Claim == More || r.Memory.Claim == More }
	return more(&t.All) || slices.ContainsFunc(t.Examinations, func(e Examination) bool { return more(&e.Row) })
}
