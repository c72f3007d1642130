package publish

import (
	"bufio"
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"podium/internal/plots"
)

// figure is a plot on a page.
type figure struct {
	Path    string
	Alt     string // what one sees, for those who do not
	Caption string
	Square  bool
	X, Y    string // what is compared, by which the figure is chosen; empty of others
	Live    string // where the page Ask draws it under a question; empty without that page
}

// palette is the colours of tools, told apart by people with any of the common
// kinds of colour blindness (after Okabe and Ito); lines differ by dashes too.
// The style sheets of pages and of room plots have the same colours as c0, p0, ...
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

// plotWidth is the width of pictures.
const plotWidth = 20 * vg.Centimeter

// chart is a plot for paper with its title and legend above it, where they hide nothing.
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

// drawHead draws title and legend, and returns what is left of the canvas.
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

var glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.RingGlyph{}}

// drawable is a picture with a title.
type drawable interface {
	draw(c draw.Canvas)
	name() string
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

// paperChart is a chart as paper shows it.
type paperChart struct{ *plots.Chart }

func (p paperChart) name() string { return p.Title }

func (p paperChart) draw(c draw.Canvas) {
	ch := newChart(p.Title, p.X.Label, p.Y.Label)
	for _, g := range p.Guides {
		line := &plotter.Line{XYs: plotter.XYs{{X: g.From.X, Y: g.From.Y}, {X: g.To.X, Y: g.To.Y}}, LineStyle: guideStyles[g.Weight]}
		ch.Add(line)
		if g.Name != "" {
			ch.legend(g.Name, line)
		}
	}
	for _, m := range p.Marks {
		many := dots{xys(m.Points), palette[m.Colour%len(palette)], m.Cross}
		if !m.Cross {
			many.color = withAlpha(palette[m.Colour%len(palette)])
		}
		ch.Add(many)
		ch.legend(m.Name, many)
	}
	for _, l := range p.Lines {
		line := &plotter.Line{XYs: xys(l.Points), LineStyle: lineStyle(l.Colour)}
		line.Width = 2.3
		end := &plotter.Scatter{XYs: line.XYs[len(line.XYs)-1:], GlyphStyle: draw.GlyphStyle{Color: line.Color, Radius: 3.5, Shape: glyphs[l.Colour%len(glyphs)]}}
		ch.Add(line, end)
		ch.legend(l.Name, line, end)
	}
	ch.X.Min, ch.X.Max, ch.Y.Min, ch.Y.Max = p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
	ch.X.Tick.Marker, ch.Y.Tick.Marker = ticks(p.X.Ticks), ticks(p.Y.Ticks)
	ch.draw(c)
}

// guideStyles are the styles of guides, by weight.
var guideStyles = []draw.LineStyle{
	plots.Thin: {Color: limitInk, Width: 0.4}, plots.Plain: {Color: limitInk, Width: 0.9}, plots.Dashed: {Color: limitInk, Width: 1, Dashes: []vg.Length{4, 3}},
	plots.Strong: {Color: inkColor, Width: 1.8, Dashes: []vg.Length{8, 3}},
}

func xys(points []plots.Point) plotter.XYs {
	list := make(plotter.XYs, len(points))
	for i, p := range points {
		list[i] = plotter.XY{X: p.X, Y: p.Y}
	}
	return list
}

// ticks returns the ticks of an axis.
func ticks(list []plots.Tick) plot.ConstantTicks {
	marks := make(plot.ConstantTicks, len(list))
	for i, t := range list {
		marks[i] = plot.Tick{Value: t.At, Label: t.Label}
	}
	return marks
}

func withAlpha(c color.RGBA) color.Color { return color.NRGBA{c.R, c.G, c.B, 170} }

func lineStyle(tool int) draw.LineStyle {
	style := draw.LineStyle{Color: palette[tool%len(palette)], Width: 1.4}
	for _, d := range plots.Dashes[plots.DashOf(tool)] {
		style.Dashes = append(style.Dashes, vg.Length(d))
	}
	return style
}

// save writes a plot as an SVG file, or as paper takes it.
func (s *site) save(c *plots.Chart, f figure) error {
	if s.paper != nil {
		w, h := c.Size()
		return s.paper(paperChart{c}, f, vg.Length(w), vg.Length(h))
	}
	return s.tree.write(f.Path, func(w *bufio.Writer) error { _, err := w.WriteString(c.SVG(clean(f.Alt))); return err })
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
