package scoring

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
	"podium/models"
)

// TestSensitivity: C and D differ from A and B on one value. Were it decided otherwise,
// A would lose twelve points and C win as many.
func TestSensitivity(t *testing.T) {
	ctl := examinations.CTLFireability
	r := plain().Score(contest(t, func(b *Builder) { b.Tool(Tool{Name: "A2", Family: "A"}) },
		everybody("A A2 B C", "Base-PT-1", ctl, "T T T T"),
		everybody("A A2 B", "Net-PT-1", ctl, "T T T T"), everybody("C", "Net-PT-1", ctl, "F T T T"),
		everybody("A", "Only-PT-1", ctl, "T T T T"), everybody("C", "Global-PT-1", examinations.OneSafe, "T")))
	s := r.Sensitivity()
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
	if alone.Score(r.Contest).Sensitivity().OneVotePerFamily != nil {
		t.Error("families have one vote already")
	}
	if again := r.Sensitivity(); fmt.Sprint(again.Margins[0].Decisions) != fmt.Sprint(s.Margins[0].Decisions) {
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
	proved := c.WithCertified(map[examinations.Key]examinations.Value{{Instance: models.ParseAnyID("Net-PT-1"), Exam: ctl, Item: "formula-00"}: examinations.False})
	if _, disputed := s.Score(proved).otherwise(sheet, first); disputed {
		t.Error("a proof that decides is disputed")
	}
}

// weightedFormulas is a contest about one net whose formulas have the given points;
// each tool has a word of answers.
func weightedFormulas(t *testing.T, points []int64, answers map[string]string) *Contest {
	b := NewBuilder([]Examination{{ID: examinations.CTLFireability, Category: "CTL", Required: len(points), Points: points}})
	for tool, words := range answers {
		if err := b.Add(says(tool, "Net-PT-1", examinations.CTLFireability, words)); err != nil {
			t.Fatal(err)
		}
	}
	return b.Contest()
}

// TestSensitivityCountsDecisions: a right value gives its points and a wrong one takes
// none, so that another reference moves two tools by twice the points of the value.
// C is wrong in twelve values of 1 to 12 points; the four strongest are worth
// 2 x (12+11+10+9) = 84.
func TestSensitivityCountsDecisions(t *testing.T) {
	s := plain()
	s.Rules = []Rule{{"E-4.2", PointsPerValue}}
	for _, tc := range []struct {
		rest   int64 // points of a value that C does not answer and the others agree on
		needed int
	}{{84 - 78, 4}, {85 - 78, 5}} {
		points := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, tc.rest}
		right := strings.Repeat("T ", len(points))
		r := s.Score(weightedFormulas(t, points, map[string]string{"A": right, "B": right, "D": right, "C": strings.Repeat("F ", 12)}))
		m := r.Sensitivity().Margins[0]
		if m.Ahead != "D" || m.Behind != "C" || m.Points.RatString() != fmt.Sprint(78+tc.rest) || m.Needed != tc.needed {
			t.Errorf("%s is ahead of %s by %s, %d decisions are needed, want %d", m.Ahead, m.Behind, m.Points.RatString(), m.Needed, tc.needed)
		}
		var swings []string
		for _, d := range m.Decisions {
			swings = append(swings, d.Item[len("formula-"):]+":"+d.Swing.RatString())
		}
		if got := strings.Join(swings, " "); got != "11:24 10:22 09:20 08:18 07:16 06:14 05:12 04:10 03:8 02:6" {
			t.Errorf("the ten strongest decisions, strongest first: %s", got)
		}
	}
}

// TestSensitivitySmallestSwing: a decision that moves the one ahead by a single point
// brings the one behind closer.
func TestSensitivitySmallestSwing(t *testing.T) {
	s := plain()
	s.Rules = []Rule{{"E-4.2", PointsPerValue}}
	r := s.Score(weightedFormulas(t, []int64{1, 1}, map[string]string{"A": "T T", "B": "T T", "D": "T T", "E": "F T", "C": ". T"}))
	m := r.Sensitivity().Margins[0]
	if m.Ahead != "D" || m.Behind != "C" || m.Needed != 1 || len(m.Decisions) != 1 || m.Decisions[0].Swing.RatString() != "1" {
		t.Errorf("%+v", m)
	}
}

// TestSensitivityFirstFourRanks: six tools, five pairs of neighbours; those that touch
// the podium are compared.
func TestSensitivityFirstFourRanks(t *testing.T) {
	answers := map[string]string{}
	for i, tool := range []string{"A", "B", "C", "D", "E", "F"} {
		answers[tool] = strings.Repeat("T ", 7-i)
	}
	var pairs []string
	for _, m := range plain().Score(weightedFormulas(t, make([]int64, 7), answers)).Sensitivity().Margins {
		pairs = append(pairs, m.Ahead+m.Behind)
	}
	if got := strings.Join(pairs, " "); got != "AB BC CD" {
		t.Errorf("neighbours: %s", got)
	}
}

// TestSensitivityClosestFirst: a margin that one decision turns stands before smaller ones
// that none would.
func TestSensitivityClosestFirst(t *testing.T) {
	ctl := examinations.CTLFireability
	r := plain().Score(contest(t, nil, everybody("A B C D", "Base-PT-1", ctl, "T T T T"), everybody("A B D", "Net-PT-1", ctl, "T T T T"),
		everybody("C", "Net-PT-1", ctl, "F T T T"), everybody("A D", "Other-PT-1", ctl, "T")))
	var margins []string
	for _, m := range r.Sensitivity().Margins {
		margins = append(margins, fmt.Sprintf("%s%s by %s needs %d", m.Ahead, m.Behind, m.Points.RatString(), m.Needed))
	}
	if got := strings.Join(margins, ", "); got != "BC by 12 needs 1, AD by 0 needs 0, DB by 4 needs 0" {
		t.Errorf("margins: %s", got)
	}
}

// TestSensitivityUnderAllWrong: where one wrong value condemns all of a run, each other
// reference is tried alone: who was condemned by it is so no longer, and who was not
// is so only while it is tried.
func TestSensitivityUnderAllWrong(t *testing.T) {
	ctl := examinations.CTLFireability
	s := plain()
	s.Flags = []Flag{{Name: "any-wrong", Effect: AllWrong}}
	s.Rules = append(s.Rules, Rule{"E-4.1", Bonus{Letter: Fastest}.Apply})
	c := contest(t, nil, everybody("A B C D", "Base-PT-1", ctl, "T T T T"), everybody("A B", "Net-PT-1", ctl, "T T T T"),
		everybody("C", "Net-PT-1", ctl, "F T T T"), everybody("D", "Net-PT-1", ctl, "T F T T"))
	r := s.Score(c)
	before := runs(r)
	want := map[string][]int64{ // from 16 points to -32, or back
		"formula-00": {-48, -48, 48, 0}, // C alone would be right; D is wrong in the other value
		"formula-01": {-48, -48, 0, 48},
	}
	for _, swing := range r.swings() {
		item := c.Items[swing.value]
		if !slices.Equal(swing.units, want[item]) {
			t.Errorf("%s otherwise moves %v, want %v", item, swing.units, want[item])
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

// TestSensitivityOfFamilies: three variants decide a value against one tool; with one
// vote they do not. Without variants there is nothing to ask.
func TestSensitivityOfFamilies(t *testing.T) {
	ctl := examinations.CTLFireability
	variants := func(b *Builder) {
		for _, name := range []string{"A", "A2", "A3"} {
			b.Tool(Tool{Name: name, Family: "A"})
		}
	}
	entries := [][]Entry{everybody("A A2 A3", "Net-PT-1", ctl, "T"), everybody("B", "Net-PT-1", ctl, "F"), everybody("A A2 A3 B C", "Base-PT-1", ctl, "T")}
	changes := plain().Score(contest(t, variants, entries...)).Sensitivity().OneVotePerFamily
	if changes == nil || len(changes.References) != 1 || changes.References[0].Before != "TRUE" || changes.References[0].After != "?" {
		t.Errorf("one vote of a family changes %+v", changes)
	}
	if got := plain().Score(contest(t, nil, entries...)).Sensitivity().OneVotePerFamily; got != nil {
		t.Errorf("nobody has variants: %+v", got)
	}
}

// TestOtherwiseIsTheSecondStrongest: 4 has more votes than 3; nothing is disputed
// that an oracle gives.
func TestOtherwiseIsTheSecondStrongest(t *testing.T) {
	ub := examinations.UpperBounds
	c := contest(t, func(b *Builder) {
		if err := b.Oracle("Net-PT-1", ub, "formula-00", examinations.Value{Kind: examinations.Nat, Text: "5"}); err != nil {
			t.Fatal(err)
		}
	}, everybody("A B C D E F", "Base-PT-1", ub, "1 1"), everybody("A B C", "Net-PT-1", ub, "5"), everybody("D", "Net-PT-1", ub, "3"), everybody("E F", "Net-PT-1", ub, "4"))
	sheet := c.SheetOf("Net-PT-1", ub)
	value := int(c.Sheets[sheet].First)
	r := plain().Score(c)
	if ref, disputed := r.otherwise(sheet, value); !disputed || r.knownText(ref) != "4" {
		t.Errorf("otherwise %s", r.knownText(ref))
	}
	oracle := plain()
	oracle.Elect = nil
	if _, disputed := oracle.Score(c).otherwise(sheet, value); disputed {
		t.Error("what the oracle gives is disputed")
	}
}
