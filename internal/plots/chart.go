package plots

import (
	"math"
	"strconv"
	"strings"

	"podium/internal/wording"
)

// Chart is a plot with its title, which may be empty, and legend above it, where they hide nothing.
type Chart struct {
	Title  string
	X, Y   Axis
	Guides []Guide // below everything else
	Lines  []Line
	Marks  []Marks
	Square bool
	Flat   bool // half as high
}

// Axis is an axis with what stands beside it.
type Axis struct {
	Label    string
	Min, Max float64
	Ticks    []Tick
}

// Tick is a mark on an axis; a smaller one has no label.
type Tick struct {
	At    float64
	Label string
}

// Point is a point of a chart. Run is the number of its run, -1 where it is none.
type Point struct {
	X, Y float64
	Run  int
}

// Line is the line of a tool, or of what else is counted: it has the colour, the dashes and
// the mark at its end of number Colour.
type Line struct {
	Name   string
	Colour int
	Points []Point
}

// Marks are points without a line.
type Marks struct {
	Name   string
	Colour int
	Cross  bool
	Points []Point
}

// Weight says how a guide is drawn.
type Weight int

// The weights of guides.
const (
	Thin Weight = iota
	Plain
	Dashed
	Strong
)

// Guide is a straight line that helps to read a chart. One with a name is in the legend.
type Guide struct {
	Name     string
	From, To Point
	Weight   Weight
}

// Colours is how many colours lines have before they repeat. The style sheet of a site names
// them k0, k1, ...
const Colours = 8

// Dashes are the dashes of lines, in points; d0, d1, ... in the style sheet.
var Dashes = [][]float64{nil, {7, 3}, {3, 2}, {9, 3, 2, 3}}

// DashOf is the number of the dashes of a line: no two of the first 32 lines have both the
// same colour and the same dashes.
func DashOf(line int) int { return (line + line/Colours) % len(Dashes) }

// LeastTime is where times begin on logarithmic axes, in seconds: less is hardly measured.
const LeastTime = 0.001

// LogTime is a time in seconds as a power of ten, at least LeastTime.
func LogTime(seconds float64) float64 { return math.Log10(math.Max(seconds, LeastTime)) }

// LogTicks label the powers of ten on an axis.
func LogTicks(low, high float64) (ticks []Tick) {
	for e := int(math.Floor(low)); e <= int(math.Ceil(high)); e++ {
		for m := 1; m < 10; m++ {
			at := float64(e) + math.Log10(float64(m))
			if at < low-1e-9 || at > high+1e-9 {
				continue
			}
			tick := Tick{At: at}
			if m == 1 {
				tick.Label = PowerLabel(e)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// secondTime is where a time stands on an axis that is linear up to one second, which is at 1,
// and logarithmic above: 10 s are at 2.
func secondTime(seconds float64) float64 {
	if seconds <= 1 {
		return math.Max(seconds, 0)
	}
	return 1 + math.Log10(seconds)
}

// secondTicks label 0, half a second and the powers of ten on such an axis.
func secondTicks(_, high float64) []Tick {
	ticks := []Tick{{0, "0"}, {0.25, ""}, {0.5, "0.5"}, {0.75, ""}}
	for _, tick := range LogTicks(0, high-1) {
		ticks = append(ticks, Tick{tick.At + 1, tick.Label})
	}
	return ticks
}

// PowerLabel is ten to the power of e.
func PowerLabel(e int) string {
	if e < 0 {
		return strconv.FormatFloat(math.Pow10(e), 'f', -e, 64)
	}
	return wide(wording.Grouped("1" + strings.Repeat("0", e)))
}

// countTicks label round numbers: at most eight, and a mark in the middle of two.
func countTicks(low, high float64) (ticks []Tick) {
	step := 1.0
	for k := 0; (high-low)/step > 7; k++ {
		step *= []float64{2, 2.5, 2}[k%3] // 1, 2, 5, 10, ...
	}
	for at := math.Ceil(low/step) * step; at <= high; at += step {
		ticks = append(ticks, Tick{At: at, Label: number(int(math.Round(at)))})
		if middle := at + step/2; middle <= high && step > 1 {
			ticks = append(ticks, Tick{At: middle})
		}
	}
	return ticks
}

// number is a number with its digits in groups.
func number(n int) string { return wide(wording.Number(n)) }

// wide has wider spaces: not all fonts have thin ones.
func wide(text string) string { return strings.ReplaceAll(text, "\u202f", "\u00a0") }

// thin leaves out points of a monotone line that lie within a quarter of a pixel of the last
// one kept; first and last stay.
func thin(points []Point, xSpan float64) []Point {
	if len(points) < 3 || xSpan <= 0 {
		return points
	}
	kept := points[:1:1]
	for _, at := range points[1 : len(points)-1] {
		last := kept[len(kept)-1]
		if (at.X-last.X)/xSpan > 1.0/2000 || at.Y-last.Y > 1.0/400 {
			kept = append(kept, at)
		}
	}
	return append(kept, points[len(points)-1])
}

// sparse keeps one of all points that fall on the same spot of paper.
func sparse(points []Point) (kept []Point) {
	type spot struct{ x, y int }
	taken := make(map[spot]bool, len(points))
	for _, at := range points {
		where := spot{int(math.Floor(at.X * 60)), int(math.Floor(at.Y * 60))}
		if !taken[where] {
			taken[where] = true
			kept = append(kept, at)
		}
	}
	return kept
}

// span returns the least and the greatest of some values, and of those of lines.
func span(lines []Line, of func(Point) float64, low, high float64) (least, greatest float64) {
	for _, l := range lines {
		for _, at := range l.Points {
			low, high = math.Min(low, of(at)), math.Max(high, of(at))
		}
	}
	return low, high
}
