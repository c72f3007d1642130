package publish

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"podium/examinations"
	"podium/models"
)

// hidden stands for a sentence that names another tool.
const hidden = "(left out, because it names another tool)"

// ForTeam gives what one team may see before the results are published: its tools,
// their runs, logs and points with the reasons, the reference values of these runs,
// and the decisions that touch them. Other tools do not appear: not by name, and not
// by an answer, a vote, a figure, a rank or a place. A sentence that names one is left
// out.
func (c *Contest) ForTeam(team string, tools []string) *Contest {
	t := &teamView{own: tools}
	for _, other := range c.Tools {
		if !slices.Contains(tools, other.Name) {
			t.others = append(t.others, other.Name, other.Family)
		}
	}
	t.others = slices.DeleteFunc(t.others, func(name string) bool { return name == "" || name == team || slices.Contains(tools, name) })
	view := *c
	view.Team, view.Warnings, view.Earlier, view.Facts = team, nil, nil, t.named(c.Facts)
	view.OptedOut = 0
	view.Tools = slices.DeleteFunc(slices.Clone(c.Tools), func(x Tool) bool { return !t.has(x.Name) })
	view.Confidences = slices.DeleteFunc(slices.Clone(c.Confidences), func(x Confidence) bool { return !t.has(x.Tool) })
	view.Categories = nil
	for _, category := range c.Categories {
		view.Categories = append(view.Categories, Category{Name: category.Name, Of: category.Of, Weights: category.Weights, Most: category.Most, Demo: category.Demo, Standings: t.standings(category.Standings), Efforts: t.efforts(category.Efforts)})
	}
	view.Efforts = t.efforts(c.Efforts)
	view.Runs = nil
	asked := map[cellKey]bool{}
	for i := range c.Runs {
		if r := &c.Runs[i]; t.has(r.Tool) {
			asked[cellKey{r.Instance, r.Exam}] = true
			view.Runs = append(view.Runs, t.run(r))
		}
	}
	view.References = nil
	for i := range c.References {
		if r := &c.References[i]; asked[cellKey{r.Key.Instance, r.Key.Exam}] {
			view.References = append(view.References, t.reference(r))
		}
	}
	view.Decisions = nil
	for _, d := range c.Decisions {
		if !t.names(d.Text) {
			d.Effect, d.Reason, d.Link, d.Author = nil, t.scrub(d.Reason), t.scrub(d.Link), t.scrub(d.Author)
			view.Decisions = append(view.Decisions, d)
		}
	}
	return &view
}

// cellKey names an examination of an instance.
type cellKey struct {
	instance models.ID
	exam     examinations.ID
}

// teamView hides all tools but some.
type teamView struct {
	own, others []string
}

func (t *teamView) has(tool string) bool { return slices.Contains(t.own, tool) }

// names tells whether a text names another tool, as a word of its own.
func (t *teamView) names(text string) bool {
	for _, name := range t.others {
		if strings.Contains(strings.ToLower(text), strings.ToLower(name)) &&
			regexp.MustCompile(`(?i)(^|[^\pL\pN])`+regexp.QuoteMeta(name)+`($|[^\pL\pN])`).MatchString(text) {
			return true
		}
	}
	return false
}

func (t *teamView) scrub(text string) string {
	if t.names(text) {
		return hidden
	}
	return text
}

func (t *teamView) scrubAll(list []string) []string {
	var kept []string
	for _, text := range list {
		kept = append(kept, t.scrub(text))
	}
	return kept
}

func (t *teamView) named(list []Named) (kept []Named) {
	for _, n := range list {
		kept = append(kept, Named{n.Name, t.scrub(n.Text)})
	}
	return kept
}

// standings keeps points, and neither rank nor place, which tell of others.
func (t *teamView) standings(list []Standing) (kept []Standing) {
	for _, s := range list {
		if t.has(s.Tool) {
			kept = append(kept, Standing{Tool: s.Tool, Points: s.Points})
		}
	}
	return kept
}

func (t *teamView) efforts(list []Effort) []Effort {
	return slices.DeleteFunc(slices.Clone(list), func(e Effort) bool { return !t.has(e.Tool) })
}

func (t *teamView) run(r *Run) Run {
	kept := *r
	kept.NoScore, kept.Void = t.scrub(r.NoScore), t.scrub(r.Void)
	kept.Late, kept.Whole = teamRun{t, r}, nil
	return kept
}

// teamRun is what a run has much of, as the team sees it.
type teamRun struct {
	team *teamView
	run  *Run
}

func (t teamRun) Setting() Setting {
	kept := t.run.setting()
	kept.Warnings, kept.Flags = t.team.scrubAll(kept.Warnings), t.team.scrubAll(kept.Flags)
	return kept
}

func (t teamRun) Items() (items, factors []Item) {
	items, factors = t.run.items()
	return t.team.items(items), t.team.items(factors)
}

func (t teamRun) Answers() iter.Seq[Answer] {
	return func(yield func(Answer) bool) {
		for a := range t.run.answers() {
			if t.team.names(a.Witness.Detail) {
				a.Witness = Witness{State: a.Witness.State, Detail: hidden}
			}
			if !yield(a) {
				return
			}
		}
	}
}

func (t *teamView) items(list []Item) (kept []Item) {
	for _, i := range list {
		i.Reason = t.scrub(i.Reason)
		kept = append(kept, i)
	}
	return kept
}

func (t *teamView) reference(r *Reference) Reference {
	kept := *r
	kept.Clause, kept.Doubts = t.scrub(r.Clause), nil
	kept.LateVotes = nil
	kept.Votes = slices.DeleteFunc(slices.Clone(r.votes()), func(v Vote) bool { return !t.has(v.Tool) })
	kept.Silent = slices.DeleteFunc(slices.Clone(r.silent()), func(s Silent) bool { return !t.has(s.Tool) })
	for i := range kept.Silent {
		kept.Silent[i].Why = t.scrub(kept.Silent[i].Why)
	}
	if r.Ruling != nil {
		ruling := *r.Ruling
		ruling.Against = slices.DeleteFunc(slices.Clone(ruling.Against), func(tool string) bool { return !t.has(tool) })
		ruling.Evidence = t.scrub(ruling.Evidence)
		kept.Ruling = &ruling
	}
	return kept
}
