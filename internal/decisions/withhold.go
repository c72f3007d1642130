package decisions

import (
	"path"
	"slices"
	"strings"

	"podium/internal/campaign"
	"podium/internal/selection"
)

// withheldText stands for what was decided about models that may not be named yet.
const withheldText = "about surprise models, which may not be named yet"

// Withhold returns the record as it may be shown while some instances may not be named; mentions
// reports whether a text names one. A decision that chooses one of them, or names one, keeps its
// number, its date and what it does, and loses its texts. No decision keeps its effect: it was
// computed with all instances.
func (r *Record) Withhold(hidden []campaign.PlannedInstance, mentions func(text string) bool) *Record {
	shown := &Record{Decisions: slices.Clone(r.Decisions), Digest: r.Digest}
	for i := range shown.Decisions {
		d := &shown.Decisions[i]
		if d.chooses(hidden) || slices.ContainsFunc([]string{d.Text(), d.Author, d.Reason, d.Link}, mentions) {
			d.withheld, d.Author, d.Reason, d.Link = true, "", "", ""
		}
		if len(d.Effect) > 0 {
			d.Effect = []string{"shown when all models may be named"}
		}
	}
	return shown
}

// chooses reports whether a pattern of the decision fits one of some instances.
func (d *Decision) chooses(list []campaign.PlannedInstance) bool {
	only, err := selection.Parse(d.Only) // its form was checked
	return slices.ContainsFunc(list, func(i campaign.PlannedInstance) bool {
		// The case of letters counts for the decision, and not for what a reader makes of it.
		fits, _ := path.Match(strings.ToLower(d.Instance), strings.ToLower(i.ID))
		return fits || err == nil && only.Names(selection.Facts{selection.Instance: {i.ID}, selection.Model: {i.Family}})
	})
}
