package publish

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"podium/internal/plots"
	"podium/internal/wording"
	"podium/models"
)

// drawUpset draws the tools that answer the same values, as the page shows them.
func (s *site) drawUpset() error {
	sets, _, _ := s.together.Upset()
	if len(sets) == 0 {
		return nil
	}
	u := &upsetPicture{site: s, sets: sets}
	height := vg.Length(len(sets))*upsetLine + 150
	width := max(plotWidth, plotWidth/2+upsetColumn*vg.Length(len(s.tools)))
	return s.paper(u, figure{Path: "upset.svg", Alt: plots.UpsetAlt(s.toolNames(), sets)}, width, height)
}

// The height of a row, and the least width of a column.
const upsetLine, upsetColumn = vg.Length(15), vg.Length(12)

type upsetPicture struct {
	site *site
	sets []plots.UpsetSet
}

func (u *upsetPicture) name() string { return "Values by the tools that answered them right" }

func (u *upsetPicture) draw(c draw.Canvas) {
	handler := plot.New().Title.TextStyle.Handler
	style := draw.TextStyle{Color: inkColor, Font: sans(14, bold), Handler: handler, YAlign: draw.YTop}
	c.FillText(style, vg.Point{X: c.Min.X + 4, Y: c.Max.Y - 2}, u.name())
	style.Font, style.YAlign = sans(11, regular), draw.YCenter
	tools := len(u.site.tools)
	step := max(upsetColumn, min(20, (c.Max.X-c.Min.X)/2/vg.Length(tools)))
	top := c.Max.Y - 128
	at := func(tool int) vg.Length { return c.Min.X + step*(vg.Length(tool)+0.5) + 4 }
	upright := style
	upright.Rotation = math.Pi / 2
	for tool, t := range u.site.tools {
		c.FillText(upright, vg.Point{X: at(tool), Y: top + 6}, wording.CutEnd(clean(t.Name), 16))
	}
	most := 1
	for _, set := range u.sets {
		most = max(most, set.Count)
	}
	left := at(tools-1) + step/2 + 8
	room := c.Max.X - left - 60
	for n, set := range u.sets {
		y := top - upsetLine*(vg.Length(n)+0.5)
		c.StrokeLine2(draw.LineStyle{Color: limitInk, Width: 1.4}, at(set.Tools[0]), y, at(set.Tools[len(set.Tools)-1]), y)
		for tool := range tools {
			dot := draw.GlyphStyle{Color: gridColor, Radius: 4, Shape: draw.CircleGlyph{}}
			if slices.Contains(set.Tools, tool) {
				dot.Color, dot.Radius = palette[tool%len(palette)], 4.6
			}
			c.DrawGlyph(dot, vg.Point{X: at(tool), Y: y})
		}
		var bar color.Color = limitInk
		if len(set.Tools) == 1 {
			bar = palette[0]
		}
		length := max(1, room*vg.Length(set.Count)/vg.Length(most))
		c.FillPolygon(bar, []vg.Point{{X: left, Y: y - 4.5}, {X: left + length, Y: y - 4.5}, {X: left + length, Y: y + 4.5}, {X: left, Y: y + 4.5}})
		c.FillText(style, vg.Point{X: left + length + 5, Y: y}, strings.ReplaceAll(count(set.Count), "\u202f", "\u00a0"))
	}
}

// drawLadders draws for a model, and each kind of its nets, the CPU time against the
// parameter: a plot for each examination that a tool answered.
func (s *site) drawLadders(m int) error {
	of := &s.families[m]
	for _, kind := range []models.Kind{models.COL, models.PT} {
		insts := s.byKind(of, kind)
		if len(insts) < 2 {
			continue
		}
		p := &ladderPicture{site: s, title: clean(of.name) + ", " + kind.String(), insts: insts, scale: s.ladderScale(insts)}
		for e := range s.c.Examinations {
			if s.anySolved(insts, e) {
				p.exams = append(p.exams, e)
			}
		}
		if len(p.exams) == 0 {
			continue
		}
		rows := (len(p.exams) + ladderColumns - 1) / ladderColumns
		f := figure{Path: "ladders/" + of.file + "-" + kind.String() + ".svg", Alt: "CPU time by the parameter of " + p.title + ", one plot for each examination."}
		if err := s.paper(p, f, plotWidth, 60+vg.Length(rows)*ladderTile); err != nil {
			return err
		}
	}
	return nil
}

// How ladder plots of a model are laid out on paper.
const (
	ladderColumns = 3
	ladderTile    = 4.6 * vg.Centimeter
)

type ladderPicture struct {
	site         *site
	title        string
	insts, exams []int
	scale        ladderScale
}

func (p *ladderPicture) name() string { return p.title }

func (p *ladderPicture) draw(c draw.Canvas) {
	frame := newChart(p.title, "", "")
	for tool, t := range p.site.tools {
		line := &plotter.Line{LineStyle: lineStyle(tool)}
		frame.legend(clean(t.Name), line)
	}
	c = frame.drawHead(c)
	rows := (len(p.exams) + ladderColumns - 1) / ladderColumns
	tiles := draw.Tiles{Cols: ladderColumns, Rows: rows, PadX: 10, PadY: 8}
	for n, exam := range p.exams {
		p.plot(exam).Draw(tiles.At(c, n%ladderColumns, n/ladderColumns))
	}
}

// plot is the ladder of an examination.
func (p *ladderPicture) plot(exam int) *plot.Plot {
	s := p.site
	ch := newChart("", "", "")
	ch.Title.Text = string(s.c.Examinations[exam].ID)
	ch.Title.TextStyle.Font, ch.Title.TextStyle.Color = sans(11, bold), inkColor
	for _, axis := range []*plot.Axis{&ch.X, &ch.Y} {
		axis.Tick.Label.Font = sans(9, regular)
	}
	for tool := range s.tools {
		for _, piece := range p.pieces(exam, tool) {
			ch.Add(&plotter.Line{XYs: piece, LineStyle: lineStyle(tool)},
				&plotter.Scatter{XYs: piece, GlyphStyle: draw.GlyphStyle{Color: palette[tool%len(palette)], Radius: 1.8, Shape: draw.CircleGlyph{}}})
		}
	}
	ch.X.Min, ch.X.Max = -0.3, float64(len(p.insts))-0.7
	ch.Y.Min, ch.Y.Max = float64(p.scale.low), float64(p.scale.high)
	ch.X.Tick.Marker, ch.Y.Tick.Marker = plot.TickerFunc(p.params), ticks(plots.LogTicks(ch.Y.Min, ch.Y.Max))
	return ch.Plot
}

// pieces are the parts of the line of a tool between the instances on which it has no
// right answer.
func (p *ladderPicture) pieces(exam, tool int) (list []plotter.XYs) {
	s := p.site
	joined := false
	for n, i := range p.insts {
		c := &s.cells[i*len(s.c.Examinations)+exam]
		at, ran := c.at(s.tools[tool].Name)
		if !ran || c.runs[at].Void != "" || !c.runs[at].Times() || solvedness(c.masks[at]) == solvedNone {
			joined = false
			continue
		}
		if !joined {
			list = append(list, nil)
		}
		joined = true
		last := &list[len(list)-1]
		*last = append(*last, plotter.XY{X: float64(n), Y: plots.LogTime(c.runs[at].CPUTime.Duration().Seconds())})
	}
	return list
}

// params label the first, the last and a middle parameter.
func (p *ladderPicture) params(float64, float64) (ticks []plot.Tick) {
	last := len(p.insts) - 1
	for n, i := range p.insts {
		tick := plot.Tick{Value: float64(n)}
		if n == 0 || n == last || last > 3 && n == last/2 {
			tick.Label = fmt.Sprint(shortParam(p.site.insts[i].ID.Param))
		}
		ticks = append(ticks, tick)
	}
	return ticks
}
