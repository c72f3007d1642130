package ask_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "podium/internal/ask"
	"podium/internal/ask/asktest"
	"podium/internal/plots"
)

// TestPlotsFollowTheQuestion: every plot can be drawn under a question, its points are runs
// of the tools that are left, and lead to them.
func TestPlotsFollowTheQuestion(t *testing.T) {
	c, ed := asktest.Contest(t)
	s := NewSession(c, ed)
	for _, question := range []string{"", "without-tool=gamma&kind=COL", "without-tool=alpha", "cpu=600s"} {
		for _, kind := range []string{plots.ByValues, plots.ByPoints, plots.PointsOver, plots.ValuesOver, plots.ToolsApart} {
			if kind == plots.ToolsApart && strings.Contains(question, "alpha") {
				continue
			}
			p, err := s.Plot(PlotRequest{Question: question, Plot: kind, Category: "Reachability", X: "alpha", Y: "delta", XMeasure: MeasureCPU, YMeasure: MeasureMemory})
			if err != nil {
				t.Fatalf("%s, %q: %v", kind, question, err)
			}
			if kind != plots.ToolsApart {
				if got := regexp.MustCompile(`class="line k[0-9]`).FindAllString(p.Body, -1); len(got) == 0 {
					t.Errorf("%s, %q: no line", kind, question)
				} else if strings.Contains(question, "without-tool=alpha") == slices.Contains(got, `class="line k0`) {
					t.Errorf("%s, %q: the lines are %v: tools keep their colours", kind, question, got)
				}
			}
			if len(p.Spots) < 10 {
				t.Errorf("%s, %q: %d points are runs", kind, question, len(p.Spots))
			}
			if gone := strings.Contains(p.Body, "gamma"); kind != plots.ToolsApart && gone == strings.Contains(question, "gamma") {
				t.Errorf("%s, %q: the plot has gamma: %v", kind, question, gone)
			}
			for _, spot := range p.Spots {
				request := RunRequest{Question: question, Run: int(spot[2])}
				if kind == plots.ToolsApart {
					request.X, request.Y = "alpha", "delta"
				}
				of, err := s.RunAt(request)
				if err != nil {
					t.Fatal(err)
				}
				_, said, _ := strings.Cut(of.Text, ": ")
				first, second, both := strings.Cut(said, "; ")
				if both != (kind == plots.ToolsApart) || both && (!strings.HasPrefix(first, "alpha ") || !strings.HasPrefix(second, "delta ") || strings.Count(said, " s of CPU time") != 2) {
					t.Errorf("%s, %q: a point is %s", kind, question, of.Text)
				}
				if strings.Contains(question, "COL") && !strings.Contains(of.Text, "-COL-") {
					t.Errorf("%s, %q: a point is %s", kind, question, of.Text)
				}
				if tool, _, _ := strings.Cut(said, " "); !strings.HasPrefix(of.Path, "instances/Family") || !both && !strings.HasSuffix(of.Path, "."+tool) {
					t.Errorf("%s leads to %s", of.Text, of.Path)
				}
			}
		}
	}
	for _, wrong := range []PlotRequest{{Plot: "pie"}, {Plot: plots.ToolsApart, X: "alpha", Y: "nobody", XMeasure: MeasureCPU, YMeasure: MeasureCPU},
		{Plot: plots.ToolsApart, X: "alpha", Y: "delta", XMeasure: "luck", YMeasure: MeasureCPU}, {Plot: plots.ByValues, Question: "without-tol=x"}} {
		if _, err := s.Plot(wrong); err == nil {
			t.Errorf("%+v is drawn", wrong)
		}
	}
	if _, err := s.RunAt(RunRequest{Run: 1 << 30}); err == nil {
		t.Error("there is a run beyond the last one")
	}
}

// TestPlotsAddUp: a cactus plot ends at the right values that the ranking counts.
func TestPlotsAddUp(t *testing.T) {
	c, ed := asktest.Contest(t)
	s := NewSession(c, ed)
	a, err := s.Ask(Question{Kinds: []string{"PT"}})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(a.Boards, func(b Board) bool { return b.Category == "CTL" })
	for _, line := range a.Boards[i].Lines {
		p, err := s.Plot(PlotRequest{Question: a.Question, Plot: plots.ByValues, Category: "CTL"})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, spot := range p.Spots {
			of, err := s.RunAt(RunRequest{Question: a.Question, Run: int(spot[2])})
			if err != nil {
				t.Fatal(err)
			}
			var right, values int
			_, count, _ := strings.Cut(of.Text, ": ")
			if strings.HasPrefix(count, line.Tool+" ") {
				if _, err := fmt.Sscanf(count, line.Tool+" %d of %d", &right, &values); err != nil {
					t.Fatal(err)
				}
			}
			sum += right
		}
		if sum != line.Right {
			t.Errorf("%s: the plot has %d right values, the ranking %d", line.Tool, sum, line.Right)
		}
	}
}
