package publish

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"podium/confidence"
	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/publish/paths"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// view orders a contest for publication and finds things in it. It holds
// indices, never copies, and is read-only once made, but for gains.
type view struct {
	c        *Contest
	tools    []*Tool // by name
	toolFile []string
	toolAt   map[string]int
	insts    []*Instance // by models.ID.Compare
	instName []string
	instFile []string
	instAt   map[models.ID]int
	examAt   map[examinations.ID]int
	cells    []cell  // one per instance and examination: cells[inst*len(exams)+exam]
	splits   []split // values on which tools differ, in the order of cells and items
	tally    [][]tally
	trust    []confidence.Share   // by tool, zero where none was given
	gains    []map[ruleGain]int64 // by tool: how many items of each worth, see noteItem
	counted  bool                 // gains are whole
	answers  int                  // of valid runs, those that nobody asked for included

	witnessed bool // some answer has a witness
	accounts  *accounts
	failed    error // why a table is not whole
}

// cell is everything about one examination of one instance.
type cell struct {
	inst, exam int
	runs       []*run           // by tool
	masks      [][]scoring.Mark // of the runs
	refs       []ref            // by item: what was asked
	splits     int              // number of the first disagreement at or after the cell
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
	timeouts, memouts              int   // runs that such a limit ended
	aside                          int   // answers of runs that are set aside, which are none of these
	falseAlarms, wrongProofs       int   // of the wrong answers to tasks, where a ranking has them
	cpu                            int64 // microseconds
}

func newView(c *Contest) *view {
	v := &view{c: c, toolAt: map[string]int{}, instAt: map[models.ID]int{}, examAt: map[examinations.ID]int{}}
	v.name()
	if c.Judged != nil {
		v.accounts = newAccounts(c.Judged.Result)
		v.fill()
		v.count()
	}
	return v
}

// name numbers tools, instances and examinations and gives them their files.
func (v *view) name() {
	var names []string
	for i := range v.c.Tools {
		v.tools = append(v.tools, &v.c.Tools[i])
	}
	slices.SortStableFunc(v.tools, func(a, b *Tool) int { return cmp.Compare(a.Name, b.Name) })
	for i, t := range v.tools {
		v.toolAt[t.Name] = i
		names = append(names, t.Name)
	}
	v.toolFile = paths.Names(names)
	names = nil
	for i := range v.c.Instances {
		v.insts = append(v.insts, &v.c.Instances[i])
	}
	slices.SortStableFunc(v.insts, func(a, b *Instance) int { return a.ID.Compare(b.ID) })
	for i, n := range v.insts {
		v.instAt[n.ID] = i
		names = append(names, n.ID.String())
	}
	v.instName, v.instFile = names, paths.Names(names)
	for i, e := range v.c.Examinations {
		v.examAt[e.ID] = i
	}
}

// fill puts runs and references into cells, sorted.
func (v *view) fill() {
	v.trust = make([]confidence.Share, len(v.tools))
	if v.votes() {
		for tool, share := range v.c.Judged.Result.Shares {
			if at, shown := v.toolAt[v.c.scored().Tools[tool].Name]; shown {
				v.trust[at] = share
			}
		}
	}
	v.cells = make([]cell, len(v.insts)*len(v.c.Examinations))
	for i := range v.cells {
		v.cells[i].inst, v.cells[i].exam = i/len(v.c.Examinations), i%len(v.c.Examinations)
	}
	for i := range v.c.runs {
		r := &v.c.runs[i]
		c := v.find(r.instance(), r.exam())
		c.runs = append(c.runs, r)
	}
	for sheet, s := range v.c.scored().Sheets {
		c := v.find(v.c.scored().Instances[s.Instance].ID, v.c.scored().Exams[s.Exam].ID)
		if c == nil || (v.c.team != nil || v.c.onlyRuns) && len(c.runs) == 0 {
			continue
		}
		for value := int(s.First); value < int(s.First+s.Values); value++ {
			c.refs = append(c.refs, ref{v.c, sheet, value})
		}
	}
	for i := range v.cells {
		v.sortCell(&v.cells[i])
	}
}

// find returns an examination of an instance; nil where the contest shows no such one.
func (v *view) find(inst models.ID, exam examinations.ID) *cell {
	i, known := v.instAt[inst]
	e, asked := v.examAt[exam]
	if !known || !asked {
		return nil
	}
	return &v.cells[i*len(v.c.Examinations)+e]
}

func (v *view) sortCell(c *cell) {
	slices.SortFunc(c.runs, func(a, b *run) int { return cmp.Compare(a.toolName(), b.toolName()) })
	slices.SortFunc(c.refs, func(a, b ref) int { return compareItems(a.item(), b.item()) })
	v.judge(c)
	c.splits = len(v.splits)
	for i := range c.refs {
		if c.refs[i].disputed() {
			v.splits = append(v.splits, split{c, i})
		}
	}
}

// judge makes the masks of the runs: the judgement of every asked value, in the
// order of the cell. They are the same on pages and in tables, so that their
// characters add up to the tallies.
func (v *view) judge(c *cell) {
	c.masks = make([][]scoring.Mark, len(c.runs))
	all := slices.Repeat([]scoring.Mark{scoring.Missing}, len(c.runs)*len(c.refs))
	for i, r := range c.runs {
		c.masks[i] = all[i*len(c.refs) : (i+1)*len(c.refs)]
		for a := range r.said() {
			if r.Void == "" {
				v.answers++
			}
			v.witnessed = v.witnessed || a.Witnessed()
			if at, asked := c.item(a.Item); asked {
				c.masks[i][at] = a.Mark
			}
		}
	}
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

// item finds a value of the cell by its name.
func (c *cell) item(name string) (int, bool) {
	return slices.BinarySearchFunc(c.refs, name, func(r ref, name string) int { return compareItems(r.item(), name) })
}

// run finds the run of a tool, nil when there is none.
func (c *cell) run(tool string) *run {
	if i, ok := c.at(tool); ok {
		return c.runs[i]
	}
	return nil
}

func (c *cell) at(tool string) (int, bool) {
	return slices.BinarySearchFunc(c.runs, tool, func(r *run, tool string) int { return cmp.Compare(r.toolName(), tool) })
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
func (c *cell) mask(r *run) []scoring.Mark {
	i, _ := c.at(r.toolName())
	return c.masks[i]
}

// rights counts the values that a run of the cell answered right.
func (c *cell) rights(r *run) int { return rightOf(c.mask(r)) }

func rightOf(mask []scoring.Mark) (n int) {
	for _, m := range mask {
		n += btoi(m == scoring.Right)
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
			v.tally[v.toolAt[r.toolName()]][c.exam].add(c, r)
		}
	}
}

func (t *tally) add(c *cell, r *run) {
	t.runs++
	if r.Void != "" {
		t.void++
		return
	}
	if !r.Times() {
		t.cpu = scoring.Unmeasured
	} else {
		t.cpu = sumOfTimes(t.cpu, r.CPUTime.Microseconds())
	}
	if r.Participation != output.Answered {
		t.declined++
	}
	if r.Stopped() {
		t.stopped++
	}
	ending := r.of.scored().Run(r.sheet, r.tool).Ending
	t.timeouts += btoi(ending.OutOfTime())
	t.memouts += btoi(ending.OutOfMemory())
	for _, m := range c.mask(r) {
		switch m {
		case scoring.Right:
			t.right++
		case scoring.Wrong:
			t.wrong++
		case scoring.Unjudged:
			t.unjudged++
		case scoring.Ignored:
			t.aside++
		case scoring.Missing:
			t.missed++
		}
	}
}

// plus sums tallies.
func (t tally) plus(u tally) tally {
	return tally{t.runs + u.runs, t.void + u.void, t.declined + u.declined, t.stopped + u.stopped,
		t.right + u.right, t.wrong + u.wrong, t.unjudged + u.unjudged, t.missed + u.missed, t.timeouts + u.timeouts, t.memouts + u.memouts, t.aside + u.aside,
		t.falseAlarms + u.falseAlarms, t.wrongProofs + u.wrongProofs, sumOfTimes(t.cpu, u.cpu)}
}

// CPU is the CPU time of all runs, negative where some were not measured.
func (t tally) CPU() time.Duration { return microseconds(t.cpu) }

// sumOfTimes is not measured where one of the times was not.
func sumOfTimes(a, b int64) int64 {
	if a == scoring.Unmeasured || b == scoring.Unmeasured {
		return scoring.Unmeasured
	}
	return a + b
}

// sum is the tally of a tool over the examinations of a category, or of all
// when the category is empty.
func (v *view) sum(tool int, category string) tally {
	total := tally{}
	for e, exam := range v.c.Examinations {
		if category == "" || v.c.Judged.Result.Covers(category, exam.Category) {
			total = total.plus(v.tally[tool][e])
		}
	}
	return total
}

// clean makes any text fit for a page.
func clean(text string) string { return diagnostic.Clean(text) }

// sentence is a clean text that begins with a large letter.
func sentence(text string) string {
	text = clean(text)
	_, n := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:n]) + text[n:]
}
