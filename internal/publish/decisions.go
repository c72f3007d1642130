package publish

import (
	"slices"

	"podium/internal/decisions"
)

// decision is what the organisers or the jury decided after the contest was planned.
type decision struct {
	decisions.Decision
	RevokedBy int // number of the decision by which it is no longer in force, or 0
}

// inForce reports whether the numbers follow the decision: it is not revoked, and revokes no other.
func (d *decision) inForce() bool { return d.RevokedBy == 0 && d.Kind != decisions.Revoke }

// Decisions lists the decisions in the order in which they were taken.
func (c *Contest) Decisions() (list []decision) {
	if c.Judged == nil || c.Judged.Decided == nil {
		return nil
	}
	revokedBy := c.Judged.Decided.RevokedBy()
	for i, d := range c.Judged.Decided.Decisions {
		list = append(list, decision{d, revokedBy[i]})
	}
	return c.team.decided(list)
}

// InForce lists the decisions that the numbers follow.
func (c *Contest) InForce() []decision {
	return slices.DeleteFunc(c.Decisions(), func(d decision) bool { return !d.inForce() })
}

func (s *site) writeDecisions() error {
	list := s.c.Decisions()
	if len(list) == 0 {
		return nil
	}
	return s.render("decisions", "decisions.html", page{Here: "decisions", Title: "Decisions",
		About: "Decisions of the jury, their reasons and their effects", Body: list})
}
