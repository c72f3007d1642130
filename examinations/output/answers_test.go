package output

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"podium/examinations"
	"podium/models"
	"podium/pnml/diagnostic"
)

var formulaItems = []string{"M-PT-1-CTLCardinality-2025-00", "M-PT-1-CTLCardinality-2025-01"}

func instance(t testing.TB, name string) models.ID {
	t.Helper()
	id, err := models.ParseID(name)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// outcome reads a whole output and gives it as text: the answers in order, the
// participation and the codes of the findings.
func outcome(r *Reader) string {
	var b strings.Builder
	for r.Scan() {
		a := r.Answer()
		fmt.Fprintf(&b, "%d:%d %s=%s", a.Line, a.Col, strings.TrimPrefix(a.Item, "M-PT-1-CTLCardinality-2025-"), a.Value)
		if len(a.Techniques) > 0 {
			fmt.Fprintf(&b, " %s", strings.Join(a.Techniques, ","))
		}
		b.WriteString("; ")
	}
	b.WriteString(r.Participation().String())
	codes := map[string]bool{}
	for _, d := range r.Diagnostics() {
		codes[strings.TrimPrefix(d.Code, "answer-")] = true
	}
	for _, c := range slices.Sorted(maps.Keys(codes)) {
		b.WriteString(" " + c)
	}
	return b.String()
}

func TestReaderPositions(t *testing.T) {
	text := "noise\n\nFORMULA " + formulaItems[0] + " TRUE TECHNIQUES A\nx\n  FORMULA " + formulaItems[1] + " FALSE TECHNIQUES B C\r\n"
	r := NewReader(strings.NewReader(text), examinations.CTLCardinality, ReaderOptions{Items: formulaItems, Line: 10, Offset: 1000})
	var got []Answer
	for r.Scan() {
		got = append(got, r.Answer())
	}
	if len(got) != 2 || r.Err() != nil {
		t.Fatalf("%d answers, error %v", len(got), r.Err())
	}
	for _, a := range got {
		line := text[a.Offset-1000:][:a.Length]
		if !strings.HasPrefix(strings.TrimLeft(line, " "), "FORMULA "+a.Item) || strings.Contains(line, "\n") {
			t.Errorf("line at %d, %d is %q", a.Offset, a.Length, line)
		}
	}
	if a := got[1]; a.Line != 15 || a.Col != 3 || a.Value != examinations.False || !slices.Equal(a.Techniques, []string{"B", "C"}) {
		t.Errorf("second answer is %+v", a)
	}
}

// TestReaderChunks reads the same output in pieces of all kinds.
func TestReaderChunks(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "noise %d with FORMULA inside and a formula too\n", i)
		if i%500 == 0 {
			fmt.Fprintf(&b, "FORMULA %s %s TECHNIQUES T%d\n", formulaItems[i/500%2], []string{"TRUE", "FALSE"}[i/500%2], i)
		}
	}
	b.WriteString("CANNOT_COMPUTE")
	read := func(r io.Reader) string {
		return outcome(NewReader(r, examinations.CTLCardinality, ReaderOptions{Items: formulaItems, Repeats: LastCounts}))
	}
	want := read(strings.NewReader(b.String()))
	for name, r := range map[string]io.Reader{
		"one byte":        iotest.OneByteReader(strings.NewReader(b.String())),
		"half":            iotest.HalfReader(strings.NewReader(b.String())),
		"error with data": iotest.DataErrReader(strings.NewReader(b.String())),
	} {
		if got := read(r); got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
}

func TestReaderTimes(t *testing.T) {
	log := &timed{steps: []step{
		{time.Second, "FORMULA "},
		{2 * time.Second, formulaItems[0] + " TRUE"},
		{3 * time.Second, " TECHNIQUES EXPLICIT\n"},
		{11 * time.Second, "FORMULA " + formulaItems[1] + " TRUE TECHNIQUES EXPLICIT\n"},
	}}
	r := NewReader(log, examinations.CTLCardinality, ReaderOptions{Items: formulaItems, Deadline: 10 * time.Second, Clock: log.now})
	if !r.Scan() || r.Answer().At != 3*time.Second {
		t.Fatalf("first answer is %+v", r.Answer())
	}
	if r.Scan() {
		t.Fatalf("a late answer was taken: %+v", r.Answer())
	}
	if got := r.Diagnostics(); len(got) != 2 || got[0].Code != "answer-late" || got[1].Code != "answer-unanswered" || !strings.Contains(got[1].Message, formulaItems[1]) {
		t.Errorf("findings are %v", got)
	}
}

type step struct {
	at   time.Duration
	text string
}

// timed gives one step per Read.
type timed struct {
	steps []step
	at    time.Duration
}

func (l *timed) now() time.Duration { return l.at }

func (l *timed) Read(p []byte) (int, error) {
	if len(l.steps) == 0 {
		return 0, io.EOF
	}
	s := l.steps[0]
	l.steps, l.at = l.steps[1:], s.at
	return copy(p, s.text), nil
}

func TestReaderReportsErrors(t *testing.T) {
	r := NewReader(iotest.TimeoutReader(strings.NewReader("FORMULA "+formulaItems[0]+" TRUE TECHNIQUES X\n")), examinations.CTLCardinality, ReaderOptions{Items: formulaItems})
	if !r.Scan() || r.Scan() || r.Err() != iotest.ErrTimeout {
		t.Errorf("error is %v", r.Err())
	}
	r = NewReader(stuck{}, examinations.CTLCardinality, ReaderOptions{})
	if r.Scan() || r.Err() != io.ErrNoProgress {
		t.Errorf("error is %v", r.Err())
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestRulesAreSorted(t *testing.T) {
	for i, r := range LintRules {
		if i > 0 && LintRules[i-1].Code >= r.Code {
			t.Errorf("%s follows %s", r.Code, LintRules[i-1].Code)
		}
		if r.Explanation == "" || r.Hint == "" {
			t.Errorf("%s has no explanation or no hint", r.Code)
		}
	}
	if !slices.IsSorted(knownTechniques) {
		t.Error("techniques are not sorted")
	}
}

// noise returns n bytes of the log of a tool, without an answer.
func noise(n int) []byte {
	const text = "[2025-05-04 12:00:01] [INFO ] Flatten gal took : 112 ms, reduced 3456 places to 1207 (of formula 3)\n" +
		"Computing symmetric may disable matrix : 230/5000 transitions. Explored 1234567 states, 0 deadlocks.\n"
	return []byte(strings.Repeat(text, n/len(text)+1))[:n]
}

// repeated gives the same block again and again, n times.
type repeated struct {
	block []byte
	n, at int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	k := copy(p, r.block[r.at:])
	if r.at += k; r.at == len(r.block) {
		r.at = 0
		r.n--
	}
	return k, nil
}

// TestReaderMemory reads much noise, with and without line feeds, in memory that
// does not depend on its length.
func TestReaderMemory(t *testing.T) {
	for name, c := range map[string]struct {
		block []byte
		most  uint64
	}{
		"lines":                       {noise(1 << 20), 2 << 20},
		"one line":                    {bytes.Repeat([]byte("a formula and noise "), 1<<16), 2 << 20},
		"one line behind the keyword": {bytes.Repeat([]byte("FORMULA and noise "), 1<<16), 8 * maxLine},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		in := &repeated{block: c.block, n: 64}
		r := NewReader(in, examinations.CTLCardinality, ReaderOptions{Items: formulaItems})
		for r.Scan() {
			t.Errorf("%s: an answer in noise", name)
		}
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > c.most || in.n > 0 {
			t.Errorf("%s: %d bytes were allocated, and %d blocks are left", name, spent, in.n)
		}
	}
}

func BenchmarkReaderNoise(b *testing.B) {
	block := append(noise(64<<20), []byte("\nFORMULA "+formulaItems[0]+" TRUE TECHNIQUES EXPLICIT\n")...)
	b.SetBytes(16 * int64(len(block)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(&repeated{block: block, n: 16}, examinations.CTLCardinality, ReaderOptions{Items: formulaItems})
		n := 0
		for r.Scan() {
			n++
		}
		if n != 1 || len(r.Diagnostics()) != 16 {
			b.Fatalf("%d answers, %d findings", n, len(r.Diagnostics()))
		}
	}
}

// BenchmarkReaderLongLine reads noise without any line feed.
func BenchmarkReaderLongLine(b *testing.B) {
	block := []byte(strings.Repeat("explored 12345 states and 6789 arcs, formula under way, ", 1<<20))
	b.SetBytes(int64(len(block)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(&repeated{block: block, n: 1}, examinations.CTLCardinality, ReaderOptions{Items: formulaItems})
		for r.Scan() {
			b.Fatal("an answer in noise")
		}
	}
}

// BenchmarkReaderAnswers reads nothing but answers.
func BenchmarkReaderAnswers(b *testing.B) {
	line := "FORMULA " + formulaItems[0] + " TRUE TECHNIQUES EXPLICIT SAT_SMT USE_NUPN\n"
	block := []byte(strings.Repeat(line, 1<<14))
	b.SetBytes(int64(len(block)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(&repeated{block: block, n: 1}, examinations.CTLCardinality, ReaderOptions{Items: formulaItems})
		for r.Scan() {
		}
	}
}

// TestEscape: a keyword behind a colour is told from one inside of a message, wherever the output is cut.
func TestEscape(t *testing.T) {
	for line, want := range map[string]string{
		"\x1b[32mFORMULA OneSafe TRUE\n":            "FORMULA stands behind an escape sequence, such as a colour, and is not read, so that OneSafe has no value",
		"\x1b[0mdone\nx FORMULA OneSafe TRUE\n":     "FORMULA stands inside other text and is not read, so that OneSafe has no value",
		"OneSafe\x1b[0m\n[2 s] CANNOT_COMPUTE ok\n": "CANNOT_COMPUTE stands inside other text and is not read",
	} {
		r := NewReader(iotest.OneByteReader(strings.NewReader(line)), examinations.OneSafe, ReaderOptions{})
		for r.Scan() {
			t.Errorf("%q: an answer: %v", line, r.Answer())
		}
		found := r.Diagnostics()
		if i := slices.IndexFunc(found, func(d diagnostic.Diagnostic) bool { return d.Code == "answer-not-at-head" }); i < 0 || found[i].Message != want {
			t.Errorf("%q: %v", line, found)
		}
	}
}

// TestUnreadAnswers: a line that is not read is an error when its value is missed, however
// the output is cut.
func TestUnreadAnswers(t *testing.T) {
	for _, c := range []struct {
		exam  examinations.ID
		text  string
		code  string
		want  diagnostic.Severity
		lacks string
	}{
		{examinations.OneSafe, "result: FORMULA OneSafe TRUE TECHNIQUES BMC\n", "answer-not-at-head", diagnostic.Error, "OneSafe"},
		{examinations.OneSafe, "result: FORMULA OneSafe TRUE TECHNIQUES BMC", "answer-not-at-head", diagnostic.Error, "OneSafe"},
		{examinations.OneSafe, "result: FORMULA OneSafe TRUE TECHNIQUES BMC\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "answer-not-at-head", diagnostic.Warning, ""},
		{examinations.OneSafe, "result: FORMULA OneSafe TRUE TECHNIQUES BMC\nFORMULA OneSafe CANNOT_COMPUTE\n", "answer-not-at-head", diagnostic.Warning, ""},
		{examinations.CTLCardinality, "FORMULA " + formulaItems[0] + " TRUE TECHNIQUES BMC FORMULA " + formulaItems[1] + " FALSE TECHNIQUES BMC\n", "answer-not-at-head", diagnostic.Error, formulaItems[1]},
		{examinations.CTLCardinality, "FORMULA " + formulaItems[0] + " TRUE TECHNIQUES BMC FORMULA " + formulaItems[0] + " TRUE TECHNIQUES BMC\n", "answer-not-at-head", diagnostic.Warning, ""},
		{examinations.StateSpace, "STATE_SPACE STATES 5 TECHNIQUES BMCSTATE_SPACE TRANSITIONS 7 TECHNIQUES BMC\n", "answer-not-at-head", diagnostic.Error, "TRANSITIONS"},
		{examinations.OneSafe, "reading FORMULA files\n", "answer-not-at-head", diagnostic.Warning, ""},
		{examinations.OneSafe, "say: STATE_SPACE OneSafe TRUE\n", "answer-not-at-head", diagnostic.Warning, ""},
		{examinations.OneSafe, "formula OneSafe TRUE TECHNIQUES BMC\n", "answer-keyword-case", diagnostic.Error, "OneSafe"},
		{examinations.OneSafe, "OneSafe TRUE\n", "answer-bare-item", diagnostic.Error, "OneSafe"},
		{examinations.OneSafe, "OneSafe TRUE\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "answer-bare-item", diagnostic.Warning, ""},
		{examinations.OneSafe, "cannot_compute\n", "answer-keyword-case", diagnostic.Error, ""},
		{examinations.OneSafe, "cannot_compute\nFORMULA OneSafe TRUE TECHNIQUES BMC\n", "answer-keyword-case", diagnostic.Warning, ""},
		{examinations.StateSpace, "state_space STATES 5 TECHNIQUES BMC\n", "answer-keyword-case", diagnostic.Error, "STATES"},
		{examinations.CTLCardinality, "formula " + formulaItems[0] + " TRUE TECHNIQUES BMC\n", "answer-keyword-case", diagnostic.Error, formulaItems[0]},
	} {
		for _, in := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
			o := ReaderOptions{}
			if c.exam == examinations.CTLCardinality {
				o.Items = formulaItems
			}
			r := NewReader(in, c.exam, o)
			for r.Scan() {
			}
			found := r.Diagnostics()
			i := slices.IndexFunc(found, func(d diagnostic.Diagnostic) bool { return d.Code == c.code })
			if i < 0 || found[i].Severity != c.want || strings.HasSuffix(found[i].Message, ", so that "+c.lacks+" has no value") != (c.lacks != "") {
				t.Errorf("%q: %v", c.text, found)
			}
		}
	}
}
