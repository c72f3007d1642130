package planning

import (
	"fmt"
	"slices"
	"strings"

	"podium/edition"
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
	var known []string
	for _, i := range p.Instances {
		if i.Task != nil {
			known = append(known, i.Task.Property)
		}
	}
	for _, c := range p.Examinations {
		if exam, ok := ed.Asked(c); ok {
			known = append(known, exam.Category)
		}
	}
	for _, m := range ed.Scheme.Metas {
		known = append(known, m.Name)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for k := range p.Tools {
		t := &p.Tools[k]
		for _, name := range t.OptOut {
			if !slices.Contains(known, name) {
				return &OptionError{fmt.Errorf("tool %s opts out of %s, which is no category and no property here%s", t.Name, diagnostic.Excerpt(name), diagnostic.Instead(name, known))}
			}
			if _, mixed := p.CategoriesOf(name); mixed != "" {
				return &OptionError{fmt.Errorf("tool %s opts out of the property %s, and the category %s has tasks of other properties, too: name categories, or list the tasks in sets of one property", t.Name, name, mixed)}
			}
		}
	}
	return nil
}
