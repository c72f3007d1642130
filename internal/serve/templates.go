package serve

import (
	"embed"
	"fmt"
	"html/template"
	"math/big"
	"strings"
	"time"

	"podium/internal/forecast"
	"podium/internal/judged"
	"podium/internal/progress"
	"podium/internal/publish"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

//go:embed assets templates
var embedded embed.FS

// parts are the templates of the parts of the live page.
type parts struct{ *template.Template }

// newParts reads them, for a contest on nets or in the words of one on tasks.
func newParts(tasks bool) (*parts, error) {
	say := func(text string) string { return text }
	if tasks {
		say = publish.TaskWords
	}
	t := template.New("").Funcs(template.FuncMap{
		"clean": diagnostic.Clean, "bar": bar, "words": wordsOf, "trouble": troubleOf, "clock": clock, "iso": iso, "about": about, "past": past,
		"points": judged.Hundredths, "medal": judged.Medal, "between": rangeBar, "count": wording.Count[int], "left": leftOf,
		"gb": func(n int64) string { return fmt.Sprintf("%.0f GB", float64(n)/1e9) }, "dict": dict, "lower": strings.ToLower, "say": say,
	})
	entries, err := embedded.ReadDir("templates")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		source, err := embedded.ReadFile("templates/" + e.Name())
		if err != nil {
			return nil, err
		}
		if tasks {
			source = []byte(publish.TaskTemplate(string(source)))
		}
		if _, err := t.New(e.Name()).Parse(string(source)); err != nil {
			return nil, err
		}
	}
	return &parts{t}, nil
}

// dict passes several things to a template: names and values in turn.
func dict(pairs ...any) map[string]any {
	m := make(map[string]any, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m
}

// text makes a part.
func (p *parts) text(name string, data any) (template.HTML, error) {
	var b strings.Builder
	err := p.ExecuteTemplate(&b, name+".html", data)
	return template.HTML(b.String()), err
}

// clock is a moment in UTC, for people; the day stands before it where it is not that of now.
func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2 Jan 15:04:05")
}

func iso(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// about is a moment to the minute.
func about(t time.Time) string { return t.UTC().Round(time.Minute).Format("2 Jan 15:04") }

// leftOf says when a campaign ends that goes on for some time from a moment on.
func leftOf(l forecast.Left, from time.Time) string {
	switch {
	case l.Runs <= 0:
		return ""
	case l.Most > 0:
		return about(past(from, l.Middle)) + " (" + about(past(from, l.Least)) + " to " + about(past(from, l.Most)) + ") UTC"
	case l.Middle > 0:
		return about(past(from, l.Middle)) + " UTC"
	case l.Worst > 0:
		return "at the latest " + about(past(from, l.Worst)) + " UTC"
	}
	return ""
}

// past is a time that is some microseconds after another.
func past(t time.Time, us int64) time.Time { return t.Add(time.Duration(us) * time.Microsecond) }

// shownFates are those of runs in their order; what is missing is the ground of bars.
var shownFates = []progress.Fate{progress.Done, progress.Stopped, progress.Crashed, progress.Void, progress.Running, progress.Missing}

// bar draws a tally as a bar of parts.
func bar(t progress.Tally) template.HTML {
	all := t.All()
	if all == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<svg class="load" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="missing" width="100" height="8"/>`)
	at := 0.0
	for _, f := range shownFates[:len(shownFates)-1] {
		if t[f] > 0 {
			width := 100 * float64(t[f]) / float64(all)
			fmt.Fprintf(&b, `<rect class="%s" x="%.2f" width="%.2f" height="8"/>`, f, at, width)
			at += width
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// troubleOf names those that did not end well.
func troubleOf(t progress.Tally) string {
	t[progress.Missing], t[progress.Running], t[progress.Done] = 0, 0, 0
	return wordsOf(t)
}

// wordsOf says a tally in words, without what is 0.
func wordsOf(t progress.Tally) string {
	var words []string
	for _, f := range shownFates {
		if t[f] > 0 {
			words = append(words, fmt.Sprintf("%d %s", t[f], f))
		}
	}
	return strings.Join(words, ", ")
}

// rangeBar draws where the final points lie among those of all tools of a board.
func rangeBar(b judged.ProvisionalBoard, r judged.ProvisionalRow) template.HTML {
	low, high := new(big.Rat), new(big.Rat)
	for _, o := range b.Rows {
		if o.Least.Cmp(low) < 0 {
			low = o.Least
		}
		if o.Greatest.Cmp(high) > 0 {
			high = o.Greatest
		}
	}
	wide := new(big.Rat).Sub(high, low)
	if wide.Sign() == 0 {
		return ""
	}
	at := func(x *big.Rat) float64 {
		f, _ := new(big.Rat).Quo(new(big.Rat).Sub(x, low), wide).Float64()
		return 100 * f
	}
	from, to, now := at(r.Least), at(r.Greatest), at(r.SoFar)
	return template.HTML(fmt.Sprintf(`<svg class="span" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="track" y="4" width="100" height="2"/>`+
		`<rect class="from" x="%.2f" y="2" width="%.2f" height="6"/><rect class="now" x="%.2f" width="1" height="10"/></svg>`, from, max(0.5, to-from), min(99, max(0, now-0.5))))
}
