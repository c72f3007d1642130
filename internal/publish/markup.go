package publish

import (
	"html"
	"html/template"
	"slices"
)

// markup writes HTML by hand, where there is so much of it that templates would
// take minutes: the runs on the pages of instances.
type markup struct{ b []byte }

// raw writes HTML. It is never given a text from outside.
func (m *markup) raw(parts ...string) {
	for _, p := range parts {
		m.b = append(m.b, p...)
	}
}

// text writes any text so that it is text.
func (m *markup) text(s string) {
	if plain(s) {
		m.b = append(m.b, s...)
		return
	}
	m.b = append(m.b, html.EscapeString(clean(s))...)
}

// plain reports whether a text stands for itself in HTML.
func plain[T string | []byte](s T) bool {
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == '<' || c == '>' || c == '&' || c == '"' || c == '\'' {
			return false
		}
	}
	return true
}

// titled writes the start of an element with a title.
func (m *markup) titled(element, title string) {
	m.raw("<", element, ` title="`)
	m.text(title)
	m.raw(`">`)
}

// link writes a link to a path from the root of the site.
func (m *markup) link(root, path, text string) {
	m.raw(`<a href="`, root)
	m.text(path)
	m.raw(`">`)
	m.text(text)
	m.raw("</a>")
}

// table writes the start of a table that scrolls in its own box.
func (m *markup) table(class, caption string) {
	m.raw(`<div class="scroll" role="region" tabindex="0" aria-label="`)
	m.text(caption)
	m.raw(`"><table class="`, class, `"><caption>`)
	m.text(caption)
	m.raw("</caption>")
}

// number writes a cell of a table with a number, and what it is sorted by.
func (m *markup) number(key, title, text string) {
	m.raw(`<td class="num" data-v="`, key, `" title="`)
	m.text(title)
	m.raw(`">`)
	m.text(text)
	m.raw("</td>")
}

// html returns what was written.
func (m *markup) html() template.HTML { return template.HTML(slices.Clone(m.b)) }
