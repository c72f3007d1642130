package publish

import (
	"html"
	"html/template"
	"strings"
)

// breakable is a name that may be broken where a reader would: after a sign, before a
// capital that follows a small letter. Narrow columns break it nowhere else.
func breakable(name string) template.HTML {
	var b strings.Builder
	var before rune
	for i, r := range clean(name) {
		capital := r >= 'A' && r <= 'Z'
		if i > 0 && (capital && before >= 'a' && before <= 'z' || before == '-' || before == '_' || before == '.') {
			b.WriteString("<wbr/>")
		}
		b.WriteString(html.EscapeString(string(r)))
		before = r
	}
	return template.HTML(b.String())
}

// linked is a warning whose words lead to the pages and files that they name.
func (s *site) linked(text string) template.HTML {
	escaped := html.EscapeString(clean(text))
	references := "references.html"
	for _, kind := range doubtKinds {
		if kind.said != "" && strings.Contains(text, kind.said) {
			references = doubtPath(kind.word)
		}
	}
	for _, to := range []struct{ words, path string }{{"the table of references", references}, {"refuted by proof", doubtPath("refuted by a proof")}, {"runs.csv", "csv/runs.csv"}, {"void by", runsPath("outcome", "void")}} {
		escaped = strings.ReplaceAll(escaped, to.words, `<a href="`+to.path+`">`+to.words+"</a>")
	}
	if s.c.Refereed() {
		escaped = strings.ReplaceAll(escaped, "the page of the referee", `<a href="referee.html">the page of the referee</a>`)
	}
	return template.HTML(escaped)
}
