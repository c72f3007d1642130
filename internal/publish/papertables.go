package publish

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/columns"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/internal/together"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// Paper is what tables for papers are made of.
type Paper struct {
	Contest  *judged.Contest
	Title    string
	Sources  []Named  // of the results, with their digests
	Asked    string   // the question, or the selection of runs; empty for none
	OnlyRuns bool     // the selection: what has no run is left out
	Remarks  []string // what must travel with the results
}

// PaperFormats are the formats in which tables for papers are written, and the ending of each.
var PaperFormats = map[string]string{"latex": ".tex", "markdown": ".md", "csv": ".csv"}

// paperTable is a table with what it shows, in a sentence without its end.
type paperTable struct {
	columns.Table
	caption string
}

// WritePaper writes tables for papers into a directory, in one of [PaperFormats], with a README and,
// for LaTeX, a document that has them all.
func WritePaper(dir, format string, p *Paper) error {
	c := judgedOnly(p.Contest, p.OnlyRuns)
	c.rank()
	v := newView(c)
	tables, list := v.paperTables(), ""
	for _, t := range tables {
		name := t.Name + PaperFormats[format]
		list += "- `" + name + "`"
		caption, write := p.caption(t.caption), t.CSV
		switch format {
		case "latex":
			label := "tab:" + t.Name + "-" + p.key()
			list += ", `\\ref{" + label + "}`"
			write = func(w io.Writer) error { return t.LaTeX(w, caption, label) }
		case "markdown":
			write = func(w io.Writer) error { return t.Markdown(w, caption) }
		}
		list += ": " + t.caption + ".\n"
		if err := files.Replace(filepath.Join(dir, name), write); err != nil {
			return err
		}
	}
	if format == "latex" {
		if err := files.Replace(filepath.Join(dir, "example.tex"), p.example(tables)); err != nil {
			return err
		}
	}
	return files.Replace(filepath.Join(dir, "README.md"), func(w io.Writer) error { return p.readme(w, format, list) })
}

// digest is that of the results: of their one file, or of the list of several.
func (p *Paper) digest() string {
	if len(p.Sources) == 1 {
		return p.Sources[0].Text
	}
	return sum(p.sums())
}

// sums lists digests as sha256sum does.
func (p *Paper) sums() string {
	var b strings.Builder
	for _, s := range p.Sources {
		b.WriteString(s.Text + "  " + clean(s.Name) + "\n")
	}
	return b.String()
}

func sum(text string) string {
	digest := sha256.Sum256([]byte(text))
	return hex.EncodeToString(digest[:])
}

// How many digits of a digest captions and labels have, and how long a question stands in a caption.
const (
	resultsDigits = 12
	rulesDigits   = 6
	mostAsked     = 160
)

// key tells tables of other results, and of the same under other rules or questions, apart.
func (p *Paper) key() string {
	certificate := ""
	if p.Contest.Proofs != nil {
		certificate = p.Contest.Proofs.Digest
	}
	return p.digest()[:resultsDigits] + "-" + sum(p.Contest.Edition.Digest + "\n" + certificate + "\n" + p.Asked)[:rulesDigits]
}

// caption says what a table shows, and of which results.
func (p *Paper) caption(of string) string {
	text := of + ". Results " + p.digest()[:resultsDigits] + ", judged under " + p.Contest.Edition.ID
	if len(p.Asked) > mostAsked {
		text += ", asked as the README says"
	} else if p.Asked != "" {
		text += ", asked " + strings.ReplaceAll(p.Asked, "&", ", ")
	}
	return text + "."
}

func (v *view) paperTables() []paperTable {
	counts := v.compareTools()
	return []paperTable{
		{v.paperRankings(), "Rankings by category: points, values answered right and wrong, runs ended by a limit of time or memory"},
		{v.paperExaminations(counts.Alone), "Tools by examination: values answered right, wrong, and right by no other tool; runs ended by a limit of time or memory; " +
			"sum and median of the CPU time of all runs that are not void"},
		{v.paperUnique(counts), "Unique answers: values answered right, and by no other tool; values left out that another tool answered right; runs with all values right, by no other tool, and before all others by CPU time"},
		{v.paperDisagreements(), "Values on which tools differ: the reference value, how it came about, and how many different answers there are"},
	}
}

func (v *view) paperRankings() columns.Table {
	type row = *standingLine
	rows := func(yield func(row) bool) {
		for s := range v.ofStandings {
			if !s.Dash && (s.Rank > 0 || s.Right+s.Wrong > 0) && !yield(s) {
				return
			}
		}
	}
	t := columns.Of("rankings", "one tool in one category", rows,
		columns.New("category", columns.Text, "", func(s row) value { return columns.Str(s.Name) }),
		columns.New("rank", columns.Integer|columns.OrNull, "", func(s row) value { return columns.Positive(int64(s.Rank)) }),
		columns.New("tool", columns.Text, "", func(s row) value { return columns.Str(s.Tool) }),
		columns.New("points", columns.Ratio, "", func(s row) value { return columns.Rat(s.Points) }),
		countOf("right", "", func(s row) int { return s.Right }), countOf("wrong", "", func(s row) int { return s.Wrong }),
		countOf("timeouts", "", func(s row) int { return s.Timeouts }), countOf("memory_outs", "", func(s row) int { return s.MemoryOuts }))
	t.Grouped = true
	return t
}

// paperExaminations leaves out tools that did nothing in an examination.
func (v *view) paperExaminations(alone [][]int) columns.Table {
	type row struct{ tool, exam int }
	times := map[row][]int64{}
	for l := range v.ofRuns {
		if l.run.Void == "" && l.run.Times() {
			at := row{v.toolAt[l.run.toolName()], l.exam}
			times[at] = append(times[at], l.run.CPUTime.Microseconds())
		}
	}
	of := func(r row) *tally { return &v.tally[r.tool][r.exam] }
	rows := func(yield func(row) bool) {
		for exam := range v.c.Examinations {
			for tool := range v.tools {
				r := row{tool, exam}
				if n := of(r); n.right+n.wrong+n.unjudged+n.aside+n.timeouts+n.memouts > 0 && !yield(r) {
					return
				}
			}
		}
	}
	t := columns.Of("examinations", "one tool in one examination", rows,
		columns.New("examination", columns.Text, "", func(r row) value { return columns.Str(string(v.c.Examinations[r.exam].ID)) }),
		columns.New("tool", columns.Text, "", func(r row) value { return columns.Str(v.tools[r.tool].Name) }),
		countOf("right", "", func(r row) int { return of(r).right }), countOf("wrong", "", func(r row) int { return of(r).wrong }),
		countOf("unique", "", func(r row) int { return alone[r.tool][r.exam] }),
		countOf("timeouts", "", func(r row) int { return of(r).timeouts }), countOf("memory_outs", "", func(r row) int { return of(r).memouts }),
		columns.New("cpu_sum", columns.Duration|columns.OrNull, "", func(r row) value { return columns.Int(of(r).cpu).If(of(r).cpu != scoring.Unmeasured) }),
		columns.New("cpu_median_s", columns.Decimal|columns.OrNull, "", func(r row) value {
			return columns.Rat(scaled(scoring.MiddleOf(times[r]).Median)).If(of(r).cpu != scoring.Unmeasured)
		}))
	t.Grouped = true
	return t
}

func (v *view) paperUnique(of *together.Counts) columns.Table {
	sum := func(list []int) (n int) {
		for _, x := range list {
			n += x
		}
		return n
	}
	return columns.Of("unique", "one tool", v.ofTools,
		columns.New("tool", columns.Text, "", func(tool int) value { return columns.Str(v.tools[tool].Name) }),
		countOf("right", "", func(tool int) int { return of.Right[tool] }),
		countOf("unique", "", func(tool int) int { return sum(of.Alone[tool]) }),
		countOf("left_out", "", func(tool int) int { return sum(of.Missed[tool]) }),
		countOf("all_right", "", func(tool int) int { return of.Firsts[tool].Complete }),
		countOf("alone", "", func(tool int) int { return of.Firsts[tool].Alone }),
		countOf("fastest", "", func(tool int) int { return of.Firsts[tool].Fastest }))
}

func (v *view) paperDisagreements() columns.Table {
	splits := slices.Clone(v.splits)
	slices.SortStableFunc(splits, func(a, b split) int { return cmp.Compare(a.cell.exam, b.cell.exam) })
	ref := func(s split) *ref { return &s.cell.refs[s.item] }
	exam := func(s split) string { return string(v.c.Examinations[s.cell.exam].ID) }
	asked := func(s split) string { // empty where the examination asks for one value
		return strings.TrimSuffix(itemWithin(v.instName[s.cell.inst], ref(s).item()), exam(s))
	}
	t := columns.Of("disagreements", "one value on which tools differ", slices.Values(splits),
		columns.New("examination", columns.Text, "", func(s split) value { return columns.Str(exam(s)) }),
		columns.New("instance", columns.Text, "", func(s split) value { return columns.Str(v.instName[s.cell.inst]) }),
		columns.New("value", columns.Text|columns.OrNull, "", func(s split) value { return columns.Str(asked(s)) }),
		columns.New("reference", columns.Text|columns.OrNull, "", func(s split) value { return columns.Str(ref(s).Value().Text) }),
		columns.New("state", columns.Text, "", func(s split) value { return columns.Str(string(ref(s).State())) }),
		countOf("answers", "", func(s split) int { return len(ref(s).camps()) }))
	t.Grouped = true
	return t
}

// example is a document with all tables.
func (p *Paper) example(tables []paperTable) func(io.Writer) error {
	return func(w io.Writer) error {
		fmt.Fprint(w, "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs,longtable,siunitx}\n\\begin{document}\n")
		for _, t := range tables {
			fmt.Fprintf(w, "\\input{%s}\n", t.Name)
		}
		_, err := io.WriteString(w, "\\end{document}\n")
		return err
	}
}

// readme says what the tables are made of, and how they are used.
func (p *Paper) readme(w io.Writer, format, list string) error {
	fmt.Fprintf(w, "# Tables: %s\n\n%s\n", columns.Markdown(p.Title), list)
	fmt.Fprintf(w, "Judged under the edition %s, sha256 `%s`.\n", columns.Markdown(p.Contest.Edition.ID), p.Contest.Edition.Digest)
	if p.Asked != "" {
		fmt.Fprintf(w, "\nAsked:\n\n    %s\n", diagnostic.Line(p.Asked))
	}
	for _, remark := range p.Remarks {
		fmt.Fprintf(w, "\n%s\n", columns.Markdown(remark))
	}
	what := "that of their file"
	if len(p.Sources) != 1 {
		what = "the SHA-256 of these lines, `" + p.digest() + "`"
	}
	fmt.Fprintf(w, "\nThe digest of the results, which captions and labels have, is %s:\n\n", what)
	for line := range strings.Lines(p.sums()) {
		fmt.Fprint(w, "    ", line)
	}
	_, err := io.WriteString(w, paperUse[format])
	return err
}

// paperUse says of each format how its files are used.
var paperUse = map[string]string{
	"latex": `
` + "`example.tex`" + ` is a document with all tables: ` + "`pdflatex example.tex`" + `, twice, or xelatex or lualatex. Tables need
booktabs, siunitx and, where they are longer than a page, longtable. pdflatex prints characters beyond
Latin letters as their numbers. In a document of two columns write table* for table; a longtable needs one column.
`,
	"csv": "\nNumbers are exact: points are ratios, times are in seconds.\n",
}
