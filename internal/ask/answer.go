package ask

import (
	"errors"
	"slices"

	"podium/edition"
	"podium/examinations"
	"podium/scoring"
	"podium/scoring/whatif"
)

// Session answers questions about one contest.
type Session struct {
	contest  *scoring.Contest
	edition  *edition.Edition
	official *scoring.Result
	last     *plotted // nil before the first question
	// The files of tools and instances on a site, by name; nil before they are asked for.
	tools, instances map[string]string
}

// NewSession scores a contest, to compare with what questions make of it.
func NewSession(c *scoring.Contest, ed *edition.Edition) *Session {
	return &Session{contest: c, edition: ed, official: ed.Score(c)}
}

// Names are what questions may name, for the page that asks them.
type Names struct {
	Edition      string            `json:"edition"`
	Tools        []string          `json:"tools"`
	Families     []string          `json:"families"`
	Models       []string          `json:"models"`
	Instances    []string          `json:"instances"`
	Kinds        []string          `json:"kinds"`
	Classes      []string          `json:"classes"`
	Examinations []examinations.ID `json:"examinations"`
	Runs         int               `json:"runs"`
	Values       int               `json:"values"`
	Editions     []string          `json:"editions"`  // that are part of the program and ask some of the examinations
	Certified    bool              `json:"certified"` // a referee has proved values
	Told         bool              `json:"told"`      // what runs are given states values
	Outcomes     []scoring.Outcome `json:"outcomes"`  // of runs, those that there are
	Truths       []string          `json:"truths"`    // that values have: TRUE, FALSE, and FALSE of a part of a property
	Pages        Pages             `json:"pages"`
}

// Names returns what the questions of a session may name. Families are those of
// several tools.
func (s *Session) Names() Names {
	c := s.contest
	n := Names{Edition: s.edition.ID, Families: []string{}, Examinations: []examinations.ID{}, Editions: []string{}, Truths: []string{}, Pages: s.Pages(), Runs: len(c.Runs), Values: len(c.Items)}
	families := map[string]int{}
	for i := range c.Tools {
		n.Tools = append(n.Tools, c.Tools[i].Name)
		if family := c.Tools[i].FamilyName(); families[family] == 1 {
			n.Families = append(n.Families, family)
		}
		families[c.Tools[i].FamilyName()]++
	}
	n.Models = distinct(c.Instances, func(i *scoring.Instance) string { return i.ID.Family })
	n.Instances = slices.Sorted(InstanceNames(c))
	n.Kinds, n.Classes = distinct(c.Instances, kindOf), distinct(c.Instances, classOf)
	for i := range c.Exams {
		if id := c.Exams[i].ID; id != scoring.AnyExamination {
			n.Examinations = append(n.Examinations, id)
		}
	}
	n.Certified, n.Told, n.Outcomes = c.Certified != nil, c.Told != nil, s.outcomes()
	for _, v := range c.Values {
		if v.Kind == examinations.Bool && !v.IsZero() {
			n.Truths = append(n.Truths, v.Text)
		}
	}
	for _, name := range edition.Names() {
		if ed, err := edition.Named(name); err == nil && asksSome(ed, c) {
			n.Editions = append(n.Editions, name)
		}
	}
	return n
}

// outcomes lists those that runs of the contest have.
func (s *Session) outcomes() (list []scoring.Outcome) {
	has := map[scoring.Outcome]bool{}
	for sheet := range s.contest.Sheets {
		for tool := range s.contest.Tools {
			has[s.official.Outcome(sheet, tool)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(scoring.Outcomes), func(o scoring.Outcome) bool { return !has[o] })
}

// asksSome reports whether an edition has an examination of the contest.
func asksSome(ed *edition.Edition, c *scoring.Contest) bool {
	return slices.ContainsFunc(c.Exams, func(x scoring.Examination) bool {
		_, has := ed.Examination(x.ID)
		return has && x.ID != scoring.AnyExamination
	})
}

// distinct gives each name once, in the order of their first.
func distinct(list []scoring.Instance, name func(*scoring.Instance) string) (names []string) {
	seen := map[string]bool{}
	for x := range Each(list, name) {
		if !seen[x] {
			seen[x] = true
			names = append(names, x)
		}
	}
	return names
}

// Answer is what a question makes of a contest. All points are exact ratios.
type Answer struct {
	Format   string `json:"format"`
	Question string `json:"question"`
	Values   int    `json:"values"` // that are asked
	// Untimed are runs that the question stops for their time, and of which it is not known when they
	// said all of their values, so that these count as if they had been said at the end of the run.
	Untimed int     `json:"untimed_runs"`
	Boards  []Board `json:"boards"`
	Moves   []Move  `json:"moves"` // against the contest as it was judged
	// Confidences are those of all tools; none where the edition elects nothing.
	Confidences []Trust  `json:"confidences"`
	References  int      `json:"references_changed"`
	Changed     []Change `json:"references"` // the first of these
}

// Board is the ranking of a category.
type Board struct {
	Category string `json:"category"`
	Lines    []Line `json:"lines"` // by rank; tools without a rank are left out
}

// Line is a tool in a ranking.
type Line struct {
	Rank   int    `json:"rank"`
	Tool   string `json:"tool"`
	Points string `json:"points"`
	Right  int    `json:"right"`
	Wrong  int    `json:"wrong"`
	// Timeouts and MemoryOuts are the runs that such a limit ended.
	Timeouts   int `json:"timeouts"`
	MemoryOuts int `json:"memory_outs"`
}

// Move is a tool whose rank or points differ; a rank of 0 is none.
type Move struct {
	Category     string `json:"category"`
	Tool         string `json:"tool"`
	RankBefore   int    `json:"rank_before"`
	RankAfter    int    `json:"rank_after"`
	PointsBefore string `json:"points_before"`
	PointsAfter  string `json:"points_after"`
	Podium       bool   `json:"podium"` // one of the first three ranks is involved
}

// Trust is the confidence of a tool, an exact ratio; After is empty for one that is left out.
type Trust struct {
	Tool   string `json:"tool"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Change is a value with another reference; "?" is unknown.
type Change struct {
	Instance string `json:"instance"`
	Exam     string `json:"examination"`
	Item     string `json:"item"`
	Before   string `json:"before"`
	After    string `json:"after"`
}

// maxChanged bounds the changed references that an answer names.
const maxChanged = 200

// Ask scores the contest of a question. A name that does not exist is a *NameError.
func (s *Session) Ask(q Question) (*Answer, error) {
	r, err := q.Score(s.official, s.edition)
	if err != nil {
		return nil, err
	}
	a := NewAnswer(s.official, r)
	a.Question = q.String()
	s.last = &plotted{a.Question, r}
	return a, nil
}

// ErrNothing says that a question leaves nothing to score.
var ErrNothing = errors.New("the question leaves nothing to score: it names every tool, or no instance has an examination that is kept and that the edition asks")

// Score scores the contest of a result again, under a question.
func (q Question) Score(before *scoring.Result, ed *edition.Edition) (*scoring.Result, error) {
	return q.ScoreOf(before.Contest, before, ed)
}

// ScoreOf scores a contest under a question, which has the runs of an official result and may
// ask other examinations. Outcomes of runs are those of that result.
func (q Question) ScoreOf(c *scoring.Contest, official *scoring.Result, ed *edition.Edition) (*scoring.Result, error) {
	if err := q.Check(c); err != nil {
		return nil, err
	}
	ed, err := q.Edition(ed)
	if err != nil {
		return nil, err
	}
	if q.Under != "" {
		c = whatif.WithExaminations(c, ed.Examinations)
	}
	c = q.from(c, official)
	if len(c.Sheets) == 0 || len(c.Tools) == 0 {
		return nil, ErrNothing
	}
	return ed.Score(c), nil
}

// Scores are the rankings of a contest, for programs.
type Scores struct {
	Format  string  `json:"format"`
	Edition string  `json:"edition"`
	Digest  string  `json:"edition_digest"`
	Boards  []Board `json:"boards"`
}

// NewScores returns the rankings of a result.
func NewScores(r *scoring.Result, ed *edition.Edition) *Scores {
	return &Scores{Format: "podium-scores/1", Edition: ed.ID, Digest: ed.Digest, Boards: boards(r)}
}

func boards(r *scoring.Result) []Board {
	list := []Board{}
	for _, b := range r.Boards() {
		if b.Values == 0 {
			continue
		}
		board := Board{Category: b.Name, Lines: []Line{}}
		for _, p := range b.Places {
			st := b.Standings[p.Tool]
			board.Lines = append(board.Lines, Line{p.Rank, r.Contest.Tools[p.Tool].Name, st.Points.RatString(), st.Right, st.Wrong, st.Timeouts, st.MemoryOuts})
		}
		list = append(list, board)
	}
	return list
}

// NewAnswer compares two results of one contest.
func NewAnswer(before, after *scoring.Result) *Answer {
	a := &Answer{Format: "podium-answer/1", Values: len(after.Contest.Items), Untimed: after.Contest.Untimed, Boards: boards(after), Moves: []Move{}, Changed: []Change{}}
	a.Confidences = confidences(before, after)
	diff := whatif.Compare(before, after)
	for _, m := range diff.Moves {
		a.Moves = append(a.Moves, Move{m.Category, m.Tool, m.RankBefore, m.RankAfter, m.PointsBefore.RatString(), m.PointsAfter.RatString(), m.Podium()})
	}
	a.References = len(diff.References)
	for _, r := range diff.References[:min(len(diff.References), maxChanged)] {
		a.Changed = append(a.Changed, Change{r.Instance, r.Exam, r.Item, r.Before, r.After})
	}
	return a
}

// confidences compares those of all tools. Tools that only the second result has are none of
// the contest that was judged.
func confidences(before, after *scoring.Result) []Trust {
	list := []Trust{}
	if before.Scheme.Elect == nil && after.Scheme.Elect == nil {
		return list
	}
	for i := range before.Contest.Tools {
		t := Trust{Tool: before.Contest.Tools[i].Name, Before: before.Confidence[i].Rat().RatString()}
		if at := after.Contest.ToolNamed(t.Tool); at >= 0 {
			t.After = after.Confidence[at].Rat().RatString()
		}
		list = append(list, t)
	}
	return list
}
