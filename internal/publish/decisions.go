package publish

import (
	"slices"
	"time"
)

// Decision is what the organisers or the jury decided after the contest was planned.
type Decision struct {
	Number    int
	Text      string // what was decided, a clause
	Author    string
	At        time.Time
	Reason    string
	Link      string   // an address; may be empty
	RevokedBy int      // number of the decision by which it is no longer in force, or 0
	InForce   bool     // the numbers follow it: it is not revoked, and revokes no other
	Effect    []string // what changed when it was taken, a line for each change
}

// InForce lists the decisions that the numbers follow.
func (c *Contest) InForce() []Decision {
	return slices.DeleteFunc(slices.Clone(c.Decisions), func(d Decision) bool { return !d.InForce })
}

func (s *site) writeDecisions() error {
	if len(s.c.Decisions) == 0 {
		return nil
	}
	return s.render("decisions", "decisions.html", page{Here: "decisions", Title: "Decisions",
		About: "Decisions of the jury, their reasons and their effects", Body: s.c.Decisions})
}
