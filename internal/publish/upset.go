package publish

import (
	"fmt"
	"html/template"
	"strings"
)

// The size of an UpSet plot, in units of its drawing.
const (
	upsetWidth  = 460.0
	upsetRow    = 17.0
	upsetHead   = 86.0 // room for the names of tools, which stand upright
	upsetNumber = 54.0 // room for the number behind a bar
	upsetStep   = 11.0 // the least width of a column: below it names would overlap
)

// upset draws which tools answered the same values right: a row for each set of tools,
// a column for each tool, and a bar as long as the number of values.
func (s *site) upset(t *together) template.HTML {
	sets, values, others := t.largestSets()
	if len(sets) == 0 {
		return ""
	}
	m := &markup{}
	step, width := min(20, (upsetWidth/2)/float64(len(s.tools))), upsetWidth
	before, after := `<figure class="upset">`, ""
	if step < upsetStep {
		step = upsetStep
		width = upsetWidth/2 + step*float64(len(s.tools))
		before, after = `<figure class="upset wide"><div class="scroll" role="region" tabindex="0" aria-label="Who answers the same">`, "</div>"
	}
	matrix := step * float64(len(s.tools))
	height := upsetHead + upsetRow*float64(len(sets)) + 4
	m.raw(before, `<svg viewBox="0 0 `, coordinate(width), " ", coordinate(height), `" width="`, coordinate(width), `" role="img" aria-label="`)
	m.text(s.upsetAlt(sets))
	m.raw(`">`)
	for tool, t := range s.tools {
		x := coordinate(step*(float64(tool)+.5) + 3.5)
		y := coordinate(upsetHead - 6)
		m.raw(`<text transform="translate(`, x, " ", y, `) rotate(-90)">`)
		m.text(cutName(t.Name, 13))
		m.raw("</text>")
	}
	var none, lines strings.Builder
	for n, set := range sets {
		y := coordinate(upsetHead + upsetRow*(float64(n)+.5))
		for tool := range s.tools {
			if !set.tools.has(tool) {
				none.WriteString("M" + coordinate(step*(float64(tool)+.5)) + " " + y + "h0")
			}
		}
		low, high := set.tools.ends()
		if low < high {
			lines.WriteString("M" + coordinate(step*(float64(low)+.5)) + " " + y + "H" + coordinate(step*(float64(high)+.5)))
		}
	}
	m.raw(`<path class="none" d="`, none.String(), `"/><path class="join" d="`, lines.String(), `"/>`)
	for tool := range s.tools {
		var dots strings.Builder
		for n, set := range sets {
			if set.tools.has(tool) {
				dots.WriteString("M" + coordinate(step*(float64(tool)+.5)) + " " + coordinate(upsetHead+upsetRow*(float64(n)+.5)) + "h0")
			}
		}
		if dots.Len() > 0 {
			colour, _ := lineClasses(tool)
			m.raw(`<path class="in `, colour, `" d="`, dots.String(), `"/>`)
		}
	}
	most := 0
	for _, set := range sets {
		most = max(most, set.count)
	}
	room := width - matrix - 8 - upsetNumber
	for n, set := range sets {
		class := "bar-of"
		if set.tools.size() == 1 {
			class = "bar-of one"
		}
		y := upsetHead + upsetRow*float64(n)
		length := max(1, room*float64(set.count)/float64(most))
		m.raw(`<rect class="`, class, `" x="`, coordinate(matrix+8), `" y="`, coordinate(y+3), `" width="`, coordinate(length), `" height="`, coordinate(upsetRow-6), `"/>`)
		m.raw(`<text x="`, coordinate(matrix+8+length+4), `" y="`, coordinate(y+upsetRow/2+4), `">`, count(set.count), "</text>")
	}
	m.raw("</svg>", after, "<figcaption>Each row is a set of tools, those with a coloured dot, and the number of values that these tools answered right and no other one. Rows of one tool alone are the unique answers.")
	if others > 0 {
		m.raw(fmt.Sprintf(" %s smaller sets have %s values together.", count(others), count(values)))
	}
	m.raw("</figcaption></figure>")
	return m.html()
}

// upsetAlt says the largest sets in words.
func (s *site) upsetAlt(sets []setCount) string {
	var parts []string
	for _, set := range sets[:min(5, len(sets))] {
		var names []string
		set.tools.each(func(tool int) { names = append(names, clean(s.tools[tool].Name)) })
		parts = append(parts, fmt.Sprintf("%s by %s", count(set.count), strings.Join(names, ", ")))
	}
	return "Values by the tools that answered them right, the most first: " + strings.Join(parts, "; ") + "."
}

// cutName shortens a name for a plot.
func cutName(name string, most int) string {
	letters := []rune(clean(name))
	if len(letters) <= most {
		return string(letters)
	}
	return string(letters[:most-1]) + "\u2026"
}

// hardClasses are the classes of a bar of hardness, from values that no tool answered
// right to those that nearly all did.
var hardWords = []string{"by no tool", "by one tool", "by less than half", "by half or more"}

// hardness sums up how many tools answered values right; the list counts values by the
// number of tools.
func hardness(reached []int, tools int) (parts [4]int) {
	for n, values := range reached {
		switch {
		case n == 0:
			parts[0] += values
		case n == 1:
			parts[1] += values
		case 2*n < tools:
			parts[2] += values
		default:
			parts[3] += values
		}
	}
	return parts
}

// hardBar draws the parts of a bar of hardness.
func hardBar(parts [4]int) template.HTML {
	total := parts[0] + parts[1] + parts[2] + parts[3]
	if total == 0 {
		return ""
	}
	m := &markup{}
	m.raw(`<svg class="hardbar" viewBox="0 0 200 12" preserveAspectRatio="none" role="img" aria-label="`)
	for i, n := range parts {
		if i > 0 {
			m.raw(", ")
		}
		m.raw(percent(n, total), " ", hardWords[i])
	}
	m.raw(`">`)
	x := 0.0
	for i, n := range parts {
		if n == 0 {
			continue
		}
		width := 200 * float64(n) / float64(total)
		m.raw(fmt.Sprintf(`<rect class="hard%d" x="%s" width="%s" height="12"/>`, i, coordinate(x), coordinate(width)))
		x += width
	}
	m.raw("</svg>")
	return m.html()
}
