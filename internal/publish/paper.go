package publish

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// paperDPI is how fine pictures in pixels are.
const paperDPI = 200

// WriteFigures writes the figures of the contest for papers and slides, each as SVG, PDF
// and PNG: cactus and quantile plots of each category, answers over time, each tool against
// each other, the tools that answer the same values, how hard the examinations were, the best
// virtual tool, techniques, the agreement of tools, each computer over time, and for each
// model the CPU time against the parameter. It replaces dir as [Write] does.
func WriteFigures(ctx context.Context, dir string, c *Contest) error {
	fixPDF()
	return writeTree(ctx, dir, c, func(v *view, t *tree) error {
		s := newSite(v, t)
		s.paper = func(d drawable, f figure, w, h vg.Length) error { return t.writeForms(d, f, w, h) }
		if err := s.allFigures(); err != nil {
			return err
		}
		return t.writeProvenance(v)
	})
}

func (s *site) allFigures() error {
	if len(s.c.runs) == 0 {
		return errors.New("there is nothing to draw: the contest has no runs")
	}
	for i := range s.c.Categories {
		if err := errors.Join(s.cactus(i), s.quantile(i)); err != nil {
			return err
		}
	}
	if err := errors.Join(s.anytime(), s.cutoff(), s.drawUpset(), s.drawHosts(), s.drawHardness(), s.drawVirtual(), s.drawTechniques(), s.drawAgreement()); err != nil {
		return err
	}
	if err := s.tree.inParallel("figures", len(s.pairs), s.drawPair); err != nil {
		return err
	}
	return s.tree.inParallel("figures", len(s.families), s.drawLadders)
}

// writeForms writes a picture in each form.
func (t *tree) writeForms(d drawable, f figure, w, h vg.Length) error {
	path := strings.TrimSuffix(strings.TrimPrefix(f.Path, "plots/"), ".svg")
	text, err := svgOf(d, f.Alt, w, h)
	if err != nil {
		return err
	}
	if err := t.write(path+".svg", func(w *bufio.Writer) error { _, err := w.WriteString(text); return err }); err != nil {
		return err
	}
	pdf := pdfCanvas{vgpdf.New(w, h)}
	png := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(paperDPI))}
	for _, form := range []struct {
		ending string
		canvas interface {
			vg.CanvasSizer
			io.WriterTo
		}
	}{{".pdf", pdf}, {".png", png}} {
		d.draw(draw.New(form.canvas))
		if err := t.write(path+form.ending, func(w *bufio.Writer) error { _, err := form.canvas.WriteTo(w); return err }); err != nil {
			return err
		}
	}
	return nil
}

// pdfCanvas writes bold text by writing it twice: the library cannot find a bold font again
// that it has put into the file.
type pdfCanvas struct{ *vgpdf.Canvas }

// FillString implements [vg.Canvas].
func (c pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	if f.Font.Weight != regular {
		f = font.DefaultCache.Lookup(sans(f.Font.Size, regular), f.Font.Size)
		c.Canvas.FillString(f, vg.Point{X: at.X + 0.3, Y: at.Y}, text)
	}
	c.Canvas.FillString(f, at, text)
}

// papersDate is the date that PDF files carry: they are a function of the contest, and so
// name none of their own.
var papersDate = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// fixPDF makes the library of PDF files write the same bytes for the same picture.
func fixPDF() {
	fpdf.SetDefaultCatalogSort(true)
	fpdf.SetDefaultCreationDate(papersDate)
	fpdf.SetDefaultModificationDate(papersDate)
}
