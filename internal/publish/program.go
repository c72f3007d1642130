package publish

import (
	"bufio"
	"context"
	"encoding/base64"
)

// Program is what makes the pages of a site compute: WebAssembly and the script
// of Go that starts it, both packed by gzip. Pages are complete without it.
type Program struct{ Wasm, Glue []byte }

// writeProgram writes the program in files that pages load by script elements,
// so that they work from files as from a server. podium.js unpacks and starts it.
func (s *site) writeProgram() error {
	p := s.c.Program
	if p == nil {
		return nil
	}
	return s.tree.write("podium-program.js", func(w *bufio.Writer) error {
		w.WriteString(`"use strict";` + "\nself.podiumProgram = {\n glue: \"")
		writeBase64(w, p.Glue)
		w.WriteString("\",\n wasm: \"")
		writeBase64(w, p.Wasm)
		_, err := w.WriteString("\"\n};\n")
		return err
	})
}

// writeAnswersData writes what questions are answered from in a script that pages load.
func (s *site) writeAnswersData() error {
	return s.tree.write("podium-answers.js", func(w *bufio.Writer) error {
		w.WriteString("\"use strict\";\nself.podiumAnswers = \"")
		writeBase64(w, s.c.Answers)
		_, err := w.WriteString("\";\n")
		return err
	})
}

// Asks reports whether the site has a page that answers questions.
func (s *site) Asks() bool { return s.c.Program != nil && len(s.c.Answers) > 0 }

// writeAsk writes the page that scores the contest again under a question.
func (s *site) writeAsk() error {
	if !s.Asks() {
		return nil
	}
	if err := s.writeAnswersData(); err != nil {
		return err
	}
	return s.render("ask", "ask.html", page{Here: "ask", Title: "Ask the results", Computes: true, Own: []string{"podium.js", "askform.js", "asktogether.js", "ask.js"}, Sheets: []string{"chart.css"}, About: "Score the contest again without a tool, for some nets, or within a time."})
}

// writeWorkbench writes the page that looks at files of its reader.
func (s *site) writeWorkbench() error {
	if s.c.Program == nil {
		return nil
	}
	return s.render("workbench", "workbench.html", page{Here: "workbench", Title: "Workbench", Computes: true, Own: []string{"podium.js", "game.js", "workbench.js"}, About: "Check models, formulas, outputs and witnesses in the browser."})
}

// Intervals reports whether outputs on the page may have them: the edition says so (E-3.2).
func (s *site) Intervals() bool { return s.c.Judged != nil && s.c.Judged.Edition.Intervals() }

// WriteWorkbench writes the workbench alone, with all it needs, in dir, as [Write] does.
func WriteWorkbench(ctx context.Context, dir, version string, p *Program) error {
	c := &Contest{Title: "Podium", Version: version, Program: p}
	return writeTree(ctx, dir, c, func(v *view, t *tree) error {
		s := &site{view: v, tree: t}
		for _, step := range []func() error{s.parse, s.writeAssets, s.writeProgram, func() error {
			return s.render("workbench", "index.html", page{Here: "workbench", Title: "Workbench", Computes: true, Own: []string{"podium.js", "game.js", "workbench.js"}, Alone: true, About: "Check models, formulas, outputs and witnesses in the browser."})
		}} {
			if err := step(); err != nil {
				return err
			}
		}
		return t.writeProvenance(v)
	})
}

// writeBase64 writes the bytes; a failure stays in w.
func writeBase64(w *bufio.Writer, b []byte) {
	e := base64.NewEncoder(base64.StdEncoding, w)
	e.Write(b)
	e.Close()
}
