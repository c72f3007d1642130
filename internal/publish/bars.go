package publish

import (
	"fmt"
	"html"
	"html/template"
	"strings"

	"podium/scoring"
)

// Bars are drawn, because the policy of the pages allows no style attributes.

// bar shows a percentage: a decimal number from 0 to 100.
func bar(percentage string) template.HTML {
	return template.HTML(`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="` +
		html.EscapeString(percentage) + `" height="1"/></svg>`)
}

// stack shows what became of the values that were asked, side by side.
func stack(t tally) template.HTML {
	total := t.right + t.wrong + t.unjudged + t.missed
	if total == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="stack" viewBox="0 0 %d 1" preserveAspectRatio="none" aria-hidden="true">`, total)
	at := 0
	for _, part := range []struct {
		mark scoring.Mark
		n    int
	}{{scoring.Right, t.right}, {scoring.Wrong, t.wrong}, {scoring.Unjudged, t.unjudged}} {
		if part.n > 0 {
			fmt.Fprintf(&b, `<rect class="%s" x="%d" width="%d" height="1"/>`, markClass[part.mark], at, part.n)
		}
		at += part.n
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}
