package publish

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"html"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// figure is a plot on a page.
type figure struct {
	Path    string
	Alt     string // what one sees, for those who do not
	Caption string
	Square  bool
}

// palette is the colours of tools, told apart by people with any of the common
// kinds of colour blindness (after Okabe and Ito); lines differ by dashes too.
// The style sheet has the same colours as .c0, .c1, ...
var palette = []color.RGBA{
	{0x00, 0x72, 0xB2, 255}, {0xD5, 0x5E, 0x00, 255}, {0x00, 0x9E, 0x73, 255}, {0xCC, 0x79, 0xA7, 255},
	{0xE6, 0x9F, 0x00, 255}, {0x56, 0xB4, 0xE9, 255}, {0x8C, 0x6B, 0xB1, 255}, {0x7A, 0x7A, 0x7A, 255},
}

// Colours that change with the colour scheme of the reader.
var (
	inkColor  = color.RGBA{0x1B, 0x25, 0x30, 255}
	gridColor = color.RGBA{0xDD, 0xE2, 0xE8, 255}
	limitInk  = color.RGBA{0x5B, 0x67, 0x73, 255}
)

var dashes = [][]vg.Length{nil, {7, 3}, {3, 2}, {9, 3, 2, 3}}

// curve is one tool's line.
type curve struct {
	tool   int
	points plotter.XYs
}

// Sizes of plots.
const (
	plotWidth  = 20 * vg.Centimeter
	plotHeight = 12 * vg.Centimeter
	pairSize   = 12 * vg.Centimeter
)

// leastTime is where times begin on logarithmic axes, in seconds: less is
// hardly measured.
const leastTime = 0.001

// chart is a plot with its title and legend above it, where they hide nothing.
// Logarithmic axes are linear axes over powers of ten: points are given as
// logarithms. (Axes with plot.LogScale misplace their label.)
type chart struct {
	*plot.Plot
	title   string
	entries []entry
}

// entry is one entry of a legend.
type entry struct {
	text   string
	thumbs []plot.Thumbnailer
}

// sans is the font of plots; viewers without it take one of the same widths.
func sans(size vg.Length, weight int) font.Font {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if weight == bold {
		f.Weight = bold
	}
	return f
}

// Weights as golang.org/x/image/font numbers them.
const (
	regular = 0
	bold    = 3
)

// newChart is an empty chart in the style of the house.
func newChart(title, x, y string) *chart {
	p := plot.New()
	p.BackgroundColor = color.Transparent
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Label.TextStyle.Color, axis.Tick.Color, axis.Tick.Label.Color = inkColor, inkColor, inkColor, inkColor
		axis.Label.TextStyle.Font, axis.Tick.Label.Font = sans(13, regular), sans(12, regular)
		axis.Label.Padding = 4
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = gridColor, gridColor
	p.Add(grid)
	return &chart{Plot: p, title: title}
}

// legend adds an entry.
func (ch *chart) legend(text string, thumbs ...plot.Thumbnailer) {
	ch.entries = append(ch.entries, entry{text, thumbs})
}

// draw lays out title, legend and plot from top to bottom.
func (ch *chart) draw(c draw.Canvas) { ch.Draw(ch.drawHead(c)) }

// drawHead draws title and legend, and gives what is left of the canvas.
func (ch *chart) drawHead(c draw.Canvas) draw.Canvas {
	style := draw.TextStyle{Color: inkColor, Font: sans(14, bold), Handler: ch.Title.TextStyle.Handler, YAlign: draw.YTop}
	c.FillText(style, vg.Point{X: c.Min.X + 4, Y: c.Max.Y - 2}, ch.title)
	y := c.Max.Y - 24
	style.Font = sans(11.5, regular)
	const thumb, gap, row, wider = 26, 14, 16, 1.15 // a viewer's own font may be wider
	x := c.Min.X + 4
	for _, e := range ch.entries {
		width := thumb + 5 + style.Width(e.text)*wider + gap
		if x+width > c.Max.X && x > c.Min.X+4 {
			x, y = c.Min.X+4, y-row
		}
		icon := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y - 12}, Max: vg.Point{X: x + thumb, Y: y}}}
		for _, t := range e.thumbs {
			t.Thumbnail(&icon)
		}
		c.FillText(style, vg.Point{X: x + thumb + 5, Y: y}, e.text)
		x += width
	}
	c.Min.X, c.Max.X, c.Max.Y = c.Min.X+3, c.Max.X-12, y-row-6
	return c
}

// logTime is a time in seconds as a power of ten, at least leastTime.
func logTime(seconds float64) float64 { return math.Log10(math.Max(seconds, leastTime)) }

// timeTicks label the powers of ten on an axis of times.
func timeTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := int(math.Floor(low)); e <= int(math.Ceil(high)); e++ {
		for m := 1; m < 10; m++ {
			at := float64(e) + math.Log10(float64(m))
			if at < low-1e-9 || at > high+1e-9 {
				continue
			}
			tick := plot.Tick{Value: at}
			if m == 1 {
				tick.Label = timeLabel(e)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// timeLabel is ten to the power of e.
func timeLabel(e int) string {
	if e < 0 {
		return strconv.FormatFloat(math.Pow10(e), 'f', -e, 64)
	}
	return strings.ReplaceAll(grouped("1"+strings.Repeat("0", e)), "\u202f", "\u00a0")
}

// countTicks label round numbers: at most eight, and a mark in the middle of two.
func countTicks(low, high float64) (ticks []plot.Tick) {
	step := 1.0
	for k := 0; (high-low)/step > 7; k++ {
		step *= []float64{2, 2.5, 2}[k%3] // 1, 2, 5, 10, ...
	}
	for at := math.Ceil(low/step) * step; at <= high; at += step {
		ticks = append(ticks, plot.Tick{Value: at, Label: strings.ReplaceAll(count(int(math.Round(at))), "\u202f", "\u00a0")})
		if middle := at + step/2; middle <= high && step > 1 {
			ticks = append(ticks, plot.Tick{Value: middle})
		}
	}
	return ticks
}

// addCurves draws one line per tool, in the colour of the tool.
func (s *site) addCurves(ch *chart, curves []curve) error {
	for _, c := range curves {
		line, err := plotter.NewLine(c.points)
		if err != nil {
			return err
		}
		line.LineStyle = draw.LineStyle{Color: palette[c.tool%len(palette)], Width: 2.3, Dashes: dashes[dashOf(c.tool)]}
		end, err := plotter.NewScatter(c.points[len(c.points)-1:])
		if err != nil {
			return err
		}
		end.GlyphStyle = draw.GlyphStyle{Color: palette[c.tool%len(palette)], Radius: 3.5, Shape: glyphs[c.tool%len(glyphs)]}
		ch.Add(line, end)
		ch.legend(clean(s.tools[c.tool].Name), line, end)
	}
	return nil
}

var glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.RingGlyph{}}

// thin leaves out points of a monotone curve that lie within a quarter of a
// pixel of the last one kept; first and last stay.
func thin(points plotter.XYs, xSpan float64) plotter.XYs {
	if len(points) < 3 || xSpan <= 0 {
		return points
	}
	kept := points[:1:1]
	for i := 1; i < len(points)-1; i++ {
		last := kept[len(kept)-1]
		if (points[i].X-last.X)/xSpan > 1.0/2000 || points[i].Y-last.Y > 1.0/400 {
			kept = append(kept, points[i])
		}
	}
	return append(kept, points[len(points)-1])
}

// drawable is a picture with a title.
type drawable interface {
	draw(c draw.Canvas)
	name() string
}

func (ch *chart) name() string { return ch.title }

// save writes a plot as an SVG file.
func (s *site) save(ch *chart, f figure, w, h vg.Length) error {
	if s.paper != nil {
		return s.paper(ch, f, w, h)
	}
	svg, err := svgOf(ch, f.Alt, w, h)
	if err != nil {
		return err
	}
	return s.tree.write(f.Path, func(w *bufio.Writer) error { _, err := w.WriteString(svg); return err })
}

// svgOf draws a picture as an SVG file that stands alone: title and description
// inside, common fonts, and colours that follow the reader's scheme.
func svgOf(ch drawable, alt string, w, h vg.Length) (string, error) {
	canvas := vgsvg.New(w, h)
	ch.draw(draw.New(canvas))
	var raw bytes.Buffer
	if _, err := canvas.WriteTo(&raw); err != nil {
		return "", err
	}
	svg := raw.String()
	open := strings.Index(svg, "<svg ")
	head := open + strings.Index(svg[open:], ">") + 1
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + strings.Replace(svg[open:head], "<svg ", `<svg role="img" aria-labelledby="t d" `, 1) +
		"\n<title id=\"t\">" + html.EscapeString(clean(ch.name())) + "</title>\n<desc id=\"d\">" + html.EscapeString(clean(alt)) + "</desc>\n" +
		svgStyle() + strings.ReplaceAll(svg[head:], "font-family:Liberation Sans;", "font-family:Liberation Sans,Arial,Helvetica,sans-serif;"), nil
}

// svgStyle recolours paper, axes and grids for readers with a dark scheme.
func svgStyle() string {
	var b strings.Builder
	b.WriteString("<style>svg{background:#FFFFFF}@media (prefers-color-scheme:dark){svg{background:#10161D}")
	for _, c := range []struct {
		light color.RGBA
		dark  string
	}{{inkColor, "#E4EAF0"}, {gridColor, "#2E3944"}, {limitInk, "#9AA8B5"}} {
		hex := fmt.Sprintf("#%02X%02X%02X", c.light.R, c.light.G, c.light.B)
		fmt.Fprintf(&b, `[style*="fill:%s"]{fill:%s!important}[style*="stroke:%s"]{stroke:%s!important}`, hex, c.dark, hex, c.dark)
	}
	b.WriteString("}</style>\n")
	return b.String()
}

// dots draws many small marks as one path, which keeps files small.
type dots struct {
	points plotter.XYs
	color  color.Color
	cross  bool
}

// Plot implements plot.Plotter.
func (d dots) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var path vg.Path
	const r = vg.Length(2.4)
	for _, at := range d.points {
		cx, cy := x(at.X), y(at.Y)
		if d.cross {
			path.Move(vg.Point{X: cx - r, Y: cy - r})
			path.Line(vg.Point{X: cx + r, Y: cy + r})
			path.Move(vg.Point{X: cx - r, Y: cy + r})
			path.Line(vg.Point{X: cx + r, Y: cy - r})
			continue
		}
		path.Move(vg.Point{X: cx + r, Y: cy})
		path.Arc(vg.Point{X: cx, Y: cy}, r, 0, 2*math.Pi)
		path.Close()
	}
	if len(path) == 0 {
		return
	}
	c.SetColor(d.color)
	if d.cross {
		c.SetLineWidth(1.1)
		c.SetLineDash(nil, 0)
		c.Stroke(path)
		return
	}
	c.Fill(path)
}

// Thumbnail implements plot.Thumbnailer.
func (d dots) Thumbnail(c *draw.Canvas) {
	style := draw.GlyphStyle{Color: d.color, Radius: 3, Shape: draw.CircleGlyph{}}
	if d.cross {
		style.Shape = draw.CrossGlyph{}
	}
	c.DrawGlyph(style, c.Center())
}

// byTime orders solved pieces by time.
func byTime(a, b solved) int { return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.gain, b.gain)) }

// solved is a gain (values or points) at a time in seconds.
type solved struct{ time, gain float64 }

// accumulate turns gains into a curve of sums from start on.
func accumulate(pieces []solved, start float64) plotter.XYs {
	slices.SortFunc(pieces, byTime)
	var points plotter.XYs
	sum := start
	for _, piece := range pieces {
		sum += piece.gain
		points = append(points, plotter.XY{X: sum, Y: logTime(piece.time)})
	}
	return points
}
