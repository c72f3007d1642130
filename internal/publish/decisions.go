package publish

import "time"

// Decision is what the organisers or the jury decided after the contest was planned.
type Decision struct {
	Number    int
	Text      string // what was decided, a clause
	Author    string
	At        time.Time
	Reason    string
	Link      string   // an address; may be empty
	RevokedBy int      // number of the decision by which it is no longer in force, or 0
	Effect    []string // what changed when it was taken, a line for each change
}

func (s *site) writeDecisions() error {
	if len(s.c.Decisions) == 0 {
		return nil
	}
	return s.render("decisions", "decisions.html", page{Here: "decisions", Title: "Decisions",
		About: "Decisions of the jury, their reasons and their effects", Body: s.c.Decisions})
}
