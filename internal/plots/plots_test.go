package plots

import (
	"encoding/xml"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// wellFormed wants an SVG file to be XML, and its coordinates to be numbers.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, "style=") {
		t.Errorf("a number that is none, or a style of its own: %s", svg)
	}
}

func TestKindsOfCharts(t *testing.T) {
	tools := []string{"a", `<script>alert("1")</script>`, "idle"}
	pieces := func() [][]Piece {
		return [][]Piece{{{2, 3, 7}, {0.5, 1, 8}, {4000, 2, 9}}, {{0, 5, 10}}, nil}
	}
	gains := NewGains(3)
	for tool, list := range pieces() {
		for _, p := range list {
			gains.Add(tool, p)
		}
	}
	cactus := Cactus("CTL", tools, pieces())
	for name, c := range map[string]*Chart{"cactus": cactus, "quantile": Quantile("CTL", tools, pieces(), []float64{-2, 0, -1}), "gains": gains.Chart("t", "x", "y", tools),
		"nothing": Cactus("CTL", tools, make([][]Piece, 3)), "no gain": NewGains(2).Chart("t", "x", "y", tools[:2]), "pairs": Against("t", "x", "y", LeastTime, []Pair{{1, 2, 5}, {-1, 3, 6}, {4, -1, 7}}),
		"no pairs": Against("t", "x", "y", LeastTime, nil)} {
		svg := c.SVG("what one sees <here>")
		wellFormed(t, svg)
		if strings.Contains(svg, "<script") {
			t.Errorf("%s: a name became markup", name)
		}
		d := c.Draw()
		for _, s := range d.Spots {
			if s.X < 0 || s.X > d.Width || s.Y < 0 || s.Y > d.Height {
				t.Errorf("%s: run %d stands outside, at %v %v", name, s.Run, s.X, s.Y)
			}
		}
	}
	if len(cactus.Lines) != 2 || cactus.Lines[0].Points[2] != (Point{6, LogTime(4000), 9}) {
		t.Errorf("the cactus plot has the lines %+v", cactus.Lines)
	}
	if spots := cactus.Draw().Spots; len(spots) != 4 || spots[0].Run != 8 || spots[0].X >= spots[1].X || spots[0].Y <= spots[1].Y {
		t.Errorf("runs stand at %+v: more values are further right, more time is higher", spots)
	}
}

// TestSecondTime: the axis of the score-based quantile plot is linear up to one second.
func TestSecondTime(t *testing.T) {
	for seconds, want := range map[float64]float64{0: 0, 0.001: 0.001, 0.25: 0.25, 1: 1, 10: 2, 100: 3} {
		if got := secondTime(seconds); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v s is at %v, not at %v", seconds, got, want)
		}
	}
	c := Quantile("C", []string{"a"}, [][]Piece{{{0.5, 2, 0}, {100, 1, 1}, {0.1, 1, 2}}}, []float64{-16})
	if got, want := c.Lines[0].Points, []Point{{-16, 0.1, -1}, {-15, 0.1, 2}, {-13, 0.5, 0}, {-12, 3, 1}}; !slices.Equal(got, want) {
		t.Errorf("the line is %v, not %v", got, want)
	}
	var labels []string
	for _, tick := range c.Y.Ticks {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	if got := strings.Join(labels, " "); got != "0 0.5 1 10 100" || c.Y.Min != 0 || c.Y.Max != 3 {
		t.Errorf("the axis from %v to %v has the labels %s", c.Y.Min, c.Y.Max, got)
	}
}

// TestEmptyLine: a line without points is drawn as none.
func TestEmptyLine(t *testing.T) {
	c := Cactus("C", []string{"a"}, [][]Piece{{{1, 1, 0}}})
	c.Lines = append(c.Lines, Line{Name: "empty", Colour: 1})
	wellFormed(t, c.SVG("a line and an empty one"))
}

// TestRegression: points on y = 5 x^0.5 give this line.
func TestRegression(t *testing.T) {
	var pairs []Pair
	for i := range 40 {
		x := math.Pow(10, float64(i)/20)
		pairs = append(pairs, Pair{x, 5 * math.Sqrt(x), i})
	}
	c := Against("t", "x", "y", LeastTime, pairs)
	last := c.Guides[len(c.Guides)-1]
	if last.Name != "regression: y \u2248 5\u00b7x^0.50" || last.Weight != Strong {
		t.Errorf("the line is %+v", last)
	}
	for _, few := range [][]Pair{pairs[:leastFitted-1], nil, make([]Pair, 50)} {
		if c := Against("t", "x", "y", LeastTime, few); c.Guides[len(c.Guides)-1].Name != "" {
			t.Errorf("%d points have a regression line", len(few))
		}
	}
}

func TestManyPointsAreThinned(t *testing.T) {
	var pieces []Piece
	for i := range 100_000 {
		pieces = append(pieces, Piece{1 + float64(i)/100, 1, i})
	}
	line := Cactus("c", []string{"a"}, [][]Piece{pieces}).Lines[0].Points
	if len(line) > 4000 || line[0].Run != 0 || line[len(line)-1].Run != 99_999 {
		t.Errorf("%d points are left, from %+v to %+v", len(line), line[0], line[len(line)-1])
	}
}

// TestUsage: a run over time has steps where something changes, answers at their times, and a
// unit that fits; what goes beyond its bounds stays inside of the picture.
func TestUsage(t *testing.T) {
	busy := []Level{{0, 1, 1.2}, {1, 2, 1}, {2, 3, 0.001}, {3, 4, 0}}
	held := []Level{{0, 2, 0.5}, {2, 4, 1}}
	c := Usage("<cpu>", "memory", busy, held, 4, []float64{-1, 0, 0.0001, 3, 99})
	if at := c.Lines[0].Points; len(at) != 4 || at[1] != (Point{2, 100, -1}) || at[2] != (Point{2, 0.1, -1}) || at[3] != (Point{4, 0.1, -1}) {
		t.Errorf("CPU use is drawn at %+v", at)
	}
	if len(c.Guides) != 3 || c.Guides[0].Name != "answers (5)" || c.Guides[1].Name != "" || c.Guides[1].From.X != 3 || c.Guides[2].From.X != 4 {
		t.Errorf("answers are drawn at %+v", c.Guides)
	}
	wellFormed(t, c.SVG("a run"))
	for length, unit := range map[float64]string{0.05: "ms", 2.9: "ms", 3: "s", 299: "s", 300: "min", 17999: "min", 18000: "h", 1e6: "h"} {
		c := Usage("", "", []Level{{0, length, 1}}, []Level{{0, length, 1}}, length, nil)
		if c.X.Label != "wall time ("+unit+")" || len(c.X.Ticks) < 2 || len(c.Guides) > 0 {
			t.Errorf("%v s are drawn in %s, with %+v", length, c.X.Label, c.X.Ticks)
		}
		wellFormed(t, c.SVG("a run"))
	}
}
