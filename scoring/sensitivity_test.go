package scoring

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
)

// TestSense: C and D differ from A and B on one value. Were it decided otherwise,
// A would lose twelve points and C win as many.
func TestSense(t *testing.T) {
	ctl := examinations.CTLFireability
	r := plain().Score(contest(t, func(b *Builder) { b.Tool(Tool{Name: "A2", Family: "A"}) },
		everybody("A A2 B C", "Base-PT-1", ctl, "T T T T"),
		everybody("A A2 B", "Net-PT-1", ctl, "T T T T"), everybody("C", "Net-PT-1", ctl, "F T T T"),
		everybody("A", "Only-PT-1", ctl, "T T T T"), everybody("C", "Global-PT-1", examinations.OneSafe, "T")))
	s := r.Sense()
	var margins []string
	for _, m := range s.Margins {
		margins = append(margins, fmt.Sprintf("%s %s %s by %s, needs %d of %d", m.Category, m.Ahead, m.Behind, m.Points.RatString(), m.Needed, len(m.Decisions)))
	}
	want := "CTL B C by 12, needs 1 of 1; CTL A B by 16, needs 4 of 4"
	if got := strings.Join(margins, "; "); got != want {
		t.Errorf("margins: %s, want %s", got, want)
	}
	if d := s.Margins[0].Decisions[0]; d.Instance != "Net-PT-1" || d.Item != "formula-00" || d.Reference != "TRUE" || d.Otherwise != "FALSE" || d.Swing.RatString() != "24" {
		t.Errorf("what could fall otherwise: %+v", d)
	}
	if d := s.Margins[1].Decisions[0]; d.Instance != "Only-PT-1" || d.Otherwise != "?" || d.Swing.RatString() != "4" {
		t.Errorf("a value of a single tool: %+v", d)
	}
	var removed []string
	for _, x := range s.Removals {
		if len(x.Changes.Moves) == 0 {
			t.Errorf("leaving %s out moves nothing", x.Tool)
		}
		removed = append(removed, x.Tool)
	}
	if !slices.Equal(removed, []string{"A", "A2", "B", "C"}) {
		t.Errorf("removals of %v", removed)
	}
	if s.OneVotePerFamily == nil {
		t.Error("A has a variant, and nobody asked what one vote of the family changes")
	}
	alone := plain()
	alone.OnePerFamily = true
	if alone.Score(r.Contest).Sense().OneVotePerFamily != nil {
		t.Error("families have one vote already")
	}
	if again := r.Sense(); fmt.Sprint(again.Margins[0].Decisions) != fmt.Sprint(s.Margins[0].Decisions) {
		t.Error("looking once more gives another result")
	}
}

func TestOtherwise(t *testing.T) {
	ctl := examinations.CTLFireability
	c := contest(t, nil,
		everybody("A B C D", "Base-PT-1", ctl, "T T T T"), everybody("A B", "Net-PT-1", ctl, "T T T ."), everybody("C", "Net-PT-1", ctl, "F T . ."),
		everybody("D", "Net-PT-1", ctl, "F . . T"))
	r := plain().Score(c)
	sheet := c.SheetOf("Net-PT-1", ctl)
	first := int(c.Sheets[sheet].First)
	var got []string
	for v := first; v < first+4; v++ {
		ref, disputed := r.otherwise(sheet, v)
		got = append(got, fmt.Sprintf("%s %v", r.knownText(ref), disputed))
	}
	// two against two of equal confidence; all agree; all agree; one tool
	if text := strings.Join(got, ", "); text != "TRUE true, TRUE false, TRUE false, ? true" {
		t.Errorf("otherwise: %s", text)
	}
	s := plain()
	s.Certified = confidence.Overrides
	proved := c.WithCertified(map[examinations.Key]examinations.Value{{Instance: ParseInstance("Net-PT-1"), Exam: ctl, Item: "formula-00"}: examinations.False})
	if _, disputed := s.Score(proved).otherwise(sheet, first); disputed {
		t.Error("a proof that decides is disputed")
	}
}
