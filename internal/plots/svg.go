package plots

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Sizes of charts in points: 20 by 12 cm, 12 by 13 cm of those that are square, and 20 by 6 cm
// of those that are flat.
const (
	Width, Height             = 567.0, 340.0
	squareWidth, squareHeight = 340.0, 368.0
	flatHeight                = 170.0
)

// Size is the size of the chart in points.
func (c *Chart) Size() (width, height float64) {
	switch {
	case c.Square:
		return squareWidth, squareHeight
	case c.Flat:
		return Width, flatHeight
	}
	return Width, Height
}

// Spot is a point of a drawn chart, in points from its upper left corner.
type Spot struct {
	X, Y float64
	Run  int
}

// Drawing is a chart as SVG. Body is what stands inside the svg element; its colours are
// those of a style sheet.
type Drawing struct {
	Body          string
	Width, Height float64
	Spots         []Spot // of the points that are runs
}

// Sizes of letters, in points.
const (
	titleSize, labelSize, tickSize, legendSize = 14.0, 13.0, 12.0, 11.5
)

// pen writes the elements of a drawing.
type pen struct {
	strings.Builder
	area struct{ left, right, top, bottom float64 } // of the axes
	c    *Chart
}

func (p *pen) x(v float64) float64 {
	return p.area.left + (v-p.c.X.Min)/(p.c.X.Max-p.c.X.Min)*(p.area.right-p.area.left)
}

func (p *pen) y(v float64) float64 {
	return p.area.bottom - (v-p.c.Y.Min)/(p.c.Y.Max-p.c.Y.Min)*(p.area.bottom-p.area.top)
}

// text writes a text. Its anchor is start, middle or end; it may stand upright.
func (p *pen) text(class string, size, x, y float64, anchor, text string) {
	fmt.Fprintf(p, `<text class="%s" font-size="%s" x="%s" y="%s" text-anchor="%s">%s</text>`, class, coordinate(size), coordinate(x), coordinate(y), anchor, html.EscapeString(text))
}

// stroke writes a path of a straight line, or of several behind each other.
func (p *pen) stroke(class string, points ...[2]float64) { p.strokes(class, points) }

// strokes writes a path of several lines. Pages may hold many: steps are relative, in whole
// tenths, so that nothing drifts.
func (p *pen) strokes(class string, lines ...[][2]float64) {
	p.WriteString(`<path class="` + class + `" d="`)
	for _, points := range lines {
		x, y := 0, 0
		for i, at := range points {
			dx, dy := int(math.Round(at[0]*10))-x, int(math.Round(at[1]*10))-y
			x, y = x+dx, y+dy
			switch {
			case i == 0:
				p.WriteString("M" + tenths(dx) + " " + tenths(dy))
			case dx == 0 && dy == 0:
			case dy == 0:
				p.WriteString("h" + tenths(dx))
			case dx == 0:
				p.WriteString("v" + tenths(dy))
			default:
				p.WriteString("l" + tenths(dx) + " " + tenths(dy))
			}
		}
	}
	p.WriteString("\"/>\n")
}

// tenths is a number of tenths.
func tenths(n int) string { return coordinate(float64(n) / 10) }

// Draw draws the chart.
func (c *Chart) Draw() Drawing {
	p := &pen{c: c}
	d := Drawing{}
	d.Width, d.Height = c.Size()
	p.layOut(d.Width, d.Height)
	p.axes()
	for _, g := range c.Guides {
		p.stroke(g.class(), [2]float64{p.x(g.From.X), p.y(g.From.Y)}, [2]float64{p.x(g.To.X), p.y(g.To.Y)})
	}
	for _, m := range c.Marks {
		p.marks(m)
		d.note(p, m.Points)
	}
	for _, l := range c.Lines {
		p.line(l)
		d.note(p, l.Points)
	}
	d.Body = p.String()
	return d
}

// note keeps where points that are runs stand.
func (d *Drawing) note(p *pen, points []Point) {
	for _, at := range points {
		if at.Run >= 0 {
			d.Spots = append(d.Spots, Spot{math.Round(p.x(at.X)*10) / 10, math.Round(p.y(at.Y)*10) / 10, at.Run})
		}
	}
}

// layOut writes title and legend, and finds the room of the axes.
func (p *pen) layOut(width, height float64) {
	const thumb, gap, row, wider = 26.0, 14.0, 16.0, 1.2 // a viewer's own font may be wider
	x, y := 4.0, 4.0
	if p.c.Title != "" {
		p.text("title", titleSize, 4, 2+titleSize*0.85, "start", p.c.Title)
		y = 24
	}
	entry := func(name string, draw func(x, y float64)) {
		w := thumb + 5 + textWidth(name, legendSize)*wider + gap
		if x+w > width && x > 4 {
			x, y = 4, y+row
		}
		draw(x, y+6)
		p.text("legend", legendSize, x+thumb+5, y+10, "start", name)
		p.WriteByte('\n')
		x += w
	}
	for _, m := range p.c.Marks {
		entry(m.Name, func(x, y float64) { p.mark(m.class(), m.Cross, [][2]float64{{x + thumb/2, y}}) })
	}
	for _, g := range p.c.Guides {
		if g.Name != "" {
			entry(g.Name, func(x, y float64) { p.stroke(g.class(), [2]float64{x, y}, [2]float64{x + thumb, y}) })
		}
	}
	for _, l := range p.c.Lines {
		entry(l.Name, func(x, y float64) {
			p.stroke(l.class(), [2]float64{x, y}, [2]float64{x + thumb, y})
			p.end(l.Colour, x+thumb/2, y)
		})
	}
	widest := 0.0
	for _, t := range p.c.Y.Ticks {
		widest = max(widest, textWidth(t.Label, tickSize))
	}
	right := 14.0
	if n := len(p.c.X.Ticks); n > 0 {
		right = max(right, textWidth(p.c.X.Ticks[n-1].Label, tickSize)*wider/2)
	}
	p.area.left, p.area.right = 3+8+widest*wider+8, width-right
	if p.c.Y.Label != "" {
		p.area.left += labelSize
	}
	p.area.top, p.area.bottom = y+row+8, height-labelSize-tickSize-19
}

func (p *pen) axes() {
	a := p.area
	var grid [][][2]float64
	axis := [][][2]float64{{{a.left - 3, a.top}, {a.left - 3, a.bottom + 3}, {a.right, a.bottom + 3}}}
	for _, t := range p.c.X.Ticks {
		x, long := p.x(t.At), 4.0
		if t.Label != "" {
			long = 7
			grid = append(grid, [][2]float64{{x, a.top}, {x, a.bottom}})
		}
		axis = append(axis, [][2]float64{{x, a.bottom + 3}, {x, a.bottom + 3 + long}})
	}
	for _, t := range p.c.Y.Ticks {
		y, long := p.y(t.At), 4.0
		if t.Label != "" {
			long = 7
			grid = append(grid, [][2]float64{{a.left, y}, {a.right, y}})
		}
		axis = append(axis, [][2]float64{{a.left - 3, y}, {a.left - 3 - long, y}})
	}
	p.strokes("grid", grid...)
	p.strokes("axis", axis...)
	p.labels(p.c.X.Ticks, "middle", func(t Tick) (x, y float64) { return p.x(t.At), a.bottom + 3 + 8 + tickSize*0.85 })
	p.labels(p.c.Y.Ticks, "end", func(t Tick) (x, y float64) { return a.left - 12, p.y(t.At) + tickSize*0.35 })
	p.text("label", labelSize, (a.left+a.right)/2, a.bottom+tickSize+labelSize+14, "middle", p.c.X.Label)
	if p.c.Y.Label == "" {
		return
	}
	fmt.Fprintf(p, `<g transform="translate(%s %s) rotate(-90)">`, coordinate(3+labelSize*0.85), coordinate((a.top+a.bottom)/2))
	p.text("label", labelSize, 0, 0, "middle", p.c.Y.Label)
	p.WriteString("</g>\n")
}

// labels writes the labels of ticks.
func (p *pen) labels(ticks []Tick, anchor string, at func(Tick) (x, y float64)) {
	fmt.Fprintf(p, `<g class="tick" font-size="%s" text-anchor="%s">`, coordinate(tickSize), anchor)
	for _, t := range ticks {
		if t.Label != "" {
			x, y := at(t)
			fmt.Fprintf(p, `<text x="%s" y="%s">%s</text>`, coordinate(x), coordinate(y), html.EscapeString(t.Label))
		}
	}
	p.WriteString("</g>\n")
}

func (g Guide) class() string {
	return "guide " + []string{"thin", "plain", "dashed", "strong"}[g.Weight]
}

func (l Line) class() string {
	return fmt.Sprintf("line k%d d%d", l.Colour%Colours, DashOf(l.Colour))
}

func (m Marks) class() string {
	if m.Cross {
		return fmt.Sprintf("cross k%d", m.Colour%Colours)
	}
	return fmt.Sprintf("dot k%d", m.Colour%Colours)
}

func (p *pen) line(l Line) {
	if len(l.Points) == 0 {
		return
	}
	points := make([][2]float64, len(l.Points))
	for i, at := range l.Points {
		points[i] = [2]float64{p.x(at.X), p.y(at.Y)}
		if p.c.Flat { // a site has as many as runs: whole points take half of the bytes
			points[i] = [2]float64{math.Round(points[i][0]), math.Round(points[i][1])}
		}
	}
	p.stroke(l.class(), points...)
	last := points[len(points)-1]
	p.end(l.Colour, last[0], last[1])
}

// end draws the mark at the end of a line: six shapes, so that equal colours differ.
func (p *pen) end(colour int, x, y float64) {
	const r = 3.5
	shape := [][2]float64(nil)
	hollow := false
	switch colour % 6 {
	case 1:
		shape = [][2]float64{{-r, -r}, {r, -r}, {r, r}, {-r, r}}
	case 2:
		shape = [][2]float64{{0, -r - 1}, {r + 1, r}, {-r - 1, r}}
	case 3:
		shape = [][2]float64{{0, -r - 1.5}, {r + 1, 0}, {0, r + 1.5}, {-r - 1, 0}}
	case 4:
		shape, hollow = [][2]float64{{-r, -r}, {r, -r}, {r, r}, {-r, r}}, true
	case 5:
		hollow = true
	}
	class := fmt.Sprintf("end f%d", colour%Colours)
	if hollow {
		class = fmt.Sprintf("ring k%d", colour%Colours)
	}
	if shape == nil {
		fmt.Fprintf(p, `<circle class="%s" cx="%s" cy="%s" r="3.5"/>`, class, coordinate(x), coordinate(y))
		p.WriteByte('\n')
		return
	}
	fmt.Fprintf(p, `<path class="%s" d="`, class)
	for i, at := range shape {
		p.WriteString([]string{"M", "L"}[min(i, 1)] + coordinate(x+at[0]) + " " + coordinate(y+at[1]))
	}
	p.WriteString("Z\"/>\n")
}

func (p *pen) marks(m Marks) {
	points := make([][2]float64, len(m.Points))
	for i, at := range m.Points {
		points[i] = [2]float64{p.x(at.X), p.y(at.Y)}
	}
	p.mark(m.class(), m.Cross, points)
}

// mark draws many small marks as one path, which keeps files small: dots are lines without
// length and with round ends.
func (p *pen) mark(class string, cross bool, points [][2]float64) {
	if len(points) == 0 {
		return
	}
	p.WriteString(`<path class="` + class + `" d="`)
	for _, at := range points {
		if cross {
			p.WriteString("M" + coordinate(at[0]-2.4) + " " + coordinate(at[1]-2.4) + "l4.8 4.8m0 -4.8l-4.8 4.8")
		} else {
			p.WriteString("M" + coordinate(at[0]) + " " + coordinate(at[1]) + "h0")
		}
	}
	p.WriteString("\"/>\n")
}

// coordinate is a number of a drawing, to a tenth.
func coordinate(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// SVG is the chart as a file that stands alone: title and description inside, common fonts,
// and colours that follow the reader's scheme.
func (c *Chart) SVG(alt string) string {
	d := c.Draw()
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-labelledby="t d" width="%spt" height="%spt" viewBox="0 0 %s %s">
<title id="t">%s</title>
<desc id="d">%s</desc>
<style>%s</style>
%s</svg>
`, coordinate(d.Width), coordinate(d.Height), coordinate(d.Width), coordinate(d.Height), html.EscapeString(c.Title), html.EscapeString(alt), sheet(), d.Body)
}
