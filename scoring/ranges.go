package scoring

import (
	"podium/confidence"
	"podium/examinations"
)

// Ranges say what the final scores of a contest can still be while some of its
// runs are missing.
type Ranges struct {
	Missing int // runs that have no end yet
	Boards  []BoardRange
}

// BoardRange is a category or meta category with the scores that are still possible.
type BoardRange struct {
	Name string
	// Least and Greatest are the standings, by tool, with the least and the greatest
	// points; only their Points, Out and Dash are filled.
	Least, Greatest []Standing
	Missing         []int // by tool: runs that have no end yet
	// Decided are the places of the podium that no missing run can change.
	Decided []Place
}

// Ranges returns the least and the greatest final points of every tool, for every way
// in which the missing runs can end. Missing tells that a run has no end yet or is
// done again; what it has in the contest is then not heeded. Certificates and rulings are taken
// as they are now. While a run is missing, every confidence can change, and so can every
// reference that needs them; a range holds the points under all of them. When no run
// is missing, both ends are the score.
func (r *Result) Ranges(missing func(sheet, tool int) bool) *Ranges {
	w := newRanger(r, missing)
	least, greatest := w.emptyBoards(), w.emptyBoards()
	for sheet, s := range r.Contest.Sheets {
		if r.Contest.ruled.strikes(s) {
			continue
		}
		low, high := w.sheet(sheet)
		at := w.boardOf[r.Contest.Exams[s.Exam].Category]
		for tool := range r.Contest.Tools {
			least[at].Tallies[tool].Points += low[tool]
			greatest[at].Tallies[tool].Points += high[tool]
			least[at].Tallies[tool].Runs += w.absent(sheet, tool)
		}
	}
	return w.ranges(least, greatest)
}

// ranger finds the ranges of sheets, with what it needs for all of them.
type ranger struct {
	*Result
	missing []bool // by run
	total   int    // missing runs
	boardOf map[string]int
	// doubtful are the flags with an effect that a run elsewhere can set, by instance
	// and tool: some run of the tool on the instance or its twin is missing.
	doubtful  []bool
	nobody    *confidence.Electorate // the least confidence for everybody
	low, high []int64
}

func newRanger(r *Result, missing func(sheet, tool int) bool) *ranger {
	c := r.Contest
	n := len(c.Tools)
	w := &ranger{Result: r, missing: make([]bool, len(c.Runs)), boardOf: map[string]int{}, doubtful: make([]bool, len(c.Instances)*n),
		nobody: confidence.NewElectorate(make([]confidence.Ratio, n)), low: make([]int64, n), high: make([]int64, n)}
	for i, k := range r.Categories {
		w.boardOf[k.Name] = i
	}
	across := false
	for _, f := range r.Scheme.Flags {
		across = across || f.Detect != nil && f.Effect != ShowOnly
	}
	for sheet, s := range c.Sheets {
		for tool := range n {
			if !missing(sheet, tool) {
				continue
			}
			w.missing[sheet*n+tool] = true
			w.total++
			w.doubtful[int(s.Instance)*n+tool] = across
			if twin := c.Instances[s.Instance].Twin; twin >= 0 {
				w.doubtful[twin*n+tool] = across
			}
		}
	}
	return w
}

func (w *ranger) absent(sheet, tool int) int {
	if w.missing[sheet*len(w.Contest.Tools)+tool] {
		return 1
	}
	return 0
}

func (w *ranger) emptyBoards() []Category {
	list := make([]Category, len(w.Categories))
	for i, k := range w.Categories {
		list[i] = Category{Name: k.Name, Values: k.Values, Tallies: make([]Tally, len(w.Contest.Tools))}
	}
	return list
}

// sheet returns the least and the greatest points of the runs of a sheet, by tool.
func (w *ranger) sheet(sheet int) (low, high []int64) {
	c, n := w.Contest, len(w.Contest.Tools)
	s := c.Sheets[sheet]
	clear(w.low)
	clear(w.high)
	if w.total == 0 {
		copy(w.low, w.Points[sheet*n:])
		copy(w.high, w.Points[sheet*n:])
		return w.low, w.high
	}
	open, loose := false, false
	for tool := range n {
		open = open || w.missing[sheet*n+tool]
		loose = loose || w.doubtful[int(s.Instance)*n+tool]
	}
	values, settled := make([]outlook, s.Values), !open && !loose
	for i := range values {
		values[i] = w.outlook(sheet, int(s.First)+i, open, loose)
		settled = settled && values[i].settled
	}
	for open && len(values) < c.Exams[s.Exam].Required { // nobody has named the others yet
		values = append(values, outlook{any: true, unknown: true})
	}
	var least, greatest int64 // of every missing run
	if open {
		least, greatest = w.anyEnd(sheet, values)
	}
	for tool := range n {
		run := sheet*n + tool
		switch {
		case settled:
			w.low[tool], w.high[tool] = w.Points[run], w.Points[run]
		case c.StruckRun(sheet, tool) != "":
		case w.missing[run]:
			w.low[tool], w.high[tool] = least, greatest
		case c.Runs[run].Participation == Answered:
			w.low[tool], w.high[tool] = w.ended(sheet, tool, values)
		}
	}
	return w.low, w.high
}

// outlook is what the reference of a value can become.
type outlook struct {
	settled bool // it stays as it is elected now
	any     bool // it can become any answer
	unknown bool // there can be none
	answers []confidence.Answer
	exempt  bool // the edition does not judge the value, or a ruling strikes it
}

// outlook returns what the reference of a value can become. On an open sheet a run is missing;
// on a loose one a missing run elsewhere can take votes away.
func (w *ranger) outlook(sheet, value int, open, loose bool) outlook {
	c, s := w.Contest, w.Contest.Sheets[sheet]
	o := outlook{exempt: w.References[value].Clause == confidence.Struck ||
		excludes(w.Scheme.NotJudged, c.Exams[s.Exam].ID, c.Items[value], c.Instances[s.Instance].ID.Kind)}
	if ref, ruled := w.ruledReference(value); ruled || !w.elects(sheet) {
		if !ruled {
			ref = w.References[value]
		}
		return o.fixed(ref)
	}
	if w.Scheme.Certified != nil && w.proved != nil && w.proved[value] != confidence.None {
		ref := w.Scheme.Certified(confidence.Reference{}, w.proved[value])
		if ref.Known() {
			return o.fixed(ref)
		}
	}
	if open {
		o.any, o.unknown = true, true
		return o
	}
	o.answers = confidence.Distinct(w.voices.Votes(value, nil))
	if len(o.answers) <= 1 && !loose {
		ref, _ := w.elected(sheet, value, w.nobody, nil)
		if ref.Known() || len(o.answers) == 0 {
			return o.fixed(ref)
		}
	}
	o.unknown = true
	return o
}

func (o outlook) fixed(ref confidence.Reference) outlook {
	o.settled, o.answers = true, nil
	if o.unknown = !ref.Known(); !o.unknown {
		o.answers = []confidence.Answer{ref.Answer}
	}
	return o
}

// marks returns the best and the worst mark that an answer can get, and whether it can
// be right.
func (o *outlook) marks(answer confidence.Answer) (best, worst Mark, right bool) {
	if answer == confidence.None {
		return Open, Open, false
	}
	if o.exempt {
		return Ignored, Ignored, false
	}
	right, wrong := o.any, o.any
	for _, a := range o.answers {
		right, wrong = right || a == answer, wrong || a != answer
	}
	best, worst = Right, Wrong
	if !right {
		best = Wrong
		if o.unknown {
			best = Unjudged
		}
	}
	if !wrong {
		worst = Right
		if o.unknown {
			worst = Unjudged
		}
	}
	return best, worst, right
}

// ended returns the range of a run that has answered.
func (w *ranger) ended(sheet, tool int, values []outlook) (low, high int64) {
	c, s := w.Contest, w.Contest.Sheets[sheet]
	run := *c.Run(sheet, tool)
	t := w.trial(sheet, run, int(run.Vector))
	best, worst := make([]Mark, run.Vector), make([]Mark, run.Vector)
	var can []int
	for i := range int(run.Vector) {
		v := int(s.First) + i
		cell := v*len(c.Tools) + tool
		var right bool
		best[i], worst[i], right = values[i].marks(w.answers.Cells[cell])
		if right {
			can = append(can, i)
		}
		t.answers[i] = c.Values[c.Ballots.Cells[cell]] == examinations.True
		if c.Witnesses != nil {
			t.witnesses[i] = c.Witnesses[cell]
		}
	}
	if w.doubtful[int(s.Instance)*len(c.Tools)+tool] {
		t.effects = w.anyEffect()
	} else {
		t.effects = []Effect{w.effectOf(sheet, tool)}
	}
	t.between(best, worst, can)
	return t.low, t.high
}

// anyEffect lists what the flags that answers alone decide can do to a run.
func (w *ranger) anyEffect() []Effect {
	effects := []Effect{ShowOnly}
	for _, f := range w.Scheme.Flags {
		if f.Detect != nil && f.Effect != ShowOnly {
			effects = append(effects, f.Effect)
		}
	}
	return effects
}

// effectOf is the effect of the flags of a run that answers alone decide.
func (w *ranger) effectOf(sheet, tool int) Effect {
	effect := ShowOnly
	for i, f := range w.Scheme.Flags {
		if f.Detect != nil && w.has(sheet, tool, i) {
			if f.Effect == SetAside {
				return SetAside
			}
			effect = max(effect, f.Effect)
		}
	}
	return effect
}

// anyEnd returns the range of a run that is missing: nothing, everything right and
// best in every metric, or everything wrong.
func (w *ranger) anyEnd(sheet int, values []outlook) (low, high int64) {
	t := w.trial(sheet, Run{Participation: Answered, Vector: int32(len(values))}, len(values))
	t.effects = w.anyEffect()
	best, worst := make([]Mark, len(values)), make([]Mark, len(values))
	var can []int
	for i := range values {
		o := &values[i]
		switch {
		case o.exempt:
			best[i], worst[i] = Ignored, Ignored
			continue
		case o.any || len(o.answers) > 0:
			best[i], worst[i] = Right, Wrong
			can = append(can, i)
		default:
			best[i], worst[i] = Unjudged, Unjudged
		}
	}
	for _, saysTrue := range []bool{true, false} {
		for _, witness := range []Witness{Unasked, Confirmed, Unconfirmed} {
			for i := range values {
				t.answers[i], t.witnesses[i] = saysTrue, witness
			}
			t.between(best, worst, can)
		}
	}
	return min(t.low, 0), max(t.high, 0)
}
