package scoring

import (
	"runtime"
	"slices"

	"podium/confidence"
	"podium/examinations"
	"podium/internal/parallel"
)

// Scheme is the way in which one edition makes rankings from answers.
type Scheme struct {
	Name string
	// Unit is the number of units that make one displayed point.
	Unit int64
	// Display returns the text under which two values are the same answer; nil
	// compares canonical texts.
	Display func(examinations.Value) string
	// OnePerFamily gives one vote to each family of tools.
	OnePerFamily bool
	// CompetitorsVote leaves tools out of competition out of the vote. They are
	// scored, and have a confidence, all the same.
	CompetitorsVote bool
	Consistent      confidence.ConsistentFunc // E-2.2, V
	Share           confidence.ShareFunc      // E-2.2, C
	Elect           confidence.ElectFunc      // E-3.1; nil takes references from Contest.Oracle alone
	Certified       confidence.CertifiedFunc  // nil: proofs of a referee decide nothing
	Flags           []Flag
	NotJudged       []NotJudged
	Rules           []Rule
	Ranking         Ranking
	Metas           []Meta
	Alternatives    []Alternative // rankings that are published besides
	// Demo names categories, or metas, that are demonstrations: shown, not scored. They have no
	// points, no ranks, and no part in metas.
	Demo []string
}

// demonstrates reports whether a category or meta is a demonstration.
func (s *Scheme) demonstrates(category string) bool { return slices.Contains(s.Demo, category) }

// Result is a scored contest. Its slices are indexed as those of the contest.
type Result struct {
	Contest    *Contest
	Scheme     *Scheme
	Shares     []confidence.Share // by tool
	Confidence []confidence.Ratio // by tool (E-2.1)
	References []confidence.Reference
	Marks      []Mark    // by sheet, then tool, then value: see Mask
	Flags      []uint8   // by run: bit i stands for Scheme.Flags[i]
	Points     []int64   // by run, in units; see HasScore
	Letters    []Letters // by run
	Categories []Category

	answers    *confidence.Ballots // the ballots, equal answers made equal
	valid      *confidence.Ballots // the answers that no ruling strikes
	voices     *confidence.Ballots // those of them that are votes
	proved     []confidence.Answer // by value, nil without a referee
	set        []confidence.Answer // by value: references that rulings set; nil without rulings
	counted    confidence.VotesFunc
	electorate *confidence.Electorate
	// someIntervals reports that some answer of the contest is an interval.
	someIntervals bool
	setAside      uint8   // flags whose runs have no score
	whole         *Result // that this one shows some runs of, see Only; nil for all
}

// Score computes confidences, references, marks, points and rankings. In the scheme of the
// result meta categories name the categories of the contest that patterns stand for.
func (s *Scheme) Score(c *Contest) *Result {
	s = s.ofContest(c)
	r := &Result{Contest: c, Scheme: s,
		References: make([]confidence.Reference, len(c.Items)),
		Marks:      make([]Mark, len(c.Ballots.Cells)),
		Flags:      make([]uint8, len(c.Runs)),
		Points:     make([]int64, len(c.Runs)),
		Letters:    make([]Letters, len(c.Runs)),
		answers:    s.unify(c),
		proved:     s.alike(c, c.Certified),
	}
	r.withoutIntervals()
	r.valid, r.voices = r.unstruck()
	r.voices = r.electing(r.voices)
	if c.ruled != nil {
		r.set = s.alike(c, c.ruled.Set)
	}
	switch {
	case s.OnePerFamily:
		r.counted = confidence.OnePerFamily(c.Families())
	case s.CompetitorsVote:
		r.counted = confidence.Only(func(tool int) bool { return !c.Tools[tool].OutOfCompetition })
	}
	r.detect()
	r.Shares = r.shares()
	r.Confidence = make([]confidence.Ratio, len(r.Shares))
	if s.Elect != nil {
		for tool, share := range r.Shares {
			r.Confidence[tool] = s.Share(share)
		}
	}
	r.electorate = confidence.NewElectorate(r.Confidence)
	parts := r.inParallel(func(from, to int) []Category {
		w := newScorer(r)
		for sheet := from; sheet < to; sheet++ {
			w.elect(sheet)
			w.mark(sheet)
			w.score(sheet)
		}
		return w.categories
	})
	r.Categories = asked(mergeCategories(parts))
	for i, b := range r.Boards()[:len(r.Categories)] {
		r.Categories[i].Places = b.Places
	}
	return r
}

// unify returns ballots in which answers that are displayed alike are one answer.
func (s *Scheme) unify(c *Contest) *confidence.Ballots {
	if s.Display == nil || c.AsDisplayed {
		return c.Ballots
	}
	first := map[string]confidence.Answer{}
	to := make([]confidence.Answer, len(c.Values))
	changed := false
	for a := 1; a < len(c.Values); a++ {
		text := s.Display(c.Values[a])
		if _, ok := first[text]; !ok {
			first[text] = confidence.Answer(a)
		}
		to[a] = first[text]
		changed = changed || to[a] != confidence.Answer(a)
	}
	if !changed {
		return c.Ballots
	}
	b := confidence.NewBallots(c.Ballots.Values(), c.Ballots.Tools)
	for i, a := range c.Ballots.Cells {
		b.Cells[i] = to[a]
	}
	return b
}

// detect sets the flags that depend on answers alone.
func (r *Result) detect() {
	for i, f := range r.Scheme.Flags {
		if f.Effect == SetAside {
			r.setAside |= 1 << i
		}
		if f.Detect != nil {
			f.Detect(r.Contest, r.valid, func(sheet, tool int) {
				r.Flags[sheet*len(r.Contest.Tools)+tool] |= 1 << i
			})
		}
	}
}

// inParallel cuts the sheets into one part per processor. The parts write to
// different elements, and what they return is merged in order.
func (r *Result) inParallel(work func(from, to int) []Category) [][]Category {
	const leastSheets = 64
	sheets := len(r.Contest.Sheets)
	n := max(1, min(runtime.GOMAXPROCS(0), sheets/leastSheets))
	parts := make([][]Category, n)
	var group parallel.Group
	for i := range n {
		group.Go(func() { parts[i] = work(sheets*i/n, sheets*(i+1)/n) })
	}
	group.Wait()
	return parts
}

func (r *Result) shares() []confidence.Share {
	if r.Scheme.Elect == nil {
		return make([]confidence.Share, len(r.Contest.Tools))
	}
	return confidence.Shares(r.voices, r.counted, r.Scheme.Consistent)
}

// scorer holds the scratch memory of one goroutine.
type scorer struct {
	*Result
	votes      []confidence.Vote
	peers      Peers
	truths     []bool
	witnesses  []Witness
	categories []Category
	categoryOf []int // by examination
}

func newScorer(r *Result) *scorer {
	w := newAccountant(r)
	w.categories, w.categoryOf = emptyCategories(r.Contest)
	return w
}

// newAccountant returns a scorer that books nothing in categories.
func newAccountant(r *Result) *scorer {
	return &scorer{Result: r, peers: Peers{Scores: make([]Score, 0, len(r.Contest.Tools))}}
}

// elect finds the references of a sheet.
func (w *scorer) elect(sheet int) {
	s := w.Contest.Sheets[sheet]
	for v := int(s.First); v < int(s.First+s.Values); v++ {
		w.References[v] = w.reference(sheet, v)
	}
}

func (w *scorer) reference(sheet, value int) (ref confidence.Reference) {
	if ref, ruled := w.ruledReference(value); ruled {
		return ref
	}
	ref, w.votes = w.elected(sheet, value, w.electorate, w.votes)
	if w.Scheme.Certified != nil && w.proved != nil {
		return w.Scheme.Certified(ref, w.proved[value])
	}
	return ref
}

// elected is the reference before a referee is heard. It gives back the buffer.
func (r *Result) elected(sheet, value int, e *confidence.Electorate, buf []confidence.Vote) (confidence.Reference, []confidence.Vote) {
	if !r.elects(sheet) {
		if r.Contest.Oracle == nil || r.Contest.Oracle[value] == confidence.None {
			return confidence.Reference{}, buf
		}
		return confidence.Reference{Answer: r.Contest.Oracle[value], Clause: confidence.FromOracle}, buf
	}
	buf = r.votes(sheet, value, e, buf)
	return r.Scheme.Elect(e, buf), buf
}

// elects reports whether the references of a sheet are elected. Those of tasks are given, also in
// a contest that has nets besides.
func (r *Result) elects(sheet int) bool {
	return r.Scheme.Elect != nil && !r.Contest.Exams[r.Contest.Sheets[sheet].Exam].Task
}

// electing returns the ballots without the answers to tasks, which are no votes.
func (r *Result) electing(all *confidence.Ballots) *confidence.Ballots {
	if r.Scheme.Elect == nil || !slices.ContainsFunc(r.Contest.Exams, func(e Examination) bool { return e.Task }) {
		return all
	}
	kept := confidence.NewBallots(all.Values(), all.Tools)
	copy(kept.Cells, all.Cells)
	for sheet, s := range r.Contest.Sheets {
		if !r.elects(sheet) {
			clear(kept.Cells[int(s.First)*all.Tools : int(s.First+s.Values)*all.Tools])
		}
	}
	return kept
}

// votes lists the votes that count for a value: not those of runs set aside.
func (r *Result) votes(sheet, value int, e *confidence.Electorate, buf []confidence.Vote) []confidence.Vote {
	buf = r.voices.Votes(value, buf)
	if r.setAside != 0 {
		flags := r.Flags[sheet*len(r.Contest.Tools):]
		kept := buf[:0]
		for _, v := range buf {
			if flags[v.Tool]&r.setAside == 0 {
				kept = append(kept, v)
			}
		}
		buf = kept
	}
	if r.counted != nil {
		buf = r.counted(buf, e)
	}
	return buf
}

// sheetMarks returns the marks of a run, one for each value of the sheet.
func (r *Result) sheetMarks(sheet, tool int) []Mark {
	s := r.Contest.Sheets[sheet]
	from := int(s.First)*len(r.Contest.Tools) + tool*int(s.Values)
	return r.Marks[from : from+int(s.Values)]
}

// mark judges all runs of a sheet.
func (w *scorer) mark(sheet int) {
	c, s := w.Contest, w.Contest.Sheets[sheet]
	exam, kind := c.Exams[s.Exam].ID, c.Instances[s.Instance].ID.Kind
	for tool := range c.Tools {
		run := sheet*len(c.Tools) + tool
		marks := w.sheetMarks(sheet, tool)
		for i := range marks {
			v := int(s.First) + i
			marks[i] = judge(w.answers.Cells[v*len(c.Tools)+tool], w.References[v])
			if excludes(w.Scheme.NotJudged, exam, c.Items[v], kind) || w.References[v].Clause == confidence.Struck {
				marks[i] = exclude(marks[i])
			}
			if w.someIntervals && w.isInterval(c.Ballots.Cells[v*len(c.Tools)+tool]) {
				marks[i] = Excluded
			}
		}
		for i, f := range w.Scheme.Flags {
			if f.Detect != nil {
				continue
			}
			w.Flags[run] &^= 1 << i // set by another reference: see swings
			if hasWrong(marks) {
				w.Flags[run] |= 1 << i
			}
		}
		for i, f := range w.Scheme.Flags {
			if f.Effect == AllWrong && w.Flags[run]&(1<<i) != 0 {
				condemn(marks)
			}
		}
	}
}

func exclude(m Mark) Mark {
	if m.Given() {
		return Ignored
	}
	return Excluded
}

func hasWrong(marks []Mark) bool {
	for _, m := range marks {
		if m == Wrong {
			return true
		}
	}
	return false
}

func condemn(marks []Mark) {
	for i, m := range marks {
		if m.Given() {
			marks[i] = Wrong
		}
	}
}

// score applies the rules to a sheet and books the runs in their category.
func (w *scorer) score(sheet int) {
	if w.Contest.ruled.strikes(w.Contest.Sheets[sheet]) {
		return
	}
	w.gather(sheet)
	w.Scheme.apply(&w.peers)
	category := &w.categories[w.categoryOf[w.Contest.Sheets[sheet].Exam]]
	category.Sheets++
	category.Values += w.peers.Exam.Required
	for i := range w.peers.Scores {
		s := &w.peers.Scores[i]
		run := sheet*len(w.Contest.Tools) + s.Tool
		w.Points[run], w.Letters[run] = s.Points, s.Letters
		category.Tallies[s.Tool].book(s)
	}
}

// apply has the rules book items for the peers, not in a demonstration.
func (s *Scheme) apply(p *Peers) {
	if s.demonstrates(p.Exam.Category) {
		return
	}
	for _, rule := range s.Rules {
		rule.Apply(p, rule.ID)
	}
}

// gather makes the peers of a sheet in the scratch memory.
func (w *scorer) gather(sheet int) {
	c, s := w.Contest, w.Contest.Sheets[sheet]
	w.peers.Exam, w.peers.Instance = &c.Exams[s.Exam], &c.Instances[s.Instance]
	scores := w.peers.Scores[:0]
	n := int(s.Values)
	w.truths = resized(w.truths, n*len(c.Tools))
	if c.Witnesses != nil {
		w.witnesses = resized(w.witnesses, n*len(c.Tools))
	}
	for tool := range c.Tools {
		run := c.Run(sheet, tool)
		if run.Participation == Absent || run.Participation == Void {
			continue
		}
		vector := int(run.Vector)
		items := scores[:len(scores)+1][len(scores)].Items[:0] // its memory is used again
		score := Score{Tool: tool, Run: run, Items: items,
			Marks:    w.sheetMarks(sheet, tool)[:vector],
			Answers:  w.truths[tool*n : tool*n+vector],
			SetAside: w.SetAside(sheet, tool), Struck: c.StruckRun(sheet, tool) != "",
		}
		for i := range vector {
			cell := (int(s.First)+i)*len(c.Tools) + tool
			score.Answers[i] = c.Values[c.Ballots.Cells[cell]] == examinations.True
			if c.Witnesses != nil {
				w.witnesses[tool*n+i] = c.Witnesses[cell]
			}
		}
		if c.Witnesses != nil {
			score.Witnesses = w.witnesses[tool*n : tool*n+vector]
		}
		score.count()
		scores = append(scores, score)
	}
	w.peers.Scores = scores
}

func resized[E any](buf []E, n int) []E {
	if cap(buf) < n {
		return make([]E, n)
	}
	return buf[:n]
}
