package results

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// TestTableOf writes a result as raw-result-analysis.csv, reads it back, and finds
// no deviation.
func TestTableOf(t *testing.T) {
	lines := append(calibration("A", "B", "C"), "A|Net-PT-1|StateSpace|5 6 7 ?|2.00|3.500", "B|Net-COL-1|StateSpace|1.2346E+0007 6 7 inf|1.00|1.000",
		"C|Net-PT-1|LTLFireability|TF??????????????|1.00|1.000", "A|Net-PT-1|LTLFireability|CC|1.00|1.000", "C|Net-PT-1|UpperBounds|DNF|3600000.00|1.000")
	e := named(t, "mcc2020")
	c, found := synthetic(lines...).Contest(e, Participants{})
	if found.Err() != nil {
		t.Fatal(found)
	}
	for i := range c.Runs {
		if c.Runs[i].Participation == scoring.Answered {
			c.Runs[i].Ending = scoring.AtMemoryLimit
		}
	}
	details := func(int, int) RowDetails {
		return RowDetails{Cores: 4, Techniques: []string{"EXPLICIT", "TOPOLOGICAL"}, IOWait: 1500}
	}
	var out bytes.Buffer
	own, found := TableOf("own.csv", e, e.Score(c), details)
	if len(found) > 0 {
		t.Fatal(found)
	}
	if err := own.Write(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "A,Net-PT-1,StateSpace,4,OK,MOVF,5 6 7 ?,EXPLICIT TOPOLOGICAL ,3.500,2.00,2.00,1.50,normal,r003-test-100000000000000,FFFF:") {
		t.Errorf("\n%s", out.String())
	}
	table, found := ReadTable("own.csv", &out)
	if found.Err() != nil {
		t.Fatal(found)
	}
	report, found := Verify(table, e, Participants{})
	if found.Err() != nil || report.Rows != len(lines) || report.Deviations() != 0 {
		t.Errorf("%+v %v", report, found)
	}
}

func TestVerifyReportsDeviations(t *testing.T) {
	e := named(t, "mcc2020")
	table := synthetic(append(calibration("A", "B", "C"), "A|Net-PT-1|OneSafe|T|1.00|1.000")...)
	c, _ := table.Contest(e, Participants{})
	good, err := table.Judged(e, e.Score(c))
	if err != nil {
		t.Fatal(err)
	}
	good.Rows[3][JudgementColumn] = "FTFF:P-:10256:X"
	good.Rows[3][WeightsColumn] = "1.00"
	report, _ := Verify(good, e, Participants{})
	deviate := map[string]int{}
	for _, k := range report.Columns {
		deviate[k.Name] = k.Deviate
	}
	if want := map[string]int{"score": 1, "mask": 1, "flags": 1, "bonus": 1, "estimated result": 0, "weights": 1}; fmt.Sprint(deviate) != fmt.Sprint(want) {
		t.Errorf("%v", deviate)
	}
	if first := report.Columns[0].First; len(first) != 1 || first[0].Line != 5 || !strings.Contains(first[0].String(), `published "10256", recomputed "10255"`) {
		t.Errorf("%v", first)
	}
	for i, want := range map[int]string{0: "A on OneSafe of Net-PT-1: 102.55 points", 5: "A answers TRUE with confidence 1"} {
		if got := report.Explain(report.Columns[i].First[0]); !strings.Contains(got, want) {
			t.Errorf("the explanation lacks %q:\n%s", want, got)
		}
	}
}

// TestOpen finds the file in every packing.
func TestOpen(t *testing.T) {
	const content = "### tool,Input\nrow\n"
	packed := map[string][]byte{"plain.csv": []byte(content)}
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	g.Write([]byte(content))
	g.Close()
	packed["file.csv.gz"] = bytes.Clone(b.Bytes())
	var tarred bytes.Buffer
	w := tar.NewWriter(&tarred)
	for _, name := range []string{"year/._file.csv", "year/read.me", "year/file.csv"} {
		text := content
		if name != "year/file.csv" {
			text = "other"
		}
		w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o600, Typeflag: tar.TypeReg})
		w.Write([]byte(text))
	}
	w.Close()
	packed["file.tar"] = bytes.Clone(tarred.Bytes())
	b.Reset()
	g = gzip.NewWriter(&b)
	g.Write(tarred.Bytes())
	g.Close()
	packed["file.csv.tar.gz"] = bytes.Clone(b.Bytes())
	b.Reset()
	z := zip.NewWriter(&b)
	f, _ := z.Create("file.csv")
	f.Write([]byte(content))
	z.Close()
	packed["file.zip"] = bytes.Clone(b.Bytes())
	for name, data := range packed {
		inner, in, err := Open(name, data, ".csv")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := io.ReadAll(in); err != nil || string(got) != content || !strings.HasSuffix(inner, ".csv") {
			t.Errorf("%s: %s %q %v", name, inner, got, err)
		}
	}
	_, in, _ := Open("file.zip", packed["file.zip"], ".csv")
	if table, found := ReadTable("file.zip", in); table != nil || found[0].Code != "table-header" {
		t.Errorf("a packed file without columns: %v", found)
	}
	for _, name := range []string{"file.tar", "file.zip"} {
		if _, _, err := Open(name, packed[name], ".xml"); err == nil {
			t.Errorf("%s without the file was opened", name)
		}
	}
	if _, in, err := Open("x.bz2", []byte("BZh9garbage"), ".xml"); err == nil {
		if _, err := io.ReadAll(in); err == nil {
			t.Error("a broken bzip2 stream was read")
		}
	}
}

// TestAnswersRoundTrip writes the answers of a contest and reads them back.
func TestAnswersRoundTrip(t *testing.T) {
	const text = AnswersHeader + `
A,Net-PT-1,OneSafe,OneSafe,TRUE,1.5,2
A,Net-PT-1,StateSpace,STATES,12345678901234567890123,0.000001,
B,Net-PT-1,OneSafe,OneSafe,CC,,
B,Net-PT-1,StateSpace,STATES,+inf,3,4
B,Net-PT-1,StateSpace,TRANSITIONS,7,3,4
`
	e := named(t, "mcc2020")
	read := func(text string) *scoring.Contest {
		c, found := ReadAnswers("answers.csv", strings.NewReader(text), e, Participants{})
		if len(found) > 0 {
			t.Fatal(found)
		}
		return c
	}
	var out bytes.Buffer
	if err := WriteAnswers(&out, read(text)); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := WriteAnswers(&again, read(out.String())); err != nil || again.String() != out.String() {
		t.Errorf("%v\n%s\n%s", err, out.String(), again.String())
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if !strings.Contains(out.String(), line+"\n") {
			t.Errorf("%s is missing in\n%s", line, out.String())
		}
	}
}

// TestBadFiles: what is wrong is said with line and code.
func TestBadFiles(t *testing.T) {
	e := named(t, "mcc2020")
	for text, want := range map[string]string{
		"tool,instance\n": "bad.csv:1:1 answers-header",
		AnswersHeader + "\nA,Net-PT-1,Sudoku,00,T,,\n":                                                        "bad.csv:2 results-examination",
		AnswersHeader + "\nA,Net-PT-1,OneSafe,00,T,x,\n":                                                      "bad.csv:2:25 answers-number",
		AnswersHeader + "\nA,Net-PT-1,OneSafe\n":                                                              "bad.csv:2:1 answers-fields",
		AnswersHeader + "\n,Net-PT-1,OneSafe,00,T,,\n":                                                        "bad.csv:2:1 answers-empty",
		AnswersHeader + "\nA,\"Net-PT-1,OneSafe,00,T,,\n":                                                     "bad.csv:2:28 answers-syntax",
		AnswersHeader + "\nA,Net-PT-1,OneSafe,00,T,1,99999999999999\n":                                        "bad.csv:2:27 answers-number",
		AnswersHeader + ",wall_s\nA,Net-PT-1,OneSafe,00,T,1,1,x\n":                                            "bad.csv:2:29 answers-number",
		AnswersHeader + ",wall_s\nA,Net-PT-1,OneSafe,00,T,1,1\n":                                              "bad.csv:2:1 answers-fields",
		AnswersHeader + "\nA,Net-PT-1,OneSafe,00,T,,\nB,Net-PT-1,OneSafe,00,F,,\nA,Net-PT-1,OneSafe,00,F,,\n": "bad.csv:4:23 answers-repeated",
	} {
		c, found := ReadAnswers("bad.csv", strings.NewReader(text), e, Participants{})
		if c != nil || len(found) == 0 || found[0].Position()+" "+found[0].Code != want {
			t.Errorf("%q: %v, want %s", text, found, want)
		}
	}
	row := strings.Repeat(",", int(columns)-1)
	for text, want := range map[string]string{
		"":                                   "bad.csv:1:1 table-header",
		"tool,Input\n":                       "bad.csv:1:1 table-header",
		TableHeader + "\nA,B,C\n":            "bad.csv:2:6 table-fields",
		TableHeader + "\nA,B,C" + row + "\n": "bad.csv:2:20 table-fields",
		TableHeader + "\n" + row + "\n":      "bad.csv:2:1 table-empty",
		TableHeader + "\nA,B,C" + row[2:] + "\r\n": "bad.csv:2:20 table-line-end",
		// a cut row, after or before its last comma, and a run with two rows
		TableHeader + "\nA,B,C" + row[3:] + "T,3\nD,B,C" + row[3:] + "T,3.0":                 "bad.csv:3:24 table-cut",
		TableHeader + "\nA,B,C" + row[3:] + "T,3\nD,B,C" + row[3:]:                           "bad.csv:3:19 table-fields",
		TableHeader + "\nA,B,C" + row[2:] + "\nA,B,D" + row[2:] + "\nA,B,C" + row[2:] + "\n": "bad.csv:4:1 table-repeated",
	} {
		table, found := ReadTable("bad.csv", strings.NewReader(text))
		if table != nil || len(found) == 0 || found[0].Position()+" "+found[0].Code != want {
			t.Errorf("%q: %v, want %s", text, found, want)
		}
	}
	// rows that cannot be understood are warnings, an unknown examination is not
	table := synthetic("A|Net-PT-1|OneSafe|maybe|1.00|1.000", "A|Net-PT-2|StateSpace|1 2 3 4 5|1.00|1.000", "A|Net-PT-3|OneSafe|T|soon|1.000")
	c, found := table.Contest(e, Participants{})
	if c == nil || len(found) != 4 || found.Err() != nil {
		t.Errorf("%v", found)
	}
	if _, found := synthetic("A|Net-PT-1|Sudoku|T|1.00|1.000").Contest(e, Participants{}); found.Err() == nil {
		t.Error("an unknown examination was accepted")
	}
}

// TestFilesThatMayBeCut: what may be a cut file is read, with a warning.
func TestFilesThatMayBeCut(t *testing.T) {
	row := strings.Repeat(",", int(columns)-3)
	two := TableHeader + "\nA,B,C" + row + "\nD,B,C" + row
	for text, want := range map[string]string{
		two + "\n":                   "",
		two:                          "cut.csv:3:20 table-open",
		two + "\nA,E,C" + row + "\n": "cut.csv:4 table-rows",
		two + "\nA,E,C" + row:        "cut.csv:4 table-rows cut.csv:4:20 table-open",
		two + "\nA,E,C" + row + "\nD,E,C" + row + "\n": "",
	} {
		table, found := ReadTable("cut.csv", strings.NewReader(text))
		if table == nil || places(found) != want {
			t.Errorf("%q: %v, want %s", text, found, want)
		}
	}
	e := named(t, "mcc2020")
	for text, want := range map[string]string{
		AnswersHeader + "\nA,Net-PT-1,OneSafe,00,T,1,23\n":                             "",
		AnswersHeader + "\nA,Net-PT-1,OneSafe,00,T,1,2":                                "cut.csv answers-open",
		AnswersHeader + "\nA,Net-PT-1,OneSafe,00,T,1,2\nA,Net-PT-1,OneSafe,00,T,1,2\n": "cut.csv:3 answers-repeated",
	} {
		c, found := ReadAnswers("cut.csv", strings.NewReader(text), e, Participants{})
		if c == nil || places(found) != want {
			t.Errorf("%q: %v, want %s", text, found, want)
		}
	}
}

// places are the positions and codes of findings.
func places(found diagnostic.List) string {
	var list []string
	for _, d := range found {
		list = append(list, d.Position()+" "+d.Code)
	}
	return strings.Join(list, " ")
}

// TestTableOfAnswers: a table keeps places, digits and figures of answers that were
// imported, says what it shortens, and is not written where it cannot hold them.
func TestTableOfAnswers(t *testing.T) {
	for _, tc := range []struct{ edition, lines, want string }{
		{"mcc2020", "A,Net-PT-1,UpperBounds,02,7,1.234567,2.000001", "- - - ? ? 7 ? ? ? ? ? ? ? ? ? ? ? ? ? - 2.000001 1234.567 - - -"},
		{"mcc2020", "A,Net-PT-1,OneSafe,00,T,1.2,3", "- - - T - 3.000 1200.00 - - -"},
		{"mcc2020", "A,Net-PT-1,OneSafe,00,DNF,1.2,3", "- DNF - DNF - 3.000 1200.00 - - timeout"},
		{"mcc2020", "A,Net-PT-1,StateSpace,STATES,320570123,,", "raw-digits - - - 3.2057E+0008 ? ? ? - - - - - -"},
		{"mcc2016", "A,Net-PT-1,StateSpace,STATES,320570123,,", "- - - 320570123 ? ? ? - - - - - -"},
		{"mcc2020", "A,Net-PT-1,UpperBounds,Net-PT-1-UpperBounds-07,7,,", "raw-places"},
		{"mcc2020", "A,Net-PT-1,OneSafe,00,T,,\nA,Net-PT-1,OneSafe,01,T,,", "raw-places"},
		{"mcc2020", "A,Net-PT-1,StateSpace,STATES,WRONG~A,,", "raw-value"},
		{"mcc2020", "A,Net-PT-1,OneSafe,00,5,,", "raw-value"},
		{"mcc2020", "\"A,B\",Net-PT-1,OneSafe,00,T,,", "raw-text"},
	} {
		e := named(t, tc.edition)
		c, found := ReadAnswers("answers.csv", strings.NewReader(AnswersHeader+"\n"+tc.lines+"\n"), e, Participants{})
		if len(found) > 0 {
			t.Fatal(found)
		}
		table, found := TableOf("own.csv", e, e.Score(c), nil)
		var got []string
		for _, d := range found {
			got = append(got, d.Code)
		}
		if table != nil {
			got = append(got, table.Rows[0][CoresColumn:IOWaitColumn]...)
			got = append(got, table.Rows[0][IOWaitColumn], table.Rows[0][StatusColumn])
		}
		if text := strings.Join(got, " "); text != tc.want || (table == nil) != (found.Err() != nil) {
			t.Errorf("%s: %s, want %s", tc.lines, text, tc.want)
		}
	}
}

// TestUnsaid: what decides scores and is in no file is said.
func TestUnsaid(t *testing.T) {
	e := named(t, "svcomp2026")
	set := benchSet(t, fmt.Sprintf(benchSample, "x", "1"))
	set.Runs[0].Energy = 7
	c, _ := BenchContest([]*BenchSet{set}, e, Participants{Families: map[string]string{"Prover 1": "Provers"}, OutOfCompetition: []string{"Prover 1"}})
	got := fmt.Sprint(Unsaid(e, c), Untold(e, c, false))
	for _, want := range []string{"the family of 1 tool is", "1 tool is out of competition", "8 expected verdicts", "the fate of 1 witness is", "the energy of"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	e = named(t, "mcc2020")
	c, _ = ReadAnswers("a", strings.NewReader(AnswersHeader+"\nA,Net-PT-1,OneSafe,00,T,,\n"), e, Participants{Classes: map[string]models.Class{"Net-PT-1": models.Surprise}})
	if got := Unsaid(e, c); len(got) != 1 || !strings.Contains(got[0].Message, "the class of 1 instance is") {
		t.Errorf("%v", got)
	}
	if got := Untold(e, c, false); len(got) > 0 {
		t.Errorf("%v", got)
	}
}
