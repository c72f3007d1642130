package publish

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"podium/examinations"
	"podium/internal/publish/paths"
	"podium/models"
	"podium/pnml/diagnostic"
)

// view orders a contest for publication and finds things in it. It holds
// indices, never copies, and is read-only once made, but for gains.
type view struct {
	c        *Contest
	tools    []*Tool // by name
	toolFile []string
	toolAt   map[string]int
	insts    []*Instance // by models.ID.Compare
	instFile []string
	instAt   map[models.ID]int
	examAt   map[examinations.ID]int
	cells    []cell              // one per instance and examination: cells[inst*len(exams)+exam]
	disputed map[*Reference]bool // on which tools differ
	splits   []split             // these, in the order of cells and items
	tally    [][]tally
	trust    []Confidence         // by tool, zero where none was given
	gains    []map[ruleGain]int64 // by tool: how many items of each worth, see noteItem
	counted  bool                 // gains are whole
	answers  int                  // of valid runs, those that nobody asked for included

	witnessed bool // some answer has a witness
}

// cell is everything about one examination of one instance.
type cell struct {
	inst, exam int
	runs       []*Run       // by tool
	masks      [][]Mark     // of the runs
	refs       []*Reference // by item: what was asked
	splits     int          // number of the first disagreement at or after the cell
}

// split is a value on which tools differ.
type split struct {
	cell *cell
	item int // in cell.refs
}

// tally counts what a tool did in an examination.
type tally struct {
	runs, void, declined, stopped  int
	right, wrong, unjudged, missed int
	aside                          int   // answers of runs that are set aside, which are none of these
	cpu                            int64 // microseconds
}

func newView(c *Contest) (*view, error) {
	v := &view{c: c, toolAt: map[string]int{}, instAt: map[models.ID]int{}, examAt: map[examinations.ID]int{}, disputed: map[*Reference]bool{}}
	for i := range c.Tools {
		v.tools = append(v.tools, &c.Tools[i])
	}
	slices.SortStableFunc(v.tools, func(a, b *Tool) int { return cmp.Compare(a.Name, b.Name) })
	for i := range c.Instances {
		v.insts = append(v.insts, &c.Instances[i])
	}
	slices.SortStableFunc(v.insts, func(a, b *Instance) int { return a.ID.Compare(b.ID) })
	if err := v.name(); err != nil {
		return nil, err
	}
	if err := v.fill(); err != nil {
		return nil, err
	}
	v.count()
	return v, nil
}

// name numbers tools, instances and examinations and gives them their files.
func (v *view) name() error {
	var names []string
	for i, t := range v.tools {
		if _, twice := v.toolAt[t.Name]; twice {
			return fmt.Errorf("tool %q is in the contest twice", t.Name)
		}
		v.toolAt[t.Name] = i
		names = append(names, t.Name)
	}
	v.toolFile = paths.Names(names)
	names = nil
	for i, n := range v.insts {
		if _, twice := v.instAt[n.ID]; twice {
			return fmt.Errorf("instance %s is in the contest twice", n.ID)
		}
		v.instAt[n.ID] = i
		names = append(names, n.ID.String())
	}
	v.instFile = paths.Names(names)
	for i, e := range v.c.Examinations {
		if _, twice := v.examAt[e.ID]; twice {
			return fmt.Errorf("examination %s is in the contest twice", e.ID)
		}
		v.examAt[e.ID] = i
	}
	v.trust = make([]Confidence, len(v.tools))
	for _, conf := range v.c.Confidences {
		i, ok := v.toolAt[conf.Tool]
		if !ok {
			return fmt.Errorf("there is a confidence of %q, which is no tool of the contest", conf.Tool)
		}
		if conf.Answered < 0 || conf.Agree < 0 || conf.Agree > conf.Answered {
			return fmt.Errorf("confidence of %q: %d of %d values agree", conf.Tool, conf.Agree, conf.Answered)
		}
		v.trust[i] = conf
	}
	for i, cat := range v.c.Categories {
		if slices.ContainsFunc(v.c.Categories[:i], func(c Category) bool { return strings.EqualFold(c.Name, cat.Name) }) {
			return fmt.Errorf("category %s is in the contest twice", cat.Name)
		}
		for _, s := range cat.Standings {
			if _, ok := v.toolAt[s.Tool]; !ok {
				return fmt.Errorf("category %s ranks %q, which is no tool of the contest", cat.Name, s.Tool)
			}
		}
	}
	return nil
}

// fill puts runs and references into cells, sorted.
func (v *view) fill() error {
	v.cells = make([]cell, len(v.insts)*len(v.c.Examinations))
	for i := range v.cells {
		v.cells[i].inst, v.cells[i].exam = i/len(v.c.Examinations), i%len(v.c.Examinations)
	}
	for i := range v.c.Runs {
		r := &v.c.Runs[i]
		if _, ok := v.toolAt[r.Tool]; !ok {
			return fmt.Errorf("there is a run of %q, which is no tool of the contest", r.Tool)
		}
		c, err := v.find(r.Instance, r.Exam)
		if err != nil {
			return fmt.Errorf("run of %s: %w", r.Tool, err)
		}
		c.runs = append(c.runs, r)
	}
	for i := range v.c.References {
		r := &v.c.References[i]
		c, err := v.find(r.Key.Instance, r.Key.Exam)
		if err != nil {
			return fmt.Errorf("reference value of %s: %w", r.Key.Item, err)
		}
		votes, silent := r.votes(), r.silent()
		for _, vote := range votes {
			if _, ok := v.toolAt[vote.Tool]; !ok {
				return fmt.Errorf("%q votes on %s of %s but is no tool of the contest", vote.Tool, r.Key.Item, r.Key.Instance)
			}
		}
		for _, x := range silent {
			if _, ok := v.toolAt[x.Tool]; !ok {
				return fmt.Errorf("%q answers %s of %s but is no tool of the contest", x.Tool, r.Key.Item, r.Key.Instance)
			}
		}
		for _, tool := range r.ruling().Against {
			if _, ok := v.toolAt[tool]; !ok {
				return fmt.Errorf("%q is refuted on %s of %s but is no tool of the contest", tool, r.Key.Item, r.Key.Instance)
			}
		}
		if v.c.Refereed && r.ruling().Certainty == "" {
			return fmt.Errorf("reference value of %s of %s: there is a referee and no ruling", r.Key.Item, r.Key.Instance)
		}
		c.refs = append(c.refs, r)
		if differ(votes, silent) {
			v.disputed[r] = true
		}
	}
	for i := range v.cells {
		if err := v.sortCell(&v.cells[i]); err != nil {
			return err
		}
	}
	return nil
}

func (v *view) find(inst models.ID, exam examinations.ID) (*cell, error) {
	i, ok := v.instAt[inst]
	if !ok {
		return nil, fmt.Errorf("%s is no instance of the contest", inst)
	}
	e, ok := v.examAt[exam]
	if !ok {
		return nil, fmt.Errorf("%q is no examination of the contest", exam)
	}
	return &v.cells[i*len(v.c.Examinations)+e], nil
}

func (v *view) sortCell(c *cell) error {
	slices.SortFunc(c.runs, func(a, b *Run) int { return cmp.Compare(a.Tool, b.Tool) })
	slices.SortFunc(c.refs, func(a, b *Reference) int { return compareItems(a.Key.Item, b.Key.Item) })
	for i := 1; i < len(c.runs); i++ {
		if r := c.runs[i]; r.Tool == c.runs[i-1].Tool {
			return fmt.Errorf("the run of %s on %s of %s is in the contest twice", r.Tool, r.Exam, r.Instance)
		}
	}
	for i := 1; i < len(c.refs); i++ {
		if c.refs[i].Key == c.refs[i-1].Key {
			return fmt.Errorf("value %s of %s is in the contest twice", c.refs[i].Key.Item, c.refs[i].Key.Instance)
		}
	}
	if err := v.judge(c); err != nil {
		return err
	}
	c.splits = len(v.splits)
	for i, r := range c.refs {
		if v.disputed[r] {
			v.splits = append(v.splits, split{c, i})
		}
	}
	return nil
}

// judge makes the masks of the runs: the judgement of every asked value, in the
// order of the cell. They are the same on pages and in tables, so that their
// characters add up to the tallies.
func (v *view) judge(c *cell) error {
	c.masks = make([][]Mark, len(c.runs))
	all := slices.Repeat([]Mark{Missing}, len(c.runs)*len(c.refs))
	for i, r := range c.runs {
		c.masks[i] = all[i*len(c.refs) : (i+1)*len(c.refs)]
		for a := range r.answers() {
			if markWords[a.Mark] == "" {
				return fmt.Errorf("run of %s on %s of %s: the answer to %s has no mark", r.Tool, r.Exam, r.Instance, a.Item)
			}
			if r.Void == "" {
				v.answers++
			}
			v.witnessed = v.witnessed || a.Witness != (Witness{})
			if at, asked := c.item(a.Item); asked {
				c.masks[i][at] = r.judged(a.Mark)
			}
		}
	}
	return nil
}

// compareItems orders the values of an examination: those of StateSpace as
// published, formulas by identifier.
func compareItems(a, b string) int {
	return cmp.Or(cmp.Compare(stateSpaceRank(a), stateSpaceRank(b)), cmp.Compare(a, b))
}

func stateSpaceRank(item string) int {
	if i := slices.Index(examinations.StateSpaceItems, item); i >= 0 {
		return i
	}
	return len(examinations.StateSpaceItems)
}

// differ tells that tools gave different values, be it without a vote: a
// disagreement that was seen does not go away when a run is set aside.
func differ(votes []Vote, silent []Silent) bool {
	var first examinations.Value
	differs := func(v examinations.Value) bool {
		if first.IsZero() {
			first = v
		}
		return v != first
	}
	return slices.ContainsFunc(votes, func(v Vote) bool { return differs(v.Value) }) || slices.ContainsFunc(silent, func(s Silent) bool { return differs(s.Value) })
}

// item finds a value of the cell by its name.
func (c *cell) item(name string) (int, bool) {
	return slices.BinarySearchFunc(c.refs, name, func(r *Reference, name string) int { return compareItems(r.Key.Item, name) })
}

// run finds the run of a tool, nil when there is none.
func (c *cell) run(tool string) *Run {
	if i, ok := c.at(tool); ok {
		return c.runs[i]
	}
	return nil
}

func (c *cell) at(tool string) (int, bool) {
	return slices.BinarySearchFunc(c.runs, tool, func(r *Run, tool string) int { return cmp.Compare(r.Tool, tool) })
}

// split finds the number of the disagreement on an item, -1 when there is none.
func (v *view) split(c *cell, item int) int {
	for n := c.splits; n < len(v.splits) && v.splits[n].cell == c; n++ {
		if v.splits[n].item == item {
			return n
		}
	}
	return -1
}

// mask is the judgement of every asked value of a run of the cell.
func (c *cell) mask(r *Run) []Mark {
	i, _ := c.at(r.Tool)
	return c.masks[i]
}

// rights counts the values that a run of the cell answered right.
func (c *cell) rights(r *Run) int {
	n := 0
	for _, m := range c.mask(r) {
		if m == Right {
			n++
		}
	}
	return n
}

// count fills the tallies.
func (v *view) count() {
	v.tally = make([][]tally, len(v.tools))
	for i := range v.tally {
		v.tally[i] = make([]tally, len(v.c.Examinations))
	}
	for i := range v.cells {
		c := &v.cells[i]
		for _, r := range c.runs {
			v.tally[v.toolAt[r.Tool]][c.exam].add(c, r)
		}
	}
}

func (t *tally) add(c *cell, r *Run) {
	t.runs++
	if r.Void != "" {
		t.void++
		return
	}
	if r.NoTimes {
		t.cpu = unmeasured
	} else {
		t.cpu = sumOfTimes(t.cpu, r.CPU.Microseconds())
	}
	if r.Participation != Answered {
		t.declined++
	}
	if r.stopped() {
		t.stopped++
	}
	for _, m := range c.mask(r) {
		switch m {
		case Right:
			t.right++
		case Wrong:
			t.wrong++
		case Unjudged:
			t.unjudged++
		case Aside:
			t.aside++
		case Missing:
			t.missed++
		}
	}
}

// plus sums tallies.
func (t tally) plus(u tally) tally {
	return tally{t.runs + u.runs, t.void + u.void, t.declined + u.declined, t.stopped + u.stopped,
		t.right + u.right, t.wrong + u.wrong, t.unjudged + u.unjudged, t.missed + u.missed, t.aside + u.aside, sumOfTimes(t.cpu, u.cpu)}
}

// unmeasured is a time that was not measured; it makes every sum one.
const unmeasured = -1

func sumOfTimes(a, b int64) int64 {
	if a == unmeasured || b == unmeasured {
		return unmeasured
	}
	return a + b
}

// sum is the tally of a tool over the examinations of a category, or of all
// when the category is empty.
func (v *view) sum(tool int, category string) tally {
	total := tally{}
	for e, exam := range v.c.Examinations {
		if category == "" || v.within(category, exam.Category) {
			total = total.plus(v.tally[tool][e])
		}
	}
	return total
}

// within tells whether a category is another, or a part of it.
func (v *view) within(whole, part string) bool {
	if whole == part {
		return true
	}
	for i := range v.c.Categories {
		if c := &v.c.Categories[i]; c.Name == whole && len(c.Of) > 0 {
			// Parts stand before what is made of them, so that this ends.
			return slices.ContainsFunc(c.Of, func(name string) bool { return v.categoryAt(name) < i && v.within(name, part) })
		}
	}
	return false
}

// categoryAt is the number of a category, or that of no category.
func (v *view) categoryAt(name string) int {
	for i := range v.c.Categories {
		if v.c.Categories[i].Name == name {
			return i
		}
	}
	return len(v.c.Categories)
}

// clean makes any text fit for a page.
func clean(text string) string { return diagnostic.Clean(text) }

// sentence is a clean text that begins with a large letter.
func sentence(text string) string {
	text = clean(text)
	_, n := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:n]) + text[n:]
}
