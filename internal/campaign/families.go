package campaign

import "slices"

// Confirmed reports whether a tool is of the family that the plan says (E-4.5): the one of its own
// name, or one that is in the list of families. A manifest's word does not count.
func (p *Plan) Confirmed(t *PlannedTool) bool {
	if list := p.Families[t.Family]; len(list) > 0 {
		return slices.Contains(list, t.Name)
	}
	return t.Family == t.Name
}

// setApart makes each tool whose family was not confirmed a family of its own.
func (c *Campaign) setApart() {
	for i := range c.Plan.Tools {
		if t := &c.Plan.Tools[i]; t.Family != "" && !c.Plan.Confirmed(t) {
			c.Unconfirmed = append(c.Unconfirmed, *t)
			t.Family = t.Name
		}
	}
}
