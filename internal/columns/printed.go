package columns

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// printed is a table as people read it: numbers are rounded, names of columns are titles.
type printed struct {
	titles []string
	number []bool // columns of numbers
	rows   [][]string
	group  int // 1 where the first column heads groups of rows, else 0
}

// printed reads the whole table.
func (t *Table) printed() printed {
	p := printed{}
	if t.Grouped {
		p.group = 1
	}
	figures := make([][]*big.Rat, len(t.Columns))
	for row := range t.rows {
		line := make([]string, len(row))
		for i := range row {
			if kind := t.Columns[i].Type.kind(); kind.number() {
				figures[i] = append(figures[i], row[i].figure(kind))
			} else {
				line[i] = shortened((&rows{}).text(kind, &row[i]))
			}
		}
		p.rows = append(p.rows, line)
	}
	for i, c := range t.Columns {
		p.titles = append(p.titles, c.title())
		p.number = append(p.number, c.Type.kind().number())
		decimals := decimalsOf(figures[i])
		for n, x := range figures[i] {
			if x != nil {
				p.rows[n][i] = x.FloatString(decimals)
			}
		}
	}
	return p
}

// title is the name of a column in words, with the unit.
func (h Head) title() string {
	words := strings.ReplaceAll(h.Name+units[h.Type.kind()][0], "_", " ")
	for end, unit := range map[string]string{" s": " (s)", " j": " (J)"} {
		if of, has := strings.CutSuffix(words, end); has {
			words = of + unit
		}
	}
	words = strings.Replace(words, "cpu", "CPU", 1)
	return strings.ToUpper(words[:1]) + words[1:]
}

// number reports whether the cells of a column are numbers.
func (t Type) number() bool {
	return t == Integer || t == Ratio || t == Decimal || t == Duration || t == Energy
}

// figure is a number in its printed unit, nil where it is null.
func (v *Value) figure(kind Type) *big.Rat {
	switch {
	case !v.there:
		return nil
	case kind == Ratio || kind == Decimal:
		return v.ratio
	case kind == Integer:
		return big.NewRat(v.n, 1)
	}
	return big.NewRat(v.n, 1_000_000)
}

// decimalsOf is to how many decimals the numbers of a column are printed: six digits of the
// greatest, three decimals at most, none that are 0 in all.
func decimalsOf(figures []*big.Rat) int {
	digits := 1
	for _, x := range figures {
		if x != nil {
			digits = max(digits, len(strings.TrimPrefix(x.FloatString(0), "-")))
		}
	}
	decimals := min(max(6-digits, 0), 3)
	for decimals > 0 && !slices.ContainsFunc(figures, func(x *big.Rat) bool { return x != nil && !strings.HasSuffix(x.FloatString(decimals), "0") }) {
		decimals--
	}
	return decimals
}

// shortened cuts what no page has room for, such as a number of thousands of digits.
func shortened(text string) string {
	if strings.Trim(text, "0123456789") == "" {
		return diagnostic.ShortNumber(text)
	}
	return wording.CutEnd(text, 257)
}

// groups are the rows under each head, in their order; all of them under an empty head where the
// table has no groups.
func (p *printed) groups(yield func(head string, rows [][]string) bool) {
	head := func(row []string) string { return strings.Join(row[:p.group], "") }
	for from := 0; from < len(p.rows); {
		to := from + 1
		for to < len(p.rows) && head(p.rows[to]) == head(p.rows[from]) {
			to++
		}
		if !yield(head(p.rows[from]), p.rows[from:to]) {
			return
		}
		from = to
	}
}

// Markdown writes a table under a caption, its groups under heads.
func (t *Table) Markdown(to io.Writer, caption string) error {
	out, p := bufio.NewWriter(to), t.printed()
	line := func(cells []string, missing string, escape func(string) string) {
		for _, cell := range cells[p.group:] {
			if cell == "" {
				cell = missing
			}
			out.WriteString("| " + escape(cell) + " ")
		}
		out.WriteString("|\n")
	}
	rule := make([]string, len(p.titles))
	for i := range rule {
		rule[i] = map[bool]string{true: "---:", false: "---"}[p.number[i]]
	}
	out.WriteString(Markdown(caption) + "\n")
	for head, rows := range p.groups {
		if p.group > 0 {
			out.WriteString("\n## " + Markdown(head) + "\n")
		}
		out.WriteString("\n")
		line(p.titles, "", Markdown)
		line(rule, "", strings.Clone)
		for _, row := range rows {
			line(row, "\u2013", Markdown)
		}
	}
	if len(p.rows) == 0 {
		out.WriteString("\nThere are none.\n")
	}
	return out.Flush()
}

// Markdown escapes what Markdown would take for more than a text.
func Markdown(text string) string {
	var b strings.Builder
	for _, r := range diagnostic.Line(text) {
		if strings.ContainsRune("\\`*_{}[]<>#|~$&^!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Sizes of printed tables.
const (
	mostFloating = 30 // rows of a table that floats; a longer one may break between pages, and so may one of broken lines
	lineLetters  = 80 // of a line of a document on A4 or letter paper, see letters
	gapLetters   = 2  // between two columns
	leastLetters = 8
	partLetters  = 12          // that a broken text has together
	breakLetters = 1.5         // that a broken line may lack
	breakSigns   = "_./:,;=+-" // behind which texts are broken
)

// LaTeX writes a table for booktabs and siunitx. A short one floats, a long one is a longtable.
// Texts compile whatever they hold, with pdflatex and with engines that read Unicode.
func (t *Table) LaTeX(to io.Writer, caption, label string) error {
	out, p := bufio.NewWriter(to), t.printed()
	layout, breaks := p.layout()
	titles := ""
	for i, title := range p.titles[p.group:] {
		if i > 0 {
			titles += " & "
		}
		titles += `{\shortstack{` + strings.ReplaceAll(latex(title, 0), " ", `\\`) + "}}"
	}
	head := "\\toprule\n" + titles + " \\\\\n\\midrule\n"
	named := "\\caption{" + latex(caption, 0) + "}\\label{" + label + "}"
	size := "\\small\\setlength{\\tabcolsep}{4pt}"
	long := len(p.rows) > mostFloating || slices.Max(breaks) > 0
	if long {
		out.WriteString("\\begingroup" + size + "\\setlength{\\LTcapwidth}{\\linewidth}\n\\begin{longtable}{" + layout + "}\n" + named + "\\\\\n" +
			head + "\\endfirsthead\n" + head + "\\endhead\n\\bottomrule\n\\endfoot\n")
	} else {
		out.WriteString("\\begin{table}\n\\centering" + size + "\n" + named + "\\medskip\n\n\\begin{tabular}{" + layout + "}\n" + head)
	}
	first := true
	across := "\\multicolumn{" + strconv.Itoa(len(p.titles)-p.group) + "}{@{}l@{}}{"
	for group, rows := range p.groups {
		if p.group > 0 {
			if !first {
				out.WriteString("\\addlinespace\n")
			}
			out.WriteString(across + "\\itshape " + latex(group, 0) + "} \\\\*\n")
		}
		first = false
		for _, row := range rows {
			out.WriteString(p.line(row, breaks) + " \\\\\n")
		}
	}
	if len(p.rows) == 0 {
		out.WriteString(across + "There are none.} \\\\\n")
	}
	if long {
		out.WriteString("\\end{longtable}\n\\endgroup\n")
	} else {
		out.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
	}
	return out.Flush()
}

// layout is the columns of a LaTeX table. Where they have no room on a line, texts of more letters than
// breaks says of their column are broken; it is 0 where none are.
func (p *printed) layout() (layout string, breaks []float64) {
	widths, most, left := make([]float64, len(p.titles)), make([]float64, len(p.titles)), float64(lineLetters)
	var texts []int
	room := 0.0
	for i := p.group; i < len(p.titles); i++ {
		list := []float64{0}
		for _, word := range strings.Fields(p.titles[i]) {
			list[0] = max(list[0], letters(word))
		}
		for _, row := range p.rows {
			list = append(list, letters(row[i]))
		}
		title := list[0]
		slices.Sort(list)
		most[i] = list[len(list)-1]
		if left -= gapLetters; p.number[i] {
			left -= most[i]
			continue
		}
		texts, room = append(texts, i), room+most[i]
		widths[i] = max(title, list[(len(list)-1)*19/20], min(p.longest(i), partLetters)) // most rows stand on a line
	}
	breaks = make([]float64, len(p.titles))
	if room > left { // the shortest take what they need, the others share the rest
		slices.SortStableFunc(texts, func(a, b int) int { return cmp.Compare(widths[a], widths[b]) })
		for n, i := range texts {
			widths[i] = min(widths[i], max(left/float64(len(texts)-n), leastLetters))
			if left -= widths[i]; most[i] > widths[i] {
				breaks[i] = widths[i]
			}
		}
	}
	for i := p.group; i < len(p.titles); i++ {
		switch {
		case p.number[i]:
			layout += "S[table-format=" + p.format(i) + "]"
		case breaks[i] > 0:
			layout += ">{\\raggedright\\arraybackslash}p{" + strconv.FormatFloat(widths[i]/lineLetters, 'f', 3, 64) + "\\linewidth}"
		default:
			layout += "l"
		}
	}
	return layout, breaks
}

// longest is the longest part of the texts of a column that is not broken behind a sign.
func (p *printed) longest(column int) (n float64) {
	for _, row := range p.rows {
		for _, part := range strings.FieldsFunc(row[column], func(r rune) bool { return strings.ContainsRune(" "+breakSigns, r) }) {
			n = max(n, letters(part+"_"))
		}
	}
	return n
}

// letters is about how many small letters are as wide as a text.
func letters(text string) (n float64) {
	for _, r := range text {
		switch {
		case unicode.IsUpper(r) || r > 0xff:
			n += 1.6
		case unicode.IsDigit(r):
			n += 1.1
		default:
			n++
		}
	}
	return n
}

// format is what siunitx reserves for the numbers of a column: -4.2 for a sign, four digits and
// two decimals.
func (p *printed) format(column int) string {
	sign, whole, decimals := "", 1, 0
	for _, row := range p.rows {
		digits, minus := strings.CutPrefix(row[column], "-")
		if minus {
			sign = "-"
		}
		before, after, _ := strings.Cut(digits, ".")
		whole, decimals = max(whole, len(before)), max(decimals, len(after))
	}
	return strings.TrimSuffix(fmt.Sprintf("%s%d.%d", sign, whole, decimals), ".0")
}

// line is a row of a LaTeX table without its end.
func (p *printed) line(row []string, breaks []float64) string {
	var cells []string
	for i, cell := range row {
		switch {
		case i < p.group:
			continue
		case cell == "":
			cell = "{--}"
		case !p.number[i]:
			cell = latex(cell, breaks[i])
		}
		cells = append(cells, cell)
	}
	return strings.Join(cells, " & ")
}

// commands are what LaTeX prints for characters that mean something to it, or to the packages of
// languages. Brackets and stars mean something behind the end of a row.
var commands = map[rune]string{'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '#': `\#`, '$': `\$`, '%': `\%`, '&': `\&`, '_': `\_`, '^': `\textasciicircum{}`,
	'~': `\textasciitilde{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`, '"': `\symbol{34}`, '`': `\symbol{96}`, '[': `{[}`, ']': `{]}`, '*': `{*}`,
	'\u2013': `\textendash{}`, '\u2026': `\ldots{}`, '\u00a0': `~`, '\u202f': `\,`}

// latex escapes a text. It may be broken behind signs, and after so many letters, where that is not 0.
func latex(text string, breaks float64) string {
	var b strings.Builder
	run, before := 0.0, rune(0)
	for _, r := range diagnostic.Line(text) {
		command, special := commands[r]
		switch {
		case special:
			b.WriteString(command)
		case r == before && strings.ContainsRune("-',", r): // two of them would become another sign
			b.WriteString("{}" + string(r))
		case r < 0x80 || r >= 0xc0 && r <= 0xff && !strings.ContainsRune("ÐÞðþ×÷", r):
			b.WriteRune(r)
		default: // pdflatex knows few of the others
			fmt.Fprintf(&b, `{\ifdefined\Umathcode %c\else\texttt{%U}\fi}`, r, r)
		}
		if run += letters(string(r)); r == ' ' {
			run = 0
		} else if breaks > 0 && (strings.ContainsRune(breakSigns, r) || run > breaks-breakLetters) {
			b.WriteString(`\allowbreak{}`)
			run = 0
		}
		before = r
	}
	return b.String()
}
