package scoring_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
	"podium/models"
	. "podium/scoring"
	"podium/scoring/scoringtest"
)

func TestOtherwise(t *testing.T) {
	ctl := examinations.CTLFireability
	c := scoringtest.Contest(t, nil,
		scoringtest.Everybody("A B C D", "Base-PT-1", ctl, "T T T T"), scoringtest.Everybody("A B", "Net-PT-1", ctl, "T T T ."), scoringtest.Everybody("C", "Net-PT-1", ctl, "F T . ."),
		scoringtest.Everybody("D", "Net-PT-1", ctl, "F . . T"))
	r := scoringtest.Plain().Score(c)
	sheet := c.SheetOf("Net-PT-1", ctl)
	first := int(c.Sheets[sheet].First)
	var got []string
	for v := first; v < first+4; v++ {
		ref, disputed := otherwise(r, v)
		got = append(got, fmt.Sprintf("%s %v", ref, disputed))
	}
	// two against two of equal confidence; all agree; all agree; one tool
	if text := strings.Join(got, ", "); text != "TRUE true, TRUE false, TRUE false, ? true" {
		t.Errorf("otherwise: %s", text)
	}
	s := scoringtest.Plain()
	s.Certified = confidence.Overrides
	proved := c.WithCertified(map[examinations.Key]examinations.Value{{Instance: models.ParseAnyID("Net-PT-1"), Exam: ctl, Item: "formula-00"}: examinations.False})
	if _, disputed := otherwise(s.Score(proved), first); disputed {
		t.Error("a proof that decides is disputed")
	}
}

// otherwise is the other reference of a value that is disputed, and the reference of any other.
func otherwise(r *Result, value int) (text string, disputed bool) {
	ref := r.References[value]
	for _, swing := range r.Swings() {
		if swing.Value == value {
			ref, disputed = swing.Otherwise, true
		}
	}
	if !ref.Known() {
		return "?", disputed
	}
	return r.Contest.Values[ref.Answer].Text, disputed
}

// TestOtherwiseIsTheSecondStrongest: 4 has more votes than 3; nothing is disputed
// that an oracle gives.
func TestOtherwiseIsTheSecondStrongest(t *testing.T) {
	ub := examinations.UpperBounds
	c := scoringtest.Contest(t, func(b *Builder) {
		if err := b.Oracle("Net-PT-1", ub, "formula-00", examinations.Value{Kind: examinations.Nat, Text: "5"}); err != nil {
			t.Fatal(err)
		}
	}, scoringtest.Everybody("A B C D E F", "Base-PT-1", ub, "1 1"), scoringtest.Everybody("A B C", "Net-PT-1", ub, "5"), scoringtest.Everybody("D", "Net-PT-1", ub, "3"), scoringtest.Everybody("E F", "Net-PT-1", ub, "4"))
	sheet := c.SheetOf("Net-PT-1", ub)
	value := int(c.Sheets[sheet].First)
	r := scoringtest.Plain().Score(c)
	if ref, disputed := otherwise(r, value); !disputed || ref != "4" {
		t.Errorf("otherwise %s", ref)
	}
	oracle := scoringtest.Plain()
	oracle.Elect = nil
	if _, disputed := otherwise(oracle.Score(c), value); disputed {
		t.Error("what the oracle gives is disputed")
	}
}

// TestSensitivityUnderAllWrong: where one wrong value condemns all of a run, each other
// reference is tried alone: who was condemned by it is so no longer, and who was not
// is so only while it is tried.
func TestSensitivityUnderAllWrong(t *testing.T) {
	ctl := examinations.CTLFireability
	s := scoringtest.Plain()
	s.Flags = []Flag{{Name: "any-wrong", Effect: AllWrong}}
	s.Rules = append(s.Rules, Rule{"E-4.1", Bonus{Letter: Fastest}.Apply})
	c := scoringtest.Contest(t, nil, scoringtest.Everybody("A B C D", "Base-PT-1", ctl, "T T T T"), scoringtest.Everybody("A B", "Net-PT-1", ctl, "T T T T"),
		scoringtest.Everybody("C", "Net-PT-1", ctl, "F T T T"), scoringtest.Everybody("D", "Net-PT-1", ctl, "T F T T"))
	r := s.Score(c)
	before := runs(r)
	want := map[string][]int64{ // from 16 points to -32, or back
		"formula-00": {-48, -48, 48, 0}, // C alone would be right; D is wrong in the other value
		"formula-01": {-48, -48, 0, 48},
	}
	for _, swing := range r.Swings() {
		item := c.Items[swing.Value]
		if !slices.Equal(swing.Units, want[item]) {
			t.Errorf("%s otherwise moves %v, want %v", item, swing.Units, want[item])
		}
		delete(want, item)
	}
	if len(want) > 0 {
		t.Errorf("not tried: %v", want)
	}
	if after := runs(r); after != before {
		t.Errorf("looking changed the result:\n%s\nbefore\n%s", after, before)
	}
}

// runs writes masks, flags, letters and points of all runs.
func runs(r *Result) string {
	var list []string
	for sheet := range r.Contest.Sheets {
		for tool := range r.Contest.Tools {
			list = append(list, fmt.Sprint(r.Mask(sheet, tool), r.FlagLetters(sheet, tool), r.RunLetters(sheet, tool), r.RunPoints(sheet, tool)))
		}
	}
	return strings.Join(list, "; ")
}
