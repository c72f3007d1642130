package ask_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/confidence"
	"podium/edition"
	"podium/examinations"
	. "podium/internal/ask"
	"podium/internal/ask/asktest"
	"podium/scoring"
	"podium/scoring/whatif"
)

func TestQuestionsReadBack(t *testing.T) {
	q := Question{Tools: []string{"a&b=c", "d e"}, Models: []string{"M"}, Kinds: []string{"COL"}, Exams: []string{"CTLFireability"}, Outcomes: []string{"wrong", "crash"}, Values: []string{"TRUE"}, CPU: 90 * time.Second, Wall: time.Millisecond, Memory: 4e9, Changes: []string{"elect.single_above=1/2"}, Under: "mcc2016", Certified: true, Untold: true}
	back, err := Parse(q.String())
	if err != nil || !reflect.DeepEqual(q, back) {
		t.Errorf("%s: got %+v, %v", q, back, err)
	}
	// an address says which plot it draws, too
	if plotted, err := Parse(q.String() + "&plot=tools&plot-x=a"); err != nil || !reflect.DeepEqual(q, plotted) {
		t.Errorf("with a plot: got %+v, %v", plotted, err)
	}
	for text, want := range map[string]int64{"memory=8GB": 8e9, "memory=16%20MiB": 16 << 20, "memory=4000000001": 4000000001} {
		q, err := Parse(text)
		if again, e := Parse(q.String()); err != nil || e != nil || q.Memory != want || again.Memory != want {
			t.Errorf("%s: %d, %v; %d, %v", text, q.Memory, err, again.Memory, e)
		}
	}
	for text, want := range map[string]string{
		"without-tol=x": "the nearest is without-tool", "cpu=soon": "cpu=60s", "wall=0s": "wall=60s", "memory=-1": "16GB or 512MiB", "memory=8 apples": "16GB or 512MiB", "kind": "WORD=VALUE", "values=all": "values=certified", "without=walk": "without=given",
		strings.Repeat("kind=COL&", 6000): "at most", strings.Repeat("x", 64<<10+1): "at most",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}

// TestDataKeepEveryAnswer: what a page reads answers as what was written.
func TestDataKeepEveryAnswer(t *testing.T) {
	c, ed := asktest.Contest(t)
	c = c.WithRulings(scoring.Ruling{Effect: scoring.StrikesRuns, Tool: func(t *scoring.Tool) bool { return t.Name == c.Tools[1].Name },
		Sheet: nil, Reason: "a test"})
	ed, err := (Question{Changes: []string{"elect.single_above=1/2"}}).Edition(ed)
	if err != nil {
		t.Fatal(err)
	}
	var data bytes.Buffer
	if err := Write(&data, c, ed); err != nil {
		t.Fatal(err)
	}
	read, again, err := Read(data.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if again.Digest != ed.Digest {
		t.Errorf("the edition %s became %s", ed.Digest, again.Digest)
	}
	before, after := NewSession(c, ed), NewSession(read, again)
	rng := rand.New(rand.NewPCG(7, 7))
	answered := 0
	for range 20 {
		q := asktest.Question(rng, before.Names())
		x, xerr := before.Ask(q)
		y, yerr := after.Ask(q)
		if (xerr == nil) != (yerr == nil) || !reflect.DeepEqual(x, y) {
			t.Errorf("%s: %v and %v: %s and %s", q, xerr, yerr, text(t, x), text(t, y))
		}
		if xerr == nil && len(x.Moves) > 0 {
			answered++
		}
	}
	if answered < 5 {
		t.Errorf("only %d of 20 questions change something", answered)
	}
}

func text(t *testing.T, a *Answer) string {
	t.Helper()
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(b[:min(len(b), 300)])
}

func TestNamesThatDoNotExist(t *testing.T) {
	c, ed := asktest.Contest(t)
	var name *NameError
	if _, err := NewSession(c, ed).Ask(Question{Tools: []string{c.Tools[0].Name + "x"}}); !errors.As(err, &name) || !strings.Contains(err.Error(), "the nearest is "+c.Tools[0].Name) {
		t.Errorf("got %v", err)
	}
	var all []string
	for i := range c.Tools {
		all = append(all, c.Tools[i].Name)
	}
	if _, err := NewSession(c, ed).Ask(Question{Tools: all}); err == nil || !strings.Contains(err.Error(), "nothing to score") {
		t.Errorf("without any tool: %v", err)
	}
	if _, err := NewSession(c, ed).Ask(Question{Under: "mcc2036"}); !errors.As(err, &name) || !strings.Contains(err.Error(), "the nearest is mcc20") {
		t.Errorf("an edition of the future: %v", err)
	}
	c.Certified, c.Told = nil, nil
	if _, err := NewSession(c, ed).Ask(Question{Untold: true}); !errors.As(err, &name) || !strings.Contains(err.Error(), "no value of these") {
		t.Errorf("where nothing is told: %v", err)
	}
	if _, err := NewSession(c, ed).Ask(Question{Certified: true}); !errors.As(err, &name) || !strings.Contains(err.Error(), "podium prove") {
		t.Errorf("without a referee: %v", err)
	}
}

// TestUnderEveryEdition: a contest that an edition judges by way of a question has the
// scores of one that was read under the edition.
func TestUnderEveryEdition(t *testing.T) {
	c, ed := asktest.Contest(t)
	names := NewSession(c, ed).Names().Editions
	if len(names) < 8 {
		t.Fatalf("only %v ask what the contest asks", names)
	}
	for _, name := range names {
		other, err := edition.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		asked, err := Question{Under: name}.Score(ed.Score(c), ed)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		read := other.Score(readUnder(t, c, other))
		if x, y := NewScores(asked, other), NewScores(read, other); !reflect.DeepEqual(x, y) {
			t.Errorf("%s: asked %+v, read %+v", name, x.Boards, y.Boards)
		}
	}
}

// readUnder makes the contest again from its answers.
func readUnder(t *testing.T, c *scoring.Contest, ed *edition.Edition) *scoring.Contest {
	t.Helper()
	b := ed.Builder()
	for i := range c.Tools {
		b.Tool(c.Tools[i])
	}
	proofs := map[examinations.Key]examinations.Value{}
	for i, s := range c.Sheets {
		inst, exam := &c.Instances[s.Instance], c.Exams[s.Exam].ID
		if _, asked := ed.Examination(exam); !asked {
			continue
		}
		b.Instance(inst.Name, inst.Class)
		for tool := range c.Tools {
			e := scoring.Entry{Tool: c.Tools[tool].Name, Instance: inst.Name, Exam: exam, Run: *c.Run(i, tool)}
			for v := int(s.First); v < int(s.First+s.Values); v++ {
				if answer := c.Answer(v, tool); !answer.IsZero() {
					e.Answers = append(e.Answers, scoring.AnsweredValue{Item: c.Items[v], Value: answer})
				}
				if c.Certified[v] != 0 {
					proofs[examinations.Key{Instance: inst.ID, Exam: exam, Item: c.Items[v]}] = c.Values[c.Certified[v]]
				}
			}
			if err := b.Add(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Contest().WithCertified(proofs)
}

// TestConfidencesOfAnAnswer: they are those before and under the question.
func TestConfidencesOfAnAnswer(t *testing.T) {
	c, ed := asktest.Contest(t)
	q := Question{Tools: []string{"gamma"}, Exams: []string{"CTLFireability"}}
	before := ed.Score(c)
	after, err := q.Score(before, ed)
	if err != nil {
		t.Fatal(err)
	}
	a := NewAnswer(before, after)
	if len(a.Confidences) != len(c.Tools) {
		t.Fatalf("%d confidences of %d tools", len(a.Confidences), len(c.Tools))
	}
	moved := 0
	for i, x := range a.Confidences {
		want := ""
		if at := after.Contest.ToolNamed(x.Tool); at >= 0 {
			want = after.Confidence[at].Rat().RatString()
		}
		if x.Tool != c.Tools[i].Name || x.Before != before.Confidence[i].Rat().RatString() || x.After != want || (want == "") != (x.Tool == "gamma") {
			t.Errorf("%+v, under the question %q", x, want)
		}
		if x.Before != x.After {
			moved++
		}
	}
	if moved < 3 {
		t.Errorf("only %d confidences change", moved)
	}
}

// TestOnlyCertifiedValues: what no referee has proved is worth nothing.
func TestOnlyCertifiedValues(t *testing.T) {
	c, ed := asktest.Contest(t)
	r, err := Question{Certified: true}.Score(ed.Score(c), ed)
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for v := range c.Items {
		if r.References[v].Clause != confidence.Struck {
			judged++
			if c.Certified[v] == 0 {
				t.Fatalf("%s is judged, and nobody has proved it", c.Items[v])
			}
		}
	}
	if judged == 0 || judged == len(c.Items) {
		t.Errorf("%d of %d values are judged", judged, len(c.Items))
	}
}

// TestKeepingOutcomes: of the answers those stay whose runs have an outcome that is kept,
// by the official result.
func TestKeepingOutcomes(t *testing.T) {
	c, ed := asktest.Contest(t)
	before := ed.Score(c)
	names := NewSession(c, ed).Names().Outcomes
	for _, want := range []scoring.Outcome{scoring.OutcomeWrong, scoring.OutcomeTime, scoring.OutcomeMemory, scoring.OutcomeCrash, scoring.OutcomeAnswered} {
		if !slices.Contains(names, want) {
			t.Fatalf("no run is %s: %v", want, names)
		}
	}
	for _, name := range names {
		after, err := Question{Outcomes: []string{string(name)}}.Score(before, ed)
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for i := range c.Sheets {
			for tool := range c.Tools {
				answered := after.Contest.Run(i, tool).Participation == scoring.Answered
				if answered != (before.Outcome(i, tool) == name && c.Run(i, tool).Participation == scoring.Answered) {
					t.Fatalf("%s: run %d of tool %d, which is %s, answered: %v", name, i, tool, before.Outcome(i, tool), answered)
				}
				if answered {
					kept++
				}
			}
		}
		if kept == 0 {
			t.Errorf("nothing is left of %s", name)
		}
	}
	var wrong *NameError
	if _, err := (Question{Outcomes: []string{"crashed"}}).Score(before, ed); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "crash") {
		t.Errorf("an outcome that is none: %v", err)
	}
}

// TestHiddenInstancesAreNotWritten: what is left out of a contest is not in its data.
func TestHiddenInstancesAreNotWritten(t *testing.T) {
	c, ed := asktest.Contest(t)
	hidden := c.Instances[c.Sheets[0].Instance]
	c = whatif.Without(c, nil, func(i *scoring.Instance) bool { return i.Name == hidden.Name })
	var data bytes.Buffer
	if err := Write(&data, c, ed); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&data)
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := io.ReadAll(z); err != nil || bytes.Contains(whole, []byte(hidden.Name)) {
		t.Errorf("the data name %s (%v)", hidden.Name, err)
	}
}

// FuzzRead: data from outside are read and answer, or are refused.
func FuzzRead(f *testing.F) {
	c, ed := asktest.Contest(f)
	c = whatif.Without(c, nil, func(i *scoring.Instance) bool { return i.ID.Family != c.Instances[0].ID.Family })
	var data bytes.Buffer
	if err := Write(&data, c, ed); err != nil {
		f.Fatal(err)
	}
	z, err := gzip.NewReader(&data)
	if err != nil {
		f.Fatal(err)
	}
	whole, err := io.ReadAll(z)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, text []byte) {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write(text)
		z.Close()
		if c, ed, err := Read(packed.Bytes()); err == nil && len(c.Items) < 10_000 {
			NewSession(c, ed)
		}
	})
}

// FuzzParse: a question that is read is read back as it was.
func FuzzParse(f *testing.F) {
	f.Add("without-tool=walk&kind=COL&cpu=60s&memory=4&change=a%3Db")
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text)
		if err != nil {
			return
		}
		if back, err := Parse(q.String()); err != nil || !reflect.DeepEqual(q, back) {
			t.Errorf("%q: %+v became %+v, %v", text, q, back, err)
		}
	})
}
