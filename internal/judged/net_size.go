package judged

import (
	"podium/internal/campaign"
	"podium/pnml"
)

// SizeOf is how large the net of a document is, for a plan.
func SizeOf(doc *pnml.Document) *campaign.NetSize {
	if doc.Symmetric != nil {
		s := doc.Symmetric.Statistics()
		return &campaign.NetSize{Places: s.Places, Transitions: s.Transitions, Arcs: s.Arcs, Colours: s.Colours.String()}
	}
	s := doc.Net.Statistics()
	return &campaign.NetSize{Places: s.Places, Transitions: s.Transitions, Arcs: s.Arcs, Tokens: s.Tokens.String(), Units: s.Units}
}
