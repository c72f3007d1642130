package decisions

import (
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"podium/examinations"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/scoring/whatif"
)

// Apply returns a contest under the decisions in force: withdrawn tools are not in it
// (P-4), and the others are rulings on it.
func (r *Record) Apply(c *scoring.Contest) *scoring.Contest {
	var list []scoring.Ruling
	var gone []func(string) bool
	for _, d := range r.InForce() {
		switch {
		case d.Kind == Redo: // the log has heeded it
		case d.Kind == Withdraw && !d.KeepsVotes:
			gone = append(gone, matcher(d.Tool))
		default:
			list = append(list, d.rulings()...)
		}
	}
	if len(gone) > 0 {
		c = whatif.Without(c, func(t *scoring.Tool) bool {
			return slices.ContainsFunc(gone, func(is func(string) bool) bool { return is(t.Name) })
		}, nil)
	}
	return c.WithRulings(list...)
}

// matcher tells which names a pattern chooses.
func matcher(pattern string) func(name string) bool {
	return func(name string) bool {
		if pattern == "" || pattern == name {
			return true
		}
		ok, _ := path.Match(pattern, name) // its form was checked
		return ok
	}
}

// rulings returns the decision in the form in which a contest is scored.
func (d *Decision) rulings() []scoring.Ruling {
	tool, instance, exam := matcher(d.Tool), matcher(d.Instance), matcher(d.Examination)
	k := scoring.Ruling{Reason: d.Why(),
		Sheet: func(i *scoring.Instance, e examinations.ID) bool { return instance(i.Name) && exam(string(e)) }}
	if d.Tool != "" {
		k.Tool = func(t *scoring.Tool) bool { return tool(t.Name) }
	}
	if d.Item != "" {
		k.Item = matcher(d.Item)
	}
	switch d.Kind {
	case Disqualify:
		k.Effect = scoring.StrikesRuns
		if d.Instance == "" && d.Examination == "" {
			// A tool that is disqualified wholly is not ranked, not even with 0 points.
			place := k
			place.Effect = scoring.StrikesPlace
			return []scoring.Ruling{k, place}
		}
	case Withdraw, OutOfCompetition:
		k.Effect = scoring.StrikesPlace
	case Exclude:
		k.Effect = scoring.StrikesValues
	case Correct:
		k.Effect = scoring.SetsReference
		if d.WithoutFamily != "" {
			k.Effect = scoring.StrikesVotes
			k.Tool = func(t *scoring.Tool) bool { return t.FamilyName() == d.WithoutFamily }
			break
		}
		exam, _ := ExaminationOf(d.Examination)
		k.Value, _ = valueOf(exam, d.Value)
	}
	return []scoring.Ruling{k}
}

// CheckNames returns an error unless each name and pattern of the decision chooses
// something of the contest, all of them together as well.
func (d *Decision) CheckNames(c *scoring.Contest) error {
	for _, field := range []struct {
		what, pattern string
		names         iter.Seq[string]
	}{
		{"tool", d.Tool, func(yield func(string) bool) { each(c.Tools, yield, func(t scoring.Tool) string { return t.Name }) }},
		{"family of tools", d.WithoutFamily, func(yield func(string) bool) {
			each(c.Tools, yield, func(t scoring.Tool) string { return t.FamilyName() })
		}},
		{"instance", d.Instance, func(yield func(string) bool) {
			each(c.Instances, yield, func(i scoring.Instance) string { return i.Name })
		}},
		{"examination", d.Examination, func(yield func(string) bool) {
			each(c.Exams, yield, func(e scoring.Examination) string { return string(e.ID) })
		}},
	} {
		if err := known(field.what, field.pattern, field.names); err != nil {
			return err
		}
	}
	if d.Instance == "" && d.Examination == "" {
		return nil
	}
	return d.checkValues(c)
}

// checkValues wants the decision to concern a value.
func (d *Decision) checkValues(c *scoring.Contest) error {
	instance, exam, item := matcher(d.Instance), matcher(d.Examination), matcher(d.Item)
	var met []string
	for _, s := range c.Sheets {
		if !instance(c.Instances[s.Instance].Name) || !exam(string(c.Exams[s.Exam].ID)) {
			continue
		}
		items := c.Items[s.First : s.First+s.Values]
		if slices.ContainsFunc(items, item) {
			if d.Kind == Correct && d.Value != "" && d.Item == "" && len(items) > 1 {
				return fmt.Errorf("%s of %s asks for %d values: name one with --item, such as %s", c.Exams[s.Exam].ID, c.Instances[s.Instance].Name, len(items), items[0])
			}
			return nil
		}
		met = append(met, items...)
	}
	if len(met) == 0 {
		return errors.New("the instances were not asked these examinations: the decision would change nothing")
	}
	return known("item", d.Item, slices.Values(met))
}

func each[T any](list []T, yield func(string) bool, name func(T) string) {
	for _, x := range list {
		if !yield(name(x)) {
			return
		}
	}
}

// known wants a pattern to choose one of some names.
func known(what, pattern string, names iter.Seq[string]) error {
	if pattern == "" {
		return nil
	}
	is := matcher(pattern)
	for name := range names {
		if is(name) {
			return nil
		}
	}
	text := fmt.Sprintf("the campaign has no %s %s", what, diagnostic.Excerpt(pattern))
	if strings.ContainsAny(pattern, "*?[") {
		return fmt.Errorf("no %s fits the pattern %s", what, diagnostic.Excerpt(pattern))
	}
	var all []string
	for name := range names {
		all = append(all, name)
	}
	slices.Sort(all)
	return errors.New(text + diagnostic.Instead(pattern, slices.Compact(all)))
}
