package results

import (
	"fmt"
	"strings"
	"testing"

	"podium/scoring"
)

// synthetic makes a table of rows "tool|input|examination|results|time|memory"
// with empty judgements.
func synthetic(lines ...string) *Table {
	t := &Table{Name: "synthetic.csv", Header: TableHeader}
	for i, line := range lines {
		f := strings.Split(line, "|")
		t.Rows = append(t.Rows, Row{f[0], f[1], f[2], "4", "OK", "OK", f[3], "-", f[5], f[4], f[4], "0.00", "normal",
			fmt.Sprintf("r%03d-test-100000000000000", i), "", "", ""})
	}
	return t
}

// judged scores a table under an edition and returns flags:bonus:score:mask of each
// row, elected values and weights.
func judged(t *testing.T, edition string, table *Table) []Row {
	t.Helper()
	e := named(t, edition)
	c, found := table.Contest(e, Participants{})
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	out, err := table.Judged(e, e.Score(c))
	if err != nil {
		t.Fatal(err)
	}
	return out.Rows
}

func expect(t *testing.T, rows []Row, column Column, want ...string) {
	t.Helper()
	for i, w := range want {
		if got := rows[i][column]; got != w {
			t.Errorf("row %d (%s on %s of %s, %s): %q, want %q", i, rows[i][ToolColumn], rows[i][ExaminationColumn], rows[i][InputColumn],
				rows[i][ResultsColumn], got, w)
		}
	}
}

// calibration returns rows in which the first tools agree on enough values to have
// confidence 1, in a family of its own.
func calibration(tools ...string) []string {
	var rows []string
	for _, tool := range tools {
		rows = append(rows, tool+"|Calibration-PT-1|CTLCardinality|TTTTTTTTTTTTTTTT|1.00|1.000")
	}
	return rows
}

// family adds instances so that a family has n of them.
func family(name string, from, n int) []string {
	var rows []string
	for i := from; i < n; i++ {
		rows = append(rows, fmt.Sprintf("A|%s-PT-%d|StateSpace|DNC|1.00|1.000", name, i))
	}
	return rows
}

func TestScoresOf2020(t *testing.T) {
	for _, tc := range []struct {
		family          string
		n               int
		exam, reference string
		answer, score   string
	}{
		{"Fam", 1, "StateSpace", "1 2 3 4", "1 2 3 4", "10255"},
		{"Fam", 1, "StateSpace", "1 2 3 4", "1 ? 3 4", "8973"},
		{"Fam", 18, "StateSpace", "1 2 3 4", "9 ? ? ?", "-1013"},
		{"Fam", 14, "StateSpace", "1 2 3 4", "1 ? 3 9", "485"},
		{"Fam", 19, "Liveness", "T", "F", "-1563"},
		{"Fam", 20, "CTLCardinality", "TTFFTFFTTFTFFTTT", "?TFF???????F???T", "236"},
		{"SmartHome", 18, "LTLFireability", "TTTTTTTTTTTTTTTT", "TTTTTTTTTTTTTTTT", "3244"},
		{"Fam", 18, "LTLFireability", "TTTTTTTTTTTTTTTT", "TTTTTTTTTTTTTTTT", "811"},
	} {
		lines := append(calibration("A", "B", "C", "D"), family(tc.family, 1, tc.n)...)
		at := len(lines)
		for _, tool := range []string{"A", "B", "C"} {
			lines = append(lines, fmt.Sprintf("%s|%s-PT-0|%s|%s|5.00|5.000", tool, tc.family, tc.exam, tc.reference))
		}
		lines = append(lines, fmt.Sprintf("D|%s-PT-0|%s|%s|5.00|5.000", tc.family, tc.exam, tc.answer))
		rows := judged(t, "mcc2020", synthetic(lines...))
		got := strings.Split(rows[at+3][JudgementColumn], ":")
		if got[2] != tc.score {
			t.Errorf("%s, N=%d, %s of %s: score %s, want %s (mask %s)", tc.exam, tc.n, tc.answer, tc.reference, got[2], tc.score, got[3])
		}
	}
}

// TestFlag1Of2020: flag 1 marks rows with a value that differs.
func TestFlag1Of2020(t *testing.T) {
	lines := append(calibration("A", "B", "C", "D"),
		"A|Net-PT-1|OneSafe|T|3.00|9.000", "B|Net-PT-1|OneSafe|T|2.00|9.000", "C|Net-PT-1|OneSafe|T|4.00|8.000", "D|Net-PT-1|OneSafe|F|1.00|1.000")
	rows := judged(t, "mcc2020", synthetic(lines...))[4:]
	expect(t, rows, JudgementColumn, "FFFF:--:10255:T", "FFFF:P-:10255:T", "FFFF:-M:10255:T", "TFFF:--:-20510:X")
	expect(t, rows, EstimatedColumn, "T", "T", "T", "T")
	expect(t, rows, WeightsColumn, "3", "3", "3", "3")
}

// TestFlag2Of2020: a tool that contradicts itself on formulas that twins share has
// no score and no bonus on both rows, keeps its masks, and does not vote there.
func TestFlag2Of2020(t *testing.T) {
	lines := append(calibration("A", "B", "C", "D"),
		"A|Net-COL-1|CTLFireability|TTTTTTTTTTTTTTTT|1.00|1.000",
		"A|Net-PT-1|CTLFireability|FTTTTTTTTTTTTTTT|1.00|1.000",
		"B|Net-COL-1|CTLFireability|F???????????????|2.00|2.000",
		"B|Net-PT-1|CTLFireability|F???????????????|2.00|2.000",
		"C|Net-COL-1|CTLFireability|?TTTTTTTFFFFFFFF|3.00|3.000",
		"C|Net-PT-1|CTLFireability|?TTTTTTTTTTTTTTT|3.00|3.000", // differs only after the first eight
	)
	rows := judged(t, "mcc2020", synthetic(lines...))[4:]
	expect(t, rows, JudgementColumn,
		"TTFF:--:-:XTTTTTTTXXXXXXXX", "FTFF:--:-:TTTTTTTTTTTTTTTT",
		"FFFF:--:"+points(1, 2)+":T---------------", "FFFF:--:"+points(1, 2)+":T---------------",
		"FFFF:--:"+points(15, 2)+":-TTTTTTTTTTTTTTT", "FFFF:--:"+points(15, 2)+":-TTTTTTTTTTTTTTT")
	expect(t, rows, EstimatedColumn, "FTTTTTTTFFFFFFFF", "FTTTTTTTTTTTTTTT")
	// A's answers count for the confidences but not here: one voter each
	expect(t, rows, WeightsColumn, strings.TrimSpace(strings.Repeat("1 ", 16)))
}

// points is the score of p right values in a family of n instances.
func points(p, n int64) string {
	return fmt.Sprint((2*p*(10000+255*n) + 16*n) / (32 * n))
}

// TestFlag2ExceptionsOf2020: twins whose formulas are not unfolded are never
// flagged; neither are examinations without formulas.
func TestFlag2ExceptionsOf2020(t *testing.T) {
	lines := calibration("A", "B", "C")
	for _, name := range []string{"BART", "FamilyReunion", "Sudoku"} {
		lines = append(lines, "A|"+name+"-COL-1|LTLCardinality|TTTTTTTTTTTTTTTT|1.00|1.000", "A|"+name+"-PT-1|LTLCardinality|FFFFFFFFFFFFFFFF|1.00|1.000")
	}
	lines = append(lines, "A|Net-COL-1|OneSafe|F|1.00|1.000", "A|Net-PT-1|OneSafe|T|1.00|1.000",
		"A|Net-COL-1|StateSpace|5 5 5 5|1.00|1.000", "A|Net-PT-1|StateSpace|6 6 6 6|1.00|1.000")
	for _, row := range judged(t, "mcc2020", synthetic(lines...))[3:] {
		if !strings.HasPrefix(row[JudgementColumn], "FFFF:PM:") {
			t.Errorf("%s %s: %s", row[InputColumn], row[ExaminationColumn], row[JudgementColumn])
		}
	}
	// BART is not unfolded in 2019 either, Sudoku has no twin then
	for _, row := range judged(t, "mcc2019", synthetic(lines[:7]...))[3:] {
		if !strings.HasPrefix(row[JudgementColumn], "FF:PM:") {
			t.Errorf("2019 %s %s: %s", row[InputColumn], row[ExaminationColumn], row[JudgementColumn])
		}
	}
}

// TestFlag3Of2020: live and deadlocked cannot both be: both rows are wrong, even
// the one that equals its reference; it still votes.
func TestFlag3Of2020(t *testing.T) {
	lines := append(calibration("A", "B", "C", "D"), family("Net", 1, 19)...)
	at := len(lines)
	for _, tool := range []string{"A", "B", "C"} {
		lines = append(lines, tool+"|Net-PT-0|ReachabilityDeadlock|F|5.00|5.000", tool+"|Net-PT-0|Liveness|T|5.00|5.000")
	}
	lines = append(lines, "D|Net-PT-0|ReachabilityDeadlock|T|1.00|1.000", "D|Net-PT-0|Liveness|T|1.00|1.000",
		"A|Net-PT-0|QuasiLiveness|T|1.00|1.000", "D|Net-PT-0|QuasiLiveness|T|2.00|2.000")
	rows := judged(t, "mcc2020", synthetic(lines...))[at:]
	expect(t, rows, JudgementColumn, "FFFF:PM:781:T", "FFFF:PM:781:T", "FFFF:--:781:T", "FFFF:--:781:T", "FFFF:--:781:T", "FFFF:--:781:T",
		"TFTF:--:-1563:X", "FFTF:--:-1563:X", "FFFF:PM:781:T", "FFFF:--:781:T")
	expect(t, rows, WeightsColumn, "3", "3.94") // D agrees on 17 of 18 consistent values
}

// TestMaxTokenInPlaceOf2020: the mask is - for coloured nets in every row with
// answers, without points and penalty; the value still votes.
func TestMaxTokenInPlaceOf2020(t *testing.T) {
	lines := append(calibration("A", "B", "C", "D", "E"),
		"A|Net-COL-1|StateSpace|9 8 7 6|4.00|4.000", "B|Net-COL-1|StateSpace|9 8 7 6|4.00|4.000", "C|Net-COL-1|StateSpace|9 8 7 6|4.00|4.000",
		"D|Net-COL-1|StateSpace|9 8 1 6|4.00|3.000", "E|Net-COL-1|StateSpace|9 ? ? ?|3.00|4.000",
		"A|Net-PT-1|StateSpace|9 8 7 6|4.00|4.000", "B|Net-PT-1|StateSpace|9 8 7 6|4.00|4.000", "D|Net-PT-1|StateSpace|9 8 1 6|4.00|3.000")
	rows := judged(t, "mcc2020", synthetic(lines...))[5:]
	expect(t, rows, JudgementColumn,
		"FFFF:--:"+points(14, 2)+":TT-T", "FFFF:--:"+points(14, 2)+":TT-T", "FFFF:--:"+points(14, 2)+":TT-T",
		"FFFF:-M:"+points(14, 2)+":TT-T", "FFFF:P-:"+points(10, 2)+":T---",
		"FFFF:PM:"+points(16, 2)+":TTTT", "FFFF:--:"+points(16, 2)+":TTTT")
	expect(t, rows, EstimatedColumn, "9 8 7 6")
	if got := rows[0][WeightsColumn]; got != "4.96 3.96 3 3.96" {
		t.Errorf("weights %q: D agrees on 22 of 23 consistent values", got)
	}
}

// TestWeightsOf2020: two decimals, half up; no decimals when every supporter has
// confidence 1; "0" where nobody answered.
func TestWeightsOf2020(t *testing.T) {
	lines := append(calibration("A", "B", "C"), "D|Calibration-PT-1|CTLCardinality|TTTTTTTTTTTTTTFF|1.00|1.000",
		"A|Net-PT-1|UpperBounds|1 1 1 ? ? ? ? ? ? ? ? ? ? ? ? ?|1.00|1.000",
		"D|Net-PT-1|UpperBounds|1 2 ? 3 ? ? ? ? ? ? ? ? ? ? ? ?|1.00|1.000")
	rows := judged(t, "mcc2020", synthetic(lines...))[4:]
	// D has 14/16 = 0.875: 0.88 rounded half up, and not above 0.93
	expect(t, rows, WeightsColumn, "1.88 1 1 0.88 0 0 0 0 0 0 0 0 0 0 0 0")
	expect(t, rows, EstimatedColumn, "1 1 1 (3) ? ? ? ? ? ? ? ? ? ? ? ?")
	// the weak value is - for the tool that did not give it, and ? for the one that did
	expect(t, rows, JudgementColumn, "FFFF:--:"+points(3, 1)+":TTT-????????????", "TFFF:--:-641:TX-?????????????")
}

// TestRowsWithoutAnswer: one "?" as mask, score 0, no bonus, whatever the words.
func TestRowsWithoutAnswer(t *testing.T) {
	lines := append(calibration("A", "B", "C"),
		"A|Net-PT-1|LTLFireability|DNC|1.00|1.000", "B|Net-PT-1|LTLFireability|CC|1.00|1.000", "C|Net-PT-1|LTLFireability|DNF|1.00|1.000",
		"A|Net-PT-1|OneSafe|Unknown|1.00|1.000", "B|Net-PT-1|OneSafe|?|1.00|1.000", "C|Net-PT-1|OneSafe|F|5.00|5.000",
		"A|Net-PT-1|CTLFireability|????????????????|1.00|1.000", "B|Net-PT-1|CTLFireability|????????????????|1.00|1.000")
	rows := judged(t, "mcc2020", synthetic(lines...))[3:]
	expect(t, rows, JudgementColumn, "FFFF:--:0:?", "FFFF:--:0:?", "FFFF:--:0:?",
		"FFFF:--:0:?", "FFFF:--:0:-", "FFFF:PM:10255:T", "FFFF:--:0:????????????????", "FFFF:--:0:????????????????")
	expect(t, rows, EstimatedColumn, "?", "?", "?", "F", "F", "F", strings.TrimSpace(strings.Repeat("? ", 16)))
	expect(t, rows, WeightsColumn, "0", "0", "0", "1", "1", "1", strings.TrimSpace(strings.Repeat("0 ", 16)))
}

// TestTieHasWeight: a tie of two trusted tools is unknown and shows the weight of
// either.
func TestTieHasWeight(t *testing.T) {
	lines := append(calibration("A", "B", "C"),
		"A|GPPP-PT-C0010N1000000000|StateSpace|1.0003E+0012 2 3 4|1.00|2.000", "B|GPPP-PT-C0010N1000000000|StateSpace|1.0004E+0012 2 3 4|2.00|1.000",
		"A|Net-PT-1|Liveness|T|1.00|1.000", "B|Net-PT-1|Liveness|F|1.00|1.000")
	rows := judged(t, "mcc2020", synthetic(lines...))[3:]
	expect(t, rows, EstimatedColumn, "? 2 3 4", "? 2 3 4", "?", "?")
	expect(t, rows, WeightsColumn, "1 2 2 2", "1 2 2 2", "1", "1")
	// unknown values count as answered, so bonuses go to rows without a right value too
	expect(t, rows, JudgementColumn, "FFFF:P-:"+points(6, 1)+":?TTT", "FFFF:-M:"+points(6, 1)+":?TTT", "FFFF:PM:0:?", "FFFF:--:0:?")
}

// TestBonusFirstRow: among equals the first row of the file gets the letter.
func TestBonusFirstRow(t *testing.T) {
	lines := append(calibration("A", "B", "C"), "C|Net-PT-1|OneSafe|T|7.00|7.000", "A|Net-PT-1|OneSafe|T|7.00|8.000", "B|Net-PT-1|OneSafe|T|8.00|7.000")
	expect(t, judged(t, "mcc2020", synthetic(lines...))[3:], JudgementColumn, "FFFF:PM:10255:T", "FFFF:--:10255:T", "FFFF:--:10255:T")
	lines[3], lines[4] = lines[4], lines[3]
	expect(t, judged(t, "mcc2020", synthetic(lines...))[3:], JudgementColumn, "FFFF:P-:10255:T", "FFFF:-M:10255:T", "FFFF:--:10255:T")
}

// TestGoldVotes: last year's winner votes and is scored but is not ranked.
func TestGoldVotes(t *testing.T) {
	lines := calibration("A", "B", "2019-Gold")
	lines = append(lines, "A|Net-PT-1|UpperBounds|1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 inf|1.00|1.000", "2019-Gold|Net-PT-1|UpperBounds|1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 inf|1.00|1.000")
	table := synthetic(lines...)
	rows := judged(t, "mcc2020", table)[3:]
	expect(t, rows, WeightsColumn, strings.TrimSpace(strings.Repeat("2 ", 16)))
	expect(t, rows, JudgementColumn, "FFFF:PM:10255:TTTTTTTTTTTTTTTT", "FFFF:--:10255:TTTTTTTTTTTTTTTT")
	e := named(t, "mcc2020")
	c, _ := table.Contest(e, Participants{})
	for _, k := range e.Score(c).Categories {
		for _, p := range k.Places {
			if name := c.Tools[p.Tool].Name; name == "2019-Gold" {
				t.Errorf("%s has place %d in %s", name, p.Rank, k.Name)
			}
		}
	}
}

// TestEqualityOfDisplayedTexts: exact numbers agree when published texts do.
func TestEqualityOfDisplayedTexts(t *testing.T) {
	answers := AnswersHeader + "\n"
	for i, text := range []string{"320570123", "3.2057E+0008", "320569999"} {
		answers += fmt.Sprintf("T%d,Net-PT-1,StateSpace,STATES,%s,1,1\n", i, text)
	}
	for edition, right := range map[string]int{"mcc2020": 3, "mcc2016": 0} {
		r := scoreAnswers(t, []byte(answers), named(t, edition), Participants{})
		n := 0
		for tool := range 3 {
			if r.RunMarks(0, tool)[0] == scoring.Right {
				n++
			}
		}
		if n != right {
			t.Errorf("%s: %d tools are right, want %d", edition, n, right)
		}
	}
}

// TestSampleRows reads published rows of 2019 and 2020 back as they stand.
func TestSampleRows(t *testing.T) {
	const rows = TableHeader + `
ITS-Tools,ARMCacheCoherence-PT-none,StateSpace,4,OK,OK,3.2057E+0008 ? 1 12,DECISION_DIAGRAMS TOPOLOGICAL USE_NUPN ,1408.410,149732.00,118027.00,960.90,normal,r008-smll-155225013900001,FF:--:8973:T-TT,3.2057E+0008 2.2340E+0010 1 12,6.00 3.00 6.00 6.00
enPAC,ClientsAndServers-PT-N5000P0,StateSpace,1,OK,OK,30001 ? ? ?,-,1868.500,271049.00,271396.00,20.00,normal,r024-smll-155225117100397,FF:PM:0:????,(30001) ? ? ?,0.86 0 0 0
GreatSPN,Planning-PT-none,StateSpace,4,OK,OK,inf inf inf inf,DECISION_DIAGRAMS PARALLEL_PROCESSING UNFOLDING_TO_PT USE_NUPN TOPOLOGICAL ,15745.080,50.00,355.00,0.00,normal,r125-tajo-158961358400264,FFFF:--:10255:TTTT,inf inf inf inf,2.99 2.99 2.99 2.99
X,Huge-PT-1,StateSpace,4,OK,OK,+Inf**** 1.2000E+0400 -1 123456,-,1.000,1.00,1.00,0.00,normal,r1,FF:--:0:?,?,0
`
	table, found := ReadTable("sample.csv", strings.NewReader(rows))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := table.Write(&out); err != nil || out.String() != rows {
		t.Errorf("written: %v\n%s", err, out.String())
	}
	e := named(t, "mcc2019")
	c, found := table.Contest(e, Participants{})
	if len(found) > 0 {
		t.Error(found)
	}
	huge := c.SheetOf("Huge-PT-1", "StateSpace")
	for i, want := range []string{"+Inf****", "1.2000E+0400", "-1", "123456"} {
		cell := c.Ballots.Row(int(c.Sheets[huge].First) + i)[c.ToolNamed("X")]
		if got := sourceText(c, c.Values[cell]); got != want {
			t.Errorf("value %d is shown as %q, stands as %q", i, got, want)
		}
	}
}
