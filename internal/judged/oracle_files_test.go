package judged

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/results"
)

// TestElectedValuesAsOracle: what is written is read again as the same values, and
// what an oracle file cannot hold is left out and counted.
func TestElectedValuesAsOracle(t *testing.T) {
	ed, _, err := LoadEdition("mcc2016")
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	say := func(instance string, exam examinations.ID, item, answer string) {
		for _, tool := range []string{"A", "B", "C"} {
			fmt.Fprintf(&lines, "%s,%s,%s,%s,%s,,\n", tool, instance, exam, item, answer)
		}
	}
	lines.WriteString(results.AnswersHeader + "\n")
	const huge = "123456789012345678901234567890"
	say("Net-PT-1", examinations.StateSpace, "STATES", huge)
	say("Net-PT-1", examinations.StateSpace, "EVIL_X", "7")           // no value of the examination
	say("Net-PT-1", examinations.StateSpace, "TRANSITIONS", "X EVIL") // no number
	say("Net-PT-1", examinations.UpperBounds, "03", "+oo")
	say("Net-PT-1", examinations.UpperBounds, "11", "5")
	say("Net-PT-1", examinations.CTLCardinality, "Net-PT-1-CTLCardinality-03", "T") // others are not named
	say("Net-PT-1", examinations.ReachabilityDeadlock, "00", "F")
	say("../evil-PT-1", examinations.ReachabilityDeadlock, "00", "F")
	say("Quiet-PT-1", examinations.ReachabilityDeadlock, "00", "?")
	c, found := results.ReadAnswers("answers.csv", strings.NewReader(lines.String()), ed, results.Participants{})
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "a", "elected")
	left, err := WriteOracle(dir, ed.Score(c), false)
	if err != nil || len(left) != 3 {
		t.Fatal(left, err)
	}
	for i, want := range []string{"1 examination of an instance is left out: oracle files are for", "1 examination of an instance is left out: the source does not name", "2 values are left out: no tool"} {
		if !strings.Contains(left[i].Message, want) {
			t.Errorf("%s, want %s", left[i].Message, want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Fatal(entries, err)
	}
	known, err := oracle.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range c.Instances {
		for _, exam := range []examinations.ID{examinations.StateSpace, examinations.UpperBounds, examinations.ReachabilityDeadlock} {
			sheet := c.SheetOf(i.Name, exam)
			if sheet < 0 || i.Name != "Net-PT-1" {
				continue
			}
			s := c.Sheets[sheet]
			values, err := known.Values(i.ID, exam, c.Items[s.First:s.First+s.Values])
			if err != nil {
				t.Fatal(err)
			}
			for key, v := range values {
				if !v.IsZero() {
					got = append(got, fmt.Sprint(key.Exam, " ", key.Item, " ", v.Text))
				}
			}
		}
	}
	slices.Sort(got)
	want := []string{"ReachabilityDeadlock ReachabilityDeadlock FALSE", "StateSpace STATES " + huge, "UpperBounds 03 +inf", "UpperBounds 11 5"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	c.AsDisplayed = true // as a published file, which shows five digits
	if left, err := WriteOracle(filepath.Join(dir, "shown"), ed.Score(c), false); err != nil || !strings.Contains(fmt.Sprint(left), "3 numbers are left out: the source has five digits") {
		t.Errorf("of a published file: %v, %v", left, err)
	}
	if left, err := WriteOracle(filepath.Join(dir, "none"), ed.Score(c).Only(func(int, int) bool { return false }), true); err != nil || len(left) > 0 {
		t.Errorf("of no chosen run: %v, %v", left, err)
	}
}
