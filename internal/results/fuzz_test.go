package results

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

func FuzzReadTable(f *testing.F) {
	f.Add(TableHeader + "\nA,Net-PT-1,StateSpace,4,OK,OK,1 2 3 4,-,1.000,1.00,1.00,0.00,normal,r1,FF:--:0:?,?,0\n")
	f.Add(TableHeader + "\r\nA,Net-COL-1,LTLFireability,4,OK,OK,TF??,-,-,-,-,-,-,-,-,-,-")
	f.Add(TableHeader + "\nA,Net-PT-1,UpperBounds,4,OK,OK,+Inf**** 1E9 -1 inf,-,1e9,1,1,1,normal,r1,,,\n")
	e := named(f, "mcc2020")
	f.Fuzz(func(t *testing.T, text string) {
		table, found := ReadTable("fuzz.csv", strings.NewReader(text))
		if table == nil {
			if found.Err() == nil {
				t.Error("no table and no error")
			}
			return
		}
		var out bytes.Buffer
		if err := table.Write(&out); err != nil || out.String() != text {
			t.Errorf("written back as %q (%v)", out.String(), err)
		}
		if report, found := Verify(table, e, Participants{}); report == nil && found.Err() == nil {
			t.Error("no report and no error")
		}
	})
}

func FuzzReadAnswers(f *testing.F) {
	f.Add(AnswersHeader + "\nA,Net-PT-1,StateSpace,00,3.2057E+0008,1.5,2\nA,Net-PT-1,StateSpace,STATES,inf,1.5,2\n")
	f.Add(AnswersHeader + "\nA,\"Net\n\",CTLFireability,x,WRONG~a,,\nA,S_N-PT-1,OneSafe,00,-05,,\n")
	f.Add(AnswersHeader + "\n\"\n")
	e := named(f, "mcc2020")
	f.Fuzz(func(t *testing.T, text string) {
		c, found := ReadAnswers("fuzz.csv", strings.NewReader(text), e, Participants{})
		if (c == nil) != (found.Err() != nil) {
			t.Errorf("contest %v with %v", c, found)
		}
		if c == nil {
			return
		}
		r := e.Score(c)
		var out bytes.Buffer
		if err := WriteAnswers(&out, c); err != nil {
			t.Error(err)
		}
		table, found := TableOf("t", e, r, nil)
		if (table == nil) != (found.Err() != nil) {
			t.Errorf("table %v with %v", table, found)
		}
		if table == nil {
			return
		}
		out.Reset()
		if err := table.Write(&out); err != nil {
			t.Error(err)
		}
		again, found := ReadTable("again", &out)
		if found.Err() != nil {
			t.Fatal(found)
		}
		if report, found := Verify(again, e, Participants{}); found.Err() != nil || report.Deviations() > 0 {
			t.Errorf("%+v %v", report, found)
		}
	})
}

func FuzzReadBenchExec(f *testing.F) {
	f.Add(fmt.Sprintf(benchSample, "a", "1"))
	f.Add("<result><run name='x'><column title='cputime' value='1e9s'/></run></result>")
	f.Add("<result tool='T' generator='Podium'><run name='a#p' properties='q'><column title='status' value='true'/>" +
		"<column title='value' value='v'/><column title='answer' value='7'/><column title='examination' value='e'/></run></result>")
	e := named(f, "svcomp2026")
	f.Fuzz(func(t *testing.T, text string) {
		set, found := ReadBenchExec("fuzz.xml", strings.NewReader(text))
		if (set == nil) != (found.Err() != nil) {
			t.Errorf("set %v with %v", set, found)
		}
		if set == nil {
			return
		}
		if c, _ := BenchContest([]*BenchSet{set}, e, Participants{}); c != nil {
			e.Score(c).Boards()
		}
	})
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Add([]byte("BZh91AY&SY"))
	f.Add([]byte("### tool"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, in, err := Open("fuzz", data, ".csv")
		if err == nil {
			io.CopyN(io.Discard, in, 1<<20)
		}
	})
}
