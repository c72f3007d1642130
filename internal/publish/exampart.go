package publish

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"podium/internal/judged"
	"podium/internal/publish/paths"
	"podium/scoring"
)

// partRoom is memory in which parts of pages are written, one after the other.
type partRoom struct {
	markup
	said [][]judged.Said // of the runs of a cell, in the order of the values
}

var partRooms = sync.Pool{New: func() any { return &partRoom{} }}

// read reads what the runs of a cell said.
func (room *partRoom) read(c *cell) {
	room.said = slices.Grow(room.said[:0], len(c.runs))[:len(c.runs)]
	for i, r := range c.runs {
		room.said[i] = r.sortedAnswers(room.said[i])
	}
}

// examPart is what the page of an instance says of one examination: the answers
// of all tools beside the reference values, the runs, and the details of each.
func (s *site) examPart(c *cell, room *partRoom) {
	m := &room.markup
	room.read(c)
	exam := string(s.c.Examinations[c.exam].ID)
	anchor := paths.Name(exam)
	m.raw(`<section aria-labelledby="`, anchor, `"><h2 id="`, anchor, `">`)
	m.link("../", s.examPath(c.exam), exam)
	m.raw("</h2>\n")
	if len(c.refs) > 0 {
		s.writeAnswers(m, c, exam, slices.Clone(room.said))
	} else {
		m.raw(`<p class="empty">No value was asked.</p>`, "\n")
	}
	if len(c.runs) > 0 {
		s.writeRunTable(m, c, exam)
		for i, r := range c.runs {
			s.details(m, c, r, room.said[i])
		}
	}
	m.raw("</section>\n")
}

// writeAnswers writes the table of the values that were asked, with what each tool
// answered. It shortens the lists of answers.
func (s *site) writeAnswers(m *markup, c *cell, exam string, said [][]judged.Said) {
	m.table("grid answers", "Answers to "+exam)
	m.raw(`<thead><tr><th scope="col">Value</th><th scope="col">Reference</th>`)
	for _, r := range c.runs {
		m.raw(`<th scope="col">`, string(s.swatch(r.toolName())))
		m.text(r.toolName())
		m.raw("</th>")
	}
	m.raw("</tr></thead>\n<tbody>\n")
	inst := s.insts[c.inst].ID.String()
	for k := range c.refs {
		ref := &c.refs[k]
		if s.c.doubtful[ref.value] == nil {
			m.raw("<tr>")
		} else {
			m.raw(`<tr id="`, s.valueAnchor(c, k), `">`)
		}
		item := ref.item()
		m.titled(`th scope="row"`, item)
		m.text(itemWithin(inst, item))
		if q := ref.question().text; q != "" {
			m.raw(`<span class="question">`)
			m.text(q)
			m.raw("</span>")
		}
		m.raw("</th><td>")
		s.writeReference(m, c, k, "../")
		m.raw("</td>")
		for i := range c.runs {
			writeAnswerCell(m, answerTo(&said[i], item))
		}
		m.raw("</tr>\n")
	}
	m.raw("</tbody></table></div>\n")
}

// answerTo takes the answer to a value from the start of a list in the order of the
// values, and what stands before it; nil where there is none.
func answerTo(left *[]judged.Said, item string) (found *judged.Said) {
	for len(*left) > 0 {
		a := &(*left)[0]
		order := compareItems(a.Item, item)
		if order > 0 {
			break
		}
		if order == 0 {
			found = a
		}
		*left = (*left)[1:]
	}
	return found
}

// writeReference writes a reference value and how it came about, on a page from which root
// leads to the root of the site.
func (s *site) writeReference(m *markup, c *cell, k int, root string) {
	ref := &c.refs[k]
	switch value, state := ref.Value(), ref.State(); {
	case !value.IsZero():
		m.raw(string(valueHTML(value)), ` <span class="state `, string(state), `">`, state.Word(), "</span>")
	case state == Struck:
		m.raw(`<span class="state struck">struck</span>`)
	default:
		m.raw(`<span class="state unknown">unknown</span>`)
	}
	if s.Refereed() {
		certainty := ref.certainty().String()
		m.raw(` <span class="state `, certainty, `">`, certainty, "</span>")
	}
	if n := s.split(c, k); n >= 0 {
		m.raw(" ")
		m.link(root, s.splitPath(n), "disagreement")
	}
}

// markSigns say the mark of an answer beside its colour.
var markSigns = map[scoring.Mark]string{scoring.Wrong: " \u2717", scoring.Unjudged: " ?", scoring.Ignored: " ~"}

func writeAnswerCell(m *markup, a *judged.Said) {
	if a == nil {
		m.raw(`<td class="missing">`, minus, "</td>")
		return
	}
	mark := a.Mark
	m.raw(`<td class="`, markClass[mark])
	if mark != scoring.Right {
		m.raw(`" title="`, markWords[mark])
	}
	m.raw(`">`)
	if len(a.Value.Text) <= shownDigits {
		m.text(a.Value.Text)
	} else {
		m.raw(string(valueHTML(a.Value)))
	}
	m.raw(markSigns[mark], "</td>")
}

// writeRunTable writes one line for each run: what became of it and what it took.
func (s *site) writeRunTable(m *markup, c *cell, exam string) {
	m.table("sortable runs", "Runs of "+exam)
	noted := slices.ContainsFunc(c.runs, func(r *run) bool { return runNote(r) != "" })
	logged := slices.ContainsFunc(c.runs, func(r *run) bool { return r.Logged })
	m.raw(`<thead><tr><th scope="col">Tool</th><th scope="col" class="num">Points</th><th scope="col">Answers</th>`)
	if noted {
		m.raw(`<th scope="col">Ended</th>`)
	}
	m.raw(`<th scope="col" class="num">CPU time</th><th scope="col" class="num">Wall time</th><th scope="col" class="num">Memory</th>`)
	if logged {
		m.raw(`<th scope="col">Log</th>`)
	}
	m.raw("</tr></thead>\n<tbody>\n")
	for _, r := range c.runs {
		m.raw(`<tr><th scope="row">`, string(s.swatch(r.toolName())))
		m.link("", "#"+s.runAnchor(r), r.toolName())
		m.raw("</th>")
		if r.noScore != "" {
			m.raw(`<td class="num" data-v="-999999" title="`)
			m.text(r.noScore)
			m.raw(`">no points</td>`)
		} else {
			points := s.shown(r.points)
			m.number(points.key, points.exact, points.decimal)
		}
		m.raw("<td>")
		if r.Void == "" {
			m.raw(string(maskHTML(c.mask(r))))
		}
		m.raw("</td>")
		if noted {
			m.raw("<td>")
			m.text(runNote(r))
			m.raw("</td>")
		}
		for _, f := range []struct {
			measure
			key int64
		}{{timeOf("", r.CPUTime.Duration(), !r.Times()), r.CPUTime.Microseconds()}, {r.wallMeasure(), r.WallTime.Microseconds()}, {r.memoryMeasure(), r.MemoryPeak}} {
			m.number(strconv.FormatInt(f.key, 10), f.Exact, f.Text)
		}
		if r.Logged {
			m.raw("<td>")
			m.link("../", s.logPath(r), "log")
			m.raw("</td>")
		} else if logged {
			m.raw("<td></td>")
		}
		m.raw("</tr>\n")
	}
	m.raw("</tbody></table></div>\n")
}

// runAnchor is the name of a run on the pages of its instance.
func (v *view) runAnchor(r *run) string {
	return paths.Name(string(r.exam())) + "." + v.toolFile[v.toolAt[r.toolName()]]
}

// logAnchor is the name of the line of an answer on the page of its log.
func logAnchor(run string, offset int64) string {
	return run + "-" + strconv.FormatInt(offset, 10)
}

// answerPath leads to the line of the log where an answer stands.
func (s *site) answerPath(r *run, offset int64) string {
	if offset < 0 || !r.Logged {
		return s.runPath(r)
	}
	page, _, _ := strings.Cut(s.logPath(r), "#")
	return page + "#" + logAnchor(s.runAnchor(r), offset)
}
