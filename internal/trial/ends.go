package trial

import (
	"iter"

	"podium/internal/campaign"
)

// End is what became of an examination of an instance in the small campaign of one tool.
type End struct {
	Run      campaign.Run
	Instance campaign.PlannedInstance
	Asked    bool               // the tool takes part
	Finished *campaign.Finished // nil where no run has ended
	Undone   string             // why a run that was to be made has not ended
}

// Ends returns what became of all examinations of all instances, also of those in which the tool takes
// no part.
func Ends(c *campaign.Campaign, log *campaign.Log, tool string) iter.Seq[End] {
	return func(yield func(End) bool) {
		for _, i := range c.Plan.Instances {
			for _, exam := range c.Plan.Examinations {
				run := campaign.Run{Tool: tool, Instance: i.ID, Exam: exam}
				e := End{Run: run, Instance: i, Asked: c.Plan.Has(run), Finished: log.Finished[run]}
				if v, void := log.Void[run]; void {
					e.Undone = "the run could not be done, by a fault that is not the tool's: " + v.Reason
				} else if e.Asked && e.Finished == nil {
					e.Undone = "the run is not done: the same command goes on"
				}
				if !yield(e) {
					return
				}
			}
		}
	}
}
