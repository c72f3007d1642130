package compare

import (
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"math"

	"podium/internal/plots"
	"podium/internal/publish"
	"podium/pnml/diagnostic"
)

//go:embed page.html
var files embed.FS

// plotAlt is what one sees on a plot.
const plotAlt = "CPU time of every run before and after, on logarithmic axes: runs above the diagonal became slower."

// PageMark stands in the first lines of each page, by which podium knows it again.
const PageMark = `content="podium compare"`

// WritePage writes a report as one HTML file that needs no other.
func (r *Report) WritePage(out io.Writer) error {
	source, err := files.ReadFile("page.html")
	if err != nil {
		return err
	}
	text := string(source)
	if r.tasks {
		text = publish.TaskTemplate(text)
	}
	page, err := publish.ReportPage(text, template.FuncMap{
		"orNone":  orNone,
		"plotAlt": func() string { return plotAlt },
		"rows":    func(t Tool) []namedRow { return t.rows() },
		"plot":    func(t Tool) template.URL { return r.plot(&t) },
		"say":     func(x Ratio) string { return r.say(x.String()) },
		"remarks": func(t Tool) (list []string) {
			for _, remark := range t.Remarks() {
				list = append(list, r.say(remark))
			}
			return list
		},
		"slower": func(x Ratio) string { return x.word("slower", "faster") },
		"more":   func(x Ratio) string { return x.word("more", "less") },
	})
	if err != nil {
		return err
	}
	return page.Execute(out, r)
}

// plot draws the CPU time of each run on both sides, as the address of a picture.
func (r *Report) plot(t *Tool) template.URL {
	var pairs []plots.Pair
	for _, at := range t.points {
		if math.IsNaN(at.before) || math.IsNaN(at.after) || at.before < 0 && at.after < 0 {
			continue
		}
		pairs = append(pairs, plots.Pair{X: at.before, Y: at.after, Run: -1})
	}
	x, y := diagnostic.Clean("before: "+t.Before+" (s)"), diagnostic.Clean("after: "+t.After+" (s)")
	svg := plots.Against("CPU time, run by run", x, y, plots.LeastTime, pairs).SVG(plotAlt)
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg)))
}
