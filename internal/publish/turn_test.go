package publish

import (
	"math/big"
	"testing"

	"podium/scoring/whatif"
)

func TestTurnSentences(t *testing.T) {
	for want, w := range map[string]without{
		"Without A, B would be first instead of third, because reference values of the category would change: 2 to a value that is refuted, 1 to none.":                                        {Refuted: 2, Lost: 1},
		"Without A, B would be first instead of third, because reference values of the category would change: 3 to the value that is proved, 4 to a value that is neither proved nor refuted.": {Proved: 3, Open: 4},
		"Without A, B would be first instead of third, by points that depend on the other tools: no reference value of the category would change.":                                             {},
	} {
		w.Tool, w.Other, w.Before, w.After = "A", "B", 3, 1
		if got := turnSentence(w); got != want {
			t.Errorf("got %s", got)
		}
	}
	some := []whatif.Decision{{}}
	for want, m := range map[string]whatif.Margin{
		"A is 2.50 points ahead of B; no disputed value stands between them.":                                       {},
		"A is 2.50 points ahead of B; all disputed values together, decided otherwise, would not change the order.": {Decisions: some},
		"A is 2.50 points ahead of B; one disputed value, decided otherwise, would change the order.":               {Decisions: some, Needed: 1},
		"A is 2.50 points ahead of B; 7 disputed values, decided otherwise, would change the order.":                {Decisions: some, Needed: 7},
	} {
		m.Ahead, m.Behind, m.Points = "A", "B", big.NewRat(5, 2)
		if got := marginSentence(m); got != want {
			t.Errorf("got %s", got)
		}
	}
}
