package publish

import (
	"bufio"
	"html/template"
	"math/big"
	"strconv"
	"strings"

	"podium/internal/judged"
	"podium/internal/publish/paths"
	"podium/scoring"
)

// splitWriter writes the disagreements of a page, one after the other.
type splitWriter struct {
	*site
	*partRoom
	cell *cell // whose runs the room has read
}

// writeSplits writes the page of the disagreements on one instance.
func (s *site) writeSplits(numbers [2]int) error {
	inst := s.splits[numbers[0]].cell.inst
	name := s.insts[inst].ID.String()
	return s.renderAround("disagreement", s.splitPage(inst), page{Here: "disagreements", Title: "Disagreements on " + name, Body: template.HTML(byHand),
		Trail: []link{{"disagreements.html", "Disagreements"}, {s.instPath(inst), name}}, About: "Tools differ on " + name + "."},
		func(w *bufio.Writer) error {
			sections := splitWriter{site: s, partRoom: partRooms.Get().(*partRoom)}
			defer partRooms.Put(sections.partRoom)
			for n := numbers[0]; n < numbers[1]; n++ {
				sections.b = sections.b[:0]
				sections.write(n)
				if _, err := w.Write(sections.b); err != nil {
					return err
				}
			}
			return nil
		})
}

// write writes a disagreement: the reference value and how it came about, the camps, and
// what may help to decide who is right.
func (w *splitWriter) write(n int) {
	sp := w.splits[n]
	r := &sp.cell.refs[sp.item]
	if w.cell != sp.cell {
		w.cell = sp.cell
		w.read(sp.cell)
	}
	camps, anchor := r.camps(), w.splitAnchor(n)
	w.raw(`<section aria-labelledby="`, anchor, `"><h2 id="`, anchor, `">`)
	w.text(shortItem(r))
	w.raw("</h2>\n")
	q := r.question()
	if q.text != "" {
		w.raw(`<p class="question big">`)
		w.text(q.text)
		w.raw("</p>")
	}
	w.raw("\n")
	if q.xml != "" {
		w.raw(`<details class="fold"><summary>The formula as it stands in its file</summary><pre class="log">`)
		w.text(q.xml)
		w.raw("</pre></details>\n")
	}
	w.facts(r, camps)
	w.raw(`<div class="camps">`, "\n")
	all := new(big.Rat)
	for _, c := range camps {
		all.Add(all, c.weight)
	}
	for _, c := range camps {
		w.camp(r, c, all)
	}
	w.raw("</div>\n")
	w.rule(r)
	w.help(r, sp.cell)
	w.raw("</section>\n")
}

// facts says what is known of the reference value.
func (w *splitWriter) facts(r *ref, camps []camp) {
	w.raw(`<dl class="facts">`, "\n<div><dt>Reference value</dt><dd>")
	if value := r.Value(); value.IsZero() {
		w.raw(`<span class="state unknown">unknown</span>`)
	} else {
		w.raw(string(valueHTML(value)))
	}
	state := r.State()
	w.raw("</dd></div>\n", `<div><dt>How it came about</dt><dd><span class="state `, string(state), `">`, state.Word(), "</span></dd></div>\n")
	if w.Refereed() {
		certainty := r.certainty().String()
		w.raw(`<div><dt>Referee</dt><dd><span class="state `, certainty, `">`, certainty, "</span>")
		if proved := r.Proved(); !proved.IsZero() {
			w.raw(" ", string(valueHTML(proved)), ": ")
			evidence, _ := r.evidence()
			w.text(evidence)
		}
		w.raw("</dd></div>\n")
	}
	w.raw("<div><dt>What it means</dt><dd>")
	w.text(r.verdict(camps))
	w.raw("</dd></div>\n</dl>\n")
}

// verdict says in a sentence what a disagreement came to.
func (r *ref) verdict(camps []camp) string {
	if r.Value().IsZero() || r.State() == Weak {
		return "No value was elected: nobody gains or loses points by this value."
	}
	losers, silent := r.otherwise(camps)
	var texts []string
	if len(losers) > 0 {
		texts = append(texts, strings.Join(losers, ", ")+" answered otherwise than the reference value.")
	}
	if len(silent) > 0 {
		texts = append(texts, strings.Join(silent, ", ")+" answered otherwise without a vote.")
	}
	return strings.Join(texts, " ")
}

// camp writes the tools that gave one value. All is the weight of all votes.
func (w *splitWriter) camp(r *ref, c camp, all *big.Rat) {
	class, medal := "", ""
	if r.known() && c.value == r.Value() {
		class, medal = " elected", ` <span class="medal first">expected</span>`
		if w.Votes() {
			medal = ` <span class="medal first">elected</span>`
		}
	}
	w.raw(`<article class="camp`, class, `">`, "\n<h3>", string(valueHTML(c.value)), medal, "</h3>\n")
	column := ""
	if w.Votes() {
		width := shareWidth(c.weight, all)
		w.raw(`<p class="weight">`, string(bar(width)), ` weight <strong title="`, exact(c.weight), `">`, weight(c.weight), "</strong>, ", width, " % of all</p>")
		column = `<th scope="col" class="num">Weight</th>`
	}
	w.raw("\n", `<div class="scroll" role="region" tabindex="0" aria-label="Tools with this answer"><table><caption class="hidden">Tools with this answer</caption>`, "\n",
		`<thead><tr><th scope="col">Tool</th>`, column, `<th scope="col">Judged</th><th scope="col" class="num">Points</th><th scope="col">Evidence</th></tr></thead>`, "\n<tbody>")
	for _, a := range c.answers {
		w.answer(r, a, w.weightCell(a))
	}
	w.raw("</tbody></table></div></article>\n")
}

// weightCell is the cell of the weight of an answer, where there are votes.
func (w *splitWriter) weightCell(a answer) string {
	switch {
	case !w.Votes():
		return ""
	case a.Weight == nil:
		return `<td class="num">no vote</td>`
	}
	cell := `<td class="num" title="` + exact(a.Weight) + `"><span class="phone">weight </span>` + weight(a.Weight)
	if trust := w.trust[w.toolAt[a.Tool]]; trust.Answered > 0 {
		cell += `<span class="dim of">` + count(trust.Agree) + " of " + count(trust.Answered) + "</span>"
	}
	return cell + "</td>"
}

// answer writes the line of a tool, with the cell of its weight.
func (w *splitWriter) answer(r *ref, by answer, weight string) {
	tool, why := by.Tool, by.Why
	run, answer := w.find(tool, r.item())
	mark, points := scoring.Missing, ""
	if run != nil {
		if points = "\u2013"; run.noScore == "" {
			points = signed(w.pointsFor(run, r.item()))
		}
		if answer != nil {
			mark = answer.Mark
		}
	}
	w.raw(`<tr class="`, markClass[mark], `"><th scope="row"><a href="../`, w.toolPath(tool), `">`, string(w.swatch(tool)))
	w.text(tool)
	w.raw("</a>")
	if t := w.tools[w.toolAt[tool]]; run != nil && t.Family != "" && t.Family != t.Name {
		w.raw(`<span class="dim of">variant of `)
		w.text(t.Family)
		w.raw("</span>")
	}
	w.raw("</th>", weight, "<td>", string(markHTML(mark)), `</td><td class="num">`, points, `<span class="phone"> points</span></td><td>`)
	if run != nil {
		w.link("../", w.runPath(run), "run")
		w.evidence(run, answer)
	}
	if why != "" {
		w.raw(`<span class="why">`)
		w.text(why)
		w.raw("</span>")
	}
	w.raw("</td></tr>\n")
}

// find returns the run of a tool and its answer to a value, nil where there is none.
func (w *splitWriter) find(tool, item string) (run *run, answer *judged.Said) {
	at, found := w.cell.at(tool)
	if !found {
		return nil, nil
	}
	for i := range w.said[at] {
		if a := &w.said[at][i]; a.Item == item {
			answer = a
		}
	}
	return w.cell.runs[at], answer
}

// evidence says how a tool came to an answer; nil is none.
func (w *splitWriter) evidence(run *run, a *judged.Said) {
	took, said := cost(run), ""
	if a != nil {
		if run.Logged && a.Offset >= 0 {
			w.raw(", ")
			w.link("../", w.answerPath(run, a.Offset), "log line")
		}
		if a.At >= 0 {
			said = "after " + duration(a.At)
		}
	}
	if took != "" || said != "" {
		between := ""
		if took != "" && said != "" {
			between = "; "
		}
		w.raw(`<span class="dim of">`, took, between, said, "</span>")
	}
	if a == nil {
		return
	}
	if a.Techniques != "" {
		w.raw(`<span class="techniques">`)
		w.text(a.Techniques)
		w.raw("</span>")
	}
	if a.Witness.State != "" {
		w.raw(` <span class="state `, paths.Name(string(a.Witness.State)), `" title="`)
		w.text(a.Witness.Detail)
		w.raw(`">witness `)
		w.text(string(a.Witness.State))
		w.raw("</span>")
	}
}

// rule says by which rule a value is the reference, and what is doubtful about it.
func (w *splitWriter) rule(r *ref) {
	rule, clause := r.clause()
	w.raw("<p>")
	if clause != "" {
		w.text(clause)
		w.raw(" ")
	}
	if path := w.RulePath(rule); rule != "" && path != "" {
		w.raw(`<a class="rule" href="../`, path, `">`)
		w.text(rule)
		w.raw("</a>")
	} else if rule != "" {
		w.raw(`<span class="rule">`)
		w.text(rule)
		w.raw("</span>")
	}
	w.raw("</p>\n")
	if text := w.RuleText(rule); text != "" {
		w.raw(`<blockquote class="quote">`)
		w.text(text)
		w.raw("</blockquote>")
	}
	for _, doubt := range r.doubts() {
		w.raw(`<p class="doubt">Doubt: `)
		w.text(doubt)
		w.raw(".</p>")
	}
	w.raw("\n")
}

// mostShown is how many transitions of a run are shown.
const mostShown = 40

// help says what may help to decide who is right.
func (w *splitWriter) help(r *ref, c *cell) {
	if _, by := r.evidence(); len(by.Run) > 0 {
		run := by.Run
		w.raw("<p>A run that shows the value, by the referee: <code>")
		w.text(strings.Join(run[:min(len(run), mostShown)], " "))
		w.raw("</code>")
		if len(run) > mostShown {
			w.raw(", and so on: ", strconv.Itoa(len(run)), " transitions")
		}
		w.raw(".</p>\n")
	}
	if near := w.neighbours(c); len(near) > 0 {
		w.raw("<p>", w.say("The same examination with the next parameters: "))
		for i, n := range near {
			if i > 0 {
				w.raw("; ")
			}
			w.raw("on ")
			w.link("../", n.Instance.Path, n.Instance.Text)
			w.raw(" ")
			w.text(n.Text)
		}
		w.raw(".</p>\n")
	}
	if commands := w.commands(r); len(commands) > 0 {
		where := ", where DIR is the campaign"
		if w.c.FromFiles {
			where = ""
		}
		w.raw("<p>To look again", where, ":</p>\n", `<pre class="log command">`)
		for _, command := range commands {
			w.text(command)
			w.raw("\n")
		}
		w.raw("</pre>")
	}
}
