package results

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"podium/edition"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

const benchSample = `<?xml version="1.0"?>
<!DOCTYPE result
  PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN'
  'https://www.sosy-lab.org/benchexec/result-3.0.dtd'>
<result benchmarkname="%s" block="ReachSafety" date="2026-01-01 00:00:00 CET" generator="BenchExec 3.20" starttime="2026-01-01T00:00:00+01:00" tool="Prover" toolmodule="benchexec.tools.prover" version="%s">
  <columns><column title="status"/><column title="cputime"/></columns>
  <systeminfo><os name="Linux"/><cpu cores="8" model="x"/><ram size="1B"/><environment/></systeminfo>
  <run name="c/a.yml" properties="unreach-call" expectedVerdict="true">
    <column title="status" value="true"/><column title="cputime" value="18.077505912s"/><column title="walltime" value="5.474685221910477s"/>
    <column title="memory" value="624906240B"/><column title="cpuenergy" value="157.939331J"/>
    <column title="cpuenergy-pkg0-core" value="2.5J"/><column title="cpuenergy-pkg1-core" value="1J"/><column title="cpuenergy-pkg0-psys" value="9J"/><column title="cpuenergy-pkg1" value="9J"/><column title="cpuenergy-pkg0-dram" value="0.5J"/><column hidden="true" title="category" value="correct"/>
  </run>
  <run name="c/b.yml" properties="unreach-call" expectedVerdict="false"><column title="status" value="false(unreach-call)"/><column title="cputime" value="2s"/><column title="category" value="correct-unconfirmed"/></run>
  <run name="c/c.yml" properties="unreach-call" expectedVerdict="false"><column title="status" value="true"/><column title="category" value="wrong"/></run>
  <run name="c/d.yml" properties="unreach-call" expectedVerdict="true"><column title="status" value="false(no-overflow)"/><column title="category" value="unknown"/></run>
  <run name="c/e.yml" properties="unreach-call"><column title="status" value="TIMEOUT"/><column title="category" value="error"/></run>
  <run name="c/f.yml" properties="valid-memsafety" expectedVerdict="false(valid-deref)"><column title="status" value="false(valid-free)"/><column title="category" value="wrong"/></run>
  <run name="c/g.yml" properties="valid-memsafety" expectedVerdict="false(valid-deref)"><column title="status" value="false(valid-deref)"/><column title="category" value="correct"/></run>
  <run name="c/h_true-unreach-call.i" properties="unreach-call"><column title="status" value="false(unreach-call)"/></run>
  <run name="c/i.yml" properties="unreach-call"><column title="status" value="true"/><column title="category" value="wrong"/></run>
</result>
`

func benchSet(t *testing.T, text string) *BenchSet {
	t.Helper()
	set, found := ReadBenchExec("sample.xml", strings.NewReader(text))
	if len(found) > 0 {
		t.Fatal(found)
	}
	return set
}

func TestReadBenchExec(t *testing.T) {
	set := benchSet(t, fmt.Sprintf(benchSample, "prover", "1"))
	if len(set.Runs) != 9 || set.Tool != "Prover" || set.Block != "ReachSafety" {
		t.Fatalf("%+v", set)
	}
	if r := set.Runs[0]; r.CPU != 18_077_505 || r.Wall != 5_474_685 || r.Memory != 624906240 || r.Energy != 157_939_331 || r.Parts != (scoring.EnergyParts{Core: 3_500_000, DRAM: 500_000}) || r.Line != 8 {
		t.Errorf("%+v", r)
	}
	c, found := BenchContest([]*BenchSet{set}, named(t, "svcomp2026"), Participants{})
	if len(found) != 1 || found[0].Message != `2 runs have another category in the file than by edition svcomp2026; here: "unknown in the file, wrong here"` || found[0].Line != 15 {
		t.Fatal(found)
	}
	r := named(t, "svcomp2026").Score(c)
	got := map[string]string{}
	for i, s := range c.Sheets {
		name := c.Instances[s.Instance].Name
		got[name[2:strings.IndexAny(name, "._")]] = fmt.Sprintf("%s %d", r.Mask(i, 0), r.RunPoints(i, 0))
	}
	want := map[string]string{"a": "T 2", "b": "T 0", "c": "X -32", "d": "X -16", "e": "? 0", "f": "? 0", "g": "T 1", "h": "X -16", "i": "X -32"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	// the same answers under the rules of 2012: an unconfirmed answer is correct
	e := named(t, "svcomp2012")
	if c, found = BenchContest([]*BenchSet{set}, e, Participants{}); len(found) > 0 {
		t.Error(found)
	}
	if points := e.Score(c).Categories[0].Tallies[0].Points; points != 2+1-4-2+1-2-4 {
		t.Errorf("%d points under the rules of 2012", points)
	}
}

func TestBenchExecParticipants(t *testing.T) {
	one, two := benchSet(t, fmt.Sprintf(benchSample, "bench", "1")), benchSet(t, fmt.Sprintf(benchSample, "bench", "2"))
	c, found := BenchContest([]*BenchSet{one, two}, named(t, "svcomp2026"), Participants{})
	if found.Err() != nil || len(c.Tools) != 2 || c.Tools[0].Name != "Prover 1" {
		t.Errorf("one benchmark: %v %v", c.Tools, found)
	}
	other := benchSet(t, fmt.Sprintf(benchSample, "other", "1"))
	c, _ = BenchContest([]*BenchSet{one, other}, named(t, "svcomp2026"), Participants{})
	if c.Tools[0].Name != "bench" || c.Tools[1].Name != "other" {
		t.Errorf("two benchmarks: %v", c.Tools)
	}
	if _, found := BenchContest([]*BenchSet{one, one}, named(t, "svcomp2026"), Participants{}); found.Err() == nil {
		t.Error("a run given twice was accepted")
	}
}

func TestBadBenchExec(t *testing.T) {
	for text, code := range map[string]string{
		"":                              "benchexec-root",
		"<table/>":                      "benchexec-root",
		"<pnml/>":                       "benchexec-instance",
		"<property-set/>":               "benchexec-instance",
		"<result>":                      "benchexec-syntax",
		"<result><run/></result>":       "benchexec-run",
		"<result><run name='a'></nun>":  "benchexec-syntax",
		"<result></result><result/>":    "benchexec-root",
		"<result/></result>":            "benchexec-syntax",
		strings.Repeat("<result>", 100): "benchexec-depth",
		"<result a=b>":                  "benchexec-syntax",
	} {
		set, found := ReadBenchExec("bad.xml", strings.NewReader(text))
		if set != nil || len(found) == 0 || found[0].Code != code {
			t.Errorf("%.40q: %v", text, found)
		}
	}
}

// TestWriteBenchExec writes a scored contest and reads the rows.
func TestWriteBenchExec(t *testing.T) {
	lines := append(calibration("A", "B", "C"), "A|Net-PT-1|OneSafe|T|2500.00|3.500", "B|Net-PT-1|OneSafe|T|1.00|1.000", "C|Net-PT-1|OneSafe|F|1.00|1.000",
		"A|Net-PT-1|StateSpace|5 ? 7 8|2.00|3.500", "B|Net-PT-1|StateSpace|5 6 7 8|2.00|3.500", "C|Net-PT-1|StateSpace|9 ? 7 9|2.00|3.500",
		"C|Net-PT-3|StateSpace|DNF|3600000.00|1.000", "C|Net-PT-2|OneSafe|?|1.00|1.000", "B|Net-PT-2|OneSafe|DNC|1.00|1.000")
	e := named(t, "mcc2020")
	c, found := synthetic(lines...).Contest(e, Participants{})
	if found.Err() != nil {
		t.Fatal(found)
	}
	r := e.Score(c)
	var statuses []string
	for tool := range c.Tools {
		var first, again bytes.Buffer
		info := BenchInfo{Benchmark: "test <&>", Date: "2026-01-01 00:00:00 UTC", Start: "2026-01-01T00:00:00+00:00"}
		for _, out := range []*bytes.Buffer{&first, &again} {
			if err := WriteBenchExec(out, e, r, tool, info); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(first.Bytes(), again.Bytes()) {
			t.Error("two writings differ")
		}
		checkOrder(t, first.Bytes())
		set := benchSet(t, first.String())
		if set.BenchmarkName != "test <&>" {
			t.Errorf("%q", set.BenchmarkName)
		}
		for _, run := range set.Runs {
			if run.Properties != "CTLCardinality" {
				statuses = append(statuses, strings.TrimSpace(fmt.Sprintln(set.Tool, run.Name, run.Value, run.Status, run.Category, run.Expected, run.Answer)))
			}
		}
	}
	want := `A Net-PT-1/STATES STATES true correct true 5
A Net-PT-1/TRANSITIONS TRANSITIONS unknown unknown true
A Net-PT-1/MAX_TOKEN_IN_PLACE MAX_TOKEN_IN_PLACE true correct true 7
A Net-PT-1/MAX_TOKEN_PER_MARKING MAX_TOKEN_PER_MARKING true correct true 8
A Net-PT-1 OneSafe true correct true
B Net-PT-1/STATES STATES true correct true 5
B Net-PT-1/TRANSITIONS TRANSITIONS true correct true 6
B Net-PT-1/MAX_TOKEN_IN_PLACE MAX_TOKEN_IN_PLACE true correct true 7
B Net-PT-1/MAX_TOKEN_PER_MARKING MAX_TOKEN_PER_MARKING true correct true 8
B Net-PT-1 OneSafe true correct true
B Net-PT-2 OneSafe ERROR (DNC) error
C Net-PT-1/STATES STATES false wrong true 9
C Net-PT-1/TRANSITIONS TRANSITIONS unknown unknown true
C Net-PT-1/MAX_TOKEN_IN_PLACE MAX_TOKEN_IN_PLACE true correct true 7
C Net-PT-1/MAX_TOKEN_PER_MARKING MAX_TOKEN_PER_MARKING false wrong true 9
C Net-PT-1 OneSafe false wrong true
C Net-PT-2 OneSafe unknown unknown
C Net-PT-3/STATES STATES TIMEOUT error
C Net-PT-3/TRANSITIONS TRANSITIONS TIMEOUT error
C Net-PT-3/MAX_TOKEN_IN_PLACE MAX_TOKEN_IN_PLACE TIMEOUT error
C Net-PT-3/MAX_TOKEN_PER_MARKING MAX_TOKEN_PER_MARKING TIMEOUT error`
	if got := strings.Join(statuses, "\n"); got != want {
		t.Errorf("%s", got)
	}
}

// TestBenchExecSetAside: answers of runs that a flag sets aside keep their status,
// and table-generator counts them neither as correct nor as wrong.
func TestBenchExecSetAside(t *testing.T) {
	e := named(t, "mcc2020")
	c, found := synthetic(append(calibration("A", "B", "C"), "A|Net-COL-1|CTLFireability|TT??????????????|1.00|1.000", "A|Net-PT-1|CTLFireability|FT??????????????|1.00|1.000",
		"B|Net-COL-1|CTLFireability|TTT?????????????|1.00|1.000", "B|Net-PT-1|CTLFireability|TT??????????????|1.00|1.000")...).Contest(e, Participants{})
	if found.Err() != nil {
		t.Fatal(found)
	}
	r := e.Score(c)
	for tool, want := range map[string]string{"A": "true missing, true missing, unknown unknown; false missing, true missing, unknown unknown",
		"B": "true correct, true correct, true correct; true correct, true correct, unknown unknown"} {
		var out bytes.Buffer
		if err := WriteBenchExec(&out, e, r, c.ToolNamed(tool), BenchInfo{}); err != nil {
			t.Fatal(err)
		}
		var runs []string
		for _, net := range []string{"COL", "PT"} {
			var values []string
			for _, row := range tableRows(t, out.Bytes()) {
				if strings.HasPrefix(row.name, "Net-"+net) && len(values) < 3 {
					values = append(values, row.columns["status"]+" "+row.columns["category"])
				}
			}
			runs = append(runs, strings.Join(values, ", "))
		}
		if got := strings.Join(runs, "; "); got != want {
			t.Errorf("%s: %s, want %s", tool, got, want)
		}
	}
}

// TestBadBenchExecValues: rows of a run that do not go together are refused.
func TestBadBenchExecValues(t *testing.T) {
	row := func(name, value, status string) string {
		return fmt.Sprintf("<run name='%s' properties='StateSpace'><column title='status' value='%s'/><column title='value' value='%s'/></run>\n", name, status, value)
	}
	e := named(t, "mcc2020")
	for what, rows := range map[string]string{
		"bad.xml:3: the run has two rows for its value STATES":     row("A/STATES", "STATES", "done") + row("A/STATES", "STATES", "done"),
		"bad.xml:3: the rows of one run say DNF here and answered": row("A/STATES", "STATES", "done") + row("A/TRANSITIONS", "TRANSITIONS", "TIMEOUT"),
		"bad.xml:2: edition mcc2020 has no examination \"Sudoku\"": strings.ReplaceAll(row("A/STATES", "STATES", "done"), "StateSpace", "Sudoku"),
	} {
		set, found := ReadBenchExec("bad.xml", strings.NewReader("<result tool='T' generator='Podium'>\n"+rows+"</result>"))
		if found.Err() != nil {
			t.Fatal(found)
		}
		if c, found := BenchContest([]*BenchSet{set}, e, Participants{}); c != nil || len(found) == 0 || !strings.HasPrefix(found[0].Error(), what) {
			t.Errorf("%v, want %s", found, what)
		}
	}
}

// TestBenchExecText: what XML cannot hold is refused, not replaced.
func TestBenchExecText(t *testing.T) {
	e := named(t, "mcc2020")
	for name, want := range map[string]string{"a\x01b": "benchexec-text", "a\xffb": "benchexec-text", "<&\"é\n": ""} {
		c, found := synthetic("A|Net-PT-1|StateSpace|1 2 3 4|1.00|1.000").Contest(e, Participants{})
		if found.Err() != nil {
			t.Fatal(found)
		}
		c.Tools[0].Name = name
		err := WriteBenchExec(io.Discard, e, e.Score(c), 0, BenchInfo{})
		var d diagnostic.Diagnostic
		if errors.As(err, &d); d.Code != want || (err == nil) != (want == "") {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
}

// checkOrder checks the order of elements that the document type asks for:
// columns, systeminfo, then runs.
func checkOrder(t *testing.T, data []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(data))
	order, depth := "", 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			if depth++; depth == 2 && !strings.HasSuffix(order, x.Name.Local+" ") {
				order += x.Name.Local + " "
			}
		case xml.EndElement:
			depth--
		}
	}
	if order != "columns systeminfo run " {
		t.Errorf("order of elements: %s", order)
	}
}

// TestOldParts: the words of BenchExec 1 for violations are answers to the property that was
// asked, and to no other.
func TestOldParts(t *testing.T) {
	e, err := edition.Named("svcomp2019")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ status, properties, want string }{
		{"false(reach)", "unreach-call", "FALSE"}, {"false(reach)", "unreach-label", "FALSE"}, {"false(overflow)", "no-overflow", "FALSE"},
		{"false(reach)", "termination", ""}, {"false(unreach-call)", "unreach-call", "FALSE"},
	} {
		r := BenchRun{Status: c.status, Properties: c.properties, Expected: "false"}
		if got := r.answer(e); got.Text != c.want {
			t.Errorf("%s of %s: %q, not %q", c.status, c.properties, got.Text, c.want)
		}
	}
}

// TestResultsAsBenchExecHasThem: files of BenchExec before 2.0, runs beyond their limits, and
// words that are no statuses; what differs from the file is counted.
func TestResultsAsBenchExecHasThem(t *testing.T) {
	const memory = "valid-deref valid-free valid-memtrack"
	for _, c := range []struct{ name, properties, expected, status, more, three, two, said string }{
		{"a_false-valid-deref.c", memory, "", "false(valid-deref)", "correct", "T 1", "T 1", ""},
		{"a_false-valid-deref.c", memory, "", "false(valid-free)", "wrong", "? 0", "X -16", "wrong in the file, unknown here"},
		{"a_false-valid-deref.c", memory, "", "true", "wrong", "X -32", "X -32", ""},
		{"a_true-valid-memsafety.c", memory, "", "true", "correct", "T 2", "T 2", ""},
		{"a_true-valid-memsafety.c", memory, "", "false(valid-free)", "wrong", "X -16", "X -16", ""},
		{"a_unknown-unreach-call.c", "unreach-call", "", "true", "missing", "? 0", "? 0", ""},
		{"a_true-unreach-call_false-unreach-call.c", "unreach-call", "", "true", "missing", "? 0", "? 0", ""},
		{"a.c", "unreach-call", "", "true", "missing", "? 0", "? 0", ""},
		{"a.yml", "unreach-call", "true", "TRUE", "error", "? 0", "? 0", ""},
		{"a.yml", "unreach-call", "true", "False(unreach-call)", "error", "? 0", "? 0", ""},
		{"a.yml", "unreach-call", "true", "true", `correct"/><column title="cputime" value="950s`, "? 0", "? 0", "beyond"},
		{"a.yml", "unreach-call", "true", "true", `correct"/><column title="cputime" value="900s`, "T 2", "T 2", ""},
		{"a.yml", "unreach-call", "true", "true", `error"/><column title="terminationreason" value="cputime`, "? 0", "? 0", "beyond"},
		{"a.yml", "unreach-call", "true", "TIMEOUT (true)", "error", "? 0", "? 0", ""},
		{"a.yml", "unreach-call", "true", "false(no-overflow)", "wrong", "X -16", "? 0", ""},
		{"a.yml", "valid-memsafety", "false", "false(x)", "correct", "T 1", "? 0", ""},
		{"a.yml", "valid-memsafety", "false(valid-free)", "false", "wrong", "? 0", "? 0", "wrong in the file, unknown here"},
	} {
		for id, want := range map[string]string{"svcomp2026": c.three, "svcomp2019": c.two} {
			e := named(t, id)
			set := benchSet(t, fmt.Sprintf(`<result tool="T" timelimit="900s"><run name="%s" properties="%s" expectedVerdict="%s"><column title="status" value="%s"/><column title="category" value="%s"/></run></result>`,
				c.name, c.properties, c.expected, c.status, c.more))
			contest, found := BenchContest([]*BenchSet{set}, e, Participants{})
			if found.Err() != nil {
				t.Fatal(found)
			}
			r := e.Score(contest)
			if got := fmt.Sprintf("%s %d", r.Mask(0, 0), r.RunPoints(0, 0)); got != want {
				t.Errorf("%+v by %s: %s, want %s", c, id, got, want)
			}
			if id == "svcomp2026" && !strings.Contains(fmt.Sprint(found), c.said) || id == "svcomp2026" && c.said == "" && len(found) > 0 {
				t.Errorf("%+v: %v", c, found)
			}
		}
	}
}
