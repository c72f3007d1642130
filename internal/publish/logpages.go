package publish

import (
	"archive/zip"
	"bufio"
	"fmt"
	"html/template"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/klauspost/compress/flate"
)

// logBody is the page with the logs of all runs on an instance.
type logBody struct {
	Inst link
	Zip  string
	Logs iter.Seq[logEntry]
}

// logEntry is the log of a run, as a page shows it.
type logEntry struct {
	Run     link
	Tool    string
	Anchor  string
	File    string // in the zip file
	Bytes   int64
	Excerpt template.HTML
}

func (v *view) logPage(inst int) string { return "logs/" + v.instFile[inst] + ".html" }

func (v *view) logZip(inst int) string { return "logs/" + v.instFile[inst] + ".zip" }

// logPath leads to the log of a run.
func (v *view) logPath(r *Run) string { return v.logPage(v.instAt[r.Instance]) + "#" + v.runAnchor(r) }

// hasLogs tells that a log of a run on the instance was kept.
func (v *view) hasLogs(inst int) bool {
	n := len(v.c.Examinations)
	return slices.ContainsFunc(v.cells[inst*n:(inst+1)*n], func(c cell) bool {
		return slices.ContainsFunc(c.runs, func(r *Run) bool { return r.Logged })
	})
}

// writeLogs writes two files for an instance: a page with what matters of each
// log, and a zip file with the whole of them. Each log is read once.
func (s *site) writeLogs(inst int) error {
	if !s.hasLogs(inst) {
		return nil
	}
	return s.tree.write(s.logZip(inst), func(w *bufio.Writer) error {
		whole := newZip(w)
		var failed error
		name := s.insts[inst].ID.String()
		body := logBody{Inst: link{s.instPath(inst), name}, Zip: s.logZip(inst), Logs: func(yield func(logEntry) bool) {
			failed = s.eachLog(inst, whole, yield)
		}}
		err := s.render("log", s.logPage(inst), page{Here: "instances", Title: "Logs of " + name, Body: body,
			Trail: []link{{"instances.html", s.say("Instances")}, body.Inst}, About: "What the tools printed on " + name + "."})
		if failed != nil {
			return failed
		}
		if err != nil {
			return err
		}
		return whole.Close()
	})
}

// newZip writes a zip file. Its members share compressors, each of which takes a
// megabyte to make.
func newZip(w io.Writer) *zip.Writer {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		c := compressors.Get().(*compressor)
		c.Reset(w)
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

// eachLog copies the logs of an instance to the zip file and yields their excerpts.
func (s *site) eachLog(inst int, whole *zip.Writer, yield func(logEntry) bool) error {
	for e := range s.c.Examinations {
		for _, r := range s.cells[inst*len(s.c.Examinations)+e].runs {
			if !r.Logged {
				continue
			}
			entry := logEntry{Run: link{s.runPath(r), r.Tool + " on " + string(r.Exam)}, Tool: r.Tool, Anchor: s.runAnchor(r), File: s.runAnchor(r) + ".txt"}
			if err := copyLog(&entry, r, whole); err != nil {
				return fmt.Errorf("log of %s on %s of %s: %w", r.Tool, r.Exam, r.Instance, err)
			}
			if !yield(entry) {
				return nil
			}
		}
	}
	return nil
}

// copyLog opens, copies and closes the log of a run.
func copyLog(entry *logEntry, r *Run, whole *zip.Writer) error {
	log, err := r.setting().Log()
	if err != nil {
		return err
	}
	defer log.Close()
	w, err := whole.Create(entry.File)
	if err != nil {
		return err
	}
	entry.Excerpt, entry.Bytes, err = readLog(log, w, entry.Anchor, answerTitles(r))
	return err
}
