package publish

import (
	"bufio"
	"slices"

	"podium/scoring"
)

// writeExamRows writes the runs of an examination, a line for each instance.
func (s *site) writeExamRows(w *bufio.Writer, e int) error {
	m := &markup{}
	for i, inst := range s.insts {
		c := &s.cells[i*len(s.c.Examinations)+e]
		if s.elsewhere(c) {
			continue
		}
		m.b = m.b[:0]
		head := []string{`<th scope="row"><a href="../`, s.instPath(i), `">`, string(breakable(inst.ID.String())), "</a></th>"}
		if class := inst.Class.String(); s.hasNets() {
			head = append(head, `<td class="opt"><span class="class `, class, `">`, class, "</span></td>")
		}
		s.writeGridRow(m, c, head...)
		if _, err := w.Write(m.b); err != nil {
			return err
		}
	}
	if len(s.insts) == 0 {
		w.WriteString(`<tr><td colspan="2">` + s.say("There is no instance.") + "</td></tr>\n")
	}
	return nil
}

// writeGridRow writes a line of runs of an examination, one per tool, behind the head of the line. There are
// so many runs that templates would take long.
func (s *site) writeGridRow(m *markup, c *cell, head ...string) {
	m.raw("<tr>")
	m.raw(head...)
	next := 0 // the runs are sorted by tool, as the tools are
	for _, t := range s.tools {
		if next == len(c.runs) || c.runs[next].toolName() != t.Name {
			what := "not run"
			if slices.Contains(t.OptOut, s.c.Examinations[c.exam].Category) {
				what = "–"
			}
			m.raw(`<td class="run none" data-v="-999999">`, what, "</td>")
			continue
		}
		s.writeGridCell(m, c.runs[next], c.masks[next])
		next++
	}
	m.raw("</tr>\n")
}

// writeGridCell writes a run in a grid: what was judged of it, its points and its cost.
func (s *site) writeGridCell(m *markup, r *run, mask []scoring.Mark) {
	points := s.shown(r.points)
	m.raw(`<td class="run" data-v="`, points.key, `"><a href="../`)
	m.text(s.runPath(r))
	m.raw(`" aria-label="`)
	m.text(r.toolName())
	m.raw(" on ")
	m.text(string(r.exam()))
	m.raw(" of ")
	m.text(r.instance().String())
	m.raw(`">`)
	if r.Void == "" && slices.ContainsFunc(mask, func(m scoring.Mark) bool { return m != scoring.Missing }) {
		m.raw(string(maskHTML(mask)))
	}
	note := func(text string) {
		if text != "" {
			m.raw(`<span class="note">`)
			m.text(text)
			m.raw("</span>")
		}
	}
	note(runNote(r))
	if r.noScore != "" {
		m.raw(`<span class="pts" title="`)
		m.text(r.noScore)
		m.raw(`">no points</span>`)
	} else {
		m.raw(`<span class="pts">`, points.decimal, "</span>")
	}
	note(cost(r))
	m.raw("</a></td>")
}
