package publish

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// PairPlot is a scatter plot of the times of runs that were done twice, on
// logarithmic axes.
type PairPlot struct {
	Title, X, Y string
	Alt         string // what one sees, for those who do not
	Points      []PairPoint
}

// PairPoint is the two times of a run in seconds. A negative time is that of a run
// that solved nothing.
type PairPoint struct{ X, Y float64 }

// SVG draws the plot as a file that stands alone.
func (p PairPlot) SVG() (string, error) {
	ch, err := pairChart(clean(p.Title), clean(p.X), clean(p.Y), p.Points)
	if err != nil {
		return "", err
	}
	return svgOf(ch, p.Alt, pairSize, pairSize+vg.Centimeter)
}

// Style is the style sheet of the pages.
func Style() string {
	sheet, err := files.ReadFile("assets/style.css")
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(sheet)
}

func pairChart(title, x, y string, points []PairPoint) (*chart, error) {
	var both, one plotter.XYs
	low, high := logTime(0), 0.0
	for _, at := range points {
		for _, t := range []float64{at.X, at.Y} {
			if t >= 0 {
				high = math.Max(high, logTime(t))
			}
		}
	}
	high = math.Ceil(high)
	unsolved := high + 1.3 // room for its label beside that of the last power
	place := func(t float64) float64 {
		if t < 0 {
			return unsolved
		}
		return logTime(t)
	}
	for _, at := range points {
		spot := plotter.XY{X: place(at.X), Y: place(at.Y)}
		if at.X < 0 || at.Y < 0 {
			one = append(one, spot)
		} else {
			both = append(both, spot)
		}
	}
	ch := newChart(title, x, y)
	if err := ch.guides(low, high, unsolved); err != nil {
		return nil, err
	}
	solvedBoth, solvedOne := dots{sparse(both), withAlpha(palette[0]), false}, dots{sparse(one), palette[1], true}
	ch.Add(solvedBoth, solvedOne)
	ch.legend(fmt.Sprintf("both solved (%s)", count(len(both))), solvedBoth)
	ch.legend(fmt.Sprintf("only one solved (%s)", count(len(one))), solvedOne)
	ch.X.Tick.Marker, ch.Y.Tick.Marker = pairTicks(high, unsolved, 2), pairTicks(high, unsolved, 1)
	ch.X.Min, ch.X.Max, ch.Y.Min, ch.Y.Max = low, unsolved+0.1, low, unsolved+0.1
	return ch, nil
}
