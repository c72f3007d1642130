package output

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

// findingsOf reads a whole output and returns its findings as "line:col code".
func findingsOf(text string, exam examinations.ID, o ReaderOptions) (list []string) {
	r := NewReader(strings.NewReader(text), exam, o)
	for r.Scan() {
	}
	for _, d := range r.Diagnostics() {
		list = append(list, fmt.Sprintf("%d:%d %s", d.Line, d.Col, strings.TrimPrefix(d.Code, "answer-")))
	}
	return list
}

// TestPlacesOfFindings: a finding names the line and the column of the word it is about.
func TestPlacesOfFindings(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"FORMULA\nCANNOT_COMPUTE\n", []string{"1:8 missing-item"}},
		{"FORMULA OneSafe\nCANNOT_COMPUTE\n", []string{"1:16 missing-value"}},
		{"FORMULA \t OneSafe   maybe\nCANNOT_COMPUTE\n", []string{"1:21 unreadable"}},
		{"  FORMULA OneSafe 5 TECHNIQUES BMC\nCANNOT_COMPUTE\n", []string{"1:3 indented", "1:19 wrong-kind"}},
		{"FORMULA OneSafe TRUE extra TECHNIQUES BMC\n", []string{"1:22 extra-text"}},
		{" FORMULA OneSafe TRUE TECHNIQUES BMC\r\n", []string{"1:2 indented", "1:37 crlf"}},
		{" FORMULA OneSafe \x00TRUE TECHNIQUES BMC\nCANNOT_COMPUTE\n", []string{"1:18 nul"}},
		{"x FORMULA OneSafe TRUE\nCANNOT_COMPUTE\n", []string{"1:3 not-at-head"}},
		{"CANNOT_COMPUTE\nbusy", []string{"2:0 no-final-newline"}},
		{"busy\n", []string{"0:0 none"}},
		{"FORMULA OneSafe- TRUE TECHNIQUES BMC\nCANNOT_COMPUTE\n", []string{"1:9 unknown-item"}},
		{"formula Other TRUE TECHNIQUES BMC\nCANNOT_COMPUTE\n", nil},
		{"formula OneSafe maybe TECHNIQUES BMC\nCANNOT_COMPUTE\n", nil},
		{"formula OneSafe CANNOT_COMPUTE BMC\nCANNOT_COMPUTE\n", []string{"1:1 keyword-case"}},
		{"done aFORMULA OneSafe TRUE\nCANNOT_COMPUTE\n", []string{"1:7 not-at-head"}},
		{"done zFORMULA OneSafe TRUE\nCANNOT_COMPUTE\n", []string{"1:7 not-at-head"}},
		{"done ZFORMULA OneSafe TRUE\nCANNOT_COMPUTE\n", nil},
	} {
		if got := findingsOf(c.text, examinations.OneSafe, ReaderOptions{}); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, not %q", c.text, got, c.want)
		}
	}
	if got, want := findingsOf("STATE_SPACE TRANSITIONS 5 TECHNIQUES BMC\n", examinations.StateSpace, ReaderOptions{}), []string{"0:0 unanswered"}; !slices.Equal(got, want) {
		t.Errorf("no states: %q, not %q", got, want)
	}
	if got, want := findingsOf("FORMULA "+formulaItems[0]+" TRUE TECHNIQUES BMC\n", examinations.CTLCardinality, ReaderOptions{Items: formulaItems}), []string{"0:0 unanswered"}; !slices.Equal(got, want) {
		t.Errorf("no second formula: %q, not %q", got, want)
	}
}

// TestTextsOfFindings: a finding without a message of its own has its rule's, and a
// strict reader makes warnings errors.
func TestTextsOfFindings(t *testing.T) {
	for strict, want := range map[bool]diagnostic.Severity{false: diagnostic.Warning, true: diagnostic.Error} {
		r := NewReader(strings.NewReader("FORMULA OneSafe TRUE\nFORMULA OneSafe TRUE TECHNIQUES MINE\n"), examinations.OneSafe, ReaderOptions{Strict: strict})
		for r.Scan() {
		}
		for _, d := range r.Diagnostics() {
			switch d.Code {
			case "answer-no-techniques":
				if rule, _ := FindLintRule(d.Code); d.Severity != want || d.Message != rule.Explanation {
					t.Errorf("strict %v: %+v", strict, d)
				}
			case "answer-technique":
				if d.Severity != diagnostic.Note || !strings.Contains(d.Message, "MINE") {
					t.Errorf("strict %v: %+v", strict, d)
				}
			}
		}
	}
}

// TestManyTechniquesOnce: long lists of techniques are one note of an output.
func TestManyTechniquesOnce(t *testing.T) {
	line := "FORMULA OneSafe TRUE TECHNIQUES" + strings.Repeat(" BMC", manualTechniques+1) + "\n"
	for lines, want := range map[int]string{1: "allows six", 3: "allows six; 3 lines do", 80: "allows six; 80 lines do"} {
		var got []string
		r := NewReader(strings.NewReader("first line\n"+strings.Repeat(line, lines)), examinations.OneSafe, ReaderOptions{})
		for r.Scan() {
		}
		for _, d := range r.Diagnostics() {
			if d.Code == manyTechniques {
				got = append(got, d.Message)
				if d.Line != 2 {
					t.Errorf("line %d", d.Line)
				}
			}
		}
		if len(got) != 1 || !strings.HasSuffix(got[0], want) {
			t.Errorf("%d lines: %q", lines, got)
		}
	}
}

// TestStatesAreMandatory: of the numbers of StateSpace, one has to be there.
func TestStatesAreMandatory(t *testing.T) {
	r := NewReader(strings.NewReader("STATE_SPACE TRANSITIONS 5 TECHNIQUES BMC\n"), examinations.StateSpace, ReaderOptions{})
	for r.Scan() {
	}
	if list := r.Diagnostics(); len(list) != 1 || list[0].Message != "STATES is mandatory" {
		t.Errorf("%v", list)
	}
}

// TestBoundsAreReached: what is exactly at a bound is still taken.
func TestBoundsAreReached(t *testing.T) {
	if got := findingsOf(strings.Repeat("FORMULA nobody TRUE TECHNIQUES BMC\n", maxFindings)+"CANNOT_COMPUTE\n", examinations.OneSafe, ReaderOptions{}); len(got) != maxFindings {
		t.Errorf("%d findings, not %d", len(got), maxFindings)
	}
	for length, want := range map[int]int{maxItem: 1, maxItem + 1: 0} {
		if got := strings.Count(outcome(NewReader(strings.NewReader("FORMULA "+strings.Repeat("f", length)+" TRUE TECHNIQUES BMC\n"), examinations.CTLCardinality, ReaderOptions{})), "TRUE"); got != want {
			t.Errorf("an item of %d bytes: %d answers, not %d", length, got, want)
		}
	}
	if got := outcome(NewReader(strings.NewReader("FORMULA f\xff TRUE TECHNIQUES BMC\n"), examinations.CTLCardinality, ReaderOptions{})); strings.Contains(got, "TRUE") {
		t.Errorf("an item that is no text was taken: %s", got)
	}
	var words strings.Builder
	for i := range maxTechniques + 5 {
		fmt.Fprintf(&words, " T%d", i)
	}
	r := NewReader(strings.NewReader("FORMULA OneSafe TRUE TECHNIQUES"+words.String()+"\n"), examinations.OneSafe, ReaderOptions{})
	if !r.Scan() || len(r.Answer().Techniques) != maxTechniques {
		t.Errorf("%d techniques, not %d", len(r.Answer().Techniques), maxTechniques)
	}
	var lines strings.Builder
	for _, word := range strings.Fields(words.String()) {
		fmt.Fprintf(&lines, "FORMULA OneSafe TRUE TECHNIQUES %s %[1]s\n", word)
	}
	r = NewReader(strings.NewReader(lines.String()), examinations.OneSafe, ReaderOptions{})
	for r.Scan() {
	}
	if want := fmt.Sprintf("%d more findings", maxTechniques-maxFindings); !strings.Contains(r.Diagnostics().Error(), want) {
		t.Errorf("each of the first %d unknown techniques is to be named once: %v", maxTechniques, r.Diagnostics())
	}
}

// TestItemsAskedFor: what is asked for may be a part of the examination.
func TestItemsAskedFor(t *testing.T) {
	r := NewReader(strings.NewReader("STATE_SPACE TRANSITIONS 5 TECHNIQUES BMC\n"), examinations.StateSpace, ReaderOptions{Items: []string{"STATES"}})
	if r.Scan() || !strings.Contains(r.Diagnostics().Error(), "the item is STATES") {
		t.Errorf("%+v, %v", r.Answer(), r.Diagnostics())
	}
}

// pieces gives one text per Read, the last one with the end.
type pieces struct {
	texts []string
	reads int
}

func (p *pieces) Read(b []byte) (n int, err error) {
	p.reads++
	if len(p.texts) > 0 {
		n = copy(b, p.texts[0])
		p.texts = p.texts[1:]
	}
	if len(p.texts) == 0 {
		err = io.EOF
	}
	return n, err
}

// TestReaderWaitsForNoMore: an answer is given once its line has ended, and a keyword
// that is cut between two reads is found.
func TestReaderWaitsForNoMore(t *testing.T) {
	for _, texts := range [][]string{
		{"FORMULA b 1\n", "more", "more"},
		{"busy\nFORMULA b 1\n", "more", "more"},
	} {
		p := &pieces{texts: texts}
		if r := NewReader(p, examinations.UpperBounds, ReaderOptions{Items: []string{"b"}}); !r.Scan() || p.reads != 1 {
			t.Errorf("%q: the answer took %d reads", texts, p.reads)
		}
	}
	for _, texts := range [][]string{
		{"noise\nCANNOT_CO", "MPUTE\n", ""},
		{strings.Repeat("x", blockSize-9) + "\nCANNOT_C", "OMPUTE\n", ""},
		{strings.Repeat("x", blockSize-4) + "\nCAN", "NOT_COMPUTE\n", ""},
	} {
		if got := outcome(NewReader(&pieces{texts: texts}, examinations.OneSafe, ReaderOptions{})); got != "CC" {
			t.Errorf("%.20q, %q: %s", texts[0], texts[1], got)
		}
	}
}

// TestReaderEnds: after the end nothing is read or found again.
func TestReaderEnds(t *testing.T) {
	text := strings.Repeat("noise\n", 30_000) + "end"
	in := &pieces{texts: []string{text}}
	r := NewReader(in, examinations.OneSafe, ReaderOptions{Offset: 77})
	for range 3 {
		if r.Scan() {
			t.Fatalf("%+v", r.Answer())
		}
	}
	list := r.Diagnostics()
	if len(list) != 2 || list[0].Code != "answer-no-final-newline" || list[0].Line != 30_001 || len(in.texts) > 0 {
		t.Errorf("%d pieces left, %v", len(in.texts), list)
	}
}

// TestDeadlines: what was complete at the deadline counts, without one all does, and
// the end of the output takes no time.
func TestDeadlines(t *testing.T) {
	const line = "FORMULA OneSafe TRUE TECHNIQUES BMC"
	for _, c := range []struct {
		deadline time.Duration
		want     bool
	}{{0, true}, {1, false}, {4 * time.Second, false}, {5 * time.Second, true}} {
		log := &timed{steps: []step{{5 * time.Second, line + "\n"}}}
		if got := NewReader(log, examinations.OneSafe, ReaderOptions{Deadline: c.deadline, Clock: log.now}).Scan(); got != c.want {
			t.Errorf("deadline %v: %v", c.deadline, got)
		}
	}
	asked := 0
	r := NewReader(&pieces{texts: []string{line, ""}}, examinations.OneSafe, ReaderOptions{Clock: func() time.Duration { asked++; return time.Duration(asked) }})
	if !r.Scan() || r.Answer().At != 1 || asked != 1 {
		t.Errorf("%+v, the clock was asked %d times", r.Answer(), asked)
	}
}

func TestBytesOfWords(t *testing.T) {
	for c := rune(0); c < 256; c++ {
		if got, want := isWordByte(byte(c)), strings.IndexByte("_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", byte(c)) >= 0; got != want {
			t.Errorf("%q in a word: %v", c, got)
		}
		if got, want := isBlank(byte(c)), strings.IndexByte(" \t\r\v\f", byte(c)) >= 0; got != want {
			t.Errorf("%q is a blank: %v", c, got)
		}
	}
	for _, k := range keywords {
		for _, text := range []string{k.text, strings.ToLower(k.text), "é " + strings.ToLower(k.text)} {
			for shift := range window { // the search jumps
				b := []byte(strings.Repeat(".", shift) + text)
				if at := findKeyword(b, 0); at != len(b)-len(k.text) {
					t.Errorf("%q: found at %d", b, at)
				}
			}
		}
	}
}

// TestLogBegins: the header may be empty, and numbers in it are bounded.
func TestLogBegins(t *testing.T) {
	for _, c := range []struct {
		text, output string
		start        int64
		line         int
	}{
		{"BK_START 1552250139000\nbusy\n", "busy\n", 1552250139000, 1},
		{"BK_START 1\nBK_START 2\n", "BK_START 2\n", 1, 1},
		{"head\nBK_START 7\nbusy", "busy", 7, 2},
		{"head\n\nBK_START 7\nx", "x", 7, 3},
		{"BK_START 0\nbusy\n", "BK_START 0\nbusy\n", 0, 0},
		{"BK_START 99999999999999999999\n", "BK_START 99999999999999999999\n", 0, 0},
		{"BK_START 5\n\nBK_STOP 6\n", "\n", 5, 1},
	} {
		l, err := OpenLog(strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(iotest.OneByteReader(l.Output))
		if err != nil || string(got) != c.output || l.Line != c.line || l.BenchKit != (c.start > 0) || c.start > 0 && l.Start.UnixMilli() != c.start {
			t.Errorf("%q: output %q, %+v, %v", c.text, got, l, err)
		}
	}
	for text, want := range map[string]int64{"4": 4, "1 core": 1, "-4": 0, "many": 0, "2147483647": 1<<31 - 1, "2147483648": 0, "99999999999": 0} {
		if got := leadingNumber(text); got != want {
			t.Errorf("%q: %d, not %d", text, got, want)
		}
	}
}

// TestLogIsFollowed: lines are given once they are there, whole lines are compared,
// and no byte is lost at the end.
func TestLogIsFollowed(t *testing.T) {
	for _, first := range []string{"\n", "a\n", "abc\ndef\n"} {
		p := &pieces{texts: []string{first, "more\n"}}
		o := &logOutput{r: bufio.NewReader(p), fresh: true}
		b := make([]byte, 100)
		got := ""
		for len(got) < len(first) {
			n, err := o.Read(b)
			if err != nil {
				t.Fatal(err)
			}
			got += string(b[:n])
		}
		if got != first || p.reads != 1 {
			t.Errorf("%q after %d reads", got, p.reads)
		}
	}
	for text, want := range map[string]string{
		"xxxxxxxxxxxxxxxxBK_STOP 5\nmore\n": "xxxxxxxxxxxxxxxxBK_STOP 5\nmore\n", // the buffer has 16 bytes
		"line\nx":                           "line\nx",
		"\nBK_STOP 5\nmore\n":               "\n",
	} {
		if got, err := io.ReadAll(&logOutput{r: bufio.NewReaderSize(strings.NewReader(text), 16), fresh: true}); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
