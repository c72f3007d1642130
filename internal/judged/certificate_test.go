package judged

import (
	"fmt"
	"testing"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/witness"
	"podium/models"
)

// TestWitnessesOfTools: a value that the replay confirmed counts as proved, beside what the
// referee has proved, which stays; no lower bound does, nothing that is not confirmed, and nothing
// that a validator alone has confirmed.
func TestWitnessesOfTools(t *testing.T) {
	id, err := models.ParseID("N-PT-1")
	if err != nil {
		t.Fatal(err)
	}
	key := examinations.Key{Instance: id, Exam: examinations.UpperBounds, Item: "b"}
	referee := &Certificate{Values: map[examinations.Key]examinations.Value{key: {Kind: examinations.Nat, Text: "7"}}}
	for _, q := range []struct {
		name   string
		before *Certificate
		w      campaign.Witnessed
		value  string // empty: nothing is proved
		by     string
	}{
		{"confirmed", nil, campaign.Witnessed{State: witness.Confirmed, Proved: "3", Detail: "a proof"}, "3", "the witness of a, which a replay confirmed: a proof"},
		{"lower bound", nil, campaign.Witnessed{State: witness.Confirmed, Proved: ">=3"}, "", ""},
		{"not confirmed", nil, campaign.Witnessed{State: witness.Unconfirmed, Proved: "3"}, "", ""},
		{"refuted", nil, campaign.Witnessed{State: witness.Refuted, Proved: "3"}, "", ""},
		{"by a validator", nil, campaign.Witnessed{State: witness.Confirmed}, "", ""},
		{"referee", referee, campaign.Witnessed{State: witness.Confirmed, Proved: "3"}, "7", ""},
	} {
		log := &campaign.Log{Finished: map[campaign.Run]*campaign.Finished{}}
		for _, tool := range []string{"b", "a"} {
			run := campaign.Run{Tool: tool, Instance: "N-PT-1", Exam: key.Exam}
			q.w.Item = key.Item
			log.Finished[run] = &campaign.Finished{Run: run, Witnesses: []campaign.Witnessed{q.w}}
		}
		c := q.before.withWitnesses(log)
		if c == nil {
			c = &Certificate{}
		}
		how := c.byTools[key]
		if got := fmt.Sprint(c.Values[key].Text, how); got != q.value+q.by {
			t.Errorf("%s: %q", q.name, got)
		}
	}
}
