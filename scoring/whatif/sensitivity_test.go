package whatif_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/scoring"
	"podium/scoring/scoringtest"
	"podium/scoring/whatif"
)

// TestSensitivity: C and D differ from A and B on one value. Were it decided otherwise,
// A would lose twelve points and C win as many.
func TestSensitivity(t *testing.T) {
	ctl := examinations.CTLFireability
	r := scoringtest.Plain().Score(scoringtest.Contest(t, func(b *scoring.Builder) { b.Tool(scoring.Tool{Name: "A2", Family: "A"}) },
		scoringtest.Everybody("A A2 B C", "Base-PT-1", ctl, "T T T T"),
		scoringtest.Everybody("A A2 B", "Net-PT-1", ctl, "T T T T"), scoringtest.Everybody("C", "Net-PT-1", ctl, "F T T T"),
		scoringtest.Everybody("A", "Only-PT-1", ctl, "T T T T"), scoringtest.Everybody("C", "Global-PT-1", examinations.OneSafe, "T")))
	s := whatif.SensitivityOf(r)
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
	alone := scoringtest.Plain()
	alone.OnePerFamily = true
	if whatif.SensitivityOf(alone.Score(r.Contest)).OneVotePerFamily != nil {
		t.Error("families have one vote already")
	}
	if again := whatif.SensitivityOf(r); fmt.Sprint(again.Margins[0].Decisions) != fmt.Sprint(s.Margins[0].Decisions) {
		t.Error("looking once more gives another result")
	}
}

// weightedFormulas is a contest about one net whose formulas have the given points;
// each tool has a word of answers.
func weightedFormulas(t *testing.T, points []int64, answers map[string]string) *scoring.Contest {
	b := scoring.NewBuilder([]scoring.Examination{{ID: examinations.CTLFireability, Category: "CTL", Required: len(points), Points: points}})
	for tool, words := range answers {
		if err := b.Add(scoringtest.Says(tool, "Net-PT-1", examinations.CTLFireability, words)); err != nil {
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
	s := scoringtest.Plain()
	s.Rules = []scoring.Rule{{ID: "E-4.2", Apply: scoring.PointsPerValue}}
	for _, tc := range []struct {
		rest   int64 // points of a value that C does not answer and the others agree on
		needed int
	}{{84 - 78, 4}, {85 - 78, 5}} {
		points := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, tc.rest}
		right := strings.Repeat("T ", len(points))
		r := s.Score(weightedFormulas(t, points, map[string]string{"A": right, "B": right, "D": right, "C": strings.Repeat("F ", 12)}))
		m := whatif.SensitivityOf(r).Margins[0]
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
	s := scoringtest.Plain()
	s.Rules = []scoring.Rule{{ID: "E-4.2", Apply: scoring.PointsPerValue}}
	r := s.Score(weightedFormulas(t, []int64{1, 1}, map[string]string{"A": "T T", "B": "T T", "D": "T T", "E": "F T", "C": ". T"}))
	m := whatif.SensitivityOf(r).Margins[0]
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
	for _, m := range whatif.SensitivityOf(scoringtest.Plain().Score(weightedFormulas(t, make([]int64, 7), answers))).Margins {
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
	r := scoringtest.Plain().Score(scoringtest.Contest(t, nil, scoringtest.Everybody("A B C D", "Base-PT-1", ctl, "T T T T"), scoringtest.Everybody("A B D", "Net-PT-1", ctl, "T T T T"),
		scoringtest.Everybody("C", "Net-PT-1", ctl, "F T T T"), scoringtest.Everybody("A D", "Other-PT-1", ctl, "T")))
	var margins []string
	for _, m := range whatif.SensitivityOf(r).Margins {
		margins = append(margins, fmt.Sprintf("%s%s by %s needs %d", m.Ahead, m.Behind, m.Points.RatString(), m.Needed))
	}
	if got := strings.Join(margins, ", "); got != "BC by 12 needs 1, AD by 0 needs 0, DB by 4 needs 0" {
		t.Errorf("margins: %s", got)
	}
}

// TestSensitivityOfFamilies: three variants decide a value against one tool; with one
// vote they do not. Without variants there is nothing to ask.
func TestSensitivityOfFamilies(t *testing.T) {
	ctl := examinations.CTLFireability
	variants := func(b *scoring.Builder) {
		for _, name := range []string{"A", "A2", "A3"} {
			b.Tool(scoring.Tool{Name: name, Family: "A"})
		}
	}
	entries := [][]scoring.Entry{scoringtest.Everybody("A A2 A3", "Net-PT-1", ctl, "T"), scoringtest.Everybody("B", "Net-PT-1", ctl, "F"), scoringtest.Everybody("A A2 A3 B C", "Base-PT-1", ctl, "T")}
	changes := whatif.SensitivityOf(scoringtest.Plain().Score(scoringtest.Contest(t, variants, entries...))).OneVotePerFamily
	if changes == nil || len(changes.References) != 1 || changes.References[0].Before != "TRUE" || changes.References[0].After != "?" {
		t.Errorf("one vote of a family changes %+v", changes)
	}
	if got := whatif.SensitivityOf(scoringtest.Plain().Score(scoringtest.Contest(t, nil, entries...))).OneVotePerFamily; got != nil {
		t.Errorf("nobody has variants: %+v", got)
	}
}
