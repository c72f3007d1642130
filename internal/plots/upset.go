package plots

import (
	"fmt"
	"html"
	"strings"

	"podium/internal/wording"
)

// The size of an UpSet plot, in units of its drawing.
const (
	upsetWidth  = 460.0
	upsetRow    = 17.0
	upsetHead   = 86.0 // room for the names of tools, which stand upright
	upsetNumber = 54.0 // room for the number behind a bar
	upsetStep   = 11.0 // the least width of a column: below it names would overlap
)

// UpsetSet is a row of an UpSet plot: tools by their numbers, and how much they and no other
// ones have.
type UpsetSet struct {
	Tools []int
	Count int
}

// Upset draws which tools answered the same values right: a row for each set of tools, a
// column for each tool, and a bar as long as the number of values. The second result tells
// that it is wider than usual, for its many tools.
func Upset(tools []string, sets []UpsetSet) (d Drawing, wide bool) {
	b := &strings.Builder{}
	step, width := min(20, (upsetWidth/2)/float64(len(tools))), upsetWidth
	if wide = step < upsetStep; wide {
		step = upsetStep
		width = upsetWidth/2 + step*float64(len(tools))
	}
	matrix := step * float64(len(tools))
	middle := func(tool int) float64 { return step * (float64(tool) + .5) }
	most := 0
	for _, set := range sets {
		most = max(most, set.Count)
	}
	for tool, name := range tools {
		fmt.Fprintf(b, `<text transform="translate(%s %s) rotate(-90)">%s</text>`, coordinate(middle(tool)+3.5), coordinate(upsetHead-6), html.EscapeString(wording.CutEnd(name, 13)))
	}
	var none, lines, bars strings.Builder
	dots := make([]strings.Builder, len(tools))
	room := width - matrix - 8 - upsetNumber
	for n, set := range sets {
		top := upsetHead + upsetRow*float64(n)
		y := coordinate(top + upsetRow/2)
		next := 0 // of the tools of the set
		for tool := range tools {
			dot := "M" + coordinate(middle(tool)) + " " + y + "h0"
			if next < len(set.Tools) && set.Tools[next] == tool {
				dots[tool].WriteString(dot)
				next++
			} else {
				none.WriteString(dot)
			}
		}
		if last := len(set.Tools) - 1; last > 0 {
			lines.WriteString("M" + coordinate(middle(set.Tools[0])) + " " + y + "H" + coordinate(middle(set.Tools[last])))
		}
		class := "bar-of"
		if len(set.Tools) == 1 {
			class = "bar-of one"
		}
		length := max(1, room*float64(set.Count)/float64(most))
		fmt.Fprintf(&bars, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/><text x="%s" y="%s">%s</text>`, class, coordinate(matrix+8), coordinate(top+3), coordinate(length), coordinate(upsetRow-6),
			coordinate(matrix+8+length+4), coordinate(top+upsetRow/2+4), number(set.Count))
	}
	b.WriteString(`<path class="none" d="` + none.String() + `"/><path class="join" d="` + lines.String() + `"/>`)
	for tool := range dots {
		if dots[tool].Len() > 0 {
			fmt.Fprintf(b, `<path class="in k%d" d="%s"/>`, tool%Colours, dots[tool].String())
		}
	}
	b.WriteString(bars.String())
	return Drawing{Body: b.String(), Width: width, Height: upsetHead + upsetRow*float64(len(sets)) + 4}, wide
}

// UpsetAlt says the largest sets in words.
func UpsetAlt(tools []string, sets []UpsetSet) string {
	var parts []string
	for _, set := range sets[:min(5, len(sets))] {
		var names []string
		for _, tool := range set.Tools {
			names = append(names, tools[tool])
		}
		parts = append(parts, fmt.Sprintf("%s by %s", number(set.Count), strings.Join(names, ", ")))
	}
	return "Values by the tools that answered them right, the most first: " + strings.Join(parts, "; ") + "."
}

// UpsetCaption says what an UpSet plot shows, and what the sets have that it leaves out.
func UpsetCaption(values, others int) string {
	text := "Each row is a set of tools, those with a coloured dot, and the number of values that these tools answered right and no other one. Rows of one tool alone are the unique answers."
	if others > 0 {
		text += fmt.Sprintf(" %s smaller sets have %s values together.", number(others), number(values))
	}
	return text
}

// HardWords say the parts of a bar of hardness, as [HardBar] takes them.
var HardWords = []string{"by no tool", "by one tool", "by less than half", "by half or more"}

// HardBar draws how many tools answered values right, as SVG of 200 by 12 units, and says it
// in words. It is empty when there are no values.
func HardBar(parts [4]int) (body, alt string) {
	total := parts[0] + parts[1] + parts[2] + parts[3]
	if total == 0 {
		return "", ""
	}
	b, x, words := &strings.Builder{}, 0.0, []string{}
	for i, n := range parts {
		words = append(words, number(n)+" "+HardWords[i])
		if n == 0 {
			continue
		}
		width := 200 * float64(n) / float64(total)
		fmt.Fprintf(b, `<rect class="hard%d" x="%s" width="%s" height="12"/>`, i, coordinate(x), coordinate(width))
		x += width
	}
	return b.String(), strings.Join(words, ", ")
}
