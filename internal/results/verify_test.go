package results

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"podium/confidence"
	"podium/edition"
	"podium/models"
	"podium/scoring"
)

// readSoFar holds what was read of published files, by name, for all tests.
var readSoFar sync.Map

// readOnce returns what a name stands for, which is read when it is first asked for.
// Nobody changes it.
func readOnce[V any](name string, read func() V) V {
	v, ok := readSoFar.Load(name)
	if !ok {
		v = read()
		readSoFar.Store(name, v)
	}
	return v.(V)
}

// file2019 is the published file of 2019.
type file2019 struct {
	table *Table
	plain []byte
}

// table2019 returns rows of the published file of 2019 that may be changed, and its
// text, or skips.
func table2019(t testing.TB) (*Table, []byte) {
	t.Helper()
	file := readOnce("2019", func() file2019 { return readFile2019(t) })
	table := *file.table
	table.Rows = slices.Clone(table.Rows)
	return &table, file.plain
}

func readFile2019(t testing.TB) file2019 {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dataDir(t), "raw-result-analysis-2019.csv.zip"))
	if err != nil {
		t.Fatal(err)
	}
	_, in, err := Open("2019.zip", data, ".csv")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	table, found := ReadTable("2019.zip", bytes.NewReader(plain))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return file2019{table, plain}
}

func named(t testing.TB, id string) *edition.Edition {
	t.Helper()
	e, err := edition.Named(id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestVerify2019(t *testing.T) {
	table, plain := table2019(t)
	e := named(t, "mcc2019")
	report, found := Verify(table, e, Participants{})
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	if report.Rows != 91600 {
		t.Errorf("%d rows", report.Rows)
	}
	for _, c := range report.Columns {
		if c.Agree != report.Rows || c.Deviate != 0 {
			t.Errorf("%s: %d cells agree, %d deviate", c.Name, c.Agree, c.Deviate)
			for _, d := range c.First {
				t.Log(d)
			}
		}
	}
	checkTotals2019(t, report.Result)
	checkConfidence2019(t, report.Result)
	judged, err := table.Judged(e, report.Result)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := judged.Write(&out); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), plain) {
		t.Error("the file with recomputed judgements differs from the published one")
	}
}

// totals2019 are the sums of the score column of the published file.
var totals2019 = map[string]map[string][3]int64{
	"StateSpace": {"TINA.tedd": {823209, 202, 65}, "GreatSPN": {770232, 84, 123}, "2018-Gold": {719524, 189, 251}, "ITS-Tools": {597310, 46, 45},
		"ITS-Tools.M": {547779, 10, 10}, "LTSMin": {471365, 90, 128}, "smart": {424832, 9, 9}, "Tapaal": {249312, 60, 59}, "enPAC": {8377, 20, 20}},
	"UpperBounds": {"Tapaal": {1155351, 173, 250}, "LoLA": {1061195, 41, 6}, "2018-Gold": {1056241, 460, 385}, "ITS-Tools.M": {740358, 9, 8},
		"GreatSPN": {727951, 78, 73}, "ITS-Tools": {679315, 27, 16}, "LTSMin": {561627, 40, 93}, "smart": {509791, 9, 6}},
	"Reachability": {"Tapaal": {2388680, 504, 547}, "2018-Gold": {2371392, 679, 976}, "LoLA": {2222706, 187, 53}, "ITS-Tools": {1680923, 130, 72},
		"ITS-Tools.M": {1612982, 39, 13}, "GreatSPN": {935048, 153, 31}},
	"CTL": {"Tapaal": {2132243, 188, 201}, "2018-Gold": {2124352, 218, 243}, "LoLA": {1897085, 86, 60}, "ITS-Tools.M": {1089476, 62, 68},
		"ITS-Tools": {1001219, 129, 131}, "GreatSPN": {940153, 368, 348}},
	"LTL":              {"2018-Gold": {2315391, 965, 1076}, "LoLA": {2263439, 254, 86}, "ITS-Tools": {1842425, 120, 157}, "ITS-Tools.M": {1710217, 76, 89}, "enPAC": {84226, 16, 23}},
	"GlobalProperties": {"Tapaal": {1010549, 768, 774}, "ITS-Tools": {973300, 73, 65}, "ITS-Tools.M": {969645, 12, 9}, "LoLA": {828462, 30, 10}, "GreatSPN": {618093, 49, 74}},
}

func checkTotals2019(t *testing.T, r *scoring.Result) {
	t.Helper()
	if len(r.Categories) != len(totals2019) {
		t.Errorf("%d categories", len(r.Categories))
	}
	for _, k := range r.Categories {
		for tool, tally := range k.Tallies {
			want := totals2019[k.Name][r.Contest.Tools[tool].Name]
			if got := [3]int64{tally.Points, int64(tally.Fastest), int64(tally.Smallest)}; got != want {
				t.Errorf("%s %s: points and letters %v, want %v", k.Name, r.Contest.Tools[tool].Name, got, want)
			}
		}
		if first := r.Contest.Tools[k.Places[0].Tool]; first.OutOfCompetition {
			t.Errorf("%s: %s is out of competition and has a place", k.Name, first.Name)
		}
	}
}

func checkConfidence2019(t *testing.T, r *scoring.Result) {
	t.Helper()
	for tool, want := range map[string]confidence.Share{
		"enPAC": {Agree: 2313, Answered: 2701}, "ITS-Tools.M": {Agree: 61558, Answered: 61585}, "LoLA": {Agree: 85034, Answered: 85039},
		"2018-Gold": {Agree: 88922, Answered: 88926}, "Tapaal": {Agree: 66462, Answered: 66463}, "GreatSPN": {Agree: 32525, Answered: 32525},
		"ITS-Tools": {Agree: 63174, Answered: 63174}, "LTSMin": {Agree: 7353, Answered: 7353}, "TINA.tedd": {Agree: 2284, Answered: 2284},
		"smart": {Agree: 6725, Answered: 6725},
	} {
		want.Consistent = 92073
		if got := r.Shares[r.Contest.ToolNamed(tool)]; got != want {
			t.Errorf("E-2.2 %s: %+v, want %+v", tool, got, want)
		}
	}
}

// TestRulesOf2020OnAnswersOf2019 scores the answers of 2019 under the rules of
// 2020: apart from two more flags, the list of surprise models and the value that
// is not judged for coloured nets, every judgement must be that of 2019.
func TestRulesOf2020OnAnswersOf2019(t *testing.T) {
	table, _ := table2019(t)
	classes, of2019 := map[string]models.Class{}, named(t, "mcc2019").Classes
	for i := range table.Rows {
		row := &table.Rows[i]
		classes[row[InputColumn]] = of2019.Class(row[InputColumn])
		if row[ExaminationColumn] == "GlobalProperties" {
			row[ExaminationColumn] = "ReachabilityDeadlock"
		}
	}
	e := named(t, "mcc2020")
	c, found := table.Contest(e, Participants{Classes: classes})
	if found.Err() != nil {
		t.Fatal(found)
	}
	rows, err := table.Judged(e, e.Score(c))
	if err != nil {
		t.Fatal(err)
	}
	excepted := 0
	for i := range rows.Rows {
		got, want := publishedJudgement(&rows.Rows[i]), publishedJudgement(&table.Rows[i])
		if got.Estimated != want.Estimated || got.Weights != want.Weights {
			t.Fatalf("%v: elected %q %q, published %q %q", rows.Rows[i][:3], got.Estimated, got.Weights, want.Estimated, want.Weights)
		}
		if len(want.Mask) == 4 && table.Rows[i][ExaminationColumn] == "StateSpace" && strings.Contains(table.Rows[i][InputColumn], "-COL-") {
			excepted++
			want.Mask = want.Mask[:2] + "-" + want.Mask[3:]
			got.Score, want.Score, got.Bonus, want.Bonus = "", "", "", ""
			if got.Flags[0] == 'F' {
				want.Flags = "F" + want.Flags[1:]
			}
		}
		want.Flags += "FF"
		if got != want {
			t.Fatalf("%v: %s, published %s", rows.Rows[i][:3], got.Cell(), want.Cell())
		}
	}
	if excepted == 0 {
		t.Error("no coloured net was seen")
	}
}
