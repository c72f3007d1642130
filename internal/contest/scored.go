package contest

import (
	"math/big"
	"time"

	"podium/edition"
	"podium/internal/publish"
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
	return publish.Edition{ID: j.Edition.ID, Title: j.Edition.Title, Digest: j.Edition.Digest, Sources: j.Edition.Sources}
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
	return "No value was decided by enough tools to judge confidence: with one answer changed, no value would still have the agreement that E-2.2 asks for, " +
		"so that no tool could have differed. A confidence of 1 says nothing here."
}

// viewCategories shows the rankings of categories and meta categories, and those
// that the edition names besides.
func (j *Scored) viewCategories(v *publish.Contest) {
	for i, b := range j.Result.Boards() {
		if b.Values == 0 {
			continue // a meta category without any of its parts
		}
		c := publish.Category{Name: b.Name}
		if i < len(j.Result.Categories) {
			c.Standings = j.standings(&b, &j.Result.Categories[i])
		} else {
			c.Standings, c.Of = j.standings(&b, nil), j.Result.Scheme.Metas[i-len(j.Result.Categories)].Of
		}
		for _, a := range j.Result.Scheme.Alternatives {
			c.Rankings = append(c.Rankings, j.alternative(a, &b))
		}
		v.Categories = append(v.Categories, c)
	}
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
		list[tool] = publish.Standing{Tool: tools[tool].Name, Points: s.Points, Dash: s.Dash,
			SuccessCPU: time.Duration(s.SuccessCPU) * time.Microsecond, SuccessEnergy: metered(s)}
		switch {
		case j.Result.Contest.StruckPlace(tool) != "":
			list[tool].Note = j.Result.Contest.StruckPlace(tool)
		case tools[tool].OutOfCompetition:
			list[tool].Note = "out of competition, as the edition or the plan says"
		case s.Out:
			list[tool].Note = "opted out"
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
			s.Note = "a place on the podium needs a right value and points above 0, which E-4.5 leaves open"
		}
	}
	return list
}
