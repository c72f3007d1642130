package publish

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/flate"

	"podium/internal/judged"
)

// logBody is the page with the logs of all runs on an instance.
type logBody struct {
	Inst link
	Zip  string
	Logs template.HTML
}

func (v *view) logPage(inst int) string { return "logs/" + v.instFile[inst] + ".html" }

func (v *view) logZip(inst int) string { return "logs/" + v.instFile[inst] + ".zip" }

// logPath leads to the log of a run.
func (v *view) logPath(r *run) string {
	return v.logPage(v.instAt[r.instance()]) + "#" + v.runAnchor(r)
}

// hasLogs reports whether a log of a run on the instance was kept.
func (v *view) hasLogs(inst int) bool {
	n := len(v.c.Examinations)
	return slices.ContainsFunc(v.cells[inst*n:(inst+1)*n], func(c cell) bool {
		return slices.ContainsFunc(c.runs, func(r *run) bool { return r.Logged })
	})
}

// writeLogs writes files for an instance: a page with what matters of each log, a zip file
// with the whole of them, and, where the page leaves lines out, a script with the logs that
// have them. Each log is read and compressed once.
func (s *site) writeLogs(inst int) error {
	if !s.hasLogs(inst) {
		return nil
	}
	rest := &logRest{}
	err := s.tree.write(s.logZip(inst), func(w *bufio.Writer) error {
		whole := rest.newZip(w)
		name := s.insts[inst].ID.String()
		body := logBody{link{s.instPath(inst), name}, s.logZip(inst), byHand}
		err := s.renderAround("log", s.logPage(inst), page{Here: "instances", Title: "Logs of " + name, Body: body, Own: []string{"podium.js", "logs.js"},
			Trail: []link{{"instances.html", s.say("Instances")}, body.Inst}, About: "What the tools printed on " + name + "."},
			func(w *bufio.Writer) error { return s.writeExcerpts(w, inst, whole, rest) })
		if err != nil {
			return err
		}
		return whole.Close()
	})
	if err != nil {
		return err
	}
	return rest.write(s.tree, "logs/"+s.instFile[inst]+".js")
}

// A script holds so much of a compressed log, and so much of all logs of an instance: a
// reader's browser unpacks it. What is beyond is in the zip file.
const (
	mostOfLog  = 8 << 20
	mostOfLogs = 32 << 20
)

// logRest keeps the compressed logs of an instance from which the page leaves lines out, as
// the zip file has them.
type logRest struct {
	kept    []*packedLog
	current *packedLog // whose bytes are written now
}

// packedLog is the beginning of a compressed log.
type packedLog struct {
	run   string
	bytes []byte
	most  int // of bytes that are kept
}

func (p *packedLog) Write(b []byte) (int, error) {
	p.bytes = append(p.bytes, b[:min(len(b), max(0, p.most-len(p.bytes)))]...)
	return len(b), nil
}

// begin says whose log comes next into the zip file.
func (l *logRest) begin(run string) {
	room := mostOfLogs
	for _, p := range l.kept {
		room -= len(p.bytes)
	}
	l.current = &packedLog{run: run, most: min(room, mostOfLog)}
}

// end keeps the log that came last, or drops it.
func (l *logRest) end(keep bool) {
	if keep {
		l.kept = append(l.kept, l.current)
	} else {
		l.current.bytes, l.current.most = nil, 0
	}
}

// write writes the script, where there is something to keep.
func (l *logRest) write(t *tree, path string) error {
	if len(l.kept) == 0 {
		return nil
	}
	return t.write(path, func(w *bufio.Writer) error {
		w.WriteString("\"use strict\";\nself.podiumLogs = {\n")
		for _, p := range l.kept {
			w.WriteString("\"" + p.run + "\": \"")
			writeBase64(w, p.bytes)
			w.WriteString("\",\n")
		}
		_, err := w.WriteString("};\n")
		return err
	})
}

// newZip writes a zip file. Its members share compressors, each of which takes a
// megabyte to make.
func (l *logRest) newZip(w io.Writer) *zip.Writer {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		c := compressors.Get().(*compressor)
		c.Reset(io.MultiWriter(w, l.current))
		return c, nil
	})
	return z
}

// compressor is a flate.Writer that is used again after Close.
type compressor struct{ *flate.Writer }

func (c *compressor) Close() error {
	err := c.Writer.Close()
	compressors.Put(c)
	return err
}

var compressors = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // there is such a level
	}
	return &compressor{w}
}}

// writeExcerpts copies the logs of an instance to the zip file and writes their excerpts.
func (s *site) writeExcerpts(w *bufio.Writer, inst int, whole *zip.Writer, rest *logRest) error {
	view := logView{rest: s.instFile[inst] + ".js", answers: map[int64]string{}}
	m, said := &markup{}, []judged.Said(nil)
	for e := range s.c.Examinations {
		for _, r := range s.cells[inst*len(s.c.Examinations)+e].runs {
			if !r.Logged {
				continue
			}
			view.run = s.runAnchor(r)
			said = r.sortedAnswers(said)
			answerTitles(said, view.answers)
			rest.begin(view.run)
			shown, err := copyLog(&view, r, whole)
			if unreadable := (*judged.UnreadableLog)(nil); errors.As(err, &unreadable) {
				rest.end(false)
				m.b = m.b[:0]
				s.writeHeading(m, r, view.run)
				m.raw(`<p class="empty">The log cannot be read: `)
				m.text(unreadable.Error())
				m.raw(".</p></section>\n")
				if _, err := w.Write(m.b); err != nil {
					return err
				}
				continue
			}
			if err != nil {
				return fmt.Errorf("log of %s on %s of %s: %w", r.toolName(), r.exam(), r.instance(), err)
			}
			rest.end(shown.gaps > 0)
			m.b = m.b[:0]
			s.writeExcerpt(m, r, view.run, shown)
			if _, err := w.Write(m.b); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeExcerpt writes what a page shows of the log of a run.
func (s *site) writeExcerpt(m *markup, r *run, anchor string, shown excerpt) {
	s.writeHeading(m, r, anchor)
	if len(shown.html) == 0 {
		m.raw(`<p class="empty">The tool printed nothing.</p></section>`, "\n")
		return
	}
	m.raw(`<p class="dim">`, size(shown.bytes), ", ", anchor, `.txt in the zip file</p>`, "\n", `<pre class="log" data-run="`, anchor, `" tabindex="0" aria-label="Log of `)
	m.text(r.toolName() + " on " + string(r.exam()))
	m.raw(`">`)
	m.b = append(m.b, shown.html...)
	m.raw("</pre></section>\n")
}

// writeHeading begins the section of a log.
func (s *site) writeHeading(m *markup, r *run, anchor string) {
	m.raw(`<section aria-labelledby="`, anchor, `"><h2 id="`, anchor, `">`, string(s.swatch(r.toolName())))
	m.link("../", s.runPath(r), r.toolName()+" on "+string(r.exam()))
	m.raw("</h2>\n")
}

// copyLog opens, copies and closes the log of a run, and returns its excerpt.
func copyLog(view *logView, r *run, whole *zip.Writer) (excerpt, error) {
	log, err := r.of.Judged.Facts.Output(r.sheet, r.tool)
	if err != nil {
		return excerpt{}, err
	}
	defer log.Close()
	w, err := whole.Create(view.run + ".txt")
	if err != nil {
		return excerpt{}, err
	}
	return view.readLog(log, w)
}
