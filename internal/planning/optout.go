package planning

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/pnml/diagnostic"
)

// optOut reads --opt-out and puts what it says into the tools of a plan.
func (o Options) optOut(list []campaign.PlannedTool) error {
	for _, text := range o.OptOut {
		tool, names, ok := strings.Cut(text, "=")
		if !ok || tool == "" || names == "" {
			return &OptionError{fmt.Errorf("--opt-out %s: write TOOL=CATEGORY, or several categories or properties separated by commas", text)}
		}
		at := slices.IndexFunc(list, func(t campaign.PlannedTool) bool { return t.Name == tool })
		if len(list) == 0 {
			return &OptionError{fmt.Errorf("--opt-out %s: no tool that is planned now has this name: --tools names those that join, and a tool of the plan opts out only when --replace puts another version in its place", text)}
		}
		if at < 0 {
			return &OptionError{fmt.Errorf("--opt-out %s: no tool that is planned now has this name%s", text, diagnostic.Instead(tool, toolNames(list)))}
		}
		list[at].OptOut = append(slices.Clone(list[at].OptOut), strings.Split(names, ",")...)
	}
	return nil
}

// checkOptOut refuses what no tool can opt out of: a name that is no category or property of
// the tasks and no meta category, and a property that shares a category with others.
func checkOptOut(p *campaign.Plan, ed *edition.Edition) error {
	known := categories(p, ed)
	for i := range p.Tasks() {
		known = append(known, i.Task.Property)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for k := range p.Tools {
		t := &p.Tools[k]
		for _, name := range t.OptOut {
			if !slices.Contains(known, name) {
				instead := diagnostic.Instead(name, known)
				if exam, ok := ed.Asked(examinations.ID(name)); ok && slices.Contains(known, exam.Category) {
					instead = "; the examination is in the category " + exam.Category
				}
				return &OptionError{fmt.Errorf("tool %s opts out of %s, which is no category and no property here%s", t.Name, diagnostic.Excerpt(name), instead)}
			}
			if _, mixed := p.CategoriesOf(name); mixed != "" {
				return &OptionError{fmt.Errorf("tool %s opts out of the property %s, and the category %s has tasks of other properties, too: name categories, or list the tasks in sets of one property", t.Name, name, mixed)}
			}
		}
	}
	return nil
}

// categories are those of the plan, and the meta categories of its edition.
func categories(p *campaign.Plan, ed *edition.Edition) (names []string) {
	for _, c := range p.Examinations {
		if exam, ok := ed.Asked(c); ok {
			names = append(names, exam.Category)
		}
	}
	for _, m := range ed.Scheme.Metas {
		names = append(names, m.Name)
	}
	return names
}

// strayOptOuts says which opt-outs of an edition do nothing here: the plan lacks the tool, or
// the plan and the edition lack the category. They are no errors, because an edition is of a
// whole contest.
func strayOptOuts(p *campaign.Plan, ed *edition.Edition) (notes []string) {
	here := toolNames(p.Tools)
	known := categories(p, ed)
	for _, e := range ed.Examinations {
		known = append(known, e.Category)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, tool := range slices.Sorted(maps.Keys(ed.OptOut)) {
		if !slices.Contains(here, tool) {
			notes = append(notes, fmt.Sprintf("note: opt_out of the edition names the tool %s, which is not planned%s", diagnostic.Excerpt(tool), diagnostic.Instead(tool, here)))
			continue
		}
		for _, name := range ed.OptOut[tool] {
			if !slices.Contains(known, name) {
				notes = append(notes, fmt.Sprintf("note: opt_out of the edition names for the tool %s the category %s, which is not here%s", tool, diagnostic.Excerpt(name), diagnostic.Instead(name, known)))
			}
		}
	}
	return notes
}
