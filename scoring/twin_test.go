package scoring_test

import (
	"strings"
	"testing"

	"podium/examinations"
	. "podium/scoring"
)

// TestTwinsById: only answers to one formula of both twins can disagree, however
// many values either sheet has and whatever sorts before them.
func TestTwinsById(t *testing.T) {
	const exam = examinations.CTLFireability
	for _, tc := range []struct {
		name, col, pt, flags string // "id=answer", and the flag of both runs
	}{
		{"agree", "00=T 01=F 02=T", "00=T 01=F 02=T", "F"},
		{"the twin lacks one id", "00=T 01=F 02=T 03=T", "01=F 02=T 03=T", "F"},
		{"the net lacks one id", "02=T 03=F", "00=F 01=F 02=T 03=F", "F"},
		{"differ behind a gap", "00=T 02=T", "02=F", "T"},
		{"differ after the first three", "00=T 03=T", "00=T 03=F", "F"},
		{"full ids", "Net-COL-1-CTL-2025-00=T Net-COL-1-CTL-2025-02=F", "Net-PT-1-CTL-2025-02=F", "F"},
		{"full ids differ", "Net-COL-1-CTL-2025-00=T Net-COL-1-CTL-2025-02=F", "Net-PT-1-CTL-2025-02=T", "T"},
		{"the twin keeps the name of the coloured net", "Net-COL-1-CTL-02=F", "Net-COL-1-CTL-02=T", "T"},
		{"formulas of another year sort first", "Net-COL-1-CTL-2025-00=T", "Net-PT-1-CTL-2023-12=F Net-PT-1-CTL-2025-00=T", "F"},
		{"formulas of another year are no shared ones", "Net-COL-1-CTL-2023-12=T", "Net-PT-1-CTL-2023-12=F", "F"},
		{"ids without a number, by position", "left=T right=F", "left=F right=F", "T"},
		{"ids without a number behind the first three", "a=T b=T c=T d=T", "a=T b=T c=T d=F", "F"},
	} {
		b := NewBuilder(exams2016)
		if err := b.Add(run("A", "First-PT-1", "TTTT", Unmeasured, Unmeasured)); err != nil {
			t.Fatal(err)
		}
		for instance, text := range map[string]string{"Net-COL-1": tc.col, "Net-PT-1": tc.pt} {
			e := Entry{Tool: "A", Instance: instance, Exam: exam, Run: Run{Participation: Answered, CPU: Unmeasured, Wall: Unmeasured, Memory: Unmeasured}}
			for _, word := range strings.Fields(text) {
				id, answer, _ := strings.Cut(word, "=")
				e.Answers = append(e.Answers, AnsweredValue{Item: id, Value: examinations.Truth(answer == "T")})
			}
			if err := b.Add(e); err != nil {
				t.Fatal(err)
			}
		}
		s := scheme2016()
		s.Flags = []Flag{{Name: "twins", Rule: "x", Effect: SetAside, Detect: Twins(3, nil)}}
		r := s.Score(b.Contest())
		if got := r.FlagLetters(1, 0) + r.FlagLetters(2, 0); got != tc.flags+tc.flags {
			t.Errorf("%s: flags %s, want %s on both", tc.name, got, tc.flags)
		}
	}
}

// TestTwinsOfWhichExaminations: examinations with no more values than twins share are
// of another kind, some families have formulas of their own, and who does not answer
// one of the two does not disagree.
func TestTwinsOfWhichExaminations(t *testing.T) {
	for _, tc := range []struct {
		name    string
		first   int
		except  []string
		col, pt string
		want    string
	}{
		{"more values than are shared", 3, nil, "TTTT", "FTTT", "T"},
		{"as many values as are shared", 4, nil, "TTTT", "FTTT", "F"},
		{"a family with formulas of its own", 3, []string{"Net"}, "TTTT", "FTTT", "F"},
		{"another family has formulas of its own", 3, []string{"Other"}, "TTTT", "FTTT", "T"},
		{"no answer for the twin", 3, nil, "TTTT", ".TTT", "F"},
		{"no answer for the coloured net", 3, nil, ".TTT", "TTTT", "F"},
	} {
		s := scheme2016()
		s.Flags = []Flag{{Name: "twins", Effect: SetAside, Detect: Twins(tc.first, tc.except)}}
		b := NewBuilder(exams2016)
		for instance, answers := range map[string]string{"Net-COL-1": tc.col, "Net-PT-1": tc.pt} {
			if err := b.Add(run("A", instance, answers, 1, 1)); err != nil {
				t.Fatal(err)
			}
		}
		r := s.Score(b.Contest())
		if got := r.FlagLetters(0, 0) + r.FlagLetters(1, 0); got != tc.want+tc.want {
			t.Errorf("%s: flags %s, want %s on both", tc.name, got, tc.want)
		}
	}
}
