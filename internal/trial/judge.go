package trial

import (
	"podium/edition"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/scoring"
)

// Judge scores the result by an edition against known values alone: nobody is there to
// compare with, so that no bonus is given and no reference value elected.
func (r *Result) Judge(q Question, e *edition.Edition, known map[string]KnownValue) (*scoring.Result, error) {
	builder := e.Builder()
	id := q.Instance.ID.String()
	if err := builder.Declare(id, q.Run.Exam, q.items()...); err != nil {
		return nil, err
	}
	entry := judged.Entry(&campaign.Finished{Run: q.Run, Outcome: r.Outcome, Participation: r.Said, Answers: campaign.AnswersOf(r.Answers...)})
	entry.CPU, entry.Memory = scoring.Unmeasured, scoring.Unmeasured
	if err := builder.Add(entry); err != nil {
		return nil, err
	}
	for item, value := range known {
		if err := builder.Oracle(id, q.Run.Exam, item, value.Value); err != nil {
			return nil, err
		}
	}
	scheme := *e.Scheme
	scheme.Elect = nil
	return scheme.Score(builder.Contest()), nil
}
