package publish

import (
	"regexp"
	"slices"
	"strings"

	"podium/scoring"
)

// hidden stands for a sentence that names another tool.
const hidden = "(left out, because it names another tool)"

// ForTeam returns what one team may see before the results are published: its tools,
// their runs, logs and points with the reasons, the reference values of these runs,
// and the decisions that touch them. Other tools do not appear: not by name, and not
// by an answer, a vote, a figure, a rank or a place. A sentence that names one is left
// out.
func (c *Contest) ForTeam(name string, tools []string) *Contest {
	t := &team{name: name, own: tools}
	for _, other := range c.Tools {
		if !t.shows(other.Name) {
			t.others = append(t.others, other.Name, other.Family)
		}
	}
	t.others = slices.DeleteFunc(t.others, func(n string) bool { return n == "" || n == name || t.shows(n) })
	own := *c
	own.team, own.Warnings, own.Earlier, own.Facts = t, nil, nil, nil
	own.optedOut, own.doubts, own.sense = 0, nil, nil
	for _, f := range c.Facts {
		own.Facts = append(own.Facts, Named{Name: f.Name, Text: t.scrub(f.Text)})
	}
	own.Tools = slices.DeleteFunc(slices.Clone(c.Tools), func(x Tool) bool { return !t.shows(x.Name) })
	own.Categories = nil
	for _, category := range c.Categories {
		own.Categories = append(own.Categories, t.category(&category))
	}
	own.runs = nil
	for _, r := range c.runs {
		if t.shows(r.toolName()) {
			r.of, r.noScore, r.Void = &own, t.scrub(r.noScore), t.scrub(r.Void)
			own.runs = append(own.runs, r)
		}
	}
	return &own
}

// team is who sees its own tools alone. A nil team is everybody, who sees all.
type team struct {
	name        string
	own, others []string
}

func (t *team) shows(tool string) bool { return t == nil || slices.Contains(t.own, tool) }

// names reports whether a text names another tool, as a word of its own.
func (t *team) names(text string) bool {
	if t == nil {
		return false
	}
	for _, name := range t.others {
		if strings.Contains(strings.ToLower(text), strings.ToLower(name)) &&
			regexp.MustCompile(`(?i)(^|[^\pL\pN])`+regexp.QuoteMeta(name)+`($|[^\pL\pN])`).MatchString(text) {
			return true
		}
	}
	return false
}

func (t *team) scrub(text string) string {
	if t.names(text) {
		return hidden
	}
	return text
}

func (t *team) scrubAll(list []string) []string {
	if t == nil {
		return list
	}
	var kept []string
	for _, text := range list {
		kept = append(kept, t.scrub(text))
	}
	return kept
}

// category keeps points, and neither ranks nor places, which tell of others.
func (t *team) category(c *Category) Category {
	kept := *c
	kept.Places, kept.Standings = nil, make([]scoring.Standing, len(c.Standings))
	for tool, s := range c.Standings {
		kept.Standings[tool].Points = s.Points
	}
	return kept
}

// decided keeps the decisions that do not name another tool, without their effects.
func (t *team) decided(list []decision) []decision {
	if t == nil {
		return list
	}
	var kept []decision
	for _, d := range list {
		if !t.names(d.Text()) {
			d.Effect, d.Reason, d.Link, d.Author = nil, t.scrub(d.Reason), t.scrub(d.Link), t.scrub(d.Author)
			kept = append(kept, d)
		}
	}
	return kept
}
