package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/models"
)

// TestCompare: what is proved counts before what an oracle says; an interval is not judged (E-3.2).
func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "oracle.csv")
	if err := os.WriteFile(file, []byte("instance,examination,formula_id,value\nNet-PT-1,UpperBounds,a,1\nNet-PT-1,UpperBounds,b,2\nNet-PT-1,UpperBounds,c,3\nNet-PT-1,UpperBounds,e,5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	given, err := oracle.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	id, err := models.ParseID("Net-PT-1")
	if err != nil {
		t.Fatal(err)
	}
	proved := map[examinations.Key]examinations.Value{{Instance: id, Exam: examinations.UpperBounds, Item: "a"}: {Kind: examinations.Nat, Text: "7"}}
	items := []string{"a", "b", "c", "d", "e"}
	known, err := Known{given, proved}.Of("Net-PT-1", examinations.UpperBounds, items)
	if err != nil {
		t.Fatal(err)
	}
	answers := slices.Values([]campaign.Answer{{Item: "a", Text: "7"}, {Item: "b", Text: "3"}, {Item: "c", Text: "[1,9]"}, {Item: "d", Text: "4"}})
	var got []string
	for _, c := range Compare(examinations.UpperBounds, items, answers, known) {
		got = append(got, fmt.Sprintf("%s %v %v %s", c.Item, c.Right(), c.Wrong(), c.Verdict()))
	}
	const want = "a true false right, b false true wrong: 2, c false false not judged: an interval; 3, d false false not known, e false false missing: 5"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("%s\n%s", text, want)
	}
}
