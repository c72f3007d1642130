package contest

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"podium/edition"
	"podium/internal/publish"
	"podium/internal/wording"
	"podium/scoring"
)

// Scored is a contest with the scores of its runs, wherever the answers come from.
type Scored struct {
	Edition *edition.Edition
	Result  *scoring.Result
	Proofs  *Certificate // nil without a referee

	brief    bool
	accounts *publish.Accounts
}

func newScored(ed *edition.Edition, r *scoring.Result, proofs *Certificate, brief bool) *Scored {
	return &Scored{Edition: ed, Result: r, Proofs: proofs, brief: brief, accounts: publish.NewAccounts(r)}
}

func (j *Scored) shownEdition() publish.Edition {
	e := j.Edition
	shown := publish.Edition{ID: e.ID, Title: e.Title, Digest: e.Digest, BestVariant: e.Scheme.Ranking.BestVariant, Sources: e.Sources, Known: e.Known, Inferred: e.Inferred, Unknown: e.Unknown}
	for _, w := range e.Words() {
		shown.Rules = append(shown.Rules, publish.Rule{ID: w.Rule, Title: w.Title, Text: w.Text})
	}
	for _, x := range e.Examinations {
		if x.ID == scoring.AnyExamination {
			continue // the categories are those of the tasks
		}
		shown.Asked = append(shown.Asked, publish.Named{Name: string(x.ID), Text: askedOf(e, &x)})
	}
	if e.Limits.Sequential == e.Limits.Concurrent {
		shown.Limits = limits("every tool", e.Limits.Sequential)
	} else {
		shown.Limits = append(limits("sequential tools", e.Limits.Sequential), limits("concurrent tools", e.Limits.Concurrent)...)
	}
	for _, v := range []struct {
		who string
		of  *edition.Confinement
	}{{"validators of a violation", e.Limits.Violation}, {"validators of correctness", e.Limits.Correctness}} {
		if v.of != nil {
			shown.Limits = append(shown.Limits, limits(v.who, *v.of)...)
		}
	}
	return shown
}

// askedOf says what an examination asks, and what it gives.
func askedOf(e *edition.Edition, x *scoring.Examination) string {
	text := fmt.Sprintf("category %s, %s", x.Category, wording.Count(x.Required, "value", "values"))
	if len(x.Points) == 1 {
		points := e.PointsText(x.Points[0])
		text += " of " + points + map[bool]string{true: " point", false: " points"}[points == "1"]
		if x.Required > 1 {
			text += " each"
		}
		return text
	}
	var each []string
	for _, p := range x.Points {
		each = append(each, e.PointsText(p))
	}
	return text + " of " + strings.Join(each, ", ") + " points"
}

// limits says what a run may use, nothing where there is no limit.
func limits(who string, c edition.Confinement) []publish.Named {
	var parts []string
	if c.CPU > 0 {
		parts = append(parts, brief(c.CPU)+" of CPU time")
	}
	if c.Wall > 0 {
		parts = append(parts, brief(c.Wall)+" of wall time")
	}
	if c.Memory > 0 {
		parts = append(parts, fmt.Sprintf("%.3g GB of memory", float64(c.Memory)/1e9))
	}
	if c.Cores > 0 {
		parts = append(parts, wording.Count(c.Cores, "core", "cores"))
	}
	if c.Share > 0 {
		parts = append(parts, fmt.Sprintf("%d %% of the verifiers' CPU time where that is not the edition's", c.Share))
	}
	if len(parts) == 0 {
		return nil
	}
	return []publish.Named{{Name: who, Text: strings.Join(parts, ", ")}}
}

// brief is a time without units that are zero: 1h, 15m.
func brief(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// weights are the confidences of the tools.
func (j *Scored) weights() []*big.Rat {
	weights := make([]*big.Rat, len(j.Result.Confidence))
	for tool, confidence := range j.Result.Confidence {
		weights[tool] = confidence.Rat()
	}
	return weights
}

func (j *Scored) viewConfidences(v *publish.Contest) {
	if j.Result.Scheme.Elect == nil {
		return // nobody votes
	}
	for tool, share := range j.Result.Shares {
		v.Confidences = append(v.Confidences, publish.Confidence{Tool: j.Result.Contest.Tools[tool].Name, Agree: share.Agree, Answered: share.Answered})
		v.Consistent = share.Consistent
	}
	if warning := confidenceWarning(j.Result); warning != "" {
		v.Warnings = append(v.Warnings, warning)
	}
}

// confidenceWarning says where the confidences say nothing about the tools.
func confidenceWarning(r *scoring.Result) string {
	if r.ConfidenceTells() {
		return ""
	}
	return "No value was decided by enough tools to judge confidence: E-2.2 counts only values on which enough tools agree, and had one tool answered otherwise, none would count. " +
		"So no tool could have differed. A confidence of 1 says nothing here."
}

// viewCategories shows the rankings of categories and meta categories, and those
// that the edition names besides.
func (j *Scored) viewCategories(v *publish.Contest) {
	mosts := j.Result.Mosts()
	for i, b := range j.Result.Boards() {
		if b.Values == 0 {
			continue // a meta category without any of its parts
		}
		c := publish.Category{Name: b.Name, Most: mosts[i], Demo: b.Demo}
		if i < len(j.Result.Categories) {
			c.Standings = j.standings(&b, &j.Result.Categories[i])
		} else {
			c.Standings, c.Of = j.standings(&b, nil), j.Result.Scheme.Metas[i-len(j.Result.Categories)].Of
			c.Weights = j.Result.Weights(b.Name)
		}
		for _, a := range j.Result.Scheme.Alternatives {
			c.Rankings = append(c.Rankings, j.alternative(a, &b))
		}
		efforts := j.Result.Efforts(b.Name)
		for tool := range efforts {
			if s := &c.Standings[tool]; !s.Dash {
				s.WrongProofs, s.FalseAlarms = efforts[tool][0].Wrong, efforts[tool][1].Wrong
			}
		}
		c.Efforts = j.efforts(b.Name, efforts)
		v.Categories = append(v.Categories, c)
	}
	v.Efforts = j.efforts("", j.Result.Efforts(""))
}

// efforts are those of the tools on the tasks of a category, or on all, as pages show them.
func (j *Scored) efforts(category string, of [][2]scoring.Effort) (list []publish.Effort) {
	middle := func(s scoring.Middle) publish.Middle { // from millionths
		scaled := func(x *big.Rat) *big.Rat {
			if x == nil {
				return nil
			}
			return new(big.Rat).Quo(x, big.NewRat(1_000_000, 1))
		}
		return publish.Middle{Of: s.Of, Mean: scaled(s.Mean), Median: scaled(s.Median)}
	}
	for tool, both := range of {
		t := &j.Result.Contest.Tools[tool]
		if slices.Contains(t.OptOut, category) {
			continue // it shows no results there
		}
		for kind, e := range both {
			list = append(list, publish.Effort{Tool: t.Name, Answer: [...]string{"TRUE", "FALSE"}[kind], Right: e.Right, Wrong: e.Wrong,
				Confirmed: e.Confirmed, Unconfirmed: e.Unconfirmed, CPU: middle(e.CPU), Energy: middle(e.Energy)})
		}
	}
	return list
}

func (j *Scored) alternative(a scoring.Alternative, b *scoring.Board) publish.Ranking {
	r := publish.Ranking{Name: a.String(), Unit: a.Unit()}
	for _, m := range a.Rank(j.Result.Contest, b) {
		r.Lines = append(r.Lines, publish.RankingLine{Rank: m.Rank, Tool: j.Result.Contest.Tools[m.Tool].Name, Measure: m.Measure})
	}
	return r
}

// metered is the energy of the successful runs, 0 where one of them has none.
func metered(s scoring.Standing) int64 {
	if s.Unmetered > 0 {
		return 0
	}
	return s.Energy
}

// standings lists every tool of a category: those on the podium's ranking have
// their place, the others say why they have none (E-4.5). The category is nil for a
// meta category.
func (j *Scored) standings(b *scoring.Board, c *scoring.Category) []publish.Standing {
	list := make([]publish.Standing, len(b.Standings))
	tools := j.Result.Contest.Tools
	for tool, s := range b.Standings {
		if s.Out {
			s = scoring.Standing{Points: new(big.Rat), Out: true, Dash: true} // it shows no results here
		}
		list[tool] = publish.Standing{Tool: tools[tool].Name, Points: s.Points, Dash: s.Dash,
			SuccessCPU: time.Duration(s.SuccessCPU) * time.Microsecond, SuccessEnergy: metered(s), Solved: s.Right, Wrong: s.Wrong}
		switch {
		case j.Result.Contest.StruckPlace(tool) != "":
			list[tool].Note = j.Result.Contest.StruckPlace(tool)
		case tools[tool].OutOfCompetition:
			list[tool].Note = "out of competition, as the edition or the plan says"
		case s.Out:
			list[tool].Note = "opted out"
		case b.Demo:
			list[tool].Note = "a demonstration: shown, not scored"
		case s.Dash:
			list[tool].Note = "below zero, which counts as nothing"
		case c != nil && c.Tallies[tool].Runs == 0 || c == nil && s.Right+s.Wrong == 0:
			list[tool].Note = "no answer at all, so no rank"
		default:
			list[tool].Note = "another variant of its family is better (E-4.5)"
		}
	}
	for _, place := range b.Places {
		s := &list[place.Tool]
		s.Rank, s.Note = place.Rank, ""
		switch onPodium := c != nil && c.OnPodium(place) || c == nil && place.Rank <= 3 && s.Points.Sign() > 0; {
		case onPodium:
			s.Place = place.Rank
		case place.Rank <= 3:
			s.Note = "a place on the podium needs a right value and points above 0"
			if j.Result.Scheme.Elect != nil {
				s.Note += ", which E-4.5 leaves open"
			}
		}
	}
	return list
}
