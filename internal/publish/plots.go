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

var dashes = [][]vg.Length{nil, {6, 2}, {2, 2}, {8, 2, 2, 2}}

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

// newPlot is an empty plot in the style of the house.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.Transparent
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	sans := func(size vg.Length, bold bool) font.Font {
		f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
		if bold {
			f.Weight = 3 // bold, as golang.org/x/image/font numbers weights
		}
		return f
	}
	p.Title.TextStyle.Font, p.Title.TextStyle.Color, p.Title.Padding = sans(13, true), inkColor, 10
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Label.TextStyle.Color, axis.Tick.Color, axis.Tick.Label.Color = inkColor, inkColor, inkColor, inkColor
		axis.Label.TextStyle.Font, axis.Tick.Label.Font = sans(11.5, false), sans(10.5, false)
		axis.Label.Padding = 4
	}
	p.Legend.TextStyle.Font, p.Legend.TextStyle.Color = sans(11, false), inkColor
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.YOffs, p.Legend.Padding, p.Legend.ThumbnailWidth = true, true, 10, -6, 2, 28
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = gridColor, gridColor
	p.Add(grid)
	return p
}

// logTime makes an axis logarithmic over times, with labels people read.
func logTime(a *plot.Axis) {
	a.Scale, a.Tick.Marker = plot.LogScale{}, plot.TickerFunc(timeTicks)
}

// timeTicks label the powers of ten between two times in seconds.
func timeTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := int(math.Floor(math.Log10(low))); e <= int(math.Ceil(math.Log10(high))); e++ {
		for m := 1; m < 10; m++ {
			at := float64(m) * math.Pow10(e)
			if at < low*0.999 || at > high*1.001 {
				continue
			}
			tick := plot.Tick{Value: at}
			if m == 1 {
				tick.Label = strconv.FormatFloat(at, 'f', max(0, -e), 64)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// countTicks label round numbers.
func countTicks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i := range ticks {
		if ticks[i].Label == "" {
			continue
		}
		ticks[i].Label = ""
		if whole := math.Round(ticks[i].Value); math.Abs(whole-ticks[i].Value) < 1e-9*math.Max(1, math.Abs(whole)) {
			ticks[i].Label = strings.ReplaceAll(count(int(whole)), "\u202f", "\u00a0")
		}
	}
	return ticks
}

// addCurves draws one line per tool, in the colour of the tool.
func (s *site) addCurves(p *plot.Plot, curves []curve) error {
	for _, c := range curves {
		line, err := plotter.NewLine(c.points)
		if err != nil {
			return err
		}
		line.LineStyle = draw.LineStyle{Color: palette[c.tool%len(palette)], Width: 2, Dashes: dashes[c.tool/len(palette)%len(dashes)]}
		if len(palette) > c.tool {
			line.LineStyle.Dashes = dashes[c.tool%len(dashes)]
		}
		end, err := plotter.NewScatter(c.points[len(c.points)-1:])
		if err != nil {
			return err
		}
		end.GlyphStyle = draw.GlyphStyle{Color: palette[c.tool%len(palette)], Radius: 3.5, Shape: glyphs[c.tool%len(glyphs)]}
		p.Add(line, end)
		p.Legend.Add(clean(s.tools[c.tool].Name), line, end)
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
		if (points[i].X-last.X)/xSpan > 1.0/2000 || math.Abs(math.Log10(points[i].Y/last.Y)) > 1.0/400 {
			kept = append(kept, points[i])
		}
	}
	return append(kept, points[len(points)-1])
}

// save writes a plot as an SVG file that stands alone: title and description
// inside, common fonts, and colours that follow the reader's scheme.
func (s *site) save(p *plot.Plot, f figure, w, h vg.Length) error {
	canvas := vgsvg.New(w, h)
	p.Draw(draw.New(canvas))
	var raw bytes.Buffer
	if _, err := canvas.WriteTo(&raw); err != nil {
		return err
	}
	svg := raw.String()
	open := strings.Index(svg, "<svg ")
	head := open + strings.Index(svg[open:], ">") + 1
	svg = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + strings.Replace(svg[open:head], "<svg ", `<svg role="img" aria-labelledby="t d" `, 1) +
		"\n<title id=\"t\">" + html.EscapeString(clean(p.Title.Text)) + "</title>\n<desc id=\"d\">" + html.EscapeString(clean(f.Alt)) + "</desc>\n" +
		svgStyle() + strings.ReplaceAll(svg[head:], "font-family:Liberation Sans;", "font-family:Liberation Sans,Arial,Helvetica,sans-serif;")
	return s.tree.write(f.Path, func(w *bufio.Writer) error { _, err := w.WriteString(svg); return err })
}

// svgStyle recolours axes and grids for readers with a dark scheme.
func svgStyle() string {
	var b strings.Builder
	b.WriteString("<style>@media (prefers-color-scheme:dark){")
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
		points = append(points, plotter.XY{X: sum, Y: math.Max(piece.time, leastTime)})
	}
	return points
}
