package judged

import (
	"path/filepath"
	"strings"

	"podium/internal/ask"
	"podium/internal/campaign"
)

// Team is who handed in some tools of a campaign: the variants of one family
// (E-4.5).
type Team struct {
	Name  string // of the family, or of its first tool where that cannot name a directory
	Tools []string
}

// Teams returns the teams of a campaign in the order of the plan, or only that of a
// tool. An unknown tool is a *[NameError].
func Teams(c *campaign.Campaign, tool string) ([]Team, error) {
	var list []Team
	at := map[string]int{}
	only := -1
	for _, t := range c.Plan.Tools {
		k, known := at[t.Family]
		if !known {
			k = len(list)
			at[t.Family] = k
			name := t.Family
			if name == "" || name != filepath.Base(name) || !filepath.IsLocal(name) || strings.HasPrefix(name, ".") {
				name = t.Name
			}
			list = append(list, Team{Name: name})
		}
		list[k].Tools = append(list[k].Tools, t.Name)
		if t.Name == tool {
			only = k
		}
	}
	if tool == "" {
		return list, nil
	}
	if only < 0 {
		return nil, ask.Wanted("tool", []string{tool}, ask.Each(c.Plan.Tools, func(t *campaign.PlannedTool) string { return t.Name }))
	}
	return list[only : only+1], nil
}
