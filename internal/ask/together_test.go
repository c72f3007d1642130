package ask_test

import (
	"math/big"
	"slices"
	"testing"

	. "podium/internal/ask"
	"podium/internal/ask/asktest"
	"podium/internal/plots"
	"podium/scoring"
)

// TestTogetherUnderAQuestion counts again, value by value, what the tools of a question did.
func TestTogetherUnderAQuestion(t *testing.T) {
	c, ed := asktest.Contest(t)
	s := NewSession(c, ed)
	q := Question{Tools: []string{"gamma"}, Kinds: []string{"PT"}}
	got, err := s.Together(q.String())
	if err != nil {
		t.Fatal(err)
	}
	r, err := q.Score(ed.Score(c), ed)
	if err != nil {
		t.Fatal(err)
	}
	tools := r.Contest.Tools
	right, alone, values := make([]int, len(tools)), make([]int, len(tools)), 0
	for i, sheet := range r.Contest.Sheets {
		for k := range int(sheet.Values) {
			values++
			var of []int
			for tool := range tools {
				if r.ValueMark(i, tool, int(sheet.First)+k) == scoring.Right && !r.SetAside(i, tool) {
					of = append(of, tool)
					right[tool]++
				}
			}
			if len(of) == 1 {
				alone[of[0]]++
			}
		}
	}
	for tool := range tools {
		if x := got.Shares[tool]; got.Tools[tool] != tools[tool].Name || x.Right != right[tool] || x.Alone != alone[tool] || x.Right == 0 || x.Missed == 0 {
			t.Errorf("%s: %+v, not %d right and %d alone", got.Tools[tool], x, right[tool], alone[tool])
		}
		if p := got.Pairs[tool][tool]; p.Both != 0 {
			t.Errorf("%s agrees with itself: %+v", got.Tools[tool], p)
		}
	}
	hard := 0
	for _, h := range got.Hardness {
		hard += h.Parts[0] + h.Parts[1] + h.Parts[2] + h.Parts[3]
	}
	if hard != values || got.Upset == nil {
		t.Errorf("%d of %d values are of some hardness", hard, values)
	}
	a, err := s.Ask(q)
	if err != nil {
		t.Fatal(err)
	}
	for k, b := range a.Boards {
		v := got.Virtual[k]
		i := slices.IndexFunc(b.Lines, func(l Line) bool { return l.Tool == v.Best })
		if v.Category != b.Category || i < 0 || b.Lines[i].Right != v.BestRight || v.Right < v.BestRight {
			t.Errorf("%s: %+v", b.Category, v)
		}
	}
	if _, err := s.Together("without-tol=x"); err == nil {
		t.Error("a question that is none is answered")
	}
}

// TestPointsAddUp: the points by model and by instance are those of the ranking.
func TestPointsAddUp(t *testing.T) {
	c, ed := asktest.Contest(t)
	s := NewSession(c, ed)
	a, err := s.Ask(Question{Tools: []string{"gamma"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range a.Boards {
		for by, rows := range map[string]int{"model": 6, "instance": 24} {
			p, err := s.Points(PointsRequest{Question: a.Question, Category: b.Category, By: by})
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Rows) != rows {
				t.Errorf("%s has %d rows by %s", b.Category, len(p.Rows), by)
			}
			for _, l := range b.Lines {
				tool, sum := slices.Index(p.Tools, l.Tool), new(big.Rat)
				for _, row := range p.Rows {
					x, ok := new(big.Rat).SetString(row.Points[tool])
					if !ok {
						t.Fatalf("%s has %q points", row.Name, row.Points[tool])
					}
					sum.Add(sum, x)
				}
				if sum.RatString() != l.Points {
					t.Errorf("%s: %s has %s points by %s, %s in the ranking", b.Category, l.Tool, sum.RatString(), by, l.Points)
				}
			}
		}
	}
	if _, err := s.Points(PointsRequest{By: "moon"}); err == nil {
		t.Error("points are listed by the moon")
	}
}

// TestOptOutsAreNotShown: plots, points and comparisons leave out what a tool did in a category
// that it opts out of.
func TestOptOutsAreNotShown(t *testing.T) {
	c, ed := asktest.Contest(t)
	tool := c.ToolNamed("alpha")
	shown := func() (points, spots, right int) {
		s := NewSession(c, ed)
		table, err := s.Points(PointsRequest{Category: "CTL", By: "instance"})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range table.Rows {
			if row.Points[tool] != "" {
				points++
			}
		}
		for _, kind := range []string{plots.ByValues, plots.ToolsApart} {
			p, err := s.Plot(PlotRequest{Plot: kind, Category: "CTL", X: "alpha", Y: "delta", XMeasure: MeasureCPU, YMeasure: MeasureCPU})
			if err != nil {
				t.Fatal(err)
			}
			for _, spot := range p.Spots {
				if run := int(spot[2]); run%len(c.Tools) == tool {
					spots++
				}
			}
		}
		all, err := s.Together("")
		if err != nil {
			t.Fatal(err)
		}
		return points, spots, all.Shares[tool].Right
	}
	points, spots, right := shown()
	c.Tools[tool].OptOut = []string{"CTL"}
	if p, s, r := shown(); points == 0 || p != 0 || s == 0 || s >= spots || r == 0 || r >= right {
		t.Errorf("before: %d %d %d, with the category left out: %d %d %d", points, spots, right, p, s, r)
	}
}
