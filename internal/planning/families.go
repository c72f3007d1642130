package planning

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"podium/internal/campaign"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// settleFamilies decides which tools are variants of one submission (E-4.5). They share a place on the
// podium, and their team sees the results of all of them, so the word of a manifest does not
// count: tools are of one family when they are one submission anyway, or when the organisers say so by
// Options.Families. Every other family that a manifest names is refused.
func (o Options) settleFamilies(p *campaign.Plan) error {
	if o.Apart {
		return nil
	}
	p.Families = maps.Clone(p.Families)
	if p.Families == nil {
		p.Families = map[string][]string{}
	}
	for _, text := range o.Families {
		if err := confirmFamily(p, text); err != nil {
			return err
		}
	}
	alone := !slices.ContainsFunc(p.Tools, func(t campaign.PlannedTool) bool { return !oneSubmission(&t, &p.Tools[0]) })
	for i := range p.Tools {
		t := &p.Tools[i]
		list := p.Families[t.Family]
		switch other := stranger(p, list, t); {
		case slices.Contains(list, t.Name):
		case other != "":
			return unconfirmed(p, t)
		case alone || t.BuiltIn || t.Family == t.Name || t.Family == t.Submission:
			p.Families[t.Family] = append(list, t.Name)
		default:
			return unconfirmed(p, t)
		}
	}
	maps.DeleteFunc(p.Families, func(name string, list []string) bool { return slices.Equal(list, []string{name}) })
	if len(p.Families) == 0 {
		p.Families = nil
	}
	return nil
}

// stranger names a tool of a list that is not of the same submission as t, if there is one.
func stranger(p *campaign.Plan, list []string, t *campaign.PlannedTool) string {
	for _, name := range list {
		if other, ok := p.Tool(name); ok && !oneSubmission(&other, t) {
			return name
		}
	}
	return ""
}

// oneSubmission reports whether two tools were handed in together: they are the same files, or both are
// built in.
func oneSubmission(a, b *campaign.PlannedTool) bool {
	return a.BuiltIn && b.BuiltIn || a.Dir == b.Dir
}

// confirmFamily takes the organisers' word, FAMILY=TOOL,...: these tools and no others are of the family.
func confirmFamily(p *campaign.Plan, text string) error {
	name, tools, ok := strings.Cut(text, "=")
	if !ok || name == "" || tools == "" {
		return &OptionError{fmt.Errorf("--family %s: write FAMILY=TOOL,..., with all tools of the family", diagnostic.Excerpt(text))}
	}
	var list []string
	for wanted := range strings.SplitSeq(tools, ",") {
		found := false
		for i := range p.Tools {
			t := &p.Tools[i]
			if t.Name != wanted && t.Submission != wanted { // the name of a tool stands for its variants
				continue
			}
			found, t.Family = true, name
			for family, of := range p.Families {
				p.Families[family] = slices.DeleteFunc(slices.Clone(of), func(member string) bool { return member == t.Name })
			}
			list = append(list, t.Name)
		}
		if !found {
			return &OptionError{fmt.Errorf("--family %s: no tool of the plan has the name %s%s", diagnostic.Excerpt(text), diagnostic.Excerpt(wanted), diagnostic.Instead(wanted, toolNames(p.Tools)))}
		}
	}
	slices.Sort(list)
	for i := range p.Tools { // who was in the family, and is not named, leaves it
		if t := &p.Tools[i]; t.Submission == "" && t.Family == name && !slices.Contains(list, t.Name) {
			t.Family = t.Name
		}
	}
	p.Families[name] = slices.Compact(list)
	return nil
}

// unconfirmed refuses a tool whose family nobody has confirmed, and says how to do it.
func unconfirmed(p *campaign.Plan, t *campaign.PlannedTool) error {
	members := slices.Clone(p.Families[t.Family])
	for _, other := range p.Tools {
		if other.Family == t.Family || other.Name == t.Family {
			members = append(members, other.Name)
		}
	}
	slices.Sort(members)
	members = slices.Compact(members)
	if t.Family == t.Name {
		return &OptionError{fmt.Errorf("tool %s has the name of a family of other tools, %s: name it among them if one team handed in all, or give their family another name, by --family NAME=%s",
			t.Name, wording.And(p.Families[t.Family]), strings.Join(p.Families[t.Family], ","))}
	}
	confirm := fmt.Sprintf("--family %s=%s confirms it", t.Family, strings.Join(members, ","))
	if len(members) > 1 {
		confirm += fmt.Sprintf(" if %s were handed in by one team", wording.And(members))
	}
	return &OptionError{fmt.Errorf("tool %s would be of the family %s, and nobody has confirmed that: variants share a place on the podium, and their team sees the results of all of them; %s, and --family %[1]s=%[1]s keeps %[1]s apart",
		t.Name, diagnostic.Excerpt(t.Family), confirm)}
}
