package publish

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"podium/internal/judged"
	"podium/internal/plots"
	"podium/internal/publish/paths"
	"podium/internal/together"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/scoring/whatif"
)

// virtualRow is a category with its best tool, and with all tools together.
type virtualRow struct {
	Name, Path string
	Best       link
	Right, All int // values that the best tool answered right, and that any did
	Runs       int
	CPU        time.Duration
}

// Gain is what all tools together have more than the best.
func (r virtualRow) Gain() string { return percent(r.All-r.Right, max(1, r.All)) }

// shareRow is what a tool adds to the others.
type shareRow struct {
	Tool, Path                       string
	Right, Alone, Missed             int
	Complete, Fastest, CompleteAlone int
	Saved                            time.Duration
}

// pairCell compares two tools.
type pairCell struct {
	Same        bool // a tool with itself
	Both, Wrong int
	Agree       string
	Class, Note string
}

type pairRow struct {
	Tool, Path string
	Cells      []pairCell
}

type hardRow struct {
	Name, Path string
	Parts      [4]int
	Bar        template.HTML
}

type techniqueRow struct {
	Name         string
	Tools        []string
	Right, Wrong int
	Answers      int
}

// Share is how many of the judged answers are right.
func (r techniqueRow) Share() string { return percent(r.Right, r.Right+r.Wrong) }

type togetherBody struct {
	Virtual    []virtualRow
	Shares     []shareRow
	Upset      template.HTML
	Tools      []toolColumn
	Pairs      []pairRow
	Hard       []hardRow
	Techniques []techniqueRow
	More       int // techniques that are not shown
}

// writeTogether writes the page that compares the tools on the same values.
func (s *site) writeTogether() error {
	if !s.Compares() {
		return nil
	}
	t := s.together
	body := togetherBody{Virtual: s.virtualRows(), Upset: s.upset(), Tools: s.toolColumns(), Techniques: s.techniqueRows()}
	if n := len(body.Techniques); n > mostTechniques {
		body.Techniques, body.More = body.Techniques[:mostTechniques], n-mostTechniques
	}
	for tool, x := range s.tools {
		f := t.Firsts[tool]
		body.Shares = append(body.Shares, shareRow{Tool: x.Name, Path: s.toolPath(x.Name), Right: t.Right[tool], Alone: total(t.Alone[tool]), Missed: total(t.Missed[tool]),
			Complete: f.Complete, Fastest: f.Fastest, CompleteAlone: f.Alone, Saved: microseconds(f.Saved)})
		row := pairRow{Tool: x.Name, Path: s.toolPath(x.Name)}
		for other := range s.tools {
			row.Cells = append(row.Cells, pairOf(t.Pairs[tool*len(s.tools)+other], tool == other))
		}
		body.Pairs = append(body.Pairs, row)
	}
	for e, exam := range s.c.Examinations {
		parts := t.Hardness(e)
		body.Hard = append(body.Hard, hardRow{string(exam.ID), s.examPath(e), parts, hardBar(parts)})
	}
	return s.render("together", "together.html", page{Here: "tools", Title: "Tools together", Body: body, Trail: []link{{"tools.html", "Tools"}},
		About: "Which tools answer the same values, who is right alone, who is wrong together."})
}

// virtualRows compare the best tool of each category with all tools together.
func (s *site) virtualRows() (rows []virtualRow) {
	t := s.together
	for k, cat := range s.c.Categories {
		row := virtualRow{Name: clean(cat.Name), Path: paths.Category(cat.Name), All: t.Virtual[k].Right, Runs: t.Virtual[k].Runs, CPU: microseconds(t.Virtual[k].CPU)}
		if tool, right := t.Best(k); tool >= 0 {
			row.Right, row.Best = right, link{s.toolPath(s.tools[tool].Name), s.tools[tool].Name}
		}
		rows = append(rows, row)
	}
	return rows
}

func total(list []int) (sum int) {
	for _, n := range list {
		sum += n
	}
	return sum
}

func pairOf(p together.Pair, same bool) pairCell {
	c := pairCell{Same: same, Both: p.Both, Wrong: p.Wrong}
	switch {
	case same || p.Both == 0:
		return c
	case p.Agree == p.Both:
		c.Class = "h4"
	case p.Wrong > 0:
		c.Class = "h0"
	}
	c.Agree = percent(p.Agree, p.Both)
	if p.Wrong > 0 {
		c.Note = count(p.Wrong) + " wrong together"
	}
	return c
}

// upset draws which tools answered the same values right.
func (s *site) upset() template.HTML {
	sets, values, others := s.together.Upset()
	if len(sets) == 0 {
		return ""
	}
	names := s.toolNames()
	d, wide := plots.Upset(names, sets)
	m := &markup{}
	before, after := `<figure class="upset">`, ""
	if wide {
		before, after = `<figure class="upset wide"><div class="scroll" role="region" tabindex="0" aria-label="Who answers the same">`, "</div>"
	}
	m.raw(before, `<svg viewBox="0 0 `, coordinate(d.Width), " ", coordinate(d.Height), `" width="`, coordinate(d.Width), `" role="img" aria-label="`)
	m.text(plots.UpsetAlt(names, sets))
	m.raw(`">`, d.Body, "</svg>", after, "<figcaption>", plots.UpsetCaption(values, others), "</figcaption></figure>")
	return m.html()
}

// hardBar draws the parts of a bar of hardness.
func hardBar(parts [4]int) template.HTML {
	body, alt := plots.HardBar(parts)
	if body == "" {
		return ""
	}
	return template.HTML(`<svg class="hardbar" viewBox="0 0 200 12" preserveAspectRatio="none" role="img" aria-label="` + alt + `">` + body + `</svg>`)
}

// mostTechniques bounds the techniques that the page shows.
const mostTechniques = 60

// technique counts the judged answers that name a technique.
type technique struct {
	right, wrong, answers int
	tools                 together.Set
}

// technique notes the techniques of an answer. The map is bounded: what tools write is
// their own choice.
func (s *site) noteTechniques(tool int, a *judged.Said, mark scoring.Mark) {
	var few [8]string
	said := few[:0]
	for name := range strings.FieldsSeq(a.Techniques) {
		if slices.Contains(said, name) {
			continue
		}
		said = append(said, name)
		t := s.techniques[name]
		if t == nil {
			if len(s.techniques) == 10_000 || len(name) > 100 {
				continue
			}
			t = &technique{tools: together.NewSet(len(s.tools))}
			s.techniques[name] = t
		}
		t.answers++
		t.tools.Add(tool)
		switch mark {
		case scoring.Right:
			t.right++
		case scoring.Wrong:
			t.wrong++
		}
	}
}

// techniqueRows are the techniques, those of the most right answers first.
func (s *site) techniqueRows() (list []techniqueRow) {
	for name, t := range s.techniques {
		row := techniqueRow{Name: clean(name), Right: t.right, Wrong: t.wrong, Answers: t.answers}
		t.tools.Each(func(tool int) { row.Tools = append(row.Tools, clean(s.tools[tool].Name)) })
		list = append(list, row)
	}
	slices.SortFunc(list, func(a, b techniqueRow) int { return cmp.Or(cmp.Compare(b.Right, a.Right), cmp.Compare(a.Name, b.Name)) })
	return list
}

// wrongSentence says where a tool was wrong in a category: "22 wrong answers, on 3
// models: most on BART (12) and Kanban (7)".
type wrongSentence struct {
	Tool, Path string
	Wrong      int
	Runs       int
	Models     []modelCount // those with the most, at most mostNamed of them
	More       int          // other models
}

type modelCount struct {
	Name, Path string
	Count      int
}

// mostNamed bounds the models that a sentence names.
const mostNamed = 3

// wrongIn says who was wrong in a category and where, most wrong first.
func (s *site) wrongIn(category string) (list []wrongSentence) {
	by := make([]map[int]int, len(s.tools)) // by tool: wrong answers by model
	runs := make([]int, len(s.tools))
	s.eachRun(category, func(tool int, c *cell, r *run) {
		wrong := 0
		for _, m := range c.mask(r) {
			if m == scoring.Wrong {
				wrong++
			}
		}
		if wrong == 0 {
			return
		}
		if by[tool] == nil {
			by[tool] = map[int]int{}
		}
		by[tool][s.familyOf[c.inst]] += wrong
		runs[tool]++
	})
	for tool, of := range by {
		if of == nil {
			continue
		}
		row := wrongSentence{Tool: s.tools[tool].Name, Path: s.toolPath(s.tools[tool].Name), Runs: runs[tool]}
		for m, n := range of {
			row.Wrong += n
			row.Models = append(row.Models, modelCount{clean(s.families[m].name), s.families[m].path(), n})
		}
		slices.SortFunc(row.Models, func(a, b modelCount) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
		if n := len(row.Models); n > mostNamed {
			row.Models, row.More = row.Models[:mostNamed], n-mostNamed
		}
		list = append(list, row)
	}
	slices.SortStableFunc(list, func(a, b wrongSentence) int { return cmp.Compare(b.Wrong, a.Wrong) })
	return list
}

// ordinals name ranks in sentences.
func ordinal(rank int) string {
	if word := placeWords[rank]; word != "" {
		return word
	}
	return "number " + fmt.Sprint(rank)
}

// turnSentence says what a tool's answers did to the place of another.
func turnSentence(w without) string {
	text := fmt.Sprintf("Without %s, %s would be %s instead of %s", clean(w.Tool), clean(w.Other), ordinal(w.After), ordinal(w.Before))
	var parts []string
	for _, p := range []struct {
		n  int
		to string
	}{{w.Refuted, "a value that is refuted"}, {w.Proved, "the value that is proved"}, {w.Open, "a value that is neither proved nor refuted"}, {w.Lost, "none"}} {
		if p.n > 0 {
			parts = append(parts, count(p.n)+" to "+p.to)
		}
	}
	if len(parts) == 0 {
		return text + ", by points that depend on the other tools: no reference value of the category would change."
	}
	return text + ", because reference values of the category would change: " + strings.Join(parts, ", ") + "."
}

// marginSentence says how far two neighbours are apart.
func marginSentence(m whatif.Margin) string {
	text := fmt.Sprintf("%s is %s points ahead of %s", clean(m.Ahead), decimal(m.Points), clean(m.Behind))
	switch {
	case m.Needed == 0 && len(m.Decisions) == 0:
		return text + "; no disputed value stands between them."
	case m.Needed == 0:
		return text + "; all disputed values together, decided otherwise, would not change the order."
	case m.Needed == 1:
		return text + "; one disputed value, decided otherwise, would change the order."
	}
	return text + fmt.Sprintf("; %s disputed values, decided otherwise, would change the order.", count(m.Needed))
}

// valueText is a value in a sentence.
func valueText(text string) string {
	if text == "?" {
		return "no value"
	}
	return clean(diagnostic.ShortNumber(text))
}
