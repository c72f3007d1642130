package columns

import (
	"bufio"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"podium/pnml/diagnostic"
)

// CSV writes a table with a line of names first.
func (t *Table) CSV(to io.Writer) error {
	out := rows{to: bufio.NewWriter(to), ratios: map[*big.Rat]string{}}
	for _, c := range t.Columns {
		out.cell(c.Name + units[c.Type.kind()][0])
	}
	out.end()
	for row := range t.rows {
		for i := range row {
			out.cell(out.text(t.Columns[i].Type.kind(), &row[i]))
		}
		out.end()
	}
	return out.to.Flush()
}

// rows writes lines. There are millions, so that they are written by hand, as encoding/csv would.
type rows struct {
	to     *bufio.Writer
	line   []byte
	begun  bool                // the line has a cell, which may be empty
	ratios map[*big.Rat]string // texts of numbers that many rows share
}

// mostRatios bounds the numbers that are remembered.
const mostRatios = 4096

func (c *rows) cell(text string) {
	if c.begun {
		c.line = append(c.line, ',')
	}
	c.begun = true
	if text = inert(diagnostic.Clean(text)); quoted(text) {
		c.line = append(append(append(c.line, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
	} else {
		c.line = append(c.line, text...)
	}
}

func (c *rows) end() {
	c.to.Write(append(c.line, '\n'))
	c.line, c.begun = c.line[:0], false
}

// text is a cell without quotes.
func (c *rows) text(kind Type, v *Value) string {
	switch {
	case kind == Text || kind == Time:
		return v.text
	case kind == Texts:
		return strings.Join(v.list, v.comma)
	case !v.there:
		return ""
	case kind == Integer:
		return strconv.FormatInt(v.n, 10)
	case kind == Boolean:
		return strconv.FormatBool(v.n != 0)
	case kind == Ratio:
		text, known := c.ratios[v.ratio]
		if !known {
			if len(c.ratios) == mostRatios {
				clear(c.ratios)
			}
			text = v.ratio.RatString()
			c.ratios[v.ratio] = text
		}
		return text
	case kind == Decimal:
		return Rounded(v.ratio)
	case kind == Duration:
		return Seconds(v.n)
	}
	return Joules(v.n)
}

// Rounded is a number with six decimals at most, for programs that know no ratios.
func Rounded(x *big.Rat) string {
	if x.IsInt() {
		return x.Num().String()
	}
	return strings.TrimRight(x.FloatString(6), "0")
}

// Seconds is the exact number of seconds of microseconds.
func Seconds(us int64) string {
	text := strconv.FormatInt(us/1_000_000, 10)
	if part := us % 1_000_000; part != 0 {
		text += "." + strconv.FormatInt(1_000_000+part, 10)[1:]
	}
	return text
}

// Joules is the exact number of joules of microjoules.
func Joules(uj int64) string { return Rounded(big.NewRat(uj, 1_000_000)) }

// quoted reports whether a cell must stand in quotes.
func quoted(cell string) bool {
	for i := range len(cell) {
		switch cell[i] {
		case ',', '"', '\r', '\n':
			return true
		}
	}
	first, _ := utf8.DecodeRuneInString(cell)
	return unicode.IsSpace(first) || cell == `\.` // which ends a table for some data bases
}

// inert puts an apostrophe before a text that a spreadsheet would take for a
// formula. Numbers and masks, which may begin alike, stay as they are.
func inert(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) || strings.Trim(cell, "0123456789.,/+-~?TXeE") == "" {
		return cell
	}
	return "'" + cell
}
