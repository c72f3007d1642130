package publish

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"podium/internal/plots"
	"podium/internal/wording"
)

// drawHosts draws each computer over time, as the sentinel found it.
func (s *site) drawHosts() error {
	for i, f := range s.c.driftFigures() {
		if err := s.save(s.c.Drift[i].chart(), f); err != nil {
			return err
		}
	}
	return nil
}

// drawHardness draws how many tools answered the values of each examination right.
func (s *site) drawHardness() error {
	p := &barsPicture{title: "Values by how many tools answered them right", words: plots.HardWords, colours: []color.Color{palette[1], palette[4], palette[5], palette[2]}}
	for e, exam := range s.c.Examinations {
		parts := s.together.Hardness(e)
		p.rows = append(p.rows, barRow{string(exam.ID), parts[:], percent(parts[0], total(parts[:])) + " by no tool"})
	}
	return s.drawBars(p, "hardness.svg", true)
}

// drawVirtual draws the best tool of each category, and what all tools have beyond it.
func (s *site) drawVirtual() error {
	p := &barsPicture{title: "The best tool of each category, and all tools together", words: []string{"right by the best tool", "right by other tools only"}, colours: []color.Color{palette[0], palette[4]}}
	for _, r := range s.virtualRows() {
		p.rows = append(p.rows, barRow{r.Name, []int{r.Right, r.All - r.Right}, cmp.Or(clean(r.Best.Text), "no tool") + ", all but " + r.Gain()})
	}
	return s.drawBars(p, "virtual.svg", true)
}

// mostBars bounds the techniques that are drawn.
const mostBars = 25

// drawTechniques draws the judged answers that name each technique.
func (s *site) drawTechniques() error {
	p := &barsPicture{title: "Judged answers by the techniques that they name", words: []string{"right", "wrong"}, colours: []color.Color{palette[2], palette[1]}}
	rows := s.techniqueRows()
	for _, r := range rows[:min(len(rows), mostBars)] {
		p.rows = append(p.rows, barRow{r.Name, []int{r.Right, r.Wrong}, count(r.Right) + " right, " + count(r.Wrong) + " wrong"})
	}
	return s.drawBars(p, "techniques.svg", false)
}

// barRow is a bar of parts, with what is said of it.
type barRow struct {
	name  string
	parts []int
	text  string
}

// barsPicture is a bar for each row; its parts have colours, which words explain.
type barsPicture struct {
	title   string
	words   []string
	colours []color.Color
	rows    []barRow
	most    int // values of the longest bar; 0: each bar is as long as the others
}

// drawBars draws bars, as shares of each row or as counts on one scale.
func (s *site) drawBars(p *barsPicture, path string, shares bool) error {
	if len(p.rows) == 0 {
		return nil
	}
	var said []string
	for _, r := range p.rows {
		said = append(said, r.name+": "+r.text)
		if !shares {
			p.most = max(p.most, total(r.parts))
		}
	}
	return s.paper(p, figure{Path: path, Alt: p.title + ". " + strings.Join(said, "; ") + "."}, plotWidth, 64+vg.Length(len(p.rows))*barLine)
}

// barLine is the height of a row.
const barLine = vg.Length(20)

func (p *barsPicture) name() string { return p.title }

func (p *barsPicture) draw(c draw.Canvas) {
	style := draw.TextStyle{Color: inkColor, Font: sans(14, bold), Handler: plot.New().Title.TextStyle.Handler, YAlign: draw.YTop}
	c.FillText(style, vg.Point{X: c.Min.X + 4, Y: c.Max.Y - 2}, p.title)
	style.Font, style.YAlign = sans(11, regular), draw.YCenter
	x, y := c.Min.X+4, c.Max.Y-36
	for i, word := range p.words {
		fill(c, p.colours[i], x, y-5, 10)
		c.FillText(style, vg.Point{X: x + 14, Y: y}, word)
		x += 14 + style.Width(word)*1.15 + 16
	}
	left, right := c.Min.X+4, c.Max.X-4
	names, texts := vg.Length(0), vg.Length(0)
	for _, r := range p.rows {
		names, texts = max(names, style.Width(wording.CutEnd(r.name, 28))*1.15), max(texts, style.Width(wording.CutEnd(r.text, 34))*1.15)
	}
	room := right - left - names - texts - 16
	for n, r := range p.rows {
		y := c.Max.Y - 56 - barLine*(vg.Length(n)+0.5)
		c.FillText(style, vg.Point{X: left, Y: y}, wording.CutEnd(r.name, 28))
		x, whole := left+names+8, p.most
		if whole == 0 {
			whole = total(r.parts)
		}
		for i, part := range r.parts {
			width := room * vg.Length(part) / vg.Length(max(1, whole))
			c.FillPolygon(p.colours[i], []vg.Point{{X: x, Y: y - 6}, {X: x + width, Y: y - 6}, {X: x + width, Y: y + 6}, {X: x, Y: y + 6}})
			x += width
		}
		c.FillText(style, vg.Point{X: right - texts, Y: y}, strings.ReplaceAll(wording.CutEnd(r.text, 34), "\u202f", "\u00a0"))
	}
}

// fill fills a square.
func fill(c draw.Canvas, colour color.Color, x, y, side vg.Length) {
	c.FillPolygon(colour, []vg.Point{{X: x, Y: y}, {X: x + side, Y: y}, {X: x + side, Y: y + side}, {X: x, Y: y + side}})
}

// drawAgreement draws on how many of the values that two tools answered they agree: the
// darker, the less.
func (s *site) drawAgreement() error {
	if !s.Compares() {
		return nil
	}
	var said []string
	for a := range s.tools {
		for b := range a {
			if p := s.together.Pairs[a*len(s.tools)+b]; p.Both > 0 {
				said = append(said, fmt.Sprintf("%s and %s %s", clean(s.tools[b].Name), clean(s.tools[a].Name), percent(p.Agree, p.Both)))
			}
		}
	}
	const mostSaid = 60
	said = said[:min(len(said), mostSaid)]
	side := agreementCell * vg.Length(len(s.tools))
	return s.paper(&agreementPicture{s}, figure{Path: "agreement.svg", Alt: "Agreement of tools on the values that both answered: " + strings.Join(said, "; ") + "."}, max(plotWidth, side+180), side+160)
}

// agreementCell is the side of a cell.
const agreementCell = vg.Length(46)

type agreementPicture struct{ *site }

func (p *agreementPicture) name() string {
	return "Agreement of tools, and values that both have wrong"
}

func (p *agreementPicture) draw(c draw.Canvas) {
	style := draw.TextStyle{Color: inkColor, Font: sans(14, bold), Handler: plot.New().Title.TextStyle.Handler, YAlign: draw.YTop}
	c.FillText(style, vg.Point{X: c.Min.X + 4, Y: c.Max.Y - 2}, p.name())
	style.Font, style.YAlign = sans(11, regular), draw.YCenter
	c.FillText(style, vg.Point{X: c.Min.X + 4, Y: c.Max.Y - 32}, "Of the values that both answered; the darker, the less they agree.")
	upright, middle := style, style
	upright.Rotation, middle.Font, middle.XAlign = math.Pi/2, sans(9, regular), draw.XCenter
	n := len(p.tools)
	left, top := c.Min.X+140, c.Max.Y-140
	for a, t := range p.tools {
		at := agreementCell * (vg.Length(a) + 0.5)
		c.FillText(upright, vg.Point{X: left + at, Y: top + 6}, wording.CutEnd(t.Name, 16))
		c.FillText(style, vg.Point{X: c.Min.X + 4, Y: top - at}, wording.CutEnd(t.Name, 18))
		for b := range p.tools {
			pair := p.together.Pairs[a*n+b]
			if a == b || pair.Both == 0 {
				continue
			}
			x, y := left+agreementCell*vg.Length(b), top-agreementCell*vg.Length(a+1)
			// A tenth of the values apart is as dark as it gets: text stays readable.
			apart := math.Min(1, 10*float64(pair.Both-pair.Agree)/float64(pair.Both))
			fill(c, color.NRGBA{R: 213, G: 94, A: uint8(20 + 100*apart)}, x+1, y+1, agreementCell-2)
			c.FillText(middle, vg.Point{X: x + agreementCell/2, Y: y + agreementCell/2 + 6}, strings.ReplaceAll(percent(pair.Agree, pair.Both), "\u202f", "\u00a0"))
			if pair.Wrong > 0 {
				c.FillText(middle, vg.Point{X: x + agreementCell/2, Y: y + agreementCell/2 - 7}, count(pair.Wrong)+" wrong")
			}
		}
	}
}
